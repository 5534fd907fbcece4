// Numbers of a graph that nearly give its label away: how many nodes it has, or how many of a
// label. What they are and how they are judged is in graph_set_columns.h.
//
// Of accuracy, what is beyond that of always answering the largest class counts, scaled to 0..1.
// Neither it nor the area may be chance: the lower end of Wilson's interval (JASA 1927) at four
// standard errors must exceed the largest class, or the area be five standard errors from 1/2, for
// dozens of numbers are looked at.
#include <algorithm>
#include <cmath>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/graph_set_columns.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kSolvedGain = 0.9, kSolvedArea = 0.99;  // error
constexpr double kStrongGain = 0.5, kStrongArea = 0.9;   // warning
constexpr double kSomeGain = 0.2, kSomeArea = 0.75;      // worth a line
constexpr double kWilson = 4, kAreaErrors = 5;

struct Judged {
  std::size_t column = 0;
  OneNumber found;
  double gain = 0;
  Severity severity = Severity::kInfo;
};

double wilson_lower(double share, double n) {
  const double zz = kWilson * kWilson / n;
  return (share + zz / 2 - std::sqrt(zz * (share * (1 - share) + zz / 4))) / (1 + zz);
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  if (data.classes() < 2) return;
  const auto n = static_cast<double>(data.examples());
  const Offset largest = *std::max_element(subject.class_sizes.begin(), subject.class_sizes.end());
  const double base = static_cast<double>(largest) / n;
  if (base >= 1) return;
  const std::vector<GraphColumn> columns = graph_columns(data);
  std::vector<Judged> telling;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Judged one{c, judge_one_number(columns[c].values, data.labels(), data.classes()), 0, {}};
    const bool accurate = wilson_lower(one.found.accuracy, n) > base;
    const bool ordered = one.found.area_z >= kAreaErrors;
    one.gain = accurate ? (one.found.accuracy - base) / (1 - base) : 0;
    const double area = ordered ? one.found.area : 0.5;
    if (one.gain < kSomeGain && area < kSomeArea) continue;
    one.severity = one.gain >= kSolvedGain || area >= kSolvedArea   ? Severity::kError
                   : one.gain >= kStrongGain || area >= kStrongArea ? Severity::kWarning
                                                                    : Severity::kInfo;
    telling.push_back(std::move(one));
  }
  if (telling.empty()) return;
  std::stable_sort(telling.begin(), telling.end(), [](const Judged& a, const Judged& b) {
    return std::pair(a.severity, a.found.accuracy) > std::pair(b.severity, b.found.accuracy);
  });
  const Judged& best = telling.front();
  std::vector<std::string> shown;
  auto listed = nlohmann::ordered_json::array();
  for (const Judged& one : telling) {
    listed.push_back(
        {{"property", columns[one.column].name},
         {"accuracy", one.found.accuracy},
         {"gain", one.gain},
         {"thresholds", one.found.thresholds},
         {"area", one.found.area},
         {"area_class", data.class_names()[static_cast<std::size_t>(one.found.area_class)]}});
    if (shown.size() < text::kExamples)
      shown.push_back(fmt::format("{} {} (area under the ROC curve {:.3f})",
                                  columns[one.column].name, text::percent(one.found.accuracy),
                                  one.found.area));
  }
  Finding out;
  out.id = "label-revealing-properties";
  out.count = static_cast<Offset>(telling.size());
  out.severity = best.severity;
  out.title =
      fmt::format("{}: {} right from {} alone",
                  best.severity == Severity::kError     ? "one number nearly solves the task"
                  : best.severity == Severity::kWarning ? "one number goes far"
                                                        : "one number tells something of the label",
                  text::percent(best.found.accuracy), columns[best.column].name);
  out.evidence = fmt::format(
      "Accuracy of {} on one number, ten-fold cross-validation: {}{}. Always answering the largest "
      "class: {}.",
      data.classes() == 2 ? std::string("one threshold")
                          : fmt::format("a decision tree of {} leaves", data.classes()),
      fmt::join(shown, "; "), text::more(telling.size(), shown.size()), text::percent(base));
  out.details = {{"majority_share", base}, {"folds", 10}, {"properties", listed}};
  out.advice = best.severity == Severity::kError
                   ? "A score near this says nothing of learning from graphs: use another data set "
                     "to compare graph models, and find out whether the graphs of the classes were "
                     "collected in different ways."
                   : "Report this beside the scores: it is the baseline that a graph model has to "
                     "beat, before any that learns from node features.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_label_revealing_properties;
const AuditCheck audit_check_label_revealing_properties = {
    "label-revealing-properties", "numbers of a graph that give its label away", run,
    Concerns::kSetOfClasses};

}  // namespace cupel
