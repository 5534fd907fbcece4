// What batch normalisation does beyond what every op does: running moments, its evaluation, and
// what joins it.
#include <gtest/gtest.h>

#include <numeric>

#include "cupel/engine/nn/adam.h"
#include "engine/program/example_graph.h"

namespace cupel {
namespace {

std::vector<Index> all_rows() {
  std::vector<Index> rows(ExampleGraph::kNodes);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

Value norm(Builder& b, Value x) {
  const Index cols = x.shape().cols;
  const Value gain = b.parameter(
      {.name = "gain", .rows = 1, .cols = cols, .init = Parameter::Init::kFill, .fill = {1.0f}});
  const Value shift = b.zeros("shift", cols);
  return batch_norm(x, gain, shift, b.running_moments("running", cols));
}

// Parameters: 0 bias, 1 gain, 2 shift, 3 running moments.
Value traced(Builder& b, const OpExampleInputs& in) {
  return relu(norm(b, in.dense_features + b.glorot("bias", 1, 6)));
}

TEST(BatchNormOp, RunningMomentsMoveATenthOfTheWayAndAreWhatIsEvaluatedBy) {
  BoundExample example(traced);
  ASSERT_FALSE(example.program.parameters[3].trained);
  const DenseView bias = example.values.view(0), gain = example.values.view(1),
                  shift = example.values.view(2), running = example.values.view(3);
  double mean[6] = {}, variance[6] = {};
  const Matrix& x = example.graph.dense;
  for (Index j = 0; j < 6; ++j) {
    for (Index i = 0; i < x.rows; ++i) mean[j] += (x(i, j) + bias.data[j]) / x.rows;
    for (Index i = 0; i < x.rows; ++i)
      variance[j] += std::pow(x(i, j) + bias.data[j] - mean[j], 2) / (x.rows - 1);
  }
  ParameterSet before = example.values;
  const DenseView old = before.view(3);
  BoundProgram training = example.bind({2, 5}, true);
  training.forward({}, 0);
  for (Index j = 0; j < 6; ++j) {
    EXPECT_NEAR(running.row(0)[j], 0.9 * old.row(0)[j] + 0.1 * mean[j], 1e-5);
    EXPECT_NEAR(running.row(1)[j], 0.9 * old.row(1)[j] + 0.1 * variance[j], 1e-5);
  }
  for (int more = 0; more < 300; ++more) training.forward({}, 0);
  for (Index j = 0; j < 6; ++j) {
    EXPECT_NEAR(running.row(0)[j], mean[j], 1e-4);
    EXPECT_NEAR(running.row(1)[j], variance[j], 1e-4);
  }
  const ParameterSet learnt = example.values;
  BoundProgram evaluation = example.bind({3, 7}, true, false);
  evaluation.forward({}, 0);
  EXPECT_EQ(example.values.block(), learnt.block()) << "evaluation learns nothing";
  for (const Index r : {0, 1})
    for (Index j = 0; j < 6; ++j) {
      const double y = (x(r == 0 ? 3 : 7, j) + bias.data[j] - running.row(0)[j]) /
                           std::sqrt(running.row(1)[j] + 1e-5) * gain.data[j] +
                       shift.data[j];
      EXPECT_NEAR(evaluation.output().row(r)[j], std::max(0.0, y), 1e-5);
    }
}

TEST(BatchNormOp, IsOnePassWithBiasAndRelu) {
  const BoundExample example(traced);
  for (const bool training : {false, true}) {
    int ops = 0;
    for (const Node& node : compile(example.program, training).nodes)
      ops += node.kind == Node::Kind::kOp;
    EXPECT_EQ(ops, 1);
  }
}

TEST(BatchNormOp, ABiasBeforeItHasExactlyNoGradientAndMomentsAreNotTrained) {
  BoundExample example(traced);
  BoundProgram bound = example.bind(all_rows(), true);
  bound.forward({}, 0);
  const DenseView g = bound.output_gradient();
  for (Index i = 0; i < g.rows * g.cols; ++i) g.data[i] = static_cast<float>(i % 5);
  bound.backward();
  for (Index j = 0; j < 6; ++j) EXPECT_EQ(example.gradients.view(0).data[j], 0);
  Adam adam(example.program.parameters, 0.1);
  ParameterSet before = example.values;
  // Even where something were left in its gradient.
  std::fill_n(example.gradients.view(3).data, 12, 1.0f);
  adam.step(example.values, example.gradients);
  const float* running = before.view(3).data;
  EXPECT_TRUE(std::equal(running, running + 12, example.values.view(3).data));
  EXPECT_NE(before.block(), example.values.block());
}

TEST(BatchNormOp, OfASingleRowIsItsShiftAndTeachesNothing) {
  Builder b;
  const SpaceId rows = b.space("rows");
  const Value x = b.constant("x", {Layout::kDense, rows, 0, 2});
  const Program program = b.finish(norm(b, x));
  ParameterSet values(program.parameters), gradients(program.parameters);
  initialise(program.parameters, {}, values);
  std::fill_n(values.view(1).data, 2, 1.5f);  // the shift
  const AlignedVector<float> before = values.block();
  Matrix one(1, 2);
  one(0, 0) = 7;
  BoundProgram bound(compile(program, true), {{{nullptr, &one}}, {0}, true, &values, &gradients});
  bound.forward({}, 0);
  EXPECT_EQ(bound.output().data[0], 1.5f);
  EXPECT_EQ(bound.output().data[1], 1.5f);
  EXPECT_EQ(values.block(), before);
}

TEST(DropoutWhenEvaluated, DropsThenToo) {
  for (const bool fused : {false, true}) {
    BoundExample example([&](Builder& b, const OpExampleInputs& in) {
      Value x = matmul(in.dense_features, b.glorot("w", 6, 40));
      if (fused) x = relu(x + b.glorot("b", 1, 40));
      return b.dropout(x, 0.5, true);
    });
    BoundProgram bound = example.bind(all_rows(), true, false);
    const auto zeros = [&](std::uint32_t step) {
      bound.forward(stream_key("drop"), step);
      std::vector<Index> at;
      const ConstDenseView out = bound.output();
      for (Index i = 0; i < out.rows * out.cols; ++i)
        if (out.data[i] == 0) at.push_back(i);
      return at;
    };
    EXPECT_GT(zeros(0).size(), ExampleGraph::kNodes * 40u / 3);
    EXPECT_EQ(zeros(0), zeros(0));
    EXPECT_NE(zeros(0), zeros(1));
  }
}

}  // namespace
}  // namespace cupel
