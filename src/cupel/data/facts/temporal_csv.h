// Temporal graphs as csv with a header, as TGB and its kin have them.
#pragma once

#include <filesystem>
#include <string_view>

#include "cupel/data/facts/fact_lines.h"

namespace cupel {

// Columns are known by their names in the header, in any order and case:
//   time      timestamp, ts, time, t, day, date, year
//   source    source, source_id, source_subreddit, src, u, head, user, user_id, userid, subject, s
//   target    target, target_id, target_subreddit, dst, destination, i, v, tail, item, item_id,
//             itemid, object, o
//   relation  relation_type, relation, rel, edge_type, r        (need not be there)
// Tabs stand between columns where the header has one, else commas, else semicolons.
// Other columns are not looked at. Where the last column of the header is one of them, lines may
// have more fields than the header has names; these are not looked at either. Ends and relations
// are texts, quoted or not, with blanks around them or not (cut_csv() of csv.h), numbered in the
// order of their first appearance, the source of a line first. Times are those of fact_times.h.
// Where the header says user and item, these are types of their own; else all entities are "node".
// Plain or compressed.
//
// Columns that say when facts end ("end", "end_time", "until", ...) are an Error: facts are points
// in time.
//
// Memory: 20 bytes a fact, 12 more where lines are not in order, and texts once with 16 bytes more.
// Throws Error naming file and line.
[[nodiscard]] TemporalFacts read_temporal_csv(const std::filesystem::path& path,
                                              FactNotes* notes = nullptr);

// Whether the first line names columns of time (or of its end), source and target. False for what
// cannot be read.
[[nodiscard]] bool is_temporal_csv(const std::filesystem::path& path);

// Whether the first line names any of these columns, so that read_temporal_csv() reads the file or
// says what it lacks. False for what cannot be read.
[[nodiscard]] bool names_columns_of_facts(const std::filesystem::path& path);

}  // namespace cupel
