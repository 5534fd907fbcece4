// Features with the same value for every node.
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
  const auto [found, zeros] = constant_columns(data.features, data.nodes());
  if (found.empty()) return;
  const bool all = static_cast<Index>(found.size()) == features;
  Finding out;
  out.id = "constant-features";
  out.count = static_cast<Offset>(found.size());
  out.severity = all ? Severity::kWarning : Severity::kInfo;
  out.title =
      all ? "no feature tells any two nodes apart"
          : fmt::format("{} the same value for every node",
                        text::count(out.count, "feature") + text::verb(out.count, " has", " have"));
  out.evidence = fmt::format("{} of {}, {} of them always zero: columns {}{}.",
                             text::number(out.count), text::count(features, "feature"),
                             text::number(zeros), fmt::join(text::examples(found), ", "),
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
