// A site out of a folder of stores and submissions.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cupel/judge/leaderboard/board.h"
#include "cupel/lab/plan/sources.h"
#include "cupel/lab/verify/verify.h"

namespace cupel {

struct LeaderboardRequest {
  std::filesystem::path folder;  // of stores (*.sqlite) and submissions, at any depth
  std::filesystem::path out;     // the site
  std::optional<std::filesystem::path> signers;  // see check_signature()
  PlanSources sources;                           // of what is done again, and scored
  std::optional<RerunOptions> rerun;             // of each store; none: nothing is done again
  std::function<void(const std::string&)> on_source = {};  // its name, before it is read
  const std::atomic<bool>* interrupt = nullptr;            // set: give up
};

// Looks at every store and submission, in the order of their paths, and writes the site: index.html
// and a page for each store that can be read. Whoever looks sees the old site or the whole new one,
// as far as the file system can exchange folders (Beside::replace()).
// What is wrong with a store or a submission is told in the board; it keeps nothing else from it.
// Throws Error if the folder holds neither store nor submission, if `out` is there and is no such
// site, if it cannot be written, or if there are signatures and no ssh-keygen; Interrupted, and
// nothing is written then.
Board build_leaderboard(const LeaderboardRequest& request);

// Whether every source holds, and none contradicts another in how runs ended or in what is
// published.
[[nodiscard]] bool holds(const Board& board);

// "signed", "tampered", ...; "none" where there is nothing that could be signed.
[[nodiscard]] const char* signature_word(const BoardSource& source);

// As `cupel leaderboard build --json` prints it. `site`: the folder, as it was named.
[[nodiscard]] nlohmann::ordered_json board_json(const Board& board, const std::string& site);

}  // namespace cupel
