// Facts that the source does not tell in the order of time.
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const auto found = subject.notes.find(kSortedFacts);
  if (found == subject.notes.end() || found->second == 0) return;
  Finding out;
  out.id = "out-of-order";
  out.severity = Severity::kInfo;
  out.count = found->second;
  out.title = fmt::format("{} before the one that the source has before {}",
                          text::count(out.count, "fact") + text::verb(out.count, " is", " are"),
                          text::verb(out.count, "it", "them"));
  out.evidence = fmt::format(
      "The source has {}. They were put in the order of time; those of one time stand as they "
      "came.",
      text::count(subject.columns.size(), "fact"));
  out.advice =
      "Sort the file before another program reads it: batches of lines would show it the future.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_order;
const FactCheck fact_check_order = {
    "out-of-order", "facts that the source does not tell in the order of time", run};

}  // namespace cupel
