// Models compared on their common splits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cupel/base/random.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

using made::cell;
using made::scores_table;

TEST(Paired, LettersJoinExactlyWhatWasNotFoundDifferent) {
  // Eight models in a random layout; the property must hold for every pair.
  for (int trial = 0; trial < 20; ++trial) {
    Stream stream(stream_key("letters"), 1, static_cast<std::uint32_t>(trial));
    std::vector<CellResults> cells;
    for (int m = 0; m < 8; ++m) {
      const double level = 0.8 + 0.004 * m * (trial % 4);
      std::vector<double> scores;
      for (int s = 0; s < 12; ++s) scores.push_back(level + 0.01 * stream.next_normal());
      cells.push_back(cell("cora", "m" + std::to_string(m), scores));
    }
    Results results;
    results.protocol = "p";
    results.tables = {scores_table(cells)};
    const Report report = make_report(results);
    const Comparison& comparison = report.tables[0].comparisons.at(0);
    ASSERT_EQ(comparison.pairs.size(), 28u);
    EXPECT_NE(comparison.letters.at(comparison.models[0]).find('a'), std::string::npos);
    for (const RowPair& pair : comparison.pairs) {
      bool share = false;
      for (const char letter : comparison.letters.at(pair.a)) {
        share = share || comparison.letters.at(pair.b).find(letter) != std::string::npos;
      }
      EXPECT_EQ(share, pair.verdict != Verdict::kDifferent) << pair.a << " " << pair.b;
    }
  }
}

TEST(Paired, UsesCommonSplitsOnly) {
  std::vector<CellResults> cells = {cell("cora", "a", {0.80, 0.82, 0.81, 0.83}),
                                    cell("cora", "b", {0.70, 0.74, 0.72, 0.99})};
  cells[1].runs[3].split = 9;
  Results results;
  results.tables = {scores_table(cells)};
  const RowPair pair = make_report(results).tables[0].comparisons.at(0).pairs.at(0);
  EXPECT_EQ(pair.splits, 3);
  EXPECT_NEAR(*pair.difference, 9, 1e-9);  // 10, 8, 9
  EXPECT_NEAR(*pair.p, 0.004090, 1e-6);    // scipy.stats.ttest_rel
  EXPECT_NEAR(*pair.p_wilcoxon, 0.25, 1e-12);
}

// Of ten repetitions of ten folds and one fold more, which counts as the one that it is.
TEST(Paired, AnUnfinishedRepetitionCountsByItsFolds) {
  std::vector<double> a, b;
  for (int s = 0; s < 101; ++s) {
    a.push_back(0.8 + 0.01 * (s % 7));
    b.push_back(a.back() - 0.02 + 0.001 * (s / 10) - (s == 100 ? 0.5 : 0));
  }
  double mean = 0;
  for (int s = 0; s < 101; ++s) mean += 100 * (a[s] - b[s]) / 101;
  Results results;
  results.tables = {scores_table({cell("cora", "a", a), cell("cora", "b", b)})};
  results.tables[0].design.folds = 10;
  const RowPair pair = make_report(results).tables[0].comparisons.at(0).pairs.at(0);
  EXPECT_EQ(pair.splits, 101);
  EXPECT_NEAR(std::abs(*pair.difference), mean, 1e-9);
  // By the formula of clustered errors, of eleven repetitions.
  double sum = 0;
  for (int r = 0; r < 11; ++r) {
    double of_repetition = 0;
    for (int s = 10 * r; s < std::min(101, 10 * r + 10); ++s)
      of_repetition += 100 * (a[s] - b[s]) - mean;
    sum += of_repetition * of_repetition / (101.0 * 101);
  }
  const double t95 = 1.812461;  // Student's, 10 degrees of freedom
  EXPECT_NEAR((pair.interval->high - pair.interval->low) / 2, t95 * std::sqrt(sum * 1.1), 1e-4);
}

TEST(Paired, OneCommonSplitIsSaidNotTested) {
  std::vector<CellResults> cells = {cell("cora", "a", {0.80}), cell("cora", "b", {0.70})};
  Results results;
  results.tables = {scores_table(cells)};
  const Comparison comparison = make_report(results).tables[0].comparisons.at(0);
  EXPECT_FALSE(comparison.pairs.at(0).p.has_value());
  EXPECT_TRUE(comparison.letters.empty());
}

TEST(Paired, HasTheThreeOutcomesToo) {
  const std::vector<double> wave = {0.80, 0.82, 0.81, 0.83};
  std::vector<double> near, far, far_off;
  for (const double x : made::thrice(wave)) {
    near.push_back(x + 0.001);
    far.push_back(x - 0.05 + (x - 0.815) * 0.3);
    far_off.push_back(0.815 + (x > 0.815 ? -0.03 : 0.03));
  }
  Results results;
  results.tables = {scores_table({cell("cora", "a", made::thrice(wave)), cell("cora", "near", near),
                                  cell("cora", "far", far), cell("cora", "wild", far_off)})};
  std::map<std::string, Verdict> found;
  const Report report = make_report(results);
  for (const RowPair& pair : report.tables[0].comparisons.at(0).pairs)
    found[std::min(pair.a, pair.b) + "/" + std::max(pair.a, pair.b)] = pair.verdict;
  EXPECT_EQ(found["a/near"], Verdict::kEquivalent);
  EXPECT_EQ(found["a/far"], Verdict::kDifferent);
  EXPECT_EQ(found["a/wild"], Verdict::kUndecided);
}

}  // namespace
}  // namespace cupel
