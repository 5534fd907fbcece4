// Rows computed once for all that are equal: the same outputs and gradients for every op, classes
// against a slow refinement.
#include "cupel/engine/program/equal_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "engine/program/example_graph.h"

namespace cupel {

static void PrintTo(const OpExample& example, std::ostream* out) { *out << example.name; }

namespace {

// What a binding of the whole takes.
struct Classes {
  std::vector<RowClasses> owned;
  std::vector<const RowClasses*> by_value;

  explicit Classes(const EqualRows& equal) : owned(equal.partitions.size()) {
    for (std::size_t p = 0; p < owned.size(); ++p) {
      const std::pair<Offset, Offset> all = {0, equal.partitions[p].rows->of.size()};
      take_classes(*equal.partitions[p].rows, {&all, 1}, owned[p]);
    }
    for (const int p : equal.of_value) by_value.push_back(p >= 0 ? &owned[p] : nullptr);
  }
};

std::vector<Index> all_rows(Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

constexpr Index kCopies = 3;
const StreamKey kKey = stream_key("equal rows");

class FoldedOp : public testing::TestWithParam<OpExample> {};

// Three copies of a graph; what is asked of the output differs from copy to copy, so that gradients
// of equal rows do.
TEST_P(FoldedOp, ComputesWhatAllRowsCompute) {
  for (const bool training : {true, false}) {
    BoundExample whole(GetParam().trace, kCopies), folded(GetParam().trace, kCopies);
    const std::vector<Index> rows = all_rows(kCopies * ExampleGraph::kNodes);
    BoundProgram a = whole.bind(rows, false, training);
    const Program program = compile(folded.program, training);
    const Classes classes(find_equal_rows(program, folded.graph.constants()));
    Binding binding{folded.graph.constants(), rows, false, &folded.values,
                    training ? &folded.gradients : nullptr};
    binding.equal = classes.by_value;
    BoundProgram b(program, std::move(binding));
    for (std::uint32_t step = 0; step < 2; ++step) {
      for (BoundProgram* bound : {&a, &b}) {
        bound->forward(kKey, step);
        if (!training) continue;
        Stream random(stream_key("what is asked"), step);
        const DenseView gradient = bound->output_gradient();
        for (Index r = 0; r < gradient.rows; ++r)
          for (Index c = 0; c < gradient.cols; ++c)
            gradient.row(r)[c] = static_cast<float>(random.next_normal());
        bound->backward();
      }
      const ConstDenseView x = a.output(), y = b.output();
      ASSERT_EQ(x.rows, y.rows);
      for (Index r = 0; r < x.rows; ++r)
        for (Index c = 0; c < x.cols; ++c)
          ASSERT_NEAR(x.row(r)[c], y.row(r)[c], 2e-5 * (1 + std::abs(x.row(r)[c])))
              << r << "," << c;
      for (std::size_t i = 0; training && i < whole.gradients.block().size(); ++i)
        ASSERT_NEAR(whole.gradients.block()[i], folded.gradients.block()[i],
                    1e-4 * (1 + std::abs(whole.gradients.block()[i])))
            << "gradient entry " << i;
      for (std::size_t i = 0; i < whole.values.block().size(); ++i)
        ASSERT_NEAR(whole.values.block()[i], folded.values.block()[i], 1e-5)
            << "written value " << i;
    }
  }
}

std::string test_name(const testing::TestParamInfo<OpExample>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Ops, FoldedOp, testing::ValuesIn(all_op_examples()), test_name);

// Rows that may be folded are folded: of three copies, one is computed until the copies are told
// apart by the output alone.
TEST(EqualRows, CopiesOfAGraphAreComputedOnce) {
  const auto trace = [](Builder& b, const OpExampleInputs& in) {
    Value h = relu(propagate(in.adjacency, matmul(in.sparse_features, b.glorot("w", 9, 8))));
    return matmul(propagate(in.pattern, h), b.glorot("v", 8, 3));
  };
  BoundExample example(trace, kCopies);
  const Program program = compile(example.program, true);
  const EqualRows equal = find_equal_rows(program, example.graph.constants());
  for (const EqualRows::Used& partition : equal.partitions)
    EXPECT_LE(partition.rows->classes, ExampleGraph::kNodes);
  for (std::size_t v = 0; v < program.nodes.size(); ++v)
    EXPECT_EQ(equal.of_value[v] >= 0, program.nodes[v].kind == Node::Kind::kOp) << v;
}

// What one program found is there for another of the same constants, found to be of no use or not.
TEST(EqualRows, PartitionsAreFoundOnceForAllPrograms) {
  const auto trace = [](Index width) {
    return [width](Builder& b, const OpExampleInputs& in) {
      Value h = relu(propagate(in.adjacency, matmul(in.sparse_features, b.glorot("w", 9, width))));
      return propagate(in.pattern, h) + h;
    };
  };
  std::map<std::string, std::shared_ptr<const EqualRows::Partition>> kept;
  int made = 0;
  const KeptPartitions keep = [&](const std::string& description, const auto& make) {
    auto& place = kept[description];
    if (place == nullptr) {
      place = std::make_shared<const EqualRows::Partition>(make());
      ++made;
    }
    return place;
  };
  BoundExample narrow(trace(5), kCopies), wide(trace(8), kCopies);
  const auto found = [&](const BoundExample& example, bool training) {
    const Program program = compile(example.program, training);
    const EqualRows alone = find_equal_rows(program, example.graph.constants());
    const EqualRows shared = find_equal_rows(program, example.graph.constants(), keep);
    EXPECT_EQ(alone.of_value, shared.of_value);
    EXPECT_EQ(alone.partitions.size(), shared.partitions.size());
    for (std::size_t p = 0; p < alone.partitions.size(); ++p)
      EXPECT_EQ(alone.partitions[p].rows->of, shared.partitions[p].rows->of);
    return shared;
  };
  const EqualRows first = found(narrow, true);
  EXPECT_GT(made, 0);
  const int made_first = made;
  const EqualRows second = found(wide, true), third = found(wide, false);
  EXPECT_EQ(made, made_first);
  for (std::size_t p = 0; p < first.partitions.size(); ++p) {
    EXPECT_EQ(first.partitions[p].rows, second.partitions[p].rows);
    EXPECT_EQ(first.partitions[p].rows, third.partitions[p].rows);
  }
}

// Refinement of a random graph by the names of colours, spelled out.
TEST(EqualRows, ClassesAreThoseOfColourRefinement) {
  Stream random(stream_key("sparse random graph"), 0);
  constexpr Index kNodes = 200;
  Csr arcs, labels;
  arcs.rows = arcs.cols = labels.rows = kNodes;
  labels.cols = 2;
  std::vector<std::vector<Index>> neighbours(kNodes);
  for (int e = 0; e < 150; ++e) {
    const auto a = static_cast<Index>(random.next_below(kNodes));
    const auto b = static_cast<Index>(random.next_below(kNodes));
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  std::vector<std::string> colour(kNodes);
  for (Index i = 0; i < kNodes; ++i) {
    arcs.columns.insert(arcs.columns.end(), neighbours[i].begin(), neighbours[i].end());
    arcs.row_ptr.push_back(static_cast<Offset>(arcs.columns.size()));
    labels.columns.push_back(static_cast<Index>(random.next_below(2)));
    labels.row_ptr.push_back(i + 1);
    colour[i] = std::to_string(labels.columns.back());
  }
  Builder b;
  const SpaceId nodes = b.space("node");
  const Value graph = b.constant("arcs", {Layout::kSparse, nodes, 0, kNodes});
  const Value kinds = b.constant("kinds", {Layout::kSparse, nodes, 0, 2});
  std::vector<Value> hops = {matmul(kinds, b.glorot("w", 2, 4))};
  for (int l = 0; l < 3; ++l) hops.push_back(propagate(graph, tanh(hops.back())));
  const Program program = b.finish(hops.back());
  const EqualRows equal = find_equal_rows(program, {{&arcs, nullptr}, {&labels, nullptr}});

  for (const Value& hop : hops) {
    ASSERT_GE(equal.of_value[hop.id], 0);
    const EqualRows::Partition& found = *equal.partitions[equal.of_value[hop.id]].rows;
    std::map<std::string, Index> by_colour;
    std::map<Index, std::string> by_class;
    for (Index i = 0; i < kNodes; ++i) {
      EXPECT_EQ(by_colour.try_emplace(colour[i], found.of[i]).first->second, found.of[i]);
      EXPECT_EQ(by_class.try_emplace(found.of[i], colour[i]).first->second, colour[i]);
    }
    EXPECT_EQ(static_cast<Index>(by_class.size()), found.classes);
    std::vector<std::string> next(kNodes);
    for (Index i = 0; i < kNodes; ++i) {
      std::vector<std::string> around;
      for (const Index j : neighbours[i]) around.push_back(colour[j]);
      std::sort(around.begin(), around.end());
      for (const std::string& each : around) next[i] += "(" + each + ")";
    }
    colour = next;
  }
}

}  // namespace
}  // namespace cupel
