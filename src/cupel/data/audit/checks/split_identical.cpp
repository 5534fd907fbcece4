// Splits that are the same as another, or test the same nodes.
#include <algorithm>
#include <map>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  std::map<std::vector<std::uint8_t>, std::size_t> whole;
  std::map<std::vector<Index>, std::size_t> tests;
  std::vector<std::string> shown;
  auto listed = nlohmann::ordered_json::array();
  Offset same = 0, same_test = 0;
  for (std::size_t s = 0; s < data.stored_splits.size(); ++s) {
    const auto [first, is_new] =
        whole.emplace(membership(data.stored_splits[s], data.examples()), s);
    const auto [test, test_is_new] = tests.emplace(data.stored_splits[s].test, s);
    if (!is_new) {
      ++same;
      listed.push_back({first->second, s});
      if (shown.size() < text::kExamples) shown.push_back(fmt::format("{} = {}", first->second, s));
    } else if (!test_is_new) {
      ++same_test;
    }
  }
  if (same == 0 && same_test == 0) return;
  Finding out;
  out.id = "split-identical";
  out.count = same > 0 ? same : same_test;
  out.severity = same > 0 ? Severity::kWarning : Severity::kInfo;
  out.title =
      same > 0
          ? fmt::format("{} the same as an earlier one",
                        text::count(same, "split") + text::verb(same, " is", " are"))
          : fmt::format("{} the test {}s of an earlier one",
                        text::count(same_test, "split") + text::verb(same_test, " has", " have"),
                        subject.example);
  out.evidence = fmt::format(
      "{}{} of {} further splits differ from an earlier one in training and validation only.",
      same > 0 ? fmt::format("Splits {}{}. ", fmt::join(shown, ", "),
                             text::more(static_cast<std::size_t>(same), shown.size()))
               : "",
      text::number(same_test), text::number(static_cast<Offset>(data.stored_splits.size())));
  out.details = {{"pairs", listed},
                 {fmt::format("same_test_{}s_only", subject.example), same_test}};
  out.advice =
      same > 0
          ? "Leave the repeats out: they are no independent draws, and a spread or an "
            "interval over them is too small."
          : fmt::format("The spread over such splits leaves out the choice of test {}s; say so.",
                        subject.example);
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_split_identical;
const AuditCheck audit_check_split_identical = {
    "split-identical", "splits that are the same as another", run, Concerns::kExamples};

}  // namespace cupel
