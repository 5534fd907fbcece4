// One row per run behind the cells of score tables: what a reader's own statistics start from.
//
// Scores are fractions, as stored. An empty field is a score that the run does not have. The id is
// that of `cupel show RUN`. A run that ended in different ways in stores that were merged is "in
// conflict" and has no numbers. Of facts over time a run has further rows, one for each relation
// and group. Where programs were run, a column says how they were isolated. The last one is the
// memory that a run took, in bytes.
#include "cupel/judge/report/frames.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

std::string render_runs(const Report&, const Results& results) {
  return csv_text(runs_and_groups_frame(results));
}

}  // namespace

extern const Format format_csv_runs;
const Format format_csv_runs = {
    "csv-runs", "csv",
    "one row per run, and of facts over time one per relation and group; full precision",
    render_runs};

}  // namespace cupel
