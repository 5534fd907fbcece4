// Graphs that all have the same number of nodes or edges.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const std::vector<Index>& start = data.graphs->start;
  if (data.graphs->size() < 2) return;
  const auto nodes = [&](Index g) { return static_cast<Offset>(start[g + 1] - start[g]); };
  const auto edges = [&](Index g) {
    return (data.adjacency.row_ptr[start[g + 1]] - data.adjacency.row_ptr[start[g]]) / 2;
  };
  bool same_nodes = true, same_edges = true;
  for (Index g = 1; g < data.graphs->size(); ++g) {
    same_nodes = same_nodes && nodes(g) == nodes(0);
    same_edges = same_edges && edges(g) == edges(0);
  }
  if (!same_nodes && !same_edges) return;
  Finding out;
  out.id = "constant-properties";
  out.count = same_nodes + same_edges;
  out.title = fmt::format("every graph has the same number of {}", same_nodes && same_edges
                                                                       ? "nodes and edges"
                                                                   : same_nodes ? "nodes"
                                                                                : "edges");
  out.evidence = fmt::format("{}, each with {}{}{}.", text::count(data.examples(), "graph"),
                             same_nodes ? text::count(nodes(0), "node") : "",
                             same_nodes && same_edges ? " and " : "",
                             same_edges ? text::count(edges(0), "edge") : "");
  out.details = {{"nodes", same_nodes ? nlohmann::ordered_json(nodes(0)) : nullptr},
                 {"edges", same_edges ? nlohmann::ordered_json(edges(0)) : nullptr}};
  out.advice =
      "Nothing to mend: size gives no label away. What is learnt here is not tested on graphs of "
      "other sizes.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_constant_properties;
const AuditCheck audit_check_constant_properties = {
    "constant-properties", "graphs that all have the same number of nodes or edges", run,
    Concerns::kSet};

}  // namespace cupel
