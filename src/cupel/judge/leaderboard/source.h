// What a leaderboard's values are from.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cupel/lab/verify/signature.h"

namespace cupel {

// A store or a submission.
struct BoardSource {
  std::string name;  // its path in the folder
  std::string page;  // file of the site; empty: it has none
  std::string date;  // "2026-11-02"; empty: nothing tells it
  bool submission = false;
  bool said_deterministic = false;          // of a submission: by who submitted it
  std::string citation;                     // of a submission
  std::int64_t runs = 0;                    // of a submission: predictions
  std::optional<SignatureCheck> signature;  // of a store that can be read
  // What does not hold, a sentence each. Values of such a source have no rank.
  std::vector<std::string> problems;
  // What else there is to say of it, a sentence each.
  std::vector<std::string> remarks;
  // Of its runs, those that were done again here: the ids of those that came out with the same
  // bits, and of those that came out otherwise, for this source or for another one.
  std::set<std::string> reproduced, refuted;
  std::int64_t redone = 0;  // how many were done again for this source
};
[[nodiscard]] inline bool holds(const BoardSource& source) {
  return source.problems.empty() &&
         (!source.signature || source.signature->state != SignatureCheck::State::kTampered);
}

}  // namespace cupel
