// Two rows of a protocol's tables against each other.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cupel/judge/report/table.h"
#include "cupel/lab/results/results.h"

namespace cupel {

// One pair, turned so that it says a - b.
struct ComparedPair {
  std::string table;
  Column column;
  RowPair pair;
  double sign = 1;  // -1: the pair is b - a
};

struct RowComparison {
  std::string a, b;  // as the tables write them
  double delta = 0;  // a difference within it is equivalent to none
  std::vector<ComparedPair> pairs;
};

// `results` of the two rows alone (narrowed()), by tables and data sets. `delta` instead of the
// protocol's. Throws Error for one and the same row, and if there is no data set on which both have
// scores.
[[nodiscard]] RowComparison compare_rows(Results results, const std::string& a,
                                         const std::string& b, std::optional<double> delta = {});

// As `cupel compare --json` prints it.
[[nodiscard]] nlohmann::ordered_json comparison_json(const RowComparison& found);

}  // namespace cupel
