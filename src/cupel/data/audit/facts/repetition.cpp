// How much of test repetition alone answers.
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kWorthKnowing = 0.1, kMost = 0.5;

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  if (!subject.shares || subject.shares->repetition.test == 0) return;
  const Repetition& found = subject.shares->repetition;
  const auto share = [&](Offset part) {
    return static_cast<double>(part) / static_cast<double>(found.test);
  };
  if (share(found.before) < kWorthKnowing) return;
  Finding out;
  out.id = "answered-by-repetition";
  out.severity = share(found.before) >= kMost ? Severity::kWarning : Severity::kInfo;
  out.count = found.before;
  out.title = fmt::format("{} of test repeats earlier facts", text::percent(share(found.before)));
  out.evidence = fmt::format(
      "{} of {} stood before, at an earlier time: {} ({}) in training, the others in validation or "
      "in earlier steps of test.",
      text::number(found.before), text::count(found.test, "test fact"),
      text::number(found.in_training), text::percent(share(found.in_training)));
  out.details = {{"test", found.test},
                 {"in_training", found.in_training},
                 {"before", found.before},
                 {"share_in_training", share(found.in_training)},
                 {"share_before", share(found.before)}};
  out.advice =
      "A list of what was true answers these. Compare with EdgeBank and a recurrency baseline, and "
      "report the groups one by one (`cupel stats --split`).";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_repetition;
const FactCheck fact_check_repetition = {"answered-by-repetition",
                                         "share of test that repetition alone answers", run};

}  // namespace cupel
