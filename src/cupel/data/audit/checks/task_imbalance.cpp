// Binary tasks with few positives or negatives, or few known labels.
#include <algorithm>
#include <cmath>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kMajority = 0.7;  // as of classes
constexpr Offset kFew = 10;        // of fewer, a score is luck

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  if (!subject.data.has_tasks()) return;
  const Matrix& tasks = subject.data.task_answers();
  Offset uneven = 0, few = 0, unknown = 0;
  double most = 0;
  auto listed = nlohmann::ordered_json::array();
  for (Index t = 0; t < tasks.cols; ++t) {
    Offset positive = 0, negative = 0;
    for (Index g = 0; g < tasks.rows; ++g) {
      positive += tasks(g, t) == 1;
      negative += tasks(g, t) == 0;
    }
    const Offset known = positive + negative;
    unknown += tasks.rows - known;
    const double majority =
        known > 0 ? static_cast<double>(std::max(positive, negative)) / static_cast<double>(known)
                  : 1;
    uneven += majority >= kMajority;
    few += std::min(positive, negative) < kFew;
    most = std::max(most, majority);
    listed.push_back({{"task", t},
                      {"positive", positive},
                      {"negative", negative},
                      {"majority_share", majority}});
  }
  if (uneven == 0 && few == 0) return;
  Finding out;
  out.id = "task-imbalance";
  out.count = std::max(uneven, few);
  out.severity = Severity::kWarning;
  out.title =
      uneven > 0
          ? fmt::format("accuracy is the wrong metric for {} of {}", text::number(uneven),
                        text::count(tasks.cols, "task"))
          : fmt::format("{} of {} fewer than {} graphs of one answer", text::number(few),
                        text::count(tasks.cols, "task") + text::verb(tasks.cols, " has", " have"),
                        kFew);
  const double all = static_cast<double>(tasks.rows) * static_cast<double>(tasks.cols);
  out.evidence = fmt::format(
      "{} of {} one answer for {} or more of the known labels (up to {}); {} fewer than {} graphs "
      "of the other. {} of all labels are not known.",
      text::number(uneven), text::count(tasks.cols, "task") + text::verb(uneven, " has", " have"),
      text::percent(kMajority), text::percent(most),
      text::number(few) + text::verb(few, " has", " have"), kFew,
      text::percent(static_cast<double>(unknown) / all));
  out.details = {
      {"tasks", listed}, {"few", few}, {"unknown_share", static_cast<double>(unknown) / all}};
  out.advice =
      "Report the mean ROC AUC over tasks (`metric = \"roc-auc\"` in a protocol); leave out tasks "
      "with too few of an answer in the test part.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_task_imbalance;
const AuditCheck audit_check_task_imbalance = {
    "task-imbalance", "binary tasks with few graphs of one answer", run, Concerns::kSet};

}  // namespace cupel
