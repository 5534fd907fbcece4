// A list of runs that was settled once, so that many machines do parts of it and never ask each
// other.
//
// The file is JSON: the protocol with its published values, what of it was asked for, and every run
// with what it is expected to take. Its hash names everything that follows from it. Who does a part
// plans anew from the protocol in the file and from the data at hand, and finds every run again by
// the id of its family; data, program or machine that would give other runs are told by that.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/lab/run/pending.h"

namespace cupel {

inline constexpr int kMostShards = 1'000'000;
// Of one run: all of the ten million that a plan has at most are below 2^64.
inline constexpr std::uint64_t kMostMicroseconds = 1'000'000'000'000;

struct Plan;
struct Protocol;
struct Selection;

// Runs of one family on one split.
struct FrozenRuns {
  std::string family, dataset, model;  // id of the family, column, row
  int split = 0;                       // its number
  std::vector<int> inits;
  std::uint64_t microseconds = 0;  // that one run is expected to take; at least 1
};

struct FrozenPlan {
  std::string protocol, folder;  // its name; where its relative paths start
  std::string text, published_text;
  std::vector<std::string> datasets, models, tables, choices;  // as of Selection
  int splits = 0, inits = 0;
  std::vector<FrozenRuns> runs;  // those of a data set stand together, in it those of a family
  int shards = 1;
  // Of so many equal stretches of the work, those that have runs are the shards. 0: every stretch
  // is one, with runs or without.
  int stretches = 0;
  int later = 0;     // runs that follow once configurations are chosen: a next plan has them
  std::string hash;  // 32 hexadecimal digits, of all the rest

  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] double seconds() const;  // of one processor
};

// `expected` has the seconds of a run of each group of `pending`, which is a part of `whole`. The
// list goes data set by data set and family by family; data sets have the names of their columns.
void set_runs(FrozenPlan& plan, const Plan& whole, const Pending& pending,
              const std::vector<double>& expected);

// Cuts the plan into stretches of about `seconds`, at least one and at most one a run. A run that
// is longer leaves stretches without any, which are no shards.
void cut_by_time(FrozenPlan& plan, double seconds);

// The shards of the plan that have runs, rising. All of them after cut_by_time().
[[nodiscard]] std::vector<int> shards_with_runs(const FrozenPlan& plan);

// The file, whole; sets the hash.
[[nodiscard]] std::string frozen_text(FrozenPlan& plan);
// Throws Error that begins with `label` for what is no such file, was written by another version,
// was edited since, or is cut short.
[[nodiscard]] FrozenPlan parse_frozen(const std::string& label, std::string_view text);
[[nodiscard]] FrozenPlan read_frozen(const std::filesystem::path& path);
// Whether a file begins as plans do, of whatever version and however damaged. Never throws.
[[nodiscard]] bool is_frozen(const std::filesystem::path& path);

// The runs of shard `index` of `count`, 0-based: a stretch of the list, cut so that all are even to
// within one run; with `count` the plan's own, a shard of the plan. The parts of one count are
// disjoint and complete, and a pure function of the plan. A stretch has few data sets, so that few
// are loaded.
[[nodiscard]] std::vector<FrozenRuns> runs_of_shard(const FrozenPlan& plan, int index, int count);

// Every run of the list with its shard of `count`, in the order of the list.
void each_run(const FrozenPlan& plan, int count,
              const std::function<void(int shard, const FrozenRuns& runs, int init)>& tell);

// The protocol as it was settled.
[[nodiscard]] Protocol protocol_of(const FrozenPlan& plan);
// What was asked for, of the data sets of `runs` alone.
[[nodiscard]] Selection selection_of(const FrozenPlan& plan, const std::vector<FrozenRuns>& runs);

// Those of `runs` that `store` lacks. Throws Error if `plan`, made from the selection here, has not
// all of their families, and says of what.
[[nodiscard]] Pending pending_of(const FrozenPlan& frozen, const std::vector<FrozenRuns>& runs,
                                 const Plan& plan, const Store& store, bool retry);

}  // namespace cupel
