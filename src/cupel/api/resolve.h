// Entities of facts that are one: proposed, decided, merged into a new folder, judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cupel/base/parallel.h"
#include "cupel/data/resolve/cluster_scores.h"
#include "cupel/data/resolve/gold.h"

namespace cupel {

struct ResolveRequest {
  std::string folder;     // facts over time, as `cupel build expert` makes them; it is not changed
  std::string out;        // the new folder, in which accepted pairs are merged; empty: none
  std::string decisions;  // a table whose lines hold, see decisions_file.h; empty: none
  std::string decisions_out;   // where the table of all pairs goes; empty: see decisions_path()
  std::string gold, gold_ids;  // who is who in truth, see gold.h; empty: nothing is judged
  std::string only;            // "scientists" or "institutions"; empty: both
  std::optional<double> threshold, show;  // as ProposeSettings has them where they are not given
  int threads = available_processors();   // more than there are gain nothing
  bool proposals = true;                  // false: the lines of `decisions` alone are applied
  std::size_t memory_bytes = 0;           // a limit; 0: what is free
};

// Where the table of all pairs goes: decisions.csv in the current folder if nothing else is asked
// for; empty: nowhere but into the new folder.
[[nodiscard]] std::filesystem::path decisions_path(const ResolveRequest& request);

// What gold says of the mentions, before and after merging.
struct ResolveScores {
  Gold::Mentions mentions;
  ClusterScores before, after;
};

struct ResolveOutcome {
  ResolveRequest request;
  std::string content_hash;         // of the new folder's facts; empty: there is none
  std::filesystem::path decisions;  // the table that was written; empty: none
  std::int64_t pairs = 0;           // in that table
  std::map<std::string, std::int64_t> counts;
  std::optional<ResolveScores> scores;  // where gold was given
};

// Told what to know of the work, a sentence each, as it comes up.
using ResolveNote = std::function<void(const std::string&)>;

// What it takes of memory.
struct ResolveNeeds {
  std::string folder;
  std::int64_t entities = 0, facts = 0, authorships = 0;
  // Of the file of decisions, and about as many as will be proposed; none: what is needed without
  // them is more than the limit, so that nobody looked.
  std::optional<std::int64_t> pairs;
  std::size_t bytes = 0, limit = 0;
};
// Reads the facts, and compares some of the names. Throws Error as resolve_entities() does up to
// then, but not for a limit that is exceeded, unless what is free is too little to read them.
[[nodiscard]] ResolveNeeds resolve_needs(const ResolveRequest& request, const ResolveNote& note);

// What contradicts itself, cannot be written or is wrong with the gold is found before the facts
// are read. Needs are held against the limit as facts_memory.h says: what reading takes before
// that, and all before names are compared, but for a sample that tells how many pairs there will
// be; a note tells those that are much. Files that it writes appear whole or not at all. Throws
// Error for these, for what the readers refuse, for facts without scientists or institutions, for
// gold that says nothing about the facts, and as merge_groups(), apply_merges() and
// write_resolved_folder() do. Calls for different outputs may run at the same time; `note` is
// called by the caller's thread.
[[nodiscard]] ResolveOutcome resolve_entities(const ResolveRequest& request,
                                              const ResolveNote& note);

// As `cupel resolve --json` prints it, and with --dry-run.
[[nodiscard]] nlohmann::ordered_json outcome_json(const ResolveOutcome& outcome);
[[nodiscard]] nlohmann::ordered_json needs_json(const ResolveNeeds& needs);

}  // namespace cupel
