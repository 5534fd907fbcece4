// A plan settled for many machines: what a study's store lacks of its plan, cut into shards. No
// function here prints or writes a file.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cupel/api/study.h"
#include "cupel/lab/shards/frozen_plan.h"

namespace cupel {

// How a plan is cut: a number of shards, or "auto" and how much work each is on one processor.
struct CutRequest {
  std::string shards = "auto", target = "20m";
};

struct SettleRequest {
  // Where the plan will be written. What a plan that is there says of runs is kept, so that the
  // same plan that is made again is the same.
  std::filesystem::path file;
  std::vector<std::string> choices;  // of the study's selection, as they were given
  CutRequest cut = {};
  // For how long what never ran may be tried out: "10s", "none". "": as pilot_for() has it, but
  // for what the store or the plan in `file` knows.
  std::string pilot = {};
  ExecuteOptions pilot_how = {};
  bool retry = false;  // failed and timed-out runs, too
};

struct SettledPlan {
  std::string protocol;            // its name
  std::optional<FrozenPlan> plan;  // none: the store has all of it
  std::string text;                // of its file
  std::string note;                // what else there is to say, in a sentence; may be empty
};

// `before_pilot` is called once, where something is tried out. Throws Error for what is no time or
// no number of shards, for paths of data whose bytes are not UTF-8, and as run_pilot() does. Not
// safe for several threads on one study.
[[nodiscard]] SettledPlan settle(Study& study, const SettleRequest& request,
                                 const std::function<void()>& before_pilot);

// "142 runs in 3 shards of about 20 min each": a line that tells what was settled.
[[nodiscard]] std::string frozen_summary(const FrozenPlan& plan);

// What there is to know of a plan in `file` beside its runs, and of the store that they come into.
// Without a plan: no file, no folder, and none of anything.
[[nodiscard]] nlohmann::ordered_json settled_json(const SettledPlan& settled,
                                                  const std::string& file,
                                                  const std::filesystem::path& store);

}  // namespace cupel
