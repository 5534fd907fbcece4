// Both directions of every arc, nothing merged: the graph that the released code of Wiki-CS trains
// on.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "cupel/base/error.h"
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

// Parallel arcs that the values of a file may ask for: these, or so many times its arcs.
constexpr double kMostArcs = 1e6, kMostTimes = 10;

// Throws Error unless the values say how often each arc is there; the sum of them.
Offset count_arcs(const Dataset& dataset) {
  const Csr& graph = dataset.adjacency;
  if (graph.is_pattern()) return graph.entries();
  double sum = 0;
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      const float times = graph.value(at);
      sum += times;
      if (times >= 0 && times == std::floor(times) && std::isfinite(times)) continue;
      fail(
          "{}: step 'both-directions' reads values as numbers of parallel arcs, but that of {} -> "
          "{} is {}; do \"unweight\" before it",
          dataset.name, i, graph.columns[at], times);
    }
  }
  const double most = std::max(kMostArcs, kMostTimes * static_cast<double>(graph.entries()));
  if (sum > most) {
    fail(
        "{}: step 'both-directions' reads values as numbers of parallel arcs, but they sum to "
        "{:.9g} "
        "for {} stored arcs, and it makes {:.9g} at most; do \"unweight\" before it",
        dataset.name, sum, graph.entries(), most);
  }
  return static_cast<Offset>(sum);
}

// An entry of value m becomes m entries without a value.
Csr repeated(const Csr& graph, Offset arcs) {
  if (graph.is_pattern()) return graph;
  Csr out;
  out.rows = graph.rows;
  out.cols = graph.cols;
  out.row_ptr.reserve(graph.row_ptr.size());
  out.columns.reserve(static_cast<std::size_t>(arcs));
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      out.columns.insert(out.columns.end(), static_cast<std::size_t>(graph.value(at)),
                         graph.columns[at]);
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

void apply(Dataset& dataset, Index) {
  const Csr there = repeated(dataset.adjacency, count_arcs(dataset));
  const Csr back = transpose(there);
  Csr out;
  out.rows = there.rows;
  out.cols = there.cols;
  out.row_ptr.reserve(there.row_ptr.size());
  out.columns.reserve(2 * there.columns.size());
  for (Index i = 0; i < there.rows; ++i) {
    std::ranges::merge(there.row_columns(i), back.row_columns(i), std::back_inserter(out.columns));
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  dataset.adjacency = std::move(out);
}

}  // namespace

extern const StepKind step_both_directions;
const StepKind step_both_directions = {
    .name = "both-directions",
    .doc = "every arc and its reverse, parallel ones kept; a value m is m parallel arcs",
    .place = 25,
    .apply = apply,
    .suits = StepFor::kOneGraph};

}  // namespace cupel
