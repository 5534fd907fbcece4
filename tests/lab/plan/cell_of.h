// A cell of results, by its row.
#pragma once

#include <stdexcept>
#include <string>

#include "cupel/lab/results/load.h"

namespace cupel::made {

inline const CellResults& cell_of(const Results& results, const std::string& model) {
  for (const CellResults& cell : results.tables.at(0).cells) {
    if (cell.model == model) return cell;
  }
  throw std::logic_error("no cell of " + model);
}

}  // namespace cupel::made
