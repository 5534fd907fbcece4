#include "cupel/engine/program/passes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cupel/engine/program/op.h"
#include "engine/program/example_graph.h"

namespace cupel {
namespace {

int count(const Program& program, std::string_view op) {
  int n = 0;
  for (const Node& node : program.nodes) n += node.op != nullptr && node.op->name() == op;
  return n;
}

int id_of(const Program& program, std::string_view op, int nth = 0) {
  for (std::size_t i = 0; i < program.nodes.size(); ++i)
    if (program.nodes[i].op != nullptr && program.nodes[i].op->name() == op && nth-- == 0)
      return static_cast<int>(i);
  return -1;
}

TEST(OrderProducts, PropagatesAtTheNarrowerWidth) {
  BoundExample narrow([](Builder& b, const OpExampleInputs& in) {
    return matmul(propagate(in.adjacency, in.dense_features), b.glorot("w", 6, 2));
  });
  const Program after = drop_unread(order_products(narrow.program));
  const Node& hop = after.nodes[id_of(after, "propagate")];
  EXPECT_EQ(hop.shape.cols, 2);
  EXPECT_EQ(after.nodes[after.output].op->name(), "propagate");

  BoundExample wide([](Builder& b, const OpExampleInputs& in) {
    return propagate(in.adjacency, matmul(in.dense_features, b.glorot("w", 6, 30)));
  });
  const Program kept = drop_unread(order_products(wide.program));
  EXPECT_EQ(kept.nodes[id_of(kept, "propagate")].shape.cols, 6);
  EXPECT_EQ(kept.nodes[kept.output].op->name(), "matmul");
}

TEST(OrderProducts, SparseFeaturesAreMultipliedFirstThroughAllHops) {
  BoundExample sgc([](Builder& b, const OpExampleInputs& in) {
    Value h = propagate(in.pattern, propagate(in.adjacency, in.sparse_features));
    return matmul(h, b.glorot("w", 9, 3));
  });
  const Program after = drop_unread(order_products(sgc.program));
  EXPECT_EQ(after.nodes[id_of(after, "matmul")].inputs[0], 2);  // the features themselves
  ASSERT_EQ(count(after, "propagate"), 2);
  // The hop nearest to the features stays the first one.
  EXPECT_EQ(after.nodes[id_of(after, "propagate", 0)].inputs[0], 0);
  EXPECT_EQ(after.nodes[id_of(after, "propagate", 1)].inputs[0], 1);
}

TEST(OrderProducts, LeavesSharedValuesAlone) {
  BoundExample shared([](Builder& b, const OpExampleInputs& in) {
    Value h = propagate(in.adjacency, in.dense_features);
    return concat_columns({matmul(h, b.glorot("w", 6, 2)), h});
  });
  EXPECT_EQ(order_products(shared.program).to_text(), shared.program.to_text());
}

TEST(FuseChains, BiasActivationDropoutBecomeOnePass) {
  BoundExample example([](Builder& b, const OpExampleInputs& in) {
    Value h = matmul(in.dense_features, b.glorot("w", 6, 5)) + b.zeros("b", 5);
    return b.dropout(relu(h), 0.5);
  });
  EXPECT_EQ(count(example.program, "pointwise"), 3);
  EXPECT_EQ(count(compile(example.program, true), "pointwise"), 1);
}

TEST(FuseChains, DropoutMayComeBeforeTheActivation) {
  BoundExample example([](Builder& b, const OpExampleInputs& in) {
    Value h = matmul(in.dense_features, b.glorot("w", 6, 5)) + b.zeros("b", 5);
    return gelu(b.dropout(h, 0.5));
  });
  EXPECT_EQ(count(compile(example.program, true), "pointwise"), 1);
  EXPECT_EQ(count(compile(example.program, false), "pointwise"), 1);
}

TEST(FuseChains, AResidualJoinsBiasAndDropout) {
  BoundExample example([](Builder& b, const OpExampleInputs& in) {
    Value x = matmul(in.dense_features, b.glorot("w", 6, 5));
    return x + b.dropout(matmul(x, b.glorot("v", 5, 5)) + b.zeros("b", 5), 0.5);
  });
  for (const bool training : {true, false}) {
    const Program after = compile(example.program, training);
    EXPECT_EQ(count(after, "pointwise"), 1);
    EXPECT_EQ(count(after, "add"), 0);
  }
}

TEST(FuseChains, DoesNotReorder) {
  BoundExample example([](Builder& b, const OpExampleInputs& in) {
    Value h = b.dropout(matmul(in.dense_features, b.glorot("w", 6, 5)), 0.5);
    return relu(h) + b.zeros("b", 5);  // the bias may not move before the activation
  });
  EXPECT_EQ(count(compile(example.program, true), "pointwise"), 2);
  BoundExample sum([](Builder& b, const OpExampleInputs& in) {
    Value x = matmul(in.dense_features, b.glorot("w", 6, 5));
    return (x + relu(x)) + b.zeros("b", 5);  // a sum with an activation cannot be inverted
  });
  EXPECT_EQ(count(compile(sum.program, true), "add"), 1);
  EXPECT_EQ(count(compile(sum.program, true), "pointwise"), 2);
}

// Two selections of eight rows each, and a row that nothing names.
struct Gathered {
  Csr sources = selection({0, 3, 3, 1, 4, 0, 2, 3}), targets = selection({1, 3, 0, 0, 4, 1, 3, 2});
  std::vector<Index> all = {0, 1, 2, 3, 4, 5, 6, 7};
  Program program;
  ParameterSet values, gradients;

