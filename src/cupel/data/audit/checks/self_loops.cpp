// Arcs from a node to itself.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  if (subject.direction.loops == 0) return;
  std::vector<Index> nodes;
  for (Index i = 0; i < subject.data.nodes(); ++i) {
    const auto row = subject.data.adjacency.row_columns(i);
    if (std::binary_search(row.begin(), row.end(), i)) nodes.push_back(i);
  }
  const bool dropped = subject.prepares("drop-self-loops");
  Finding out;
  out.id = "self-loops";
  out.count = subject.direction.loops;
  out.severity = dropped ? Severity::kInfo : Severity::kWarning;
  out.title = fmt::format("{} {} an arc to {}", text::count(out.count, "node"),
                          text::verb(out.count, "has", "have"),
                          text::verb(out.count, "itself", "themselves"));
  out.evidence = fmt::format(
      "{} of {}, e.g. {}. Models that add a self-loop to every node see these nodes like the "
      "others; models that do not, mix a node with itself here only.",
      text::number(out.count), text::count(subject.data.nodes(), "node"), text::nodes(nodes));
  out.details = {{"examples", text::examples(nodes)}};
  out.advice = dropped ? "The preparation of this data set drops them; nothing to do."
                       : "Drop them unless they mean something: preparation step "
                         "\"drop-self-loops\", or `--fix=self-loops --out FILE`.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_self_loops;
const AuditCheck audit_check_self_loops = {"self-loops", "arcs from a node to itself", run};

}  // namespace cupel
