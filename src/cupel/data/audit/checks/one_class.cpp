// A single class: nothing to learn.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  if (subject.data.classes() != 1) return;
  Finding out;
  out.id = "one-class";
  out.count = 1;
  out.severity = Severity::kError;
  out.title = fmt::format("every {} has the same class", subject.example);
  out.evidence = fmt::format("All labels are {}.", subject.class_name(0));
  out.details = {{"class", subject.data.class_names()[0]}};
  out.advice = "Check that the labels were read from the right place; there is nothing to learn.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_one_class;
const AuditCheck audit_check_one_class = {"one-class", "a single class", run, Concerns::kClasses};

}  // namespace cupel
