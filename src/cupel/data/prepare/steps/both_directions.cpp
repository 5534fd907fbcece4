// Both directions of every arc, nothing merged: the graph that the released code of Wiki-CS trains
// on.
#include <algorithm>
#include <iterator>

#include "cupel/base/error.h"
#include "cupel/data/graph/parallel_arcs.h"
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

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
  const Offset arcs = parallel_arcs(dataset.adjacency, 0,
                                    fmt::format("{}: step 'both-directions' reads", dataset.name),
                                    "do \"unweight\" before it");
  const Csr there = repeated(dataset.adjacency, arcs);
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
