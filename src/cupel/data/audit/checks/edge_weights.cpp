// Arcs with a value other than 1.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Csr& graph = subject.data.adjacency;
  if (graph.is_pattern() || subject.data.repeated_arcs > 0) return;  // repeats: another check's
  Offset other = 0, zero = 0, negative = 0;
  for (const float v : graph.values) {
    other += v != 1;
    zero += v == 0;
    negative += v < 0;
  }
  const auto [least, most] = std::minmax_element(graph.values.begin(), graph.values.end());
  const bool unweighted = subject.prepares("unweight");
  Finding out;
  out.id = "edge-weights";
  out.count = other;
  out.severity = (zero > 0 || negative > 0) && !unweighted ? Severity::kWarning : Severity::kInfo;
  out.title = fmt::format("{} a value other than 1",
                          text::count(other, "arc") + text::verb(other, " has", " have"));
  out.evidence =
      fmt::format("Values range from {:g} to {:g}; {} zero, {} negative.", *least, *most,
                  text::number(zero) + text::verb(zero, " is", " are"), text::number(negative));
  out.details = {{"least", *least}, {"most", *most}, {"zero", zero}, {"negative", negative}};
  out.advice = unweighted ? "The preparation of this data set makes every value 1; nothing to do."
                          : "Most models take values as weights of an aggregation. If they mean "
                            "something else, use the preparation step \"unweight\".";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_edge_weights;
const AuditCheck audit_check_edge_weights = {"edge-weights", "arcs with a value other than 1", run};

}  // namespace cupel
