#include "cupel/judge/stats/resampled.h"

#include <cmath>
#include <vector>

namespace cupel {

std::string to_text(ErrorScope scope) {
  switch (scope) {
    case ErrorScope::kRepetitions:
      return "repetitions";
    case ErrorScope::kOtherData:
      return "other-data";
    case ErrorScope::kSplits:
      break;
  }
  return "splits";
}

ErrorScope error_scope(const std::map<int, double>& by_split, const SplitDesign& design) {
  if (design.folds > 0) {
    std::map<int, int> folds;  // by repetition
    for (const auto& [split, value] : by_split) ++folds[(design.first + split) / design.folds];
    int complete = 0;
    for (const auto& [repetition, count] : folds) complete += count == design.folds;
    if (complete >= kFewestRepetitions) return ErrorScope::kRepetitions;
  }
  return design.test_to_train > 0 ? ErrorScope::kOtherData : ErrorScope::kSplits;
}

Estimate other_data_estimate(std::span<const double> values, double test_to_train) {
  Estimate out = estimate(values);
  if (out.standard_error)
    out.standard_error =
        *out.standard_error * std::sqrt(1 + static_cast<double>(values.size()) * test_to_train);
  return out;
}

Estimate resampled_estimate(const std::map<int, double>& by_split, const SplitDesign& design) {
  const ErrorScope scope = error_scope(by_split, design);
  if (scope == ErrorScope::kRepetitions) {
    ScoresBySplit repetitions;
    for (const auto& [split, value] : by_split)
      repetitions[(design.first + split) / design.folds].push_back(value);
    return clustered_estimate(repetitions);
  }
  std::vector<double> values;
  for (const auto& [split, value] : by_split) values.push_back(value);
  return scope == ErrorScope::kOtherData ? other_data_estimate(values, design.test_to_train)
                                         : estimate(values);
}

}  // namespace cupel
