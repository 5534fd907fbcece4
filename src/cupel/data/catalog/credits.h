// Whom a data set is owed to.
#pragma once

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

// What else the folder says that facts over time were read from, and no format holds: how it was
// built, and whose names were decided to be one. With what it is, for sentences. Empty for anything
// else.
[[nodiscard]] std::vector<std::string> left_behind(const std::string& name_or_path,
                                                   const Dataset& dataset);

}  // namespace cupel
