// Parts of the source that have no fact, as those have whose file was cut off at its beginning.
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  std::vector<std::string> empty;
  for (const auto& part : subject.facts.parts)
    if (part.facts == 0) empty.push_back(part.name);
  if (empty.empty()) return;
  Finding out;
  out.id = "empty-part";
  out.severity = Severity::kError;
  out.count = std::ssize(empty);
  out.title = fmt::format("the {} {} {} no fact", out.count == 1 ? "part" : "parts",
                          fmt::join(empty, ", "), out.count == 1 ? "has" : "have");
  out.evidence = fmt::format("{} in all.", audit_text::count(subject.facts.facts(), "fact"));
  out.details = {{"parts", empty}};
  out.advice =
      "Nothing can be learnt from such a part, or asked of it. Was its file cut off? Else name the "
      "last time of each part: --split A,B,C.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_empty_part;
const FactCheck fact_check_empty_part = {"empty-part", "Parts of the source that have no fact.",
                                         run};

}  // namespace cupel
