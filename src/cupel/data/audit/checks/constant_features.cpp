// Features with the same value for every node.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/feature_columns.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const Index features = feature_count(data.features);
  if (features == 0 || data.nodes() < 2) return;
  std::vector<char> constant(static_cast<std::size_t>(features), 0), zero = constant;
  visit_columns(data.features, [&](const FeatureColumn& column) {
    const auto at = static_cast<std::size_t>(column.feature);
    zero[at] = column.nodes.empty();
    const bool full = static_cast<Index>(column.nodes.size()) == data.nodes();
    constant[at] =
        zero[at] || (full && std::all_of(column.values.begin(), column.values.end(),
                                         [&](float v) { return v == column.values[0]; }));
  });
  std::vector<Index> found;
  for (Index c = 0; c < features; ++c) {
    if (constant[static_cast<std::size_t>(c)]) found.push_back(c);
  }
  if (found.empty()) return;
  const bool all = static_cast<Index>(found.size()) == features;
  const Offset zeros = std::count(zero.begin(), zero.end(), 1);
  Finding out;
  out.id = "constant-features";
  out.count = static_cast<Offset>(found.size());
  out.severity = all ? Severity::kWarning : Severity::kInfo;
  out.title =
      all ? "no feature tells any two nodes apart"
          : fmt::format("{} the same value for every node",
                        text::count(out.count, "feature") + text::verb(out.count, " has", " have"));
  out.evidence = fmt::format("{} of {} features, {} of them always zero: columns {}{}.",
                             text::number(out.count), text::number(features), text::number(zeros),
                             fmt::join(text::examples(found), ", "),
                             text::more(found.size(), text::examples(found).size()));
  out.details = {
      {"features", features}, {"always_zero", zeros}, {"examples", text::examples(found)}};
  out.advice = all ? "The data set has no features in effect; a model without the graph can only "
                     "answer the largest class."
                   : "Harmless, but they cost parameters and time; leave them out of new files.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_constant_features;
const AuditCheck audit_check_constant_features = {
    "constant-features", "features with the same value for every node", run};

}  // namespace cupel
