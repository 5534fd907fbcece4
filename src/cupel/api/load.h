// Data of whatever kind by name or path.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// The folder of data sets that `given` means, see data_folder(); "": the usual one. Throws Error if
// one was given that is not there.
[[nodiscard]] std::filesystem::path existing_data_folder(const std::string& given);

// load_dataset(), and of a path also a plain list of edges, two node numbers a line. Throws Error
// as the readers do.
[[nodiscard]] Dataset load_graph(const std::string& name_or_path,
                                 const std::filesystem::path& folder,
                                 ReadMode mode = ReadMode::kForUse, Threads threads = {});

// Whether it is a name of the catalog or of a generator: what is called so in the current folder is
// not meant.
[[nodiscard]] bool is_known_name(const std::string& name_or_path);

// Whether load_any() reads facts over time at this path. A file in a format of graphs is a graph,
// even where it could be read as facts; so is a plain list of edges, which has no times.
[[nodiscard]] bool is_path_of_facts(const std::string& path);

// Where the facts over time lie that are called so, by a name of the catalog or else by their path;
// none where that is called something else. Throws Error if those of the catalog are not there.
[[nodiscard]] std::optional<std::filesystem::path> place_of_facts(
    const std::string& name_or_path, const std::filesystem::path& folder);

// The same of a graph, a set of graphs or facts over time, whichever it is; facts of the catalog
// are checked as load_recipe() does.
[[nodiscard]] Dataset load_any(const std::string& name_or_path, const std::filesystem::path& folder,
                               ReadMode mode = ReadMode::kForUse, Threads threads = {});

}  // namespace cupel
