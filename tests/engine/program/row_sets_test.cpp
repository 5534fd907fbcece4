#include "cupel/engine/program/row_sets.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/error.h"
#include "cupel/engine/program/bound_program.h"
#include "engine/program/example_graph.h"

namespace cupel {
namespace {

// Columns are renumbered once for all inputs that they name rows of, so these need the same rows,
// even where one of them is read elsewhere as well.
TEST(RowSets, InputsReadByTheSameColumnsHaveTheSameRows) {
  const ExampleGraph graph;
  Builder b;
  const OpExampleInputs in = graph.declare(b);
  const Value values = matmul(in.dense_features, b.glorot("v", 6, 4));
  const Value sender = matmul(in.dense_features, b.glorot("s", 6, 2));
  const Value receiver = matmul(in.dense_features, b.glorot("r", 6, 2));
  const Value attention = additive_attention(in.pattern, receiver, sender, values);
  // Row 13 is isolated: it is no neighbour, and of the values alone wanted for itself.
  const Program program = b.finish(concat_columns({attention, values}));
  const std::vector<ConstantMatrix> constants = graph.constants();
  const RowSets sets(program, constants, {4, 13}, true);

  std::vector<Index> expected(graph.pattern.row_columns(4).begin(),
                              graph.pattern.row_columns(4).end());
  EXPECT_EQ(std::count(expected.begin(), expected.end(), 13), 0);
  expected.push_back(13);
  ASSERT_LT(expected.size(), 13u);
  EXPECT_EQ(sets.of(values.id)->groups, expected);
  EXPECT_EQ(sets.of(sender.id)->groups, expected);
  EXPECT_EQ(sets.read(attention.id, 2), sets.read(attention.id, 3));
  EXPECT_EQ(sets.of(receiver.id)->groups, (std::vector<Index>{4, 13}));
}

// One row in forty is computed without a reader, two are not; the output has the rows asked for.
TEST(RowSets, NearlyAllRowsAreAllRows) {
  Matrix features(40, 2);
  for (Index r = 0; r < features.rows; ++r) features(r, 0) = static_cast<float>(r);
  Builder b;
  const Value x = b.constant("features", {Layout::kDense, b.space("node"), 0, 2});
  const Value product = matmul(x, b.glorot("w", 2, 1));
  const Program program = b.finish(tanh(product));
  const std::vector<ConstantMatrix> constants = {{nullptr, &features}};
  for (const Index left_out : {1, 2}) {
    std::vector<Index> wanted;
    for (Index r = left_out; r < features.rows; ++r) wanted.push_back(r);
    const RowSets sets(program, constants, wanted, true);
    EXPECT_EQ(sets.of(product.id)->all, left_out == 1);
    EXPECT_EQ(sets.of(product.id)->size(), left_out == 1 ? 40 : 38);

    ParameterSet values(program.parameters);
    values.view(0).row(0)[0] = 0.01f;
    BoundProgram bound(program, {constants, wanted, true, &values, nullptr}, {1});
    bound.forward({}, 0);
    ASSERT_EQ(bound.output().rows, 40 - left_out);
    for (Index i = 0; i < bound.output().rows; ++i)
      EXPECT_NEAR(bound.output().row(i)[0], std::tanh(0.01 * (i + left_out)), 1e-6);
  }
}

TEST(RowSets, RefusesMoreArcsThanArcValuesHaveNumbers) {
  const Offset arcs = (Offset{1} << 31) + 5;
  Csr graph;  // its columns are not looked at before it is refused
  graph.rows = graph.cols = 1;
  graph.row_ptr = {0, arcs};
  const Matrix features(1, 2);
  Builder b;
  const SpaceId nodes = b.space("node");
  const Value pattern = b.constant("arcs", {Layout::kSparse, nodes, 0, 1});
  const Value x = b.constant("features", {Layout::kDense, nodes, 0, 2});
  const Value score = matmul(x, b.glorot("w", 2, 1));
  const Value output = edge_sum(pattern, edge_add(pattern, score, score));
  const Program program = b.finish(output);
  const std::vector<ConstantMatrix> constants = {{&graph, nullptr}, {nullptr, &features}};
  try {
    RowSets sets(program, constants, {0}, true);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2147483653 arcs"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cupel
