#include "cupel/data/audit/fix.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/ranges.h>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/audit/fix_parts.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace fixing {

void record(Gone gone, FixOperation& operation) {
  std::ranges::move(gone.classes, std::back_inserter(operation.lost_classes));
  std::ranges::move(gone.splits, std::back_inserter(operation.dropped_splits));
}

void separate_splits(Dataset& data, const AuditSubject&, FixOperation& operation) {
  std::vector<char> taken(static_cast<std::size_t>(data.examples()));
  std::vector<Split> splits;
  for (std::size_t s = 0; s < data.stored_splits.size(); ++s) {
    Split split = std::move(data.stored_splits[s]);
    std::fill(taken.begin(), taken.end(), 0);
    bool lost = false;
    for (std::vector<Index>* part : {&split.test, &split.valid, &split.stopping, &split.train}) {
      const bool had_nodes = !part->empty();
      operation.count += static_cast<Offset>(std::erase_if(*part, [&](Index i) {
        return std::exchange(taken[static_cast<std::size_t>(i)], 1) != 0;
      }));
      lost = lost || (had_nodes && part->empty());
    }
    if (lost) {
      operation.dropped_splits.push_back(static_cast<int>(s));
    } else {
      splits.push_back(std::move(split));
    }
  }
  data.stored_splits = std::move(splits);
}

}  // namespace fixing

namespace {

using fixing::Kind;
using fixing::record;

void remove_nodes(Dataset& data, const std::vector<Index>& ascending, FixOperation& operation) {
  std::vector<Index> kept;
  for (Index i = 0; i < data.nodes(); ++i) {
    if (!std::binary_search(ascending.begin(), ascending.end(), i)) kept.push_back(i);
  }
  if (kept.empty()) fail("{}: fix '{}' would leave no node", data.name, operation.id);
  record(keep_nodes(data, kept), operation);
}

// ---- the kinds ----------------------------------------------------------------------------------

void remove_copies(Dataset& data, const AuditSubject& subject, FixOperation& operation) {
  if (!subject.directed) return;
  const std::vector<Index> copies =
      node_copies(*subject.directed, data.labels(), data.features, subject.copy_rule).found;
  operation.count = static_cast<Offset>(copies.size());
  if (!copies.empty()) remove_nodes(data, copies, operation);
}

// Whether values are nothing but the number of repeats: then they can go. Weights stay, as the sums
// that they are.
bool are_multiplicities(const Dataset& data) {
  double extra = 0;
  for (const float v : data.adjacency.values) {
    if (v < 1 || v != std::floor(v)) return false;
    extra += v - 1;
  }
  return extra == static_cast<double>(data.repeated_arcs);
}

void merge_repeats(Dataset& data, const AuditSubject&, FixOperation& operation) {
  operation.count = data.repeated_arcs;
  if (are_multiplicities(data)) data.adjacency.values = {};
  data.repeated_arcs = 0;
}

void drop_weights(Dataset& data, const AuditSubject&, FixOperation& operation) {
  operation.count = std::count_if(data.adjacency.values.begin(), data.adjacency.values.end(),
                                  [](float v) { return v != 1; });
  data.adjacency.values = {};
}

void merge_reversed(Dataset& data, const AuditSubject&, FixOperation& operation) {
  const Csr& graph = data.adjacency;
  const Csr pattern = symmetrise([&] {
    Csr copy = graph;
    copy.values = {};
    return copy;
  }());
  Csr once;
  once.rows = once.cols = graph.rows;
  for (Index i = 0; i < graph.rows; ++i) {
    for (const Index j : pattern.row_columns(i)) {
      if (j >= i) once.columns.push_back(j);
    }
    once.row_ptr.push_back(static_cast<Offset>(once.columns.size()));
  }
  operation.count = graph.entries() - once.entries();
  data.adjacency = std::move(once);
}

void drop_loops(Dataset& data, const AuditSubject&, FixOperation& operation) {
  operation.count = count_self_loops(data.adjacency);
  const Csr graph = std::move(data.adjacency);
  Csr out;
  out.rows = out.cols = graph.rows;
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      const Index j = graph.columns[static_cast<std::size_t>(at)];
      if (j == i) continue;
      out.columns.push_back(j);
      if (!graph.is_pattern()) out.values.push_back(graph.value(at));
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  data.adjacency = std::move(out);
}

void drop_isolated(Dataset& data, const AuditSubject&, FixOperation& operation) {
  std::vector<char> joined(static_cast<std::size_t>(data.nodes()), 0);
  for (Index i = 0; i < data.nodes(); ++i) {
    for (const Index j : data.adjacency.row_columns(i)) {
      if (i == j) continue;
      joined[static_cast<std::size_t>(i)] = joined[static_cast<std::size_t>(j)] = 1;
    }
  }
  std::vector<Index> nodes;
  for (Index i = 0; i < data.nodes(); ++i) {
    if (!joined[static_cast<std::size_t>(i)]) nodes.push_back(i);
  }
  operation.count = static_cast<Offset>(nodes.size());
  if (!nodes.empty()) remove_nodes(data, nodes, operation);
}

const std::vector<Kind>& graph_kinds() {
  static const std::vector<Kind> all = {
      {{"duplicate-nodes",
        "remove copies that no arc enters (Platonov et al. 2023) and chance does not explain",
        true},
       remove_copies},
      {{"duplicate-edges", "keep one of each edge that the file repeats; weights are summed", true},
       merge_repeats},
      {{"edge-weights", "make every arc's value 1", false}, drop_weights},
      {{"reversed-edges", "make the graph undirected, each edge stored once", false},
       merge_reversed},
      {{"self-loops", "remove arcs from a node to itself", false}, drop_loops},
      {{"isolated-nodes", "remove nodes without a neighbour", false}, drop_isolated},
      {{"split-overlap", "keep each node in one part: test before validation before training",
        false},
       fixing::separate_splits},
  };
  return all;
}

std::set<std::string> wanted_of(const std::vector<Kind>& kinds, const std::vector<std::string>& ids,
                                const Dataset& data) {
  std::vector<std::string> known;
  std::set<std::string> wanted;
  for (const auto& [kind, work] : kinds) {
    known.push_back(kind.id);
    if (ids.empty() && kind.safe) wanted.insert(kind.id);
  }
  for (const std::string& id : ids) {
    if (std::find(known.begin(), known.end(), id) == known.end()) {
      fail("there is no fix for '{}'{}{}", id, data.graphs ? " of a set of graphs" : "",
           near_or_all(id, known));
    }
    wanted.insert(id);
  }
  return wanted;
}

std::vector<FixKind> listed(const std::vector<Kind>& kinds) {
  std::vector<FixKind> out;
  for (const auto& [kind, work] : kinds) out.push_back(kind);
  return out;
}

}  // namespace

