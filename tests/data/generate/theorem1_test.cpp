// The label rule against the theorem, and against figures of simulations by others.
#include "cupel/data/generate/theorem1.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/data/stats/correlation.h"

namespace cupel::test {
namespace {

constexpr Index kGraphs = 4096;

std::vector<double> doubles(const std::vector<Index>& labels) {
  return {labels.begin(), labels.end()};
}
LabelledDraws drawn(const LabelModel& model, std::uint32_t seed, Index graphs = kGraphs) {
  return draw_labelled(model, graphs, stream_key("tests/theorem1"), seed);
}
double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}
double deviation(const std::vector<double>& values) {
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// Share of graphs that the most frequent label of their twentieth of the range of n would be right
// about.
double oracle_accuracy(const LabelledDraws& draws, Index labels) {
  std::vector<std::vector<int>> counts(20, std::vector<int>(static_cast<std::size_t>(labels)));
  for (std::size_t g = 0; g < draws.labels.size(); ++g) {
    const double unit = draws.n[0][g] / (2 * std::sqrt(3.0)) + 0.5;
    const auto bin = static_cast<std::size_t>(std::clamp(20 * unit, 0.0, 19.0));
    ++counts[bin][static_cast<std::size_t>(draws.labels[g])];
  }
  int right = 0;
  for (const auto& bin : counts) right += std::ranges::max(bin);
  return 100.0 * right / static_cast<double>(draws.labels.size());
}
double majority(const LabelledDraws& draws, Index labels) {
  std::vector<int> counts(static_cast<std::size_t>(labels));
  for (const Index label : draws.labels) ++counts[static_cast<std::size_t>(label)];
  return 100.0 * std::ranges::max(counts) / static_cast<double>(draws.labels.size());
}

// With 1000 labels rounding hardly matters: correlations are the coefficients, one with another of
// the properties none, and variances are 1. 1.6e5 draws: a deviation of 0.0025.
TEST(Theorem1, CorrelationsAreTheCoefficients) {
  for (const bool gaussian : {false, true}) {
    const LabelModel model{{0.5, -0.3, 0.7}, gaussian, 1000, false};
    const LabelledDraws draws = drawn(model, 0, 160'000);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(*pearson(draws.n[k], doubles(draws.labels)), model.r[k], 0.01);
      EXPECT_NEAR(mean(draws.n[k]), 0, 0.01);
      EXPECT_NEAR(deviation(draws.n[k]), 1, 0.01);
      EXPECT_NEAR(*pearson(draws.n[k], draws.n[(k + 1) % 3]), 0, 0.01);
    }
  }
}

TEST(Theorem1, CertainLabelsFollowTheProperty) {
  const LabelledDraws draws = drawn({{1.0}, false, 7, false}, 1);
  EXPECT_EQ(draws.labels, round_to_labels(draws.n[0], 6));
}

TEST(Theorem1, PropertiesHaveMeanAndSpreadOfTheirRange) {
  const LabelledDraws draws = drawn({{0.5}, false, 2, false}, 2, 50'000);
  std::vector<double> values;
  for (const double n : draws.n[0]) values.push_back(property_of(n, 5, 50));
  EXPECT_GE(std::ranges::min(values), 5);
  EXPECT_LE(std::ranges::max(values), 50);
  EXPECT_NEAR(mean(values), 27.5, 0.3);
  EXPECT_NEAR(deviation(values), 45 / std::sqrt(12.0), 0.1);
}

TEST(Theorem1, RoundsHalvesToEven) {
  EXPECT_EQ(round_to_labels({0, 1, 2, 3, 4}, 2), (std::vector<Index>{0, 0, 1, 2, 2}));
  EXPECT_EQ(round_to_labels({5, 5}, 2), (std::vector<Index>{0, 0}));
}

TEST(Theorem1, AlgorithmOneHasOneLabelMore) {
  for (const bool one_more : {false, true}) {
    const LabelModel model{{0.9}, false, 10, one_more};
    const LabelledDraws draws = drawn(model, 3);
    EXPECT_EQ(std::ranges::max(draws.labels) + 1, model.labels());
    EXPECT_EQ(model.labels(), one_more ? 11 : 10);
  }
}

// Figures of an independent simulation of the rule in NumPy (means over 20 draws of 4096): accuracy
// of the best guess from the property in 20 bins, share of the largest class, correlation.
// One draw's standard errors are about 0.8, 0.8 points and 0.016; of two classes the border lies at
// the middle of the extremes, which adds up to 0.02 to the correlation's.
TEST(Theorem1, IsWhatTheSimulationOfItsRuleGave) {
  struct Row {
    Index classes;
    double r, oracle, largest, correlation;
  };
  for (const Row& row : {Row{2, 0.1, 53.74, 50.07, 0.0602}, Row{2, 0.2, 56.00, 50.16, 0.1283},
                         Row{2, 0.3, 58.20, 50.06, 0.1820}, Row{2, 0.4, 61.05, 50.28, 0.2484},
                         Row{2, 0.5, 64.77, 50.08, 0.3343}, Row{2, 0.6, 69.05, 50.01, 0.4342},
                         Row{2, 0.7, 74.56, 50.11, 0.5662}, Row{2, 0.8, 81.28, 50.02, 0.7024},
                         Row{2, 0.9, 87.89, 50.02, 0.7975}, Row{5, 0.1, 30.36, 27.30, 0.1058},
                         Row{5, 0.2, 32.72, 29.57, 0.2034}, Row{5, 0.3, 34.69, 32.18, 0.2913},
                         Row{5, 0.4, 37.55, 35.50, 0.3713}, Row{5, 0.5, 40.80, 39.08, 0.4669},
                         Row{5, 0.6, 44.52, 41.85, 0.5796}, Row{5, 0.7, 49.30, 43.34, 0.6611},
                         Row{5, 0.8, 56.71, 41.86, 0.7507}, Row{5, 0.9, 68.13, 36.34, 0.8593}}) {
    const LabelModel model{{row.r}, false, row.classes, false};
    constexpr std::uint32_t kDraws = 40;
    double oracle = 0, largest = 0, correlation = 0;
    for (std::uint32_t seed = 0; seed < kDraws; ++seed) {
      const LabelledDraws draws = drawn(model, 100 + seed);
      oracle += oracle_accuracy(draws, row.classes) / kDraws;
      largest += majority(draws, row.classes) / kDraws;
      correlation += *pearson(draws.n[0], doubles(draws.labels)) / kDraws;
    }
    SCOPED_TRACE(fmt::format("{} classes, r = {}", row.classes, row.r));
    EXPECT_NEAR(oracle, row.oracle, 0.6);
    EXPECT_NEAR(correlation, row.correlation, 0.012);
    EXPECT_NEAR(largest, row.largest, row.classes == 2 ? 1.0 : 0.6);
  }
}

TEST(Theorem1, RefusesMoreThanCanBe) {
  std::vector<OptionSpec> specs = label_model_settings();
  specs.push_back({"a", 0.0, "first", -1, 1, {}});
  specs.push_back({"b", 0.0, "second", -1, 1, {}});
  const auto model = [&](double a, double b) {
    return label_model("made", Options("made", specs, {{"a", a}, {"b", b}}), {"a", "b"});
  };
  EXPECT_EQ(model(0.6, -0.8).r, (std::vector<double>{0.6, -0.8}));
  try {
    (void)model(0.6, 0.9);
    FAIL() << "0.36 + 0.81 went through";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("0.6^2 + 0.9^2 = 1.17 is more than 1"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cupel::test
