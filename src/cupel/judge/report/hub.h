// What the formats of the Hugging Face Hub share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cupel/judge/report/build.h"

namespace cupel::report {

struct ModelCells {
  std::string model;
  std::vector<std::pair<const ReportTable*, const Cell*>> cells;
};
// Cells of score tables by row, in the order in which rows first stand. They refer to the report.
[[nodiscard]] std::vector<ModelCells> cells_by_model(const Report& report);

// "Test accuracy in percent, mean of 12 runs"
[[nodiscard]] std::string mean_words(const Cell& cell);

// Comments that say which of the cells have no score, and why; nothing where no run was made.
[[nodiscard]] std::string comments_on_missing(const ModelCells& row);

}  // namespace cupel::report
