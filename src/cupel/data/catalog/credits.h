// Whom a data set is owed to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/export/graph_formats.h"

namespace cupel {

// What the catalog knows of what load_dataset() was given: nothing of a path, even where it has the
// name of a data set of the catalog, and of a generator that it made the data.
[[nodiscard]] Credits credits_of(const std::string& name_or_path);

// Who wrote the papers of facts over time: authorships.csv of the folder that they were read
// from.
// Null for anything else, and where there is none. Throws Error as read_authorships() does.
[[nodiscard]] std::shared_ptr<const Authorships> authorships_of(const std::string& name_or_path,
                                                                const Dataset& dataset);

// Whence a data set was read.
struct Origin {
  std::string name_or_path;      // as load_any() takes it; "": it came of nowhere
  std::filesystem::path folder;  // of the data sets of the catalog
  std::string label = {};        // as of read_dataset_with_label(), or ""
};

// What else it says there, and no format holds: names of nodes and the like (left_out() of
// formats/format.h); of a folder of facts over time how it was built, and whose names were decided
// to be one. With what it is, for sentences. Empty where there is nothing. Throws Error as reading
// does.
[[nodiscard]] std::vector<std::string> left_behind(const Origin& origin, const Dataset& dataset);

}  // namespace cupel
