// Labels in the file that are not 0, 1, ..., classes - 1.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

namespace text = audit_text;

bool is_whole_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const std::vector<std::string>& names = subject.data.class_names();
  auto mapping = nlohmann::ordered_json::object();
  std::vector<std::string> shown;
  Offset moved = 0;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (!is_whole_number(names[c])) return;  // names, which are no numbers to be mistaken
    mapping[names[c]] = c;
    if (names[c] == std::to_string(c)) continue;
    ++moved;
    if (shown.size() < text::kExamples) shown.push_back(fmt::format("{} -> {}", names[c], c));
  }
  if (moved == 0) return;
  Finding out;
  out.id = "labels-renumbered";
  out.count = moved;
  out.title = fmt::format("labels of the file are not 0 to {}: {} renumbered", names.size() - 1,
                          text::count(moved, "class") + text::verb(moved, " is", " are"));
  out.evidence = fmt::format("In ascending order of the values: {}{}.", fmt::join(shown, ", "),
                             text::more(static_cast<std::size_t>(moved), shown.size()));
  out.details = {{"mapping", mapping}};
  out.advice =
      "Nothing to do here; programs that take the largest label for the number of classes "
      "would train outputs that never occur.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_labels_renumbered;
const AuditCheck audit_check_labels_renumbered = {
    "labels-renumbered", "labels that are not 0, 1, ...", run, Concerns::kClasses};

}  // namespace cupel
