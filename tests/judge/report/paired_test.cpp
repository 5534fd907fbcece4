// Models compared on their common splits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cupel/base/random.h"
#include "cupel/judge/report/report.h"
#include "judge/report/rendered.h"

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

// Of ten repetitions of ten folds and one fold more, which is no repetition.
TEST(Paired, AnUnfinishedRepetitionIsLeftOut) {
  std::vector<double> a, b;
  for (int s = 0; s < 101; ++s) {
    a.push_back(0.8 + 0.01 * (s % 7));
    b.push_back(a.back() - 0.02 + 0.001 * (s / 10) - (s == 100 ? 0.5 : 0));
  }
  Results results;
  results.tables = {scores_table({cell("cora", "a", a), cell("cora", "b", b)})};
  results.tables[0].design.folds = 10;
  const RowPair pair = make_report(results).tables[0].comparisons.at(0).pairs.at(0);
  EXPECT_EQ(pair.splits, 101);
  // Repetition r has a difference of 2 - 0.1 r points: mean 1.55, variance 0.01 * 110 / 12.
  EXPECT_NEAR(std::abs(*pair.difference), 1.55, 1e-9);
  const double t95 = 1.833113;  // Student's, 9 degrees of freedom
  EXPECT_NEAR((pair.interval->high - pair.interval->low) / 2, t95 * std::sqrt(0.01 * 110 / 12 / 10),
              1e-5);
}

// `size` differences, in points, of this mean and sample deviation.
Results with_differences(double mean, double sd, std::int64_t size, int repeated = 1) {
  const auto n = static_cast<double>(size);
  const double half = std::max(1.0, std::floor(n / 2)), step = sd * std::sqrt((n - 1) / (2 * half));
  std::vector<double> a, b;
  for (std::int64_t s = 0; s < size; ++s) {
    const double side = s == size - 1 && size % 2 == 1 ? 0 : s % 2 == 0 ? 1 : -1;
    for (int fold = 0; fold < repeated; ++fold) {
      // Folds differ, and their mean does not know it.
      b.push_back(0.7 + 0.002 * (2 * fold + 1 - repeated));
      a.push_back(0.7 + (mean + side * step) / 100);
    }
  }
  Results results;
  results.tables = {scores_table({cell("cora", "a", a), cell("cora", "b", b)})};
  if (repeated > 1) results.tables[0].design.folds = repeated;
  return results;
}

RowPair only_pair(const Results& results) {
  return make_report(results).tables[0].comparisons.at(0).pairs.at(0);
}

// By the quantiles of scipy.stats.t: at 0.3 +- 1.5 points the interval fits into +- 1 from n = 15
// on, as t.ppf(.95, 14) * 1.5 / 15**.5 is 0.682, and with 14 it is 0.710. By the test itself: on as
// many splits, of the same mean and deviation, the verdict falls, and on one fewer it does not.
TEST(Paired, SaysHowManySplitsDecide) {
  struct Case {
    double mean, sd;
    std::int64_t expected;
    Verdict verdict;
  };
  for (const auto& [mean, sd, expected, verdict] :
       {Case{0.3, 1.5, 15, Verdict::kEquivalent}, Case{-0.9, 1.5, 14, Verdict::kDifferent},
        Case{0.5, 1.5, 27, Verdict::kEquivalent}, Case{0.3, 0.2, 10, Verdict::kEquivalent},
        Case{-4, 15, 57, Verdict::kDifferent}}) {
    for (const std::int64_t size : {3, 6, 9}) {
      const RowPair few = only_pair(with_differences(mean, sd, size));
      EXPECT_EQ(few.verdict, Verdict::kUndecided);
      EXPECT_EQ(few.splits_to_decide, expected) << mean << " of " << size;
    }
    const RowPair last = only_pair(with_differences(mean, sd, expected - 1));
    EXPECT_EQ(last.verdict, Verdict::kUndecided) << mean;
    EXPECT_EQ(last.splits_to_decide, expected);
    const RowPair enough = only_pair(with_differences(mean, sd, expected));
    EXPECT_EQ(enough.verdict, verdict) << mean;
    EXPECT_FALSE(enough.splits_to_decide) << mean;
    // A repetition of folds is a draw, from ten of them on.
    if (expected == 10) continue;
    const RowPair folds = only_pair(with_differences(mean, sd, 11, 4));
    EXPECT_EQ(folds.verdict, Verdict::kUndecided) << mean;
    EXPECT_EQ(folds.splits_to_decide, 4 * expected) << mean;
    EXPECT_EQ(only_pair(with_differences(mean, sd, expected, 4)).verdict, verdict) << mean;
  }
}

