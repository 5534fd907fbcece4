// A report as columns: what CSV and programs that work on tables get.
//
// Numbers are those of the report: scores in percent, ranks as they are; of runs fractions, as
// stored. What is not known is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cupel/judge/report/table.h"
#include "cupel/lab/results/results.h"

namespace cupel {

struct FrameColumn {
  using Texts = std::vector<std::string>;
  using Whole = std::vector<std::optional<std::int64_t>>;
  using Reals = std::vector<std::optional<double>>;
  std::string name;
  std::variant<Texts, Whole, Reals> values;
};

// Columns of one length.
struct Frame {
  std::vector<FrameColumn> columns;
  [[nodiscard]] std::size_t rows() const;
};

// Whether it is about facts over time.
[[nodiscard]] bool is_of_events(const Report& report);

// One row per cell, or of facts over time one per score of a model, relation and group of facts.
// Reports with choices, readings or programs that were not isolated have columns of their own. The
// last two columns of cells, and the last of runs, say what runs took: they depend on the machine.
[[nodiscard]] Frame cells_frame(const Report& report);

// One row per run behind the cells of score tables. The id is that of `cupel show RUN`. A run that
// ended in different ways in stores that were merged has the status "in conflict" and no numbers.
[[nodiscard]] Frame runs_frame(const Results& results);

// The same; the row of a run on facts over time is followed by one for each relation and group of
// facts, by the metric of the cell, without what is of the whole run. They have these and the
// number of questions in columns of their own, which are empty in the row of the run.
[[nodiscard]] Frame runs_and_groups_frame(const Results& results);

// RFC 4180, line ends are \n. Numbers are the shortest text that reads back as the same double.
[[nodiscard]] std::string csv_text(const Frame& frame);
// Its first line, and that of a row; with line ends.
[[nodiscard]] std::string csv_header(const Frame& frame);
[[nodiscard]] std::string csv_line(const Frame& frame, std::size_t row);

}  // namespace cupel
