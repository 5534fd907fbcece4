// A small data set in the released form of Wiki-CS, made member by member so that tests can put
// faults into one.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/formats/made_files.h"

namespace cupel::made {

// Members of an object and their values, as text.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;

inline std::string json_of(const JsonMembers& members) {
  std::string out = "{";
  for (const auto& [key, value] : members)
    out += (out.size() > 1 ? ", \"" : "\"") + key + "\": " + value;
  return out + "}";
}

inline JsonMembers with(JsonMembers members, const std::string& key, const std::string& value) {
  for (auto& [name, old] : members) {
    if (name == key) {
      old = value;
      return members;
    }
  }
  members.emplace_back(key, value);
  return members;
}

inline JsonMembers without(JsonMembers members, const std::string& key) {
  std::erase_if(members, [&](const auto& m) { return m.first == key; });
  return members;
}

// Six nodes, two features, eight entries of lists: one of them twice, one self-link. Two splits.
inline JsonMembers wiki_cs_data() {
  return {
      {"features", "[[0.1, -2], [1e-3, 0], [0.30000000000000004, 1E2], [0, 0], [1, 2], [3, 4]]"},
      {"labels", "[0, 1, 1, 0, 1, 0]"},
      {"links", "[[4, 1, 4], [], [2], [0], [5], [3, 0]]"},
      {"train_masks",
       "[[true, false, false, false, false, false], [false, true, false, false, false, false]]"},
      {"stopping_masks",
       "[[false, true, false, false, false, false], [true, false, false, false, false, false]]"},
      {"val_masks",
       "[[false, false, true, false, false, false], [false, false, false, true, false, false]]"},
      {"test_mask", "[false, false, false, false, true, true]"},
  };
}

inline std::string wiki_cs_node(int id, const std::string& label, const std::string& outlinks) {
  return json_of({{"id", std::to_string(id)},
                  {"title", "\"Page_" + std::to_string(id) + "\""},
                  {"label", "\"" + label + "\""},
                  {"outlinks", "[" + outlinks + "]"},
                  {"tokens", "[\"a\", \"\\u00e9t\\ud83d\\ude00\", \"b\\\"\\\\\"]"}});
}

inline JsonMembers wiki_cs_metadata() {
  const char* kOutlinks[] = {"50, 20, 50", "", "30", "10", "60", "40, 10"};
  const int kLabels[] = {0, 1, 1, 0, 1, 0};
  std::string nodes;
  for (int i = 0; i < 6; ++i) {
    nodes +=
        (i == 0 ? "" : ", ") +
        wiki_cs_node(10 * (i + 1), kLabels[i] == 0 ? "Databases" : "Caf\\u00e9s", kOutlinks[i]);
  }
  return {{"labels", R"({"1": "Caf\u00e9s", "0": "Databases"})"}, {"nodes", "[" + nodes + "]"}};
}

}  // namespace cupel::made
