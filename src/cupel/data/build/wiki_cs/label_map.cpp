#include "cupel/data/build/wiki_cs/label_map.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cupel/base/error.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/formats/text.h"

namespace cupel::wiki_cs {
namespace {

using Json = nlohmann::ordered_json;

std::string category_of(const Json& value, const std::string& where) {
  std::string name = value.is_string() ? value.get<std::string>() : "";
  if (plain_name(name).empty())
    fail("{}: {} where the name of a category is needed", where, shown_json(value));
  return name;
}

void check_disjoint(const LabelMap& map, const std::string& file) {
  std::map<std::string_view, std::size_t> label_of;
  for (std::size_t l = 0; l < map.labels.size(); ++l) {
    for (const std::string& category : map.categories[l]) {
      const std::size_t first = label_of.emplace(category, l).first->second;
      if (first != l)
        fail("{}: {} is under {} and {}; give it to one", file, in_quotes(category),
             in_quotes(map.labels[first]), in_quotes(map.labels[l]));
    }
  }
}

}  // namespace

std::string plain_name(std::string category) {
  std::ranges::replace(category, '_', ' ');
  return std::string(trimmed(category));
}

LabelMap read_label_map(const std::filesystem::path& path) {
  const Json document = read_strict_json_in_order(path);
  const std::string file = path.string();
  if (!document.is_object())
    fail("{}: {} where an object is needed, from label to a list of categories", file,
         shown_json(document));
  LabelMap out;
  for (const auto& [label, value] : document.items()) {
    const std::string where = fmt::format("{}: label {}", file, in_quotes(label));
    if (label.empty()) fail("{}: has no name; give it one", where);
    out.labels.push_back(label);
    std::vector<std::string>& categories = out.categories.emplace_back();
    if (!value.is_array()) {
      categories.push_back(category_of(value, where));
      continue;
    }
    for (const Json& item : value) categories.push_back(category_of(item, where));
    if (categories.empty()) fail("{}: names no category; give at least one milestone", where);
  }
  if (out.labels.empty())
    fail("{}: names no label; give an object from label to a list of categories", file);
  check_disjoint(out, file);
  return out;
}

}  // namespace cupel::wiki_cs
