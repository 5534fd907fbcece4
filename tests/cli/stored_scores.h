// What reports of two stores of the same runs have in common.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {

// The CSV of a store's report without its last two columns, which depend on the clock and on the
// machine's memory.
inline std::string report_of(const Workplace& place, const std::string& store) {
  std::istringstream csv(place.run({"report", store, "--format", "csv"}).out);
  std::string out;
  for (std::string line; std::getline(csv, line);) {
    for (int i = 0; i < 2; ++i) line.resize(line.rfind(','));
    out += line + "\n";
  }
  return out;
}

// The same of a report in JSON.
inline nlohmann::json without_cost(nlohmann::json report) {
  for (nlohmann::json& table : report["tables"]) {
    for (nlohmann::json& cell : table["cells"]) {
      cell.erase("seconds_per_run");
      cell.erase("memory_bytes");
    }
  }
  return report;
}

}  // namespace cupel::test
