#include "cupel/data/graph/parallel_arcs.h"

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"

namespace cupel {

bool has_parallel_arcs(const Csr& graph) {
  for (Index i = 0; i < graph.rows; ++i) {
    const auto columns = graph.row_columns(i);
    if (std::ranges::adjacent_find(columns) != columns.end()) return true;
  }
  return false;
}

Offset parallel_arcs(const Csr& graph, float least, const std::string& who,
                     const std::string& way_out) {
  constexpr double kMostArcs = 1e6, kMostTimes = 10;
  if (graph.is_pattern()) return graph.entries();
  double sum = 0;
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      const float times = graph.value(at);
      sum += times;
      if (times >= least && times == std::floor(times) && std::isfinite(times)) continue;
      fail("{} values as numbers of parallel arcs, but that of {} -> {} is {}; {}", who, i,
           graph.columns[at], times, way_out);
    }
  }
  const double most = std::max(kMostArcs, kMostTimes * static_cast<double>(graph.entries()));
  if (sum > most) {
    fail(
        "{} values as numbers of parallel arcs, {:.9g} at most, but they sum to {:.9g} for {} "
        "stored arcs; {}",
        who, most, sum, graph.entries(), way_out);
  }
  return static_cast<Offset>(sum);
}

}  // namespace cupel
