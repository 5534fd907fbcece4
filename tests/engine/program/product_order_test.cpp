#include "cupel/engine/program/product_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/passes.h"
#include "engine/program/example_graph.h"

namespace cupel {
namespace {

// A ring in which each node reads itself and both neighbours, and features of which each row has
// `filled` of `width`. So a node has 3 nodes behind it after a hop, 5 after two, and so on.
struct Ring {
  static constexpr Index kNodes = 400, kClasses = 4;
  Csr arcs, features;
  Program traced;
  ParameterSet values, gradients;

  Ring(Index width, Index filled, int hops = 2, double dropout = 0)
      : traced([&] {
          Stream random(stream_key("ring"), 0);
          arcs.rows = arcs.cols = features.rows = kNodes;
          features.cols = width;
          for (Index i = 0; i < kNodes; ++i) {
            std::vector<Index> near = {(i + kNodes - 1) % kNodes, i, (i + 1) % kNodes};
            std::ranges::sort(near);
            for (const Index j : near) {
              arcs.columns.push_back(j);
              arcs.values.push_back(static_cast<float>(0.2 + 0.3 * random.next_unit()));
            }
            arcs.row_ptr.push_back(3 * (i + 1));
            for (Index k = 0; k < filled; ++k) {
              features.columns.push_back(k * (width / filled));
              features.values.push_back(static_cast<float>(random.next_normal()));
            }
            features.row_ptr.push_back(static_cast<Offset>(filled) * (i + 1));
          }
          Builder b;
          const SpaceId nodes = b.space("node");
          const Value a = b.constant("A", {Layout::kSparse, nodes, 0, kNodes});
          Value x = b.constant("X", {Layout::kSparse, nodes, 0, width});
          if (dropout > 0) x = b.dropout(x, dropout);
          for (int hop = 0; hop < hops; ++hop) x = propagate(a, x);
          const Value w = b.glorot("w", width, kClasses);
          return b.finish(matmul(x, w) + b.zeros("b", kClasses));
        }()),
        values(traced.parameters),
        gradients(traced.parameters) {
    initialise(traced.parameters, stream_key("ring weights"), values);
  }

