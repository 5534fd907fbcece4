// Parts of the graph that no path joins. Isolated nodes are another check's.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Components components = connected_components(subject.undirected);
  std::vector<Index> sizes = components.sizes;
  std::sort(sizes.rbegin(), sizes.rend());
  const Offset single = std::count(sizes.begin(), sizes.end(), 1);
  const Offset several = static_cast<Offset>(sizes.size()) - single;
  if (several < 2) return;
  const double largest = static_cast<double>(sizes[0]) / subject.data.nodes();
  const bool dropped = subject.prepares("largest-component");
  std::vector<Index> shown(sizes.begin(),
                           sizes.begin() + std::min<std::ptrdiff_t>(several, text::kExamples));
  Finding out;
  out.id = "several-components";
  out.count = several;
  out.severity = dropped ? Severity::kInfo : Severity::kWarning;
  out.title = fmt::format("the graph falls into {} components", text::number(several));
  out.evidence = fmt::format(
      "Sizes {}{}; the largest holds {} of the nodes.{} Nothing passes between components: a "
      "component without a training node learns from features alone.",
      fmt::join(shown, ", "), text::more(static_cast<std::size_t>(several), shown.size()),
      text::percent(largest),
      single == 0 ? ""
                  : fmt::format(" Isolated nodes ({}) are not counted.", text::number(single)));
  out.details = {{"largest", sizes[0]},
                 {"largest_share", largest},
                 {"largest_sizes", shown},
                 {"isolated_nodes", single}};
  out.advice = dropped ? "The preparation of this data set keeps the largest only; nothing to do."
                       : "Decide and say whether all are used; the preparation step "
                         "\"largest-component\" keeps the largest.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_several_components;
const AuditCheck audit_check_several_components = {"several-components",
                                                   "parts of the graph that no path joins", run};

}  // namespace cupel
