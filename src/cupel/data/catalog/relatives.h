// What belongs to a data set that was read: its recipe, its directed version, its files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/catalog/catalog.h"

namespace cupel {

// The recipe of a name, or of a path's data if they have the content that a recipe states. nullptr
// if there is none.
[[nodiscard]] const Recipe* recipe_of(const std::string& name_or_path,
                                      const std::string& content_hash);

// The same graph with the direction of its arcs, read for an audit, where the catalog has one and
// `folder` (data_folder()) has its files.
[[nodiscard]] std::optional<Dataset> load_directed_version(const Recipe& recipe,
                                                           const std::filesystem::path& folder);

// The files and folders that load_dataset() reads, as far as they are known. Never throws Error.
[[nodiscard]] std::vector<std::filesystem::path> source_paths(const std::string& name_or_path,
                                                              const std::filesystem::path& folder);

}  // namespace cupel