  static Csr selection(std::vector<Index> rows) {
    Csr m;
    m.rows = static_cast<Index>(rows.size());
    m.cols = 6;
    m.row_ptr.resize(rows.size() + 1);
    for (std::size_t i = 0; i <= rows.size(); ++i) m.row_ptr[i] = static_cast<Offset>(i);
    m.columns = std::move(rows);
    return m;
  }
  // `tables`: one that both are gathered from, or one each.
  explicit Gathered(int tables)
      : program([&] {
          Builder b;
          const SpaceId pairs = b.space("pair");
          const Shape shape = {Layout::kSparse, pairs, 0, 6};
          const Value s = b.constant("sources", shape), t = b.constant("targets", shape);
          const Value first = b.glorot("first", 6, 11);
          const Value second = tables == 1 ? first : b.glorot("second", 6, 11);
          return b.finish(row_dot(gather_rows(s, first), gather_rows(t, second)));
        }()),
        values(program.parameters),
        gradients(program.parameters) {
    initialise(program.parameters, stream_key("gathered"), values);
  }

  // Scores, then the gradient of the first table, where the k-th score weighs k + 1.
  std::vector<float> replay(const Program& of) {
    std::fill(gradients.block().begin(), gradients.block().end(), 0.0f);
    BoundProgram bound(of, {{{&sources}, {&targets}}, all, false, &values, &gradients});
    return replay(bound);
  }
  std::vector<float> replay(BoundProgram& bound) {
    bound.forward({}, 0);
    std::vector<float> out;
    for (Index k = 0; k < 8; ++k) {
      out.push_back(*bound.output().row(k));
      *bound.output_gradient().row(k) = static_cast<float>(k + 1);
    }
    bound.backward();
    const DenseView grad = gradients.view(0);
    for (Index i = 0; i < grad.rows; ++i) out.insert(out.end(), grad.row(i), grad.row(i) + 11);
    return out;
  }
};

TEST(FuseGathers, InnerProductsReadTheTable) {
  Gathered one(1);
  const Program after = compile(one.program, true);
  EXPECT_EQ(count(after, "pair-dot"), 1);
  EXPECT_EQ(count(after, "gather-rows"), 0);
  const std::vector<float> expected = one.replay(one.program), found = one.replay(after);
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-5);
  EXPECT_NE(expected[8], 0);  // the gradient is there
}

TEST(FuseGathers, LeavesRowsOfTwoTablesAlone) {
  EXPECT_EQ(count(compile(Gathered(2).program, true), "pair-dot"), 0);
}

// Batches of links are replaced so between steps.
TEST(FuseGathers, OtherRowsMayBeNamedBetweenReplays) {
  for (const int tables : {1, 2}) {
    Gathered some(tables), other(tables);
    std::reverse(other.sources.columns.begin(), other.sources.columns.end());
    const Program program = compile(some.program, true);
    BoundProgram bound(
        program,
        {{{&some.sources}, {&some.targets}}, some.all, false, &some.values, &some.gradients});
    const std::vector<float> first = some.replay(bound);
    std::copy(other.sources.columns.begin(), other.sources.columns.end(),
              some.sources.columns.begin());
    std::copy(other.targets.columns.begin(), other.targets.columns.end(),
              some.targets.columns.begin());
    std::fill(some.gradients.block().begin(), some.gradients.block().end(), 0.0f);
    const std::vector<float> second = some.replay(bound);
    EXPECT_EQ(second, other.replay(program));
    EXPECT_NE(second, first);
  }
}

TEST(WithoutDropout, LeavesNoRandomOp) {
  BoundExample example([](Builder& b, const OpExampleInputs& in) {
    Value h = b.dropout(in.sparse_features, 0.5);
    return b.dropout(relu(matmul(h, b.glorot("w", 9, 5))), 0.5);
  });
  const Program after = compile(example.program, false);
  for (const Node& node : after.nodes) EXPECT_FALSE(node.op != nullptr && node.op->is_random());
}

TEST(Hoistable, EndsAtParametersAndRandomness) {
  BoundExample example([](Builder& b, const OpExampleInputs& in) {
    Value once = propagate(in.adjacency, in.dense_features);
    Value drawn = b.dropout(once, 0.5);
    return matmul(drawn, b.glorot("w", 6, 2)) + matmul(once, b.glorot("v", 6, 2));
  });
  const std::vector<bool> hoisted = hoistable(example.program);
  EXPECT_TRUE(hoisted[id_of(example.program, "propagate")]);
  EXPECT_FALSE(hoisted[id_of(example.program, "pointwise")]);
  EXPECT_FALSE(hoisted[id_of(example.program, "matmul", 1)]);
}

TEST(Tracing, ShapesThatDoNotFitAreBugs) {
  Builder b;
  const ExampleGraph graph;
  const OpExampleInputs in = graph.declare(b);
  EXPECT_THROW(matmul(in.dense_features, b.glorot("w", 5, 2)), std::logic_error);
  EXPECT_THROW(in.dense_features + matmul(in.dense_features, b.glorot("v", 6, 2)),
               std::logic_error);
  EXPECT_THROW(b.dropout(in.dense_features, 1.0), std::logic_error);
  Builder other;
  EXPECT_THROW(matmul(in.dense_features, other.glorot("w", 6, 2)), std::logic_error);
}

}  // namespace
}  // namespace cupel
