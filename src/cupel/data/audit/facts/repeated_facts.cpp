// Facts that stand several times at one time.
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kMany = 0.01;

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const Offset all = subject.columns.size();
  const std::vector<ToldAgain> again = told_again(subject, 0, all);
  if (again.empty()) return;
  const double share = static_cast<double>(again.size()) / static_cast<double>(all);
  Finding out;
  out.id = "repeated-facts";
  out.severity = share >= kMany ? Severity::kWarning : Severity::kInfo;
  out.count = std::ssize(again);
  out.title = fmt::format("{} the same as an earlier one of the same time",
                          text::count(out.count, "fact") + text::verb(out.count, " says", " say"));
  out.evidence =
      fmt::format("These are {} of {}. One of them: {}.", text::percent(share),
                  text::count(all, "fact"), fact_text::fact(subject, again.front().place));
  out.details = {{"facts", all}, {"share", share}};
  out.advice =
      "A score counts each of them. Drop them where a fact is either true or not; keep them "
      "where each is an event of its own, as messages are.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_repeated_facts;
const FactCheck fact_check_repeated_facts = {"repeated-facts",
                                             "facts that stand several times at one time", run};

}  // namespace cupel
