// What a number of a table is: a metric, of all examples that were tested or of a group of them.
#pragma once

#include <string>

#include "cupel/learn/score/metrics.h"

namespace cupel {

// In files one word: "accuracy", or "accuracy_on_duplicates" of the group "duplicates".
struct Measure {
  std::string metric;
  std::string group = {};  // empty: all that were tested
  friend bool operator==(const Measure&, const Measure&) = default;

  std::string word() const { return group.empty() ? metric : metric + kOn + group; }
  static Measure of_word(const std::string& word) {
    const std::size_t at = word.find(kOn);
    if (at == std::string::npos) return {word};
    return {word.substr(0, at), word.substr(at + std::string(kOn).size())};
  }

 private:
  static constexpr const char* kOn = "_on_";
};

// What derived tables measure beside kRelative and a metric.
inline const Measure kRank = {"rank"}, kAverageRank = {"average_rank"};
inline constexpr const char* kRelative = "relative_";

// How values of a measure are shown and compared: those of ranks as ranks, of a score on a group of
// nodes as the score's, of scores relative to the best as fractions.
[[nodiscard]] inline MetricScale scale_of(const Measure& measure) {
  return measure == kAverageRank || measure == kRank ? kPlaces : scale_of_metric(measure.metric);
}

// The group of all tested nodes that are not in a table's own.
inline constexpr const char* kOtherNodes = "others";

}  // namespace cupel
