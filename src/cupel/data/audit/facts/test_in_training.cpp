// Facts of test that stand in training or validation, time and all.
//
// This takes a time that both have, so that parts cut by time have none.
#include <algorithm>
#include <functional>

#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

// The place of the first fact of this time or later.
Offset place_of(const FactColumns& facts, std::int64_t time) {
  return std::lower_bound(facts.time.begin(), facts.time.end(), time) - facts.time.begin();
}

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const auto& all = subject.facts.parts;
  const auto test =
      std::find_if(all.begin(), all.end(), [](const FactPart& p) { return p.name == "test"; });
  if (test == all.end() || test->facts == 0) return;
  std::int64_t last = test->first;
  bool shared = false;
  for (auto part = all.begin(); part != test; ++part) {
    if (part->facts == 0 || part->last < test->first) continue;
    shared = true;
    last = std::max(last, std::min(part->last, test->last));
  }
  if (!shared) return;
  const FactColumns& facts = subject.columns;
  const Offset begin = place_of(facts, test->first);
  const Offset end = last == test->last && test->last == facts.time.back()
                         ? facts.size()
                         : place_of(facts, last + 1);
  // Where parts share but one step, facts of test stand behind those of training. Else any that is
  // told again may be one.
  const auto may_be_leaked = [&](const ToldAgain& again) {
    if (!subject.parts_of_source) return true;
    return again.place >= subject.parts->valid_end && again.first < subject.parts->valid_end;
  };
  std::vector<ToldAgain> leaked = told_again(subject, begin, end);
  std::erase_if(leaked, std::not_fn(may_be_leaked));
  if (leaked.empty()) return;
  Finding out;
  out.id = "test-in-training";
  out.severity = Severity::kError;
  out.count = std::min<std::int64_t>(std::ssize(leaked), test->facts);
  out.title = fmt::format("{}{} of test {} what training or validation {}, at the same time",
                          subject.parts_of_source ? "" : "up to ", text::count(out.count, "fact"),
                          text::verb(out.count, "says", "say"), "says");
  out.evidence =
      fmt::format("These are {}{} of the {} test facts. One of them: {}.",
                  subject.parts_of_source ? "" : "at most ",
                  text::percent(static_cast<double>(out.count) / static_cast<double>(test->facts)),
                  text::number(test->facts), fact_text::fact(subject, leaked.front().place));
  out.details = {{"test", test->facts}, {"exact", subject.parts_of_source}};
  out.advice = "Their answers were shown. Leave them out of test, or cut by time: --split A,B,C.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_test_in_training;
const FactCheck fact_check_test_in_training = {
    "test-in-training", "facts of test that stand in training, time and all", run};

}  // namespace cupel
