// The lines of `--format csv`, cell by cell, for what shows a part of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cupel/judge/report/table.h"

namespace cupel {

struct CsvLine {
  std::size_t table = 0, cell = 0;  // places in Report::tables and ReportTable::cells
  std::string text;                 // with its line end
};

// Comma-separated values after RFC 4180 (line ends are \n), one row per cell, fixed columns;
// reports with choices or readings, and those with programs that were not isolated, have more. The
// last two say what runs took: two stores of the same runs differ in them.
//
// Numbers are the shortest text that reads back as the same double; scores are in percent. A number
// that is not known is an empty field.
//
// Facts over time have rows of their own: one per score of a model, relation and group of facts.
// The cell of such a row is the first of its model and data set.
struct CsvLines {
  std::string header;  // with its line end
  std::vector<CsvLine> lines;
};
[[nodiscard]] CsvLines csv_lines(const Report& report);

}  // namespace cupel
