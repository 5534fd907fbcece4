// Data of whatever kind by name or path.
#pragma once

#include <filesystem>
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

// Whether a name of the catalog, or else a path, is one of facts over time. A plain list of edges
// is none: it has no times.
[[nodiscard]] bool names_facts(const std::string& name_or_path);

// Whether load_any() reads facts over time at this path. A file in a format of graphs is a graph,
// even where it could be read as facts.
[[nodiscard]] bool is_path_of_facts(const std::string& path);

// The same of a graph, a set of graphs or facts over time, whichever it is.
[[nodiscard]] Dataset load_any(const std::string& name_or_path, const std::filesystem::path& folder,
                               ReadMode mode = ReadMode::kForUse, Threads threads = {});

}  // namespace cupel
