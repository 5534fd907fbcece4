// Models of a score table against each other: over the splits of a data set, and over data sets.
//
// Differences are in report units. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/judge/report/table.h"

namespace cupel::report {

// How two models did against each other, one draw at a time: wins, ties and losses of the first,
// the p-value of Wilcoxon's signed-rank test, and the same corrected by Holm for all pairs of
// models that were tested. Absent where there are fewer than two draws.
struct Duel {
  int wins = 0, ties = 0, losses = 0;
  std::optional<double> p, p_holm;
  [[nodiscard]] int draws() const { return wins + ties + losses; }
};

// One for each pair of comparison.pairs: draws are the splits that both have.
[[nodiscard]] std::vector<Duel> duels_on_splits(const TableResults& table,
                                                const Comparison& comparison);

// All pairs of models over the data sets of a table, which have equal weight, however many splits
// they have: the matrix of Ismail-Fawaz et al., "An Approach to Multiple Comparison Benchmark
// Evaluations that is Stable Under Manipulation of the Comparate Set", 2023. The row of a pair
// depends on these two models alone, but for Holm's correction.
struct AcrossPair {
  std::size_t a = 0, b = 0;          // places in Across::models
  std::optional<double> difference;  // mean over the data sets that both have
  Duel duel;
};
struct Across {
  std::vector<std::string> models;  // those with a mean, by mean rank on the data sets they have
  int datasets = 0;
  // False where the smaller is the better on every data set, by the metric that is compared there,
  // the first of its columns. Where data sets differ in that,
  // differences are positive where the first model is the better one.
  bool larger_is_better = true;
  std::vector<AcrossPair> pairs;  // (0, 1), (0, 2), ...
};
// Absent below two data sets or two models.
[[nodiscard]] std::optional<Across> across_datasets(const ReportTable& table);

// What a critical-difference diagram shows (Demsar, "Statistical Comparisons of Classifiers over
// Multiple Data Sets", JMLR 2006): mean ranks of the models that have a mean on every data set, by
// their means over the splits that all of them have there, and the largest groups that Nemenyi's
// test does not part, as first and last place.
struct RankDiagram {
  std::vector<std::string> models;  // best first
  std::vector<double> ranks;
  FieldTest test;
  std::vector<std::pair<std::size_t, std::size_t>> groups;  // of two models or more
};
// Absent below two data sets with such splits or three such models. source: of the table.
[[nodiscard]] std::optional<RankDiagram> rank_diagram(const ReportTable& table,
                                                      const TableResults& source);

// Which points no other beats: none costs as little and scores better, or as much and costs less.
// Points without cost or score are not on the line.
struct CostPoint {
  std::optional<double> cost, score;
};
[[nodiscard]] std::vector<bool> pareto(const std::vector<CostPoint>& points, bool larger_is_better);

}  // namespace cupel::report
