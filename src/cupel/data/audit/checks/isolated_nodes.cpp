// Nodes without a neighbour.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  std::vector<Index> nodes;
  for (Index i = 0; i < subject.undirected.rows; ++i) {
    if (subject.undirected.row_size(i) == 0) nodes.push_back(i);
  }
  if (nodes.empty()) return;
  const bool all = static_cast<Index>(nodes.size()) == subject.data.nodes();
  const bool dropped = subject.prepares("largest-component");
  Finding out;
  out.id = "isolated-nodes";
  out.count = static_cast<Offset>(nodes.size());
  out.severity = all ? Severity::kError : dropped ? Severity::kInfo : Severity::kWarning;
  out.title = all ? "the graph has no edge: every node is isolated"
                  : fmt::format("{} {} no neighbour", text::count(out.count, "node"),
                                text::verb(out.count, "has", "have"));
  out.evidence = fmt::format(
      "{} of {} ({}), e.g. {}. A graph model sees nothing but their own features.",
      text::number(out.count), text::count(subject.data.nodes(), "node"),
      text::percent(static_cast<double>(out.count) / subject.data.nodes()), text::nodes(nodes));
  out.details = {{"examples", text::examples(nodes)}};
  out.advice =
      all       ? "Check that the edges were read from the right place; without edges this is no "
                  "graph data set."
      : dropped ? "The preparation of this data set keeps the largest component only; nothing "
                  "to do."
                : "Decide whether they belong in, and say so: preparation step "
                  "\"largest-component\", or `--fix=isolated-nodes --out FILE`.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_isolated_nodes;
const AuditCheck audit_check_isolated_nodes = {"isolated-nodes", "nodes without a neighbour", run};

}  // namespace cupel
