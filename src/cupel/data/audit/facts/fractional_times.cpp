// Times that the source tells more finely than whole numbers do.
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const auto noted = subject.notes.find(kCutTimes);
  if (noted == subject.notes.end() || noted->second == 0) return;
  const Offset all = subject.columns.size();
  Finding out;
  out.id = "fractional-times";
  out.severity = Severity::kInfo;
  out.count = noted->second;
  out.title = fmt::format("{} a time with a fraction",
                          text::count(out.count, "fact") + text::verb(out.count, " has", " have"));
  out.evidence = fmt::format(
      "These are {} of {}. Times were taken down to whole numbers, so that facts which only a "
      "fraction tells apart are of one step, and stand in it as they came.",
      text::percent(static_cast<double>(out.count) / static_cast<double>(all)),
      text::count(all, "fact"));
  out.details = {{"facts", all}};
  out.advice = "Write times as whole numbers of a finer unit where their order within one counts.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_fractional_times;
const FactCheck fact_check_fractional_times = {"fractional-times",
                                               "times with a fraction, which was taken off", run};

}  // namespace cupel
