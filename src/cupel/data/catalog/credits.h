// Whom a data set is owed to.
#pragma once

#include <string>

#include "cupel/data/formats/graph_formats.h"

namespace cupel {

// What the catalog knows of what load_dataset() was given: nothing of a path, even where it has the
// name of a data set of the catalog, and of a generator that it made the data.
[[nodiscard]] Credits credits_of(const std::string& name_or_path);

}  // namespace cupel
