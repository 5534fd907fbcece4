// Graphs without nodes, and graphs without edges.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kMany = 0.01;

Finding finding_of(const AuditSubject& subject, const std::vector<Index>& graphs, const char* what,
                   const char* id) {
  const Dataset& data = subject.data;
  const double share = static_cast<double>(graphs.size()) / data.examples();
  Finding out;
  out.id = id;
  out.count = static_cast<Offset>(graphs.size());
  out.title = fmt::format(
      "{} no {}", text::count(out.count, "graph") + text::verb(out.count, " has", " have"), what);
  out.evidence = fmt::format("{} of {} ({}): {}.", text::number(out.count),
                             text::count(data.examples(), "graph"), text::percent(share),
                             text::ids("graph", graphs));
  out.details = {{"share", share}, {"examples", text::examples(graphs)}};
  return out;
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const std::vector<Index>& start = data.graphs->start;
  std::vector<Index> no_nodes, no_edges;
  for (Index g = 0; g < data.graphs->size(); ++g) {
    if (start[g] == start[g + 1])
      no_nodes.push_back(g);
    else if (data.adjacency.row_ptr[start[g]] == data.adjacency.row_ptr[start[g + 1]])
      no_edges.push_back(g);
  }
  if (!no_nodes.empty()) {
    Finding out = finding_of(subject, no_nodes, "node", "empty-graphs");
    out.severity = Severity::kError;
    out.advice =
        "No model sees anything of them; a score on them is that of a guess. Find out where their "
        "nodes are, or leave them out (`--fix=empty-graphs --out FOLDER`).";
    findings.push_back(std::move(out));
  }
  if (!no_edges.empty()) {
    Finding out = finding_of(subject, no_edges, "edge", "edgeless-graphs");
    const bool all = data.adjacency.entries() == 0;
    const double share = static_cast<double>(out.count) / data.examples();
    out.severity = all ? Severity::kError : share >= kMany ? Severity::kWarning : Severity::kInfo;
    out.advice = all ? "Check that the edges were read from the right place; without edges this is "
                       "no graph data set."
                     : "A graph model sees a bag of nodes there. Decide whether they belong in, "
                       "and say so; `--fix=empty-graphs --out FOLDER` leaves them out.";
    findings.push_back(std::move(out));
  }
}

}  // namespace

extern const AuditCheck audit_check_empty_graphs;
const AuditCheck audit_check_empty_graphs = {"empty-graphs", "graphs without nodes or edges", run,
                                             Concerns::kSet};

}  // namespace cupel
