// Pairs of rows on any choice of splits, and how well their gaps are known.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/judge/effectiveness/effectiveness.h"
#include "cupel/judge/stats/descriptive.h"
#include "cupel/judge/stats/resampled.h"

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

// What is known of E and of the gaps of its parts.
struct Evidence {
  std::optional<GapEvidence> structure, attributes;
  Interval interval;
  double p = 1;
  ErrorScope scope = ErrorScope::kSplits;
};

// Of the parts that are there, each with what evaluate() gave on all its splits. Absent if the
// splits of a part are too few for an error. Requires at least one part.
[[nodiscard]] std::optional<Evidence> weigh(
    const std::optional<Part>& structure, const std::optional<EffectivenessPart>& structure_found,
    const std::optional<Part>& attributes, const std::optional<EffectivenessPart>& attributes_found,
    const SplitDesign& design);

}  // namespace cupel::effectiveness