  Binding binding(std::vector<Index> rows, bool training = true) {
    return {.constants = {{&arcs, nullptr}, {&features, nullptr}},
            .rows = std::move(rows),
            .values = &values,
            .gradients = training ? &gradients : nullptr};
  }
  ProductOrder order(const std::vector<Index>& rows, int replays, bool training = true) {
    const auto all =
        choose_product_orders(compile(traced, training), binding(rows, training), replays);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? ProductOrder() : all.front();
  }
};

TEST(ProductOrder, CountsWhatEitherOrderComputes) {
  Ring ring(60, 40);
  const ProductOrder order = ring.order({10}, 1);
  EXPECT_EQ(order.rows, (std::vector<Index>{1, 3, 5}));
  // Entries of X of 5 rows, there and back; 3 entries of A and then 9.
  EXPECT_EQ(order.narrow,
            5 * 40 * 4 * (kSparseCost + kTransposedCost) + 2 * kSparseCost * (3 + 9) * 4);
  EXPECT_EQ(order.hoisted, 2 * 1 * 60 * 4);
  // 40 entries of X behind each of 9 of A, three rows written; and 3 entries of A.
  EXPECT_EQ(order.once, kScatteredCost * 9 * 40 + kWideCost * (3 * 60 + 3 * 60));
  EXPECT_EQ(order.bytes, (3 + 1) * 60 * sizeof(float));

  const ProductOrder evaluated = ring.order({10}, 1, false);
  EXPECT_EQ(evaluated.narrow, kSparseCost * (5 * 40 * 4 + (3 + 9) * 4));
  EXPECT_EQ(evaluated.hoisted, 1 * 60 * 4);
  EXPECT_EQ(evaluated.once, order.once);
}

TEST(ProductOrder, FewRowsOfFullFeaturesAreHoistedOnceThatPays) {
  Ring ring(60, 40);
  const ProductOrder order = ring.order({10}, 1);
  // The least r with 2 (once + r hoisted) < r narrow.
  const int pays = static_cast<int>(2 * order.once / (order.narrow - 2 * order.hoisted)) + 1;
  EXPECT_EQ(pays, 7);
  EXPECT_FALSE(ring.order({10}, pays - 1).hoist);
  EXPECT_TRUE(ring.order({10}, pays).hoist);
  EXPECT_FALSE(ring.order({10}, 0).hoist);
}

TEST(ProductOrder, WideFeaturesOfFewEntriesStayNarrow) {
  EXPECT_FALSE(Ring(6000, 3).order({10}, 1'000'000).hoist);
  EXPECT_TRUE(Ring(6, 3).order({10}, 1'000'000).hoist);
}

TEST(ProductOrder, IsToldInALine) {
  Ring ring(60, 40);
  const auto text = [&](int replays) {
    return to_text(choose_product_orders(compile(ring.traced, true), ring.binding({10}), replays));
  };
  EXPECT_EQ(text(1),
            "%6 = A^2 X W: rows 1 <- 3 <- 5, columns 60 -> 4; narrow 7.5e+03, hoisted 4.8e+02 and "
            "2.2e+04 once, 0.0 MiB; narrow\n");
  EXPECT_TRUE(text(100).ends_with("; hoisted\n")) << text(100);
}

// What the ops of a replay compute, counted where they run.
double watched_cost(BoundProgram& bound, bool training) {
  double cost = 0;
  bound.watch([&](const Op& op, const OpRun& run, bool backward) {
    const double columns = run.out.value.cols;
    const auto entries = [&](const Operand& x) { return static_cast<double>(x.sparse->entries()); };
    if (op.name() == "propagate")
      cost += kSparseCost * entries(run.in[0]) * columns;
    else if (op.name() == "matmul" && run.in[0].sparse != nullptr)
      cost += (backward ? kTransposedCost : kSparseCost) * entries(run.in[0]) * columns;
    else if (op.name() == "matmul")
      cost += double{1} * run.in[0].value.rows * run.in[0].value.cols * columns;
  });
  bound.forward({}, 0);
  if (training) bound.backward();
  bound.watch({});
  return cost;
}

TEST(ProductOrder, PromisesWhatReplaysCompute) {
  constexpr int kMany = 1'000'000;  // over which nothing is left of what is computed once
  for (const auto& [width, filled] : {std::pair<Index, Index>{60, 40}, {90, 1}, {7, 7}}) {
    for (const int hops : {1, 2, 3}) {
      for (const bool training : {true, false}) {
        Ring ring(width, filled, hops);
        const std::vector<Index> rows = {3, 4, 50, 399};
        const Program narrow = compile(ring.traced, training);
        const ProductOrder order = ring.order(rows, kMany, training);
        BoundProgram kept(narrow, ring.binding(rows, training));
        EXPECT_EQ(watched_cost(kept, training), order.narrow);
        const Program chosen = order_products(narrow, ring.binding(rows, training), kMany);
        BoundProgram bound(chosen, ring.binding(rows, training));
        EXPECT_EQ(watched_cost(bound, training), order.hoist ? order.hoisted : order.narrow);
        EXPECT_EQ(order.hoist, 2 * order.hoisted < order.narrow);
        EXPECT_EQ(chosen.to_text() == narrow.to_text(), !order.hoist);
      }
    }
  }
}

// A^hops X W + b and the gradient of W where the output's is 1 at (row k, class k % 4): plain
// loops over dense matrices in double.
struct Oracle {
  std::vector<std::vector<double>> output, gradient;

