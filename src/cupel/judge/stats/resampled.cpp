#include "cupel/judge/stats/resampled.h"

#include <cmath>
#include <vector>

namespace cupel {
namespace {

ScoresBySplit one_each(const std::map<int, double>& by_split) {
  ScoresBySplit out;
  for (const auto& [split, value] : by_split) out[split] = {value};
  return out;
}

}  // namespace

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

std::map<int, ScoresBySplit> complete_repetitions(const ScoresBySplit& scores,
                                                  const SplitDesign& design) {
  std::map<int, ScoresBySplit> out;
  if (design.folds == 0) return out;
  for (const auto& [split, values] : scores)
    out[(design.first + split) / design.folds][split] = values;
  std::erase_if(out, [&](const auto& one) { return std::ssize(one.second) < design.folds; });
  return out;
}

ScoresBySplit as_clusters(const std::map<int, ScoresBySplit>& repetitions) {
  ScoresBySplit out;
  for (const auto& [repetition, folds] : repetitions) {
    for (const auto& [split, values] : folds)
      out[repetition].insert(out[repetition].end(), values.begin(), values.end());
  }
  return out;
}

ErrorScope error_scope(const std::map<int, double>& by_split, const SplitDesign& design) {
  if (std::ssize(complete_repetitions(one_each(by_split), design)) >= kFewestRepetitions)
    return ErrorScope::kRepetitions;
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
  if (scope == ErrorScope::kRepetitions)
    return clustered_estimate(as_clusters(complete_repetitions(one_each(by_split), design)));
  std::vector<double> values;
  for (const auto& [split, value] : by_split) values.push_back(value);
  return scope == ErrorScope::kOtherData ? other_data_estimate(values, design.test_to_train)
                                         : estimate(values);
}

}  // namespace cupel
