// Graphs of a set that fall into several parts, and nodes in them without a neighbour.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kMany = 0.1;  // of all nodes, isolated

void add_isolated(const Dataset& data, std::vector<Finding>& findings) {
  const std::vector<Index>& start = data.graphs->start;
  std::vector<Index> graphs;  // with edges and with such a node: the others are another check's
  Finding out;
  for (Index g = 0; g < data.graphs->size(); ++g) {
    Offset isolated = 0;
    for (Index i = start[g]; i < start[g + 1]; ++i) isolated += data.adjacency.row_size(i) == 0;
    if (isolated == 0 || isolated == start[g + 1] - start[g]) continue;
    out.count += isolated;
    graphs.push_back(g);
  }
  if (out.count == 0) return;
  const double share = static_cast<double>(out.count) / data.nodes();
  out.id = "isolated-nodes";
  out.severity = share >= kMany ? Severity::kWarning : Severity::kInfo;
  out.title = fmt::format("{} {} no neighbour", text::count(out.count, "node"),
                          text::verb(out.count, "has", "have"));
  out.evidence = fmt::format(
      "{} of {} ({}), in {}: {}. Graphs without any edge aside.", text::number(out.count),
      text::count(data.nodes(), "node"), text::percent(share),
      text::count(static_cast<Offset>(graphs.size()), "graph"), text::ids("graph", graphs));
  out.details = {{"graphs", graphs.size()}, {"share", share}, {"examples", text::examples(graphs)}};
  out.advice =
      "They count in means over nodes and pass no message. Find out whether their edges are "
      "missing.";
  findings.push_back(std::move(out));
}

void add_several(const Dataset& data, std::vector<Finding>& findings) {
  const std::vector<Index>& start = data.graphs->start;
  const Components components = connected_components(data.adjacency);
  std::vector<Index> parts(static_cast<std::size_t>(data.graphs->size()), 0), graphs;
  std::vector<char> seen(components.sizes.size(), 0);
  for (Index g = 0; g < data.graphs->size(); ++g) {
    for (Index i = start[g]; i < start[g + 1]; ++i) {
      char& known = seen[static_cast<std::size_t>(components.of_node[static_cast<std::size_t>(i)])];
      if (data.adjacency.row_size(i) > 0 && !known) {
        known = 1;
        ++parts[static_cast<std::size_t>(g)];
      }
    }
    if (parts[static_cast<std::size_t>(g)] > 1) graphs.push_back(g);
  }
  if (graphs.empty()) return;
  const auto most =
      static_cast<Index>(std::max_element(parts.begin(), parts.end()) - parts.begin());
  Finding out;
  out.id = "several-components";
  out.count = static_cast<Offset>(graphs.size());
  const double share = static_cast<double>(out.count) / data.examples();
  out.title =
      fmt::format("{} into several components",
                  text::count(out.count, "graph") + text::verb(out.count, " falls", " fall"));
  out.evidence = fmt::format(
      "{} of {} ({}): {}; graph {} has {}, the most. Nodes without a neighbour are not "
      "counted.",
      text::number(out.count), text::count(data.examples(), "graph"), text::percent(share),
      text::ids("graph", graphs), most, parts[static_cast<std::size_t>(most)]);
  out.details = {{"share", share},
                 {"most_components", parts[static_cast<std::size_t>(most)]},
                 {"examples", text::examples(graphs)}};
  out.advice =
      "Nothing passes between components but through the readout: nothing to mend where that is "
      "what the graphs mean, as in salts; else find out which edges are missing.";
  findings.push_back(std::move(out));
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  add_isolated(subject.data, findings);
  add_several(subject.data, findings);
}

}  // namespace

extern const AuditCheck audit_check_graph_components;
const AuditCheck audit_check_graph_components = {
    "several-components", "graphs in several parts, and nodes without a neighbour", run,
    Concerns::kSet};

}  // namespace cupel
