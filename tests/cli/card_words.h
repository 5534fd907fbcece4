// What cards and lists say, cut into words and names.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

namespace cupel::test {

inline std::set<std::string> names_of(const nlohmann::json& list) {
  std::set<std::string> names;
  for (const nlohmann::json& one : list) names.insert(one.at("name").get<std::string>());
  return names;
}

// The words alone, wherever lines were wrapped.
inline std::string flat(const std::string& text) {
  std::istringstream words(text);
  std::string out, word;
  while (words >> word) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace cupel::test
