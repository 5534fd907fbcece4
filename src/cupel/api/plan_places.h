// Where things lie that belong to a plan in a file.
#pragma once

#include <filesystem>
#include <string>

namespace cupel {

// The file that a plan of the protocol is written to: `out`, else PROTOCOL.plan.
[[nodiscard]] std::filesystem::path plan_file(const std::string& out, const std::string& protocol);
// The plan of what comes into a store, p.plan for p.sqlite. Throws Error for a store in whose place
// the plan or its shards would be.
[[nodiscard]] std::filesystem::path plan_beside(const std::filesystem::path& store);
// Throws Error where a plan cannot be written to `file`, where its shards or its store would be in
// its place, or where it would take the place of what is no plan of any version: a protocol, say.
void check_plan_path(const std::filesystem::path& file);

// Shards are published in a folder beside the plan: p.shards for p.plan.
[[nodiscard]] std::filesystem::path shard_folder(const std::filesystem::path& file);
// The folder `out`, or if that is empty the one beside the file that the path of a plan leads to.
[[nodiscard]] std::filesystem::path published_folder(const std::string& plan,
                                                     const std::string& out);
// The same of the store that shards are merged into: `store`, else p.sqlite beside p.plan. Throws
// Error as kept_store() does.
[[nodiscard]] std::filesystem::path merged_store(const std::string& plan, const std::string& store);

}  // namespace cupel
