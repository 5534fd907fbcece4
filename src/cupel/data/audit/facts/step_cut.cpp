// Parts of the source that share a step of time, or lie in one another.
#include <algorithm>

#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/facts/fact_times.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const std::vector<FactPart>& parts = subject.facts.parts;
  std::vector<std::string> said;
  auto pairs = nlohmann::ordered_json::array();
  const std::string& unit = subject.facts.time_unit;
  bool overlap = false;
  std::size_t last = 0;  // of the parts so far that have facts
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const FactPart &before = parts[last], &after = parts[i];
    if (after.facts == 0) continue;
    last = i;
    if (before.facts == 0 || before.last < after.first) continue;
    overlap = overlap || before.last > after.first;
    said.push_back(before.last == after.first
                       ? fmt::format("{} ends and {} begins at time {}", before.name, after.name,
                                     time_text(before.last, unit))
                       : fmt::format("{} goes to time {}, and {} begins at {}", before.name,
                                     time_text(before.last, unit), after.name,
                                     time_text(after.first, unit)));
    pairs.push_back({{"part", before.name},
                     {"last", before.last},
                     {"next", after.name},
                     {"first", after.first}});
  }
  if (said.empty()) return;
  Finding out;
  out.id = "time-step-cut";
  out.severity = Severity::kError;
  out.count = std::ssize(said);
  out.title = overlap
                  ? "parts of the source overlap in time"
                  : fmt::format("{} of time {} cut in two by the parts of the source",
                                text::count(out.count, "step"), text::verb(out.count, "is", "are"));
  out.evidence = text::sentence(fmt::format("{}.", fmt::join(said, "; ")));
  out.details = {{"parts", pairs}};
  out.advice =
      "What a model shall predict is partly what it was shown. Cut by time instead: --split A,B,C "
      "takes a step as a whole.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_step_cut;
const FactCheck fact_check_step_cut = {"time-step-cut",
                                       "parts of the source that share a step of time", run};

}  // namespace cupel
