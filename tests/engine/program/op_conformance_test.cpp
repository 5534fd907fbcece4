// Every op of the registry: its gradient against differences, pruned against unpruned, threads.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "engine/program/example_graph.h"

namespace cupel {

static void PrintTo(const OpExample& example, std::ostream* out) { *out << example.name; }

namespace {

const StreamKey kKey = stream_key("conformance");
const std::vector<Index> kRows = {1, 4, 5, 13};  // 13 is the isolated node

// The scalar that gradients are taken of: a fixed random weighting of the output.
double weigh(const ConstDenseView& out, DenseView gradient) {
  Stream random(stream_key("weights of the output"), 2);
  double sum = 0;
  for (Index r = 0; r < out.rows; ++r)
    for (Index c = 0; c < out.cols; ++c) {
      const double w = random.next_normal();
      sum += w * out.row(r)[c];
      if (gradient.data != nullptr) gradient.row(r)[c] = static_cast<float>(w);
    }
  return sum;
}

void run(BoundProgram& executor, std::uint32_t step) {
  executor.forward(kKey, step);
  weigh(executor.output(), executor.output_gradient());
  executor.backward();
}

AlignedVector<float> copy_of(const ConstDenseView& view) {
  return {view.data, view.data + static_cast<std::size_t>(view.rows) * view.cols};
}

class OpConformance : public testing::TestWithParam<OpExample> {};

TEST_P(OpConformance, GradientEqualsDifferences) {
  BoundExample example(GetParam().trace);
  BoundProgram executor = example.bind(kRows, true);
  run(executor, 3);
  const ParameterSet analytic = example.gradients;
  double largest = 0;
  int checked = 0, kinks = 0;
  for (int slot = 0; slot < static_cast<int>(example.values.count()); ++slot) {
    for (std::size_t i = 0; i < example.values.slice_size(slot); ++i) {
      float& w = example.values.view(slot).data[i];
      const float kept = w;
      const auto difference = [&](float h) {
        w = kept + h;
        executor.forward(kKey, 3);
        const double up = weigh(executor.output(), {});
        w = kept - h;
        executor.forward(kKey, 3);
        const double down = weigh(executor.output(), {});
        w = kept;
        return (up - down) / (2.0 * h);
      };
      const double expected = difference(4e-3f);
      // Float forward passes leave about 1e-6 / h of noise; the rest is the cubic term.
      const double tolerance = 4e-3 + 1e-2 * std::abs(expected);
      if (std::abs(expected - difference(2e-3f)) > tolerance) {
        ++kinks;  // a relu or a maximum switches within h: there is no derivative to compare
        continue;
      }
      const double got = ParameterSet(analytic).view(slot).data[i];
      EXPECT_NEAR(got, expected, tolerance)
          << example.program.parameters[slot].name << " entry " << i;
      largest = std::max(largest, std::abs(got));
      ++checked;
    }
  }
  EXPECT_LE(kinks, checked / 10);
  EXPECT_GT(largest, 1e-2) << "the example has no gradient to speak of";
}

TEST_P(OpConformance, PrunedEqualsUnprunedToTheBit) {
  BoundExample pruned(GetParam().trace), whole(GetParam().trace);
  BoundProgram a = pruned.bind(kRows, true), b = whole.bind(kRows, false);
  for (std::uint32_t step = 0; step < 3; ++step) {
    run(a, step);
    run(b, step);
    EXPECT_EQ(copy_of(a.output()), copy_of(b.output()));
    for (std::size_t i = 0; i < pruned.gradients.block().size(); ++i)
      ASSERT_EQ(pruned.gradients.block()[i], whole.gradients.block()[i]) << "gradient entry " << i;
  }
  EXPECT_LT(a.computed_rows(), b.computed_rows());
}

// Of so many rows that kernels cut their work into blocks, which they do not below 2^16 numbers.
TEST_P(OpConformance, ThreadsDoNotChangeBits) {
  constexpr Index kCopies = 1000;
  std::vector<Index> rows(static_cast<std::size_t>(kCopies * ExampleGraph::kNodes));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<AlignedVector<float>> outputs, gradients;
  for (const int threads : {1, 2, 8}) {
    BoundExample example(GetParam().trace, kCopies);
    BoundProgram executor = example.bind(rows, true, true, Threads{threads});
    run(executor, 1);
    outputs.push_back(copy_of(executor.output()));
    gradients.push_back(example.gradients.block());
  }
  for (int i : {1, 2}) {
    EXPECT_EQ(std::memcmp(outputs[0].data(), outputs[i].data(), outputs[0].size() * 4), 0);
    EXPECT_EQ(std::memcmp(gradients[0].data(), gradients[i].data(), gradients[0].size() * 4), 0);
  }
}

TEST_P(OpConformance, PassesKeepTheMeaning) {
  // The traced program without any pass, against the compiled one.
  BoundExample raw(GetParam().trace), compiled(GetParam().trace);
  BoundProgram a(raw.program, {raw.graph.constants(), kRows, true, &raw.values, &raw.gradients});
  BoundProgram b = compiled.bind(kRows, true);
  run(a, 0);
  run(b, 0);
  const auto x = copy_of(a.output()), y = copy_of(b.output());
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-5 * (1 + std::abs(x[i])));
  for (std::size_t i = 0; i < raw.gradients.block().size(); ++i)
    EXPECT_NEAR(raw.gradients.block()[i], compiled.gradients.block()[i],
                1e-4 * (1 + std::abs(raw.gradients.block()[i])));
}

TEST_P(OpConformance, EvaluationDrawsNothing) {
  BoundExample example(GetParam().trace);
  BoundProgram executor = example.bind(kRows, true, false);
  executor.forward(kKey, 0);
  const auto first = copy_of(executor.output());
  executor.forward(stream_key("another"), 9);
  EXPECT_EQ(first, copy_of(executor.output()));
}

std::string test_name(const testing::TestParamInfo<OpExample>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Ops, OpConformance, testing::ValuesIn(all_op_examples()), test_name);

}  // namespace
}  // namespace cupel