const std::vector<FixKind>& fix_kinds() {
  static const std::vector<FixKind> all = listed(graph_kinds());
  return all;
}
const std::vector<FixKind>& set_fix_kinds() {
  static const std::vector<FixKind> all = listed(fixing::set_kinds());
  return all;
}

Fixed fix(const AuditSubject& subject, const std::vector<std::string>& ids) {
  const std::vector<Kind>& kinds = subject.data.graphs ? fixing::set_kinds() : graph_kinds();
  const std::set<std::string> wanted = wanted_of(kinds, ids, subject.data);
  Fixed out;
  out.dataset = subject.data;
  const auto graphs = [&] { return out.dataset.graphs ? out.dataset.graphs->size() : 0; };
  for (const auto& [kind, work] : kinds) {
    if (!wanted.contains(kind.id)) continue;
    FixOperation operation;
    operation.id = kind.id;
    operation.doc = kind.doc;
    operation.graphs_before = graphs();
    operation.nodes_before = out.dataset.nodes();
    operation.arcs_before = out.dataset.adjacency.entries();
    work(out.dataset, subject, operation);
    operation.graphs_after = graphs();
    operation.nodes_after = out.dataset.nodes();
    operation.arcs_after = out.dataset.adjacency.entries();
    out.operations.push_back(std::move(operation));
  }
  return out;
}

}  // namespace cupel
