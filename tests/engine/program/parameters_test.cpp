#include "cupel/engine/program/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cupel {
namespace {

using Init = Parameter::Init;

std::vector<double> drawn(const Parameter& parameter, const char* key = "initial values") {
  const std::vector<Parameter> all = {parameter};
  ParameterSet values(all);
  initialise(all, stream_key(key), values);
  const DenseView view = values.view(0);
  std::vector<double> out;
  for (Index r = 0; r < view.rows; ++r) out.insert(out.end(), view.row(r), view.row(r) + view.cols);
  return out;
}

double moment(const std::vector<double>& values, int power) {
  double sum = 0;
  for (const double v : values) sum += std::pow(v, power);
  return sum / static_cast<double>(values.size());
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

// Mean and second moment within four standard deviations of what U(-limit, limit) has, and the
// range used up to its ends.
void expect_uniform(const std::vector<double>& values, double limit) {
  const double n = static_cast<double>(values.size());
  EXPECT_LE(largest(values), limit * (1 + 1e-6));
  EXPECT_GT(largest(values), limit * (1 - 20 / n));
  EXPECT_NEAR(moment(values, 1), 0, 4 * limit / std::sqrt(3 * n));
  EXPECT_NEAR(moment(values, 2), limit * limit / 3, 4 * limit * limit * std::sqrt(4 / 45.0 / n));
}

TEST(Initialise, UniformIsWithinOneOverTheRootOfTheFanIn) {
  expect_uniform(drawn({.name = "w", .rows = 100, .cols = 80, .init = Init::kUniform, .fan = 100}),
                 0.1);
  // A bias has the fan of its layer, not its own row; so has a part of a weight.
  expect_uniform(drawn({.name = "b", .rows = 1, .cols = 5000, .init = Init::kUniform, .fan = 25}),
                 0.2);
}

TEST(Initialise, GlorotUniformIsWithinTheRootOfSixOverBothFans) {
  const double limit = std::sqrt(6.0 / 180);
  expect_uniform(drawn({.name = "w", .rows = 100, .cols = 80}), limit);
  expect_uniform(drawn({.name = "w", .rows = 100, .cols = 80, .gain = 1.5}), 1.5 * limit);
  expect_uniform(drawn({.name = "w", .rows = 100, .cols = 80, .fan = 60}), std::sqrt(6.0 / 60));
}

TEST(Initialise, NormalHasItsGainAsStandardDeviationWhateverTheShape) {
  for (const double deviation : {1.0, 0.3}) {
    const std::vector<double> values =
        drawn({.name = "w", .rows = 3, .cols = 3000, .init = Init::kNormal, .gain = deviation});
    const double n = static_cast<double>(values.size()), variance = deviation * deviation;
    EXPECT_NEAR(moment(values, 1), 0, 4 * deviation / std::sqrt(n));
    EXPECT_NEAR(moment(values, 2), variance, 4 * variance * std::sqrt(2 / n));
    EXPECT_NEAR(moment(values, 4), 3 * variance * variance,
                4 * variance * variance * std::sqrt(96 / n));
  }
}

TEST(Initialise, GlorotNormalHasTheVarianceOfTwoOverBothFans) {
  for (const double gain : {1.0, 1.414}) {
    const std::vector<double> values =
        drawn({.name = "w", .rows = 100, .cols = 80, .init = Init::kGlorotNormal, .gain = gain});
    const double n = static_cast<double>(values.size()), variance = gain * gain * 2 / 180;
    EXPECT_NEAR(moment(values, 1), 0, 4 * std::sqrt(variance / n));
    EXPECT_NEAR(moment(values, 2), variance, 4 * variance * std::sqrt(2 / n));
    // A uniform distribution would have 1.8, and no value beyond 1.74 deviations.
    EXPECT_NEAR(moment(values, 4) / (variance * variance), 3, 4 * std::sqrt(96 / n));
    EXPECT_GT(largest(values), 3 * std::sqrt(variance));
  }
}

TEST(Initialise, IsAPureFunctionOfTheKeyAndOfPlace) {
  const Parameter w = {.name = "w", .rows = 30, .cols = 20, .init = Init::kUniform, .fan = 30};
  EXPECT_EQ(drawn(w), drawn(w));
  EXPECT_NE(drawn(w), drawn(w, "others"));
  // Rows, and parameters of one program, are drawn from streams of their own.
  const std::vector<Parameter> two = {w, w};
  ParameterSet values(two);
  initialise(two, stream_key("initial values"), values);
  const DenseView first = values.view(0), second = values.view(1);
  EXPECT_FALSE(std::equal(first.row(0), first.row(0) + 20, second.row(0)));
  EXPECT_FALSE(std::equal(first.row(0), first.row(0) + 20, first.row(1)));
}

TEST(Initialise, FillsWithOneValueOrWithAll) {
  EXPECT_EQ(drawn({.name = "g", .rows = 2, .cols = 3, .init = Init::kFill, .fill = {1.5f}}),
            std::vector<double>(6, 1.5));
  EXPECT_EQ(drawn({.name = "g", .rows = 2, .cols = 2, .init = Init::kFill, .fill = {1, 2, 3, 4}}),
            (std::vector<double>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace cupel
