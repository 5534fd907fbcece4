// The data sets of results, and what their runs depended on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/lab/results/results.h"

namespace cupel::page {

// A data set may be prepared or split in several ways.
struct DatasetUse {
  std::string content;  // hash
  std::vector<std::string> preparation;
  std::string split;
  std::vector<std::string> tables;
};
// Whether runs were on the same data, whatever tables they stand in.
[[nodiscard]] bool same_data(const DatasetUse& a, const DatasetUse& b);

struct UsedDataset {
  std::string name;
  int classes = 0;
  std::vector<DatasetUse> uses;  // none where runs say nothing of their identity
};

// What the runs of a cell depended on, but for its table; none where they say nothing of it.
[[nodiscard]] std::optional<DatasetUse> use_of(const CellResults& cell);

// The name that a cell's model has in its source, if it is a function of a program's process.
[[nodiscard]] std::optional<std::string> function_of(const CellResults& cell);

// Those with runs, in the order of tables and columns.
[[nodiscard]] std::vector<UsedDataset> used_datasets(const Results& results);

}  // namespace cupel::page
