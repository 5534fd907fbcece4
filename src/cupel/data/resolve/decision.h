// Whether two entities are one: a proposal, what speaks for it, and what was decided.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

enum class MergeVerdict : std::uint8_t { kAccept, kReject, kOpen };

// Two entities of one type, first < second by their numbers in the facts.
struct MergeDecision {
  Index first = 0, second = 0;
  double name_score = 0;   // how alike the names are, in [0, 1]
  double graph_score = 0;  // how much their neighbours say that they are one, in [0, 1]
  double score = 0;        // of both, in [0, 1]; what thresholds are held against
  std::string evidence;    // in words, for the person who decides: "3 shared co-authors; ..."
  MergeVerdict verdict = MergeVerdict::kOpen;
  friend bool operator==(const MergeDecision&, const MergeDecision&) = default;
};

}  // namespace cupel
