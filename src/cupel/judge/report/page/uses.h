// The data sets of results, and what their runs depended on.
#pragma once

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
struct UsedDataset {
  std::string name;
  int classes = 0;
  std::vector<DatasetUse> uses;  // none where runs say nothing of their identity
};

// Those with runs, in the order of tables and columns.
[[nodiscard]] std::vector<UsedDataset> used_datasets(const Results& results);

}  // namespace cupel::page
