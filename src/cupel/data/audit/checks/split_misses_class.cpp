// Classes that a part of a split has no node of.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  std::vector<std::string> shown;
  auto listed = nlohmann::ordered_json::array();
  Offset bad = 0, untrained = 0;
  for (std::size_t s = 0; s < data.stored_splits.size(); ++s) {
    const auto parts = data.stored_splits[s].parts();
    std::vector<std::array<Offset, 4>> members(subject.class_sizes.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (const Index i : *parts[p]) {
        if (is_labelled(data, i))
          ++members[static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(i)])][p];
      }
    }
    bool any = false;
    for (std::size_t c = 0; c < members.size(); ++c) {
      if (members[c] == std::array<Offset, 4>{}) continue;  // used in no part: left out on purpose
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (members[c][p] > 0 || parts[p]->empty()) continue;
        any = true;
        untrained += p == 0;
        listed.push_back({{"split", s}, {"part", kPartNames[p]}, {"class", data.class_names()[c]}});
        if (shown.size() < text::kExamples)
          shown.push_back(fmt::format("split {}: no {} {} of {}", s, kPartNames[p], subject.example,
                                      subject.class_name(static_cast<Index>(c))));
      }
    }
    bad += any;
  }
  if (bad == 0) return;
  Finding out;
  out.id = "split-misses-class";
  out.severity = Severity::kWarning;
  out.count = bad;
  out.title =
      fmt::format("{} a part without any {} of some class",
                  text::count(bad, "split") + text::verb(bad, " has", " have"), subject.example);
  out.evidence = fmt::format(
      "{}{}. In {} of {} such cases the class is not in training, so that no model can learn it.",
      fmt::join(shown, "; "), text::more(listed.size(), shown.size()), text::number(untrained),
      text::number(static_cast<Offset>(listed.size())));
  out.evidence = text::sentence(std::move(out.evidence));
  out.details = {{"cases", listed}, {"not_in_training", untrained}};
  out.advice = "Stratify the splits by class, or remove classes that are too small for it.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_split_misses_class;
const AuditCheck audit_check_split_misses_class = {
    "split-misses-class", "classes that a part of a split has no node of", run, Concerns::kClasses};

}  // namespace cupel
