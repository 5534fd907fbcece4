// Mending sets of graphs.
#include <algorithm>
#include <set>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/audit/equal_graphs.h"
#include "cupel/data/audit/fix_parts.h"
#include "cupel/data/audit/row_numbers.h"

namespace cupel::fixing {
namespace {

// Without the columns that no node has: a reader of the copy would not see them.
void drop_lost_labels(Dataset& data) {
  auto* labels = std::get_if<Csr>(&data.features);
  if (!labels) return;
  std::vector<Index> new_column(static_cast<std::size_t>(labels->cols), -1);
  for (const Index c : labels->columns) new_column[static_cast<std::size_t>(c)] = 0;
  Index columns = 0;
  for (Index& c : new_column) c = c < 0 ? c : columns++;
  for (Index& c : labels->columns) c = new_column[static_cast<std::size_t>(c)];
  labels->cols = columns;
}

void remove_graphs(Dataset& data, const std::set<Index>& graphs, FixOperation& operation) {
  operation.count = static_cast<Offset>(graphs.size());
  if (graphs.empty()) return;
  std::vector<Index> kept;
  for (Index g = 0; g < data.graphs->size(); ++g) {
    if (!graphs.contains(g)) kept.push_back(g);
  }
  if (kept.empty()) fail("{}: fix '{}' would leave no graph", data.name, operation.id);
  record(keep_graphs(data, kept), operation);
  drop_lost_labels(data);
}

void merge_repeats(Dataset& data, const AuditSubject&, FixOperation& operation) {
  operation.count = std::exchange(data.repeated_arcs, 0);
}

void forget_loops(Dataset& data, const AuditSubject&, FixOperation& operation) {
  operation.count = std::exchange(data.graphs->dropped_loops, 0);
}

void remove_empty(Dataset& data, const AuditSubject&, FixOperation& operation) {
  const std::vector<Index>& start = data.graphs->start;
  std::set<Index> graphs;
  for (Index g = 0; g < data.graphs->size(); ++g) {
    if (data.adjacency.row_ptr[start[g]] == data.adjacency.row_ptr[start[g + 1]]) graphs.insert(g);
  }
  remove_graphs(data, graphs, operation);
}

std::vector<Index> labels_of(const Dataset& data) {
  return data.has_tasks() ? number_rows(data.task_answers()) : data.labels();
}

void remove_contradicting(Dataset& data, const AuditSubject&, FixOperation& operation) {
  const std::vector<Index> labels = labels_of(data);
  std::set<Index> graphs;
  for (const auto& group : equal_graphs(data).groups) {
    const Index first = labels[static_cast<std::size_t>(group.front())];
    if (std::any_of(group.begin(), group.end(),
                    [&](Index g) { return labels[static_cast<std::size_t>(g)] != first; }))
      graphs.insert(group.begin(), group.end());
  }
  remove_graphs(data, graphs, operation);
}

void remove_repeated(Dataset& data, const AuditSubject&, FixOperation& operation) {
  const std::vector<Index> labels = labels_of(data);
  std::set<Index> graphs, seen;
  for (const auto& group : equal_graphs(data).groups) {
    seen.clear();
    for (const Index g : group) {
      if (!seen.insert(labels[static_cast<std::size_t>(g)]).second) graphs.insert(g);
    }
  }
  remove_graphs(data, graphs, operation);
}

}  // namespace

const std::vector<Kind>& set_kinds() {
  static const std::vector<Kind> all = {
      {{"duplicate-edges", "write each arc once, whatever the file repeats", true}, merge_repeats},
      {{"self-loops", "write no arc from a node to itself", true}, forget_loops},
      {{"empty-graphs", "remove graphs without an edge", false}, remove_empty},
      {{"contradicting-graphs", "remove all graphs that equal one with another label", false},
       remove_contradicting},
      {{"duplicate-graphs", "keep the first of equal graphs with the same label", true},
       remove_repeated},
      {{"split-overlap", "keep each graph in one part: test before validation before training",
        false},
       separate_splits},
  };
  return all;
}

}  // namespace cupel::fixing
