// Against scikit-learn 1.x with its default settings, on numbers made by a formula.
#include "cupel/judge/prediction/regressors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cupel {
namespace {

RegressionRow row(int i) {
  RegressionRow out;
  for (int j = 0; j < 4; ++j)
    out.push_back((i * (j + 3) * 7 + j * j * 5 + i * i * 3) % 23 / 11.0 - 1);
  return out;
}

struct Data {
  std::vector<RegressionRow> x, test;
  std::vector<double> y;
};

Data data() {
  Data out;
  for (int i = 0; i < 20; ++i) {
    const RegressionRow at = row(i);
    out.x.push_back(at);
    out.y.push_back(1.5 * at[0] - at[1] + 0.5 * at[2] * at[3] + 0.25);
  }
  for (int i = 40; i < 46; ++i) out.test.push_back(row(i));
  return out;
}

std::vector<double> predict(Regressor regressor, const Data& of, const char* key = "a") {
  return fit_predict(regressor, of.x, of.y, of.test, stream_key(key), {2});
}

// Ridge().fit(X, y).predict(T)
TEST(Regressors, RidgeIsThatOfScikitLearn) {
  const std::vector<double> expected = {-0.7265171408537501, 0.9823331754524501,
                                        0.30694649655778544, -0.4029732457325126,
                                        1.181223720700032,   0.2330843446967041};
  const std::vector<double> found = predict(Regressor::kRidge, data());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(Regressors, RidgeMovesWithTheLevelOfTargetsAndFeatures) {
  Data moved = data();
  const std::vector<double> before = predict(Regressor::kRidge, moved);
  for (double& y : moved.y) y += 100;
  for (auto* rows : {&moved.x, &moved.test})
    for (RegressionRow& at : *rows) at[2] -= 7;
  const std::vector<double> after = predict(Regressor::kRidge, moved);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i] + 100, 1e-9);
}

// SVR().fit(X, y).predict(T): also LIBSVM, also stopped at 1e-3.
TEST(Regressors, SvrIsThatOfScikitLearn) {
  const std::vector<double> expected = {-0.9618165047420784, 0.9769193498206128,
                                        0.4180959336220886,  -0.4039197206977327,
                                        1.3057668775323865,  0.20165885633389777};
  testing::internal::CaptureStdout();
  const std::vector<double> found = predict(Regressor::kSvr, data());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
}

// Mean and spread of RandomForestRegressor(100, random_state=s).fit(X, y).predict(T), s < 50.
TEST(Regressors, ForestIsOneOfScikitLearns) {
  const std::vector<double> mean = {-0.88256116, 1.12294463, 0.21940579,
                                    -0.16949752, 1.13961157, -0.24782562};
  const std::vector<double> sd = {0.03508455, 0.0213527, 0.05061024,
                                  0.08935233, 0.0312598, 0.04636752};
  std::vector<double> sum(mean.size(), 0);
  constexpr int kForests = 50;
  for (int k = 0; k < kForests; ++k) {
    const std::vector<double> found =
        predict(Regressor::kForest, data(), std::to_string(k).c_str());
    for (std::size_t i = 0; i < mean.size(); ++i) sum[i] += found[i] / kForests;
  }
  for (std::size_t i = 0; i < mean.size(); ++i)
    EXPECT_NEAR(sum[i], mean[i], 5 * sd[i] * std::sqrt(2.0 / kForests)) << i;
}

TEST(Regressors, ForestIsAFunctionOfItsKey) {
  EXPECT_EQ(predict(Regressor::kForest, data(), "a"), predict(Regressor::kForest, data(), "a"));
  EXPECT_NE(predict(Regressor::kForest, data(), "a"), predict(Regressor::kForest, data(), "b"));
}

TEST(Regressors, OneSampleAndConstantFeaturesAreNoTrouble) {
  Data one{{{1, 2}}, {{5, 5}, {1, 2}}, {3}};
  Data constant{{{1, 1}, {1, 1}, {1, 1}, {1, 1}}, {{1, 1}, {2, 0}}, {3, 3, 3, 3}};
  for (const Regressor regressor : kRegressors) {
    for (const Data* of : {&one, &constant}) {
      const std::vector<double> found = predict(regressor, *of);
      for (const double value : found) EXPECT_NEAR(value, 3, 0.11) << regressor_name(regressor);
    }
  }
}

}  // namespace
}  // namespace cupel
