// Temporal data sets as they are, where there are some: $CUPEL_DATA/temporal, or expert/temporal.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>

#include "data/facts/made.h"

namespace cupel::made {

inline std::string real_path(const std::string& name) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data != nullptr)
    for (const char* folder : {"temporal", "expert/temporal"}) {
      const auto path = std::filesystem::path(data) / folder / name;
      if (std::filesystem::exists(path)) return path.string();
    }
  return "";
}

// Appends "s r o t ..." lines, or "s o t" lines with relation 0. False if there is no such file.
inline bool read_real(const std::string& name, bool relations, MadeFacts& out) {
  const std::string path = real_path(name);
  if (path.empty()) return false;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Index s = 0, r = 0, o = 0;
    std::int64_t t = 0;
    words >> s;
    if (relations) words >> r;
    words >> o >> t;
    out.add(s, r, o, t);
  }
  return true;
}

// By time; facts of one time stay in their order.
inline MadeFacts sorted(const MadeFacts& facts) {
  std::vector<std::size_t> order(facts.time.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return facts.time[a] < facts.time[b]; });
  MadeFacts out;
  for (const std::size_t i : order)
    out.add(facts.source[i], facts.relation[i], facts.target[i], facts.time[i]);
  return out;
}

}  // namespace cupel::made
