#include "cupel/judge/report/cost.h"

#include <algorithm>
#include <vector>

#include "cupel/judge/stats/descriptive.h"

namespace cupel::report {

Cost cost_of(const CellResults& cell) {
  Cost out;
  std::vector<double> scored;
  std::int64_t most = 0;
  for (const PlacedRun& run : cell.runs) {
    const RunRecord& record = run.record;
    out.seconds += record.seconds;
    most = std::max(most, record.memory_bytes);
    // Predictions that were handed in have no time.
    if (record.test_score && record.seconds > 0) scored.push_back(record.seconds);
  }
  if (!scored.empty()) out.seconds_per_run = mean_of(scored);
  if (most > 0) out.memory_bytes = most;
  return out;
}

}  // namespace cupel::report
