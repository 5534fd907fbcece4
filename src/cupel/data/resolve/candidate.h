// A pair of entities that may be one, before anything was decided.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Entities are numbered as in Egos; first < second. Scores are in [0, 1].
struct MergeCandidate {
  Index first = 0, second = 0;
  double name = 0, graph = 0, score = 0;
  std::uint8_t kind = 0;  // in what the names differ
  friend bool operator==(const MergeCandidate&, const MergeCandidate&) = default;
};

enum class Outcome : std::uint8_t {
  kOpen,       // its score is below the threshold
  kAccepted,   // both are one
  kToldApart,  // the source says that they are two
  kAmbiguous,  // another one fits as well, or nearly
  kClash,      // it would join what cannot be one
  kTooMany,    // it would join too many
};

// What two entities are to each other.
enum class Bar : std::uint8_t { kNone, kConflict, kToldApart };

// A rival that fits nearly as well has odds of at least 1/e of the better one's.
inline constexpr double kRivalLogit = 1.0;
// Groups of more pairs of members than this are not joined.
inline constexpr std::size_t kMostGroupPairs = 1024;

[[nodiscard]] inline double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Decides in the order of scores, ties in the order of numbers. `bar` is asked about pairs of
// members, at most kMostGroupPairs times for each candidate. Requires candidates in the order of
// (first, second), each pair once. Returns an outcome for each.
[[nodiscard]] std::vector<Outcome> decide(const std::vector<MergeCandidate>& candidates,
                                          double threshold,
                                          const std::function<Bar(Index, Index)>& bar);

}  // namespace cupel
