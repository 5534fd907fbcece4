// Files that the build made part of the program (data-set recipes, protocols, published tables, the
// script and style of pages).
#pragma once

#include <string_view>
#include <vector>

namespace cupel::embedded {

struct File {
  std::string_view name;  // without folder, e.g. "cora.toml"
  std::string_view content;
};

// Sorted by name; static storage.
const std::vector<File>& recipes();
const std::vector<File>& protocols();
const std::vector<File>& page();

}  // namespace cupel::embedded
