// No features, or nodes without any.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/feature_columns.h"
#include "cupel/data/audit/groups.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kMany = 0.01;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  Finding out;
  out.id = "no-features";
  if (feature_count(data.features) == 0) {
    out.count = data.nodes();
    out.severity = Severity::kWarning;
    out.title = "the file has no features";
    out.evidence = fmt::format("{}, each with nothing but its edges and its class.",
                               text::count(data.nodes(), "node"));
    out.advice =
        "Runs need features. Give degrees, positions, or each node an identity of its own "
        "(a text graph without features.csv has the latter).";
    findings.push_back(std::move(out));
    return;
  }
  if (is_identity(data.features)) {
    out.count = data.nodes();
    out.title = "features are identities: every node has a feature of its own";
    out.evidence = fmt::format("{} for {}, one each.", text::count(data.nodes(), "feature"),
                               text::count(data.nodes(), "node"));
    out.advice =
        "Nothing to mend. A model without the graph cannot do better than the largest "
        "class here, so comparing with one says nothing.";
    findings.push_back(std::move(out));
    return;
  }
  out.id = "zero-features";
  out.count = count_zero_rows(data.features);
  if (out.count == 0) return;
  const double share = static_cast<double>(out.count) / data.nodes();
  out.severity = share >= kMany ? Severity::kWarning : Severity::kInfo;
  out.title = fmt::format("{} only zeros for features",
                          text::count(out.count, "node") + text::verb(out.count, " has", " have"));
  out.evidence = fmt::format("{} of {} ({}).", text::number(out.count),
                             text::count(data.nodes(), "node"), text::percent(share));
  out.details = {{"share", share}};
  out.advice =
      "A model without the graph answers these all alike. Find out whether their features "
      "are missing; if so, say how many there are.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_no_features;
const AuditCheck audit_check_no_features = {"no-features", "no features, or nodes without any",
                                            run};

}  // namespace cupel
