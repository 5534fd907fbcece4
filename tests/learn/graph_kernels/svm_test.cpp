#include "cupel/learn/graph_kernels/svm.h"

#include <gtest/gtest.h>

#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/learn/score/classes.h"

namespace cupel {
namespace {

const std::vector<double> kNumbers = {3, 4, 7,  9,  12, 13, 18, 21, 22, 30,  // to train on
                                      0, 5, 10, 15, 20, 25, 40};
std::vector<Index> ids(Index from, Index to) {
  std::vector<Index> out(static_cast<std::size_t>(to - from));
  std::iota(out.begin(), out.end(), from);
  return out;
}

TEST(Svm, DecidesAsScikitLearn) {
  // SVC(kernel=..., C=1, gamma="scale").decision_function, scikit-learn 1.9.1.
  const std::vector<Index> labels = {0, 0, 1, 0, 1, 1, 0, 1, 0, 0};
  const double gamma = scaled_gamma({kNumbers.data(), 10}, 1);
  EXPECT_NEAR(gamma, 0.01460067163089502, 1e-15);
  const struct {
    SvmKernel kernel;
    std::vector<double> decisions;
  } cases[] = {
      {SvmKernel::kRbf,
       {-1.1552693608557083, -0.771243444080611, 0.0446627411945093, -0.0177657382427463,
        -0.7937414889160891, -1.1082106861275318, -0.7748758263384984}},
      {SvmKernel::kSigmoid,
       {-0.5896588265895844, -1.1037128080713376, -0.776980288107325, -0.6570358603876427,
        -0.615034053199948, -0.5993179559261134, -0.59016886146593}},
      {SvmKernel::kPoly,
       {-1.0000029745210466, -1.0000029587669015, -1.0000028484878858, -1.0000025491590716,
        -1.0000019662557602, -1.0000010052525934, -0.9999949083987556}},
      {SvmKernel::kLinear, {-1, -1, -1, -1, -1, -1, -1}},
  };
  const SvmRows rows = SvmRows::of_numbers(kNumbers);
  for (const auto& c : cases) {
    const Svm machine(rows, ids(0, 10), labels, 2, {.kernel = c.kernel, .gamma = gamma});
    const Matrix scores = machine.scores(ids(10, 17));
    for (Index i = 0; i < scores.rows; ++i)
      EXPECT_NEAR(scores(i, 1) - scores(i, 0), c.decisions[i], 1e-5) << "row " << i;
  }
}

TEST(Svm, SeveralClassesAsScikitLearn) {
  const std::vector<Index> labels = {2, 2, 0, 0, 1, 1, 3, 3, 0, 2};
  // decision_function(shape "ovr") and predict of the same.
  const std::vector<std::vector<double>> decisions = {
      {2.152928, 0.775478, 3.248574, -0.210648}, {2.220737, 0.819752, 3.218479, -0.242882},
      {3.228293, 2.182854, 0.829566, -0.233601}, {2.173006, 2.183716, -0.243189, 2.09366},
      {2.172579, 0.804166, -0.223683, 3.235024}, {2.18518, -0.244098, 1.106437, 3.168023},
      {2.157084, 0.806876, 3.196477, -0.16235}};
  const std::vector<Index> predicted = {2, 2, 0, 0, 3, 3, 2};
  const SvmRows rows = SvmRows::of_numbers(kNumbers);
  const Svm machine(rows, ids(0, 10), labels, 4,
                    {.kernel = SvmKernel::kRbf, .gamma = scaled_gamma({kNumbers.data(), 10}, 1)});
  const Matrix scores = machine.scores(ids(10, 17));
  EXPECT_EQ(accuracy(scores, predicted), 1) << "the vote of row 3 is a tie of three";
  for (Index i = 0; i < scores.rows; ++i)
    for (Index c = i == 3 ? 1 : 0; c < 4; ++c)
      EXPECT_NEAR(scores(i, c), decisions[i][c], 2e-5) << i << " " << c;
}

// Random kernel values of points of the plane, so that many votes are ties.
TEST(Svm, LargestScoreIsWhatLibsvmPredicts) {
  Stream random(stream_key("points"), 0);
  constexpr Index kExamples = 120, kTrain = 60;
  std::vector<double> x, y;
  for (Index i = 0; i < kExamples; ++i) {
    x.push_back(random.next_normal());
    y.push_back(random.next_normal());
  }
  Gram gram;
  gram.graphs = kExamples;
  for (Index i = 0; i < kExamples; ++i)
    for (Index j = 0; j < kExamples; ++j)
      gram.values.push_back(
          std::exp(-(x[i] - x[j]) * (x[i] - x[j]) - (y[i] - y[j]) * (y[i] - y[j])));
  const SvmRows rows(gram);
  for (const Index classes : {2, 3, 5}) {
    std::vector<Index> labels;
    for (Index i = 0; i < kTrain; ++i)
      labels.push_back(static_cast<Index>(random.next_below(static_cast<std::uint32_t>(classes))));
    const Matrix scores =
        Svm(rows, ids(0, kTrain), labels, classes, {}).scores(ids(kTrain, kExamples));

    // LIBSVM by hand, on the points themselves. Classes are numbered as they are met.
    std::vector<svm_node> nodes;
    for (Index i = 0; i < kExamples; ++i)
      nodes.insert(nodes.end(), {{1, x[i]}, {2, y[i]}, {-1, 0}});
    std::vector<svm_node*> points;
    std::vector<double> targets;
    for (Index c = 0; c < classes; ++c) {
      for (Index i = 0; i < kTrain; ++i) {
        if (labels[i] != c) continue;
        points.push_back(&nodes[3 * i]);
        targets.push_back(c);
      }
    }
    svm_problem problem = {kTrain, targets.data(), points.data()};
    svm_parameter parameter = {};
    parameter.kernel_type = RBF;
    parameter.gamma = parameter.C = 1;
    parameter.eps = 1e-3;
    parameter.cache_size = 10;
    parameter.shrinking = 1;
    svm_model* model = svm_train(&problem, &parameter);
    for (Index i = 0; i < kExamples - kTrain; ++i) {
      const float* row = scores.row(i);
      EXPECT_EQ(std::max_element(row, row + classes) - row,
                svm_predict(model, &nodes[3 * (kTrain + i)]));
    }
    svm_free_and_destroy_model(&model);
  }
}

TEST(Svm, ClassesWithoutExamplesAreLast) {
  const SvmRows rows = SvmRows::of_numbers(kNumbers);
  const SvmRule rule = {.kernel = SvmKernel::kRbf, .gamma = 0.1};
  const std::vector<Index> pair = {3, 3, 3, 3, 3, 1, 1, 1, 1, 1}, one(10, 2);
  const Matrix two = Svm(rows, ids(0, 10), pair, 5, rule).scores(ids(0, 17));
  const Matrix single = Svm(rows, ids(0, 10), one, 5, rule).scores(ids(0, 17));
  for (Index i = 0; i < 17; ++i) {
    for (const Index absent : {0, 2, 4}) {
      EXPECT_LT(two(i, absent), two(i, 1));
      EXPECT_LT(two(i, absent), two(i, 3));
    }
    for (const Index absent : {0, 1, 3, 4}) EXPECT_LT(single(i, absent), single(i, 2));
  }
  EXPECT_EQ(accuracy(Svm(rows, ids(0, 10), pair, 5, rule).scores(ids(0, 10)), pair), 1);
}

TEST(Svm, OnThePlaneIsTheSecondClass) {
  // Two examples, and one between them whose decision value is exactly 0.
  const std::vector<double> numbers = {-1, 1, 0};
  const SvmRows rows = SvmRows::of_numbers(numbers);
  const Svm machine(rows, ids(0, 2), std::vector<Index>{0, 1}, 2, {.kernel = SvmKernel::kLinear});
  const Matrix scores = machine.scores(ids(2, 3));
  EXPECT_GT(scores(0, 1), scores(0, 0));
  EXPECT_NEAR(scores(0, 1), 0, 1e-30);
}

TEST(Svm, SaysThatItFoundNoSolution) {
  // Labels that no line tells apart, and numbers so large that steps are tiny.
  std::vector<double> numbers;
  std::vector<Index> labels;
  for (Index i = 0; i < 12; ++i) {
    numbers.push_back(1e5 * i * i);
    labels.push_back(i / 2 % 2);
  }
  const SvmRows rows = SvmRows::of_numbers(numbers);
  const auto train = [&](double c) {
    return Svm(rows, ids(0, 12), labels, 2, {.kernel = SvmKernel::kLinear, .c = c}).iterations();
  };
  EXPECT_THROW((void)train(1), Error);
  const int steps = train(1e-14);
  EXPECT_GT(steps, 0);
  EXPECT_LT(steps, 1000) << "of the last training, not of all";
}

TEST(Svm, RefusesNothingToLearnFromAndNumbersThatAreNone) {
  const SvmRows rows = SvmRows::of_numbers(kNumbers);
  EXPECT_THROW(Svm(rows, {}, {}, 2, {}), Error);
  EXPECT_THROW((void)scaled_gamma(std::vector<double>{1, NAN}, 1), Error);
  EXPECT_EQ(scaled_gamma(std::vector<double>{4, 4}, 1), 1);
}

}  // namespace
}  // namespace cupel
