// Splits with a part that holds no node.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  std::vector<std::string> shown;
  auto listed = nlohmann::ordered_json::array();
  Offset bad = 0;
  for (std::size_t s = 0; s < subject.data.stored_splits.size(); ++s) {
    const auto parts = subject.data.stored_splits[s].parts();
    bool any = false;
    for (std::size_t p = 0; p < kNeededParts; ++p) {
      if (!parts[p]->empty()) continue;
      any = true;
      listed.push_back({{"split", s}, {"part", kPartNames[p]}});
      if (shown.size() < text::kExamples)
        shown.push_back(fmt::format("split {} has no {} {}", s, kPartNames[p], subject.example));
    }
    bad += any;
  }
  if (bad == 0) return;
  Finding out;
  out.id = "split-empty";
  out.severity = Severity::kError;
  out.count = bad;
  out.title =
      fmt::format("{} a part without any {}",
                  text::count(bad, "split") + text::verb(bad, " has", " have"), subject.example);
  out.evidence =
      fmt::format("{}{}.", fmt::join(shown, ", "), text::more(listed.size(), shown.size()));
  out.evidence = text::sentence(std::move(out.evidence));
  out.details = {{"parts", listed}};
  out.advice = fmt::format(
      "Runs refuse such a split. Fill all three parts: without validation {}s nothing "
      "can be selected honestly.",
      subject.example);
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_split_empty;
const AuditCheck audit_check_split_empty = {"split-empty", "splits with an empty part", run,
                                            Concerns::kExamples};

}  // namespace cupel
