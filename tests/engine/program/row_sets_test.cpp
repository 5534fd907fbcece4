#include "cupel/engine/program/row_sets.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cupel
