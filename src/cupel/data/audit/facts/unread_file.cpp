// A folder of RE-Net's text that tells its facts twice, perhaps differently.
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  if (!subject.notes.contains(kUnreadQuadruples)) return;
  std::vector<std::string> files;
  for (const FactPart& part : subject.facts.parts) files.push_back(part.name + ".txt");
  Finding out;
  out.id = "unread-file";
  out.severity = Severity::kInfo;
  out.count = 1;
  out.title = "quadruples.txt was not read";
  out.evidence =
      fmt::format("The {} of the folder are those of {}.",
                  audit_text::count(subject.columns.size(), "fact"), fmt::join(files, ", "));
  out.details = {{"file", "quadruples.txt"}, {"read", files}};
  out.advice =
      "Take it out of the folder if it has the same facts. If its facts are the ones that are "
      "meant, take the other files out.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_unread_file;
const FactCheck fact_check_unread_file = {
    "unread-file", "a file of facts that is not read, as parts have the facts", run};

}  // namespace cupel
