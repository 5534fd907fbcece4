// Class sizes so unequal that accuracy says little.
#include <algorithm>
#include <cmath>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

// A constant answer that is right this often leaves accuracy little room: what a paper calls 80 %
// may be no learning at all.
constexpr double kMajority = 0.7;
constexpr double kRatio = 10;  // largest to smallest class

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const auto& sizes = subject.class_sizes;
  if (sizes.size() < 2) return;
  const auto largest = std::max_element(sizes.begin(), sizes.end());
  const auto smallest = std::min_element(sizes.begin(), sizes.end());
  const double majority = static_cast<double>(*largest) / static_cast<double>(subject.labelled);
  const double ratio = static_cast<double>(*largest) / static_cast<double>(*smallest);
  if (majority < kMajority && ratio < kRatio) return;
  const bool wrong_metric = majority >= kMajority;
  double entropy = 0;
  for (const Offset size : sizes) {
    const double share = static_cast<double>(size) / static_cast<double>(subject.labelled);
    entropy -= share * std::log(share);
  }
  const bool binary = sizes.size() == 2;
  Finding out;
  out.id = "class-imbalance";
  out.count = static_cast<Offset>(sizes.size());
  out.severity = wrong_metric ? Severity::kWarning : Severity::kInfo;
  out.title = wrong_metric
                  ? fmt::format("accuracy is the wrong metric: always answering {} scores {}",
                                subject.class_name(static_cast<Index>(largest - sizes.begin())),
                                text::percent(majority))
                  : fmt::format("the largest class has {:.0f} times the {}s of the smallest", ratio,
                                subject.example);
  out.evidence = fmt::format(
      "{} has {} of {} ({}), {} has {}. {} of these sizes are as diverse as {:.1f} "
      "equal ones (exponential of the entropy).",
      subject.class_name(static_cast<Index>(largest - sizes.begin())), text::number(*largest),
      text::count(subject.labelled, subject.example), text::percent(majority),
      subject.class_name(static_cast<Index>(smallest - sizes.begin())), text::number(*smallest),
      text::count(static_cast<Offset>(sizes.size()), "class"), std::exp(entropy));
  out.evidence = text::sentence(std::move(out.evidence));
  out.details = {{"majority_share", majority},
                 {"largest", *largest},
                 {"smallest", *smallest},
                 {"ratio", ratio},
                 {"effective_classes", std::exp(entropy)}};
  // Metrics by the names that a protocol knows them by.
  out.advice =
      wrong_metric && binary ? "Report ROC AUC (`metric_two_classes = \"roc-auc\"` in a protocol)."
      : wrong_metric
          ? "Report balanced accuracy or macro-F1 (`metric = \"balanced-accuracy\"`, `metric = "
            "\"macro-f1\"` in a protocol), and the score of the largest class beside every "
            "accuracy."
          : "Report balanced accuracy or macro-F1 (`metric = \"balanced-accuracy\"`, `metric = "
            "\"macro-f1\"` in a protocol) beside accuracy: accuracy hardly sees the small classes.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_class_imbalance;
const AuditCheck audit_check_class_imbalance = {
    "class-imbalance", "class sizes that make accuracy the wrong metric", run, Concerns::kClasses};

}  // namespace cupel