TEST(Paired, NoNumberOfSplitsIsSaidWhereThereAreNoMore) {
  Results stored = with_differences(0.3, 1.5, 6);
  stored.tables[0].design.shared = true;
  EXPECT_EQ(only_pair(stored).verdict, Verdict::kUndecided);
  EXPECT_FALSE(only_pair(stored).splits_to_decide);
  EXPECT_FALSE(only_pair(with_differences(0.3, 0, 1)).splits_to_decide);
  // Differences that do not stray are decided as soon as there are ten.
  EXPECT_EQ(only_pair(with_differences(0.3, 0, 4)).splits_to_decide, 10);
}

// Two rows that were named are one question; all rows of a protocol are many, and need more.
TEST(Paired, SplitsToDecideAreThoseOfTheCorrectedTest) {
  Results results = with_differences(-0.9, 1.5, 9);
  results.tables[0].protocol_rows = 10;                // 45 pairs
  EXPECT_EQ(only_pair(results).splits_to_decide, 36);  // scipy: t.ppf(1 - .05 / 90, 35)
  Results enough = with_differences(-0.9, 1.5, 36);
  enough.tables[0].protocol_rows = 10;
  EXPECT_EQ(only_pair(enough).verdict, Verdict::kDifferent);
}

TEST(Paired, SplitsToDecideAreInJsonAndMarkdown) {
  const Results open = with_differences(0.3, 1.5, 6), decided = with_differences(0.3, 1.5, 15);
  EXPECT_NE(made::rendered("json", open).find("\"splits_to_decide\": 15"), std::string::npos);
  EXPECT_NE(made::rendered("json", decided).find("\"splits_to_decide\": null"), std::string::npos);
  EXPECT_NE(made::rendered("markdown", open).find("| 6 | 15 |"), std::string::npos);
  EXPECT_NE(made::rendered("markdown", decided).find("| 15 |  |"), std::string::npos);
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

// Models in pairs: the second of each is a little better than the first, always, and pairs stray
// too far from each other to be told apart. Every choice of one from each pair is a group of its
// own.
Results in_pairs(int pairs) {
  std::vector<CellResults> cells;
  for (int k = 0; k < pairs; ++k) {
    Stream stream(stream_key("in pairs"), 1, static_cast<std::uint32_t>(k));
    std::vector<double> first, second;
    for (int s = 0; s < 12; ++s) {
      first.push_back(0.7 + 0.1 * stream.next_normal());
      second.push_back(first.back() + 0.02 + 0.0005 * stream.next_normal());
    }
    cells.push_back(cell("cora", "first" + std::to_string(k), first));
    cells.push_back(cell("cora", "second" + std::to_string(k), second));
  }
  Results results;
  results.protocol = "p";
  results.tables = {scores_table(cells)};
  return results;
}

bool says_too_few_letters(const ReportTable& table) {
  return std::ranges::any_of(table.notes, [](const std::string& note) {
    return note.find("than there are letters: cora") != std::string::npos;
  });
}

TEST(Paired, NoLetterStandsForTwoGroups) {
  const ReportTable few = make_report(in_pairs(5)).tables[0];  // 32 groups
  for (const RowPair& pair : few.comparisons.at(0).pairs) {
    const std::string &a = few.comparisons[0].letters.at(pair.a),
                      &b = few.comparisons[0].letters.at(pair.b);
    EXPECT_EQ(a.find_first_of(b) != std::string::npos, pair.verdict != Verdict::kDifferent);
  }
  EXPECT_FALSE(says_too_few_letters(few));
  // 64 groups, and 16,384.
  for (const int pairs : {6, 14}) {
    const Results results = in_pairs(pairs);
    const ReportTable many = make_report(results).tables[0];
    EXPECT_TRUE(many.comparisons.at(0).letters.empty()) << pairs;
    EXPECT_TRUE(says_too_few_letters(many)) << pairs;
    const std::string text = made::rendered("markdown", results);
    EXPECT_NE(text.find("All pairs on cora"), std::string::npos);
    EXPECT_NE(text.find("second0 &gt; first0"), std::string::npos);
    EXPECT_EQ(made::rendered("text", results).find("share a letter"), std::string::npos);
  }
}

// However the groups grow on the way, they are as many as they are in the end.
TEST(Paired, ManyModelsThatAllDifferHaveALetterEach) {
  std::vector<CellResults> cells;
  for (int k = 0; k < 30; ++k) {
    Stream stream(stream_key("all differ"), 1, static_cast<std::uint32_t>(k));
    std::vector<double> scores;
    for (int s = 0; s < 12; ++s)
      scores.push_back(0.4 + 0.015 * ((7 * k) % 30) + 0.0001 * stream.next_normal());
    cells.push_back(cell("cora", "m" + std::to_string(k), scores));
  }
  Results results;
  results.tables = {scores_table(cells)};
  const Report report = make_report(results);
  std::set<std::string> letters;
  for (const auto& [model, own] : report.tables[0].comparisons.at(0).letters) letters.insert(own);
  EXPECT_EQ(letters.size(), 30u);
  for (const std::string& own : letters) EXPECT_EQ(own.size(), 1u);
}

}  // namespace
}  // namespace cupel
