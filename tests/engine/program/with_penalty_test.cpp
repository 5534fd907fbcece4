// A penalty adds its gradient to the output's, and nothing else.
#include <gtest/gtest.h>

#include "engine/program/example_graph.h"

namespace cupel {
namespace {

Value layer(Builder& b, const OpExampleInputs& in) {
  return tanh(matmul(in.dense_features, b.glorot("w", 6, 5)));
}
// The sum of the squares of all nodes' values: static, depends on every row.
Value sum_of_squares(Value h) {
  return column_sums(matmul(
      h * h, h.builder->parameter({"one", h.shape().cols, 1, Parameter::Init::kFill, {1.0f}, 0})));
}

double penalty_of(BoundExample& example) {
  // The penalty of every row, by an evaluation of the plain program on all nodes.
  std::vector<Index> all(ExampleGraph::kNodes);
  for (Index i = 0; i < ExampleGraph::kNodes; ++i) all[static_cast<std::size_t>(i)] = i;
  BoundProgram plain = example.bind(all, true, false);
  plain.forward({}, 0);
  double sum = 0;
  for (Index i = 0; i < plain.output().rows; ++i)
    for (Index j = 0; j < plain.output().cols; ++j)
      sum += double{plain.output().row(i)[j]} * plain.output().row(i)[j];
  return sum;
}

TEST(WithPenalty, AddsThePenaltysGradient) {
  const std::vector<Index> rows = {1, 5};
  BoundExample plain(layer);
  BoundExample penalised([](Builder& b, const OpExampleInputs& in) {
    Value h = layer(b, in);
    return with_penalty(h, sum_of_squares(h));
  });
  // The parameter of ones, which takes part in the penalty, is no longer exactly one.
  penalised.values.view(1).data[0] = penalised.values.view(1).data[1] = 1;
  for (int j = 0; j < 5; ++j) penalised.values.view(1).data[j] = 1;
  std::copy_n(plain.values.view(0).data, 30, penalised.values.view(0).data);

  const auto gradient = [&](BoundExample& example) {
    BoundProgram program = example.bind(rows, true);
    program.forward({}, 0);
    for (Index i = 0; i < 2; ++i) std::fill_n(program.output_gradient().row(i), 5, 0.5f);
    program.backward();
    const DenseView g = example.gradients.view(0);
    return std::vector<float>(g.data, g.data + 30);
  };
  const std::vector<float> without = gradient(plain), with = gradient(penalised);
  for (int k = 0; k < 30; ++k) {
    float& w = plain.values.view(0).data[k];
    const float kept = w;
    w = kept + 1e-3f;
    const double up = penalty_of(plain);
    w = kept - 1e-3f;
    const double down = penalty_of(plain);
    w = kept;
    EXPECT_NEAR(with[k] - without[k], (up - down) / 2e-3, 2e-2) << "weight " << k;
  }
}

TEST(WithPenalty, IsNotEvaluated) {
  BoundExample example([](Builder& b, const OpExampleInputs& in) {
    Value h = layer(b, in);
    return with_penalty(h, sum_of_squares(h));
  });
  const Program evaluated = compile(example.program, false);
  EXPECT_EQ(evaluated.nodes.size(), 5u);  // two constants, the weight, a product, tanh
  for (const Node& node : evaluated.nodes)
    EXPECT_FALSE(node.op != nullptr && node.op->name() == "column-sums");
}

}  // namespace
}  // namespace cupel
