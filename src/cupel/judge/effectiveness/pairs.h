// Pairs of rows on any choice of splits: what assess_effectiveness and its bootstrap share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/judge/effectiveness/effectiveness.h"
#include "cupel/judge/stats/descriptive.h"

namespace cupel::effectiveness {

struct Row {
  std::string name;
  ScoresBySplit scores;  // fractions
};

struct Part {
  std::vector<Row> gnn, baseline;  // at least one each
  std::vector<int> splits;         // on which all of them have a score, ascending
  int classes = 0;                 // 2 of ROC AUC
};

[[nodiscard]] Part make_part(std::vector<Row> gnn, std::vector<Row> baseline, int classes);

// The best rows on these splits, which may be there several times and must be of the part; absent
// if a best mean is 0. Requires at least one split.
[[nodiscard]] std::optional<EffectivenessPart> evaluate(const Part& part,
                                                        std::span<const int> splits);

// Those of either part, ascending.
[[nodiscard]] std::vector<int> splits_of(const std::optional<Part>& structure,
                                         const std::optional<Part>& attributes);

// The 95 % percentile interval of E over draws of splits_of() with replacement, the same ones for
// both parts. A draw with no split of a part is drawn anew. Absent if a draw's mean is 0.
[[nodiscard]] std::optional<Interval> bootstrap(const std::optional<Part>& structure,
                                                const std::optional<Part>& attributes,
                                                StreamKey key);

}  // namespace cupel::effectiveness
