// A folder whose facts are not as many as `cupel build` or `cupel resolve` wrote: a file that was
// cut off between two lines reads like a whole one.
#include <cstdlib>

#include "cupel/base/words.h"
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const std::int64_t now = subject.facts.facts();
  if (!subject.built || *subject.built == now) return;
  const bool lost = now < *subject.built;
  Finding out;
  out.id = "facts-unlike-the-build";
  out.severity = lost ? Severity::kError : Severity::kWarning;
  out.count = std::abs(*subject.built - now);
  out.title = fmt::format("{} {} than were written", audit_text::count(out.count, "fact"),
                          lost ? "fewer" : "more");
  out.evidence = fmt::format("provenance.json counts {}, the folder has {}.",
                             audit_text::count(*subject.built, "fact"), grouped(now));
  out.details = {{"built", *subject.built}, {"facts", now}};
  out.advice =
      "A file that was cut off between two lines looks like this. Make the folder anew; if the "
      "facts were changed on purpose, take provenance.json out of it.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_unlike_build;
const FactCheck fact_check_unlike_build = {
    "facts-unlike-the-build", "The folder has another number of facts than were written.", run};

}  // namespace cupel
