// Which categories make which label.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cupel::wiki_cs {

struct LabelMap {
  std::vector<std::string> labels;                   // in the order of the file
  std::vector<std::vector<std::string>> categories;  // of each label, as they stand in the file
};

// With blanks for '_' and none at the ends, as categories are called unless names are read as
// released.
[[nodiscard]] std::string plain_name(std::string category);

// Reads a JSON object from label to a category or a list of them. Throws Error naming the file and
// the label: no label, one without category, something else than texts; or a category of two
// labels, none of whose articles would be of one.
[[nodiscard]] LabelMap read_label_map(const std::filesystem::path& path);

}  // namespace cupel::wiki_cs