  Oracle(const Ring& ring, const std::vector<Index>& rows, int hops) {
    const Index width = ring.features.cols;
    std::vector<std::vector<double>> x(Ring::kNodes, std::vector<double>(width));
    for (Index i = 0; i < Ring::kNodes; ++i)
      for (Offset e = ring.features.row_ptr[i]; e < ring.features.row_ptr[i + 1]; ++e)
        x[i][ring.features.columns[e]] = ring.features.value(e);
    for (int hop = 0; hop < hops; ++hop) {
      const auto before = x;
      for (Index i = 0; i < Ring::kNodes; ++i)
        for (Index c = 0; c < width; ++c) {
          x[i][c] = 0;
          for (Offset e = ring.arcs.row_ptr[i]; e < ring.arcs.row_ptr[i + 1]; ++e)
            x[i][c] += ring.arcs.value(e) * before[ring.arcs.columns[e]][c];
        }
    }
    gradient.assign(width, std::vector<double>(Ring::kClasses));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      output.emplace_back(Ring::kClasses);
      for (Index c = 0; c < width; ++c) {
        for (Index j = 0; j < Ring::kClasses; ++j)
          output[k][j] += x[rows[k]][c] * ParameterSet(ring.values).view(0).row(c)[j];
        gradient[c][k % Ring::kClasses] += x[rows[k]][c];
      }
    }
  }
};

TEST(ProductOrder, BothOrdersGiveOutputsAndGradientsOfTheDefinition) {
  const std::vector<Index> rows = {0, 1, 2, 30, 31, 200, 399};
  for (const int hops : {1, 2, 4}) {
    Ring ring(12, 9, hops);
    const Oracle oracle(ring, rows, hops);
    const Program narrow = compile(ring.traced, true);
    const Program hoisted = order_products(narrow, ring.binding(rows), 1000);
    ASSERT_NE(narrow.to_text(), hoisted.to_text());
    for (const Program& program : {narrow, hoisted}) {
      BoundProgram bound(program, ring.binding(rows));
      for (std::uint32_t step = 0; step < 2; ++step) {  // what is computed once stays
        std::ranges::fill(ring.gradients.block(), 0.0f);
        bound.forward({}, step);
        for (std::size_t k = 0; k < rows.size(); ++k) {
          for (Index j = 0; j < Ring::kClasses; ++j) {
            EXPECT_NEAR(bound.output().row(k)[j], oracle.output[k][j], 1e-5);
            bound.output_gradient().row(k)[j] = j == static_cast<Index>(k % Ring::kClasses);
          }
        }
        bound.backward();
        for (Index c = 0; c < 12; ++c)
          for (Index j = 0; j < Ring::kClasses; ++j)
            EXPECT_NEAR(ring.gradients.view(0).row(c)[j], oracle.gradient[c][j], 1e-5);
      }
    }
  }
}

TEST(ProductOrder, IsPlannedAsItRuns) {
  for (const int replays : {0, 1000}) {
    Ring ring(60, 40, 3);
    const Program program =
        order_products(compile(ring.traced, true), ring.binding({7, 9}), replays);
    EXPECT_EQ(planned_memory(program, ring.binding({7, 9})),
              BoundProgram(program, ring.binding({7, 9})).memory_bytes());
  }
  // Fewer rows are computed where A A X is there: one of the product and the output, and three of
  // A X once; not five of X W.
  Ring ring(60, 40);
  const Program narrow = compile(ring.traced, true);
  const Program hoisted = order_products(narrow, ring.binding({10}), 1000);
  EXPECT_EQ(BoundProgram(narrow, ring.binding({10})).computed_rows(), 5 + 3 + 1 + 1);
  EXPECT_EQ(BoundProgram(hoisted, ring.binding({10})).computed_rows(), 3 + 1 + 1 + 1);
}

// A hub that reads `leaves`, each of which reads itself: one row of A A X, `leaves` of A X.
ProductOrder order_of_star(Index leaves, Index width) {
  Csr arcs, features;
  arcs.rows = arcs.cols = features.rows = leaves + 1;
  features.cols = width;
  for (Index i = 0; i <= leaves; ++i) {
    for (Index j = i; j <= (i == 0 ? leaves : i); ++j) arcs.columns.push_back(j);
    arcs.row_ptr.push_back(static_cast<Offset>(arcs.columns.size()));
    features.columns.push_back(i % width);
    features.row_ptr.push_back(i + 1);
  }
  Builder b;
  const SpaceId nodes = b.space("node");
  const Value a = b.constant("A", {Layout::kSparse, nodes, 0, arcs.cols});
  const Value x = b.constant("X", {Layout::kSparse, nodes, 0, width});
  const Program program = b.finish(propagate(a, propagate(a, matmul(x, b.glorot("w", width, 1)))));
  return choose_product_orders(compile(program, false),
                               {.constants = {{&arcs, nullptr}, {&features, nullptr}}, .rows = {0}},
                               1'000'000)
      .front();
}

TEST(ProductOrder, HoistsNothingThatIsTooLarge) {
  const ProductOrder small = order_of_star(15'000, 3400), large = order_of_star(21'000, 3400);
  EXPECT_TRUE(small.hoist);
  EXPECT_EQ(large.bytes, (1 + 21'001) * std::size_t{3400} * sizeof(float));
  EXPECT_GT(large.bytes, kHoistedBytes);
  EXPECT_LT(large.hoisted, large.narrow);  // by time alone it would be
  EXPECT_FALSE(large.hoist);
}

TEST(ProductOrder, RandomValuesAreNotHoisted) {
  Ring ring(60, 40, 2, 0.5);
  const auto orders = [&](bool training) {
    return choose_product_orders(compile(ring.traced, training), ring.binding({10}, training), 100);
  };
  EXPECT_TRUE(orders(true).empty());
  ASSERT_EQ(orders(false).size(), 1u);
  EXPECT_TRUE(orders(false).front().hoist);
}

TEST(ProductOrder, LeavesAloneWhatComputesNothingOnce) {
  Ring ring(60, 40);
  const Program program = compile(ring.traced, true);
  AlignedVector<float> memory;
  Binding shared = ring.binding({10});
  shared.memory = &memory;
  EXPECT_EQ(order_products(program, shared, 1000).to_text(), program.to_text());
  Binding folded = ring.binding({10});
  folded.equal.assign(program.nodes.size(), nullptr);
  EXPECT_EQ(order_products(program, folded, 1000).to_text(), program.to_text());
}

int chains_of(const std::function<Value(Builder&, const OpExampleInputs&)>& trace) {
  BoundExample example(trace);
  const Binding binding = {.constants = example.graph.constants(),
                           .rows = {0, 3},
                           .values = &example.values,
                           .gradients = &example.gradients};
  return static_cast<int>(
      choose_product_orders(compile(example.program, true), binding, 10).size());
}

TEST(ProductOrder, FindsChainsWhoseValuesHaveNoOtherReader) {
  EXPECT_EQ(chains_of([](Builder& b, const OpExampleInputs& in) {
              return propagate(in.adjacency, matmul(in.sparse_features, b.glorot("w", 9, 4)));
            }),
            1);
  // Two chains: over constants, and over what is computed of them.
  EXPECT_EQ(chains_of([](Builder& b, const OpExampleInputs& in) {
              const Value x = normalise_rows(in.dense_features, 1e-6);
              return propagate(in.adjacency, matmul(x, b.glorot("v", 6, 4))) +
                     propagate(in.pattern, matmul(in.sparse_features, b.glorot("w", 9, 4)));
            }),
            2);
  // The product has another reader.
  EXPECT_EQ(chains_of([](Builder& b, const OpExampleInputs& in) {
              const Value product = matmul(in.sparse_features, b.glorot("w", 9, 4));
              return propagate(in.adjacency, product) + product;
            }),
            0);
  // Behind a parameter.
  EXPECT_EQ(chains_of([](Builder& b, const OpExampleInputs& in) {
              const Value h = relu(matmul(in.sparse_features, b.glorot("w", 9, 4)));
              return propagate(in.adjacency, matmul(h, b.glorot("v", 4, 2)));
            }),
            0);
}

// Several chains in a program that has more than them, pruned and whole.
TEST(ProductOrder, KeepsTheMeaningOfTheRest) {
  BoundExample example([](Builder& b, const OpExampleInputs& in) {
    const Value x = normalise_rows(in.dense_features, 1e-6);
    Value h = propagate(in.adjacency, matmul(x, b.glorot("v", 6, 4))) +
              propagate(in.pattern,
                        propagate(in.adjacency, matmul(in.sparse_features, b.glorot("w", 9, 4))));
    h = relu(h + b.zeros("b", 4));
    return propagate(in.adjacency, matmul(h, b.glorot("u", 4, 3)));
  });
  for (const bool prune : {true, false}) {
    const Binding binding = {.constants = example.graph.constants(),
                             .rows = {0, 3, 8},
                             .prune = prune,
                             .values = &example.values,
                             .gradients = &example.gradients};
    const Program before = compile(example.program, true);
    const Program after = order_products(before, binding, 1'000'000);
    ASSERT_NE(before.to_text(), after.to_text());
    std::vector<std::vector<float>> outputs, gradients;
    for (const Program& program : {before, after}) {
      BoundProgram bound(program, binding);
      bound.forward({}, 0);
      outputs.emplace_back(bound.output().data, bound.output().data + 9);
      std::fill_n(bound.output_gradient().data, 9, 1.0f);
      bound.backward();
      const auto& block = example.gradients.block();
      gradients.emplace_back(block.begin(), block.end());
    }
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(outputs[0][k], outputs[1][k], 1e-4);
    for (std::size_t k = 0; k < gradients[0].size(); ++k)
      EXPECT_NEAR(gradients[0][k], gradients[1][k], 1e-4);
  }
}

}  // namespace
}  // namespace cupel
