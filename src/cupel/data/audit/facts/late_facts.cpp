// Facts later than what can be known: the last paper, today, the end of test.
#include <algorithm>
#include <chrono>
#include <optional>

#include "cupel/base/calendar.h"
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/facts/fact_times.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr std::int64_t kFirstYear = 1500;

Offset first_after(const FactColumns& facts, std::int64_t time) {
  return std::upper_bound(facts.time.begin(), facts.time.end(), time) - facts.time.begin();
}

// Times whose middle is a year that was, and which begin with one.
bool are_years(const FactSubject& subject) {
  const auto time = subject.columns.time;
  if (subject.facts.time_unit == "year") return true;
  return subject.facts.time_unit.empty() && time.front() >= kFirstYear &&
         time[time.size() / 2] <= subject.this_year;
}

// As days since 1970.
std::int64_t last_day_of(std::int64_t year) {
  using namespace std::chrono;
  return sys_days(std::chrono::year(static_cast<int>(year)) / December / 31)
      .time_since_epoch()
      .count();
}

// The last point in time of this year, where times are such that it can be told.
std::optional<std::int64_t> end_of_this_year(const FactSubject& subject) {
  const std::string& unit = subject.facts.time_unit;
  if (subject.this_year <= 0) return std::nullopt;
  if (unit == "day") return last_day_of(subject.this_year);
  if (unit == "second") return (last_day_of(subject.this_year) + 1) * kSecondsOfDay - 1;
  if (are_years(subject)) return subject.this_year;
  return std::nullopt;
}

void tell(const FactSubject& subject, Offset from, const char* id, Severity severity,
          std::string than, const char* advice, std::vector<Finding>& findings) {
  Finding out;
  out.id = id;
  out.severity = severity;
  out.count = subject.columns.size() - from;
  out.title =
      fmt::format("{} later than {}",
                  text::count(out.count, "fact") + text::verb(out.count, " is", " are"), than);
  out.evidence = fmt::format("The last time is {}. The first of them: {}.",
                             time_text(subject.columns.time.back(), subject.facts.time_unit),
                             fact_text::fact(subject, from));
  out.details = {{"last", subject.columns.time.back()}};
  out.advice = advice;
  findings.push_back(std::move(out));
}

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const FactColumns& facts = subject.columns;
  const Offset all = facts.size();
  if (all == 0) return;
  Offset future = all;
  if (const auto end = end_of_this_year(subject)) {
    future = first_after(facts, *end);
    if (future < all)
      tell(subject, future, "facts-in-the-future", Severity::kError,
           fmt::format("this year, {}", subject.this_year),
           "Look these records up; a slip of the keyboard in a year is the usual cause.", findings);
  }
  if (subject.last_year && first_after(facts, *subject.last_year) < future)
    tell(subject, first_after(facts, *subject.last_year), "facts-after-the-last-paper",
         Severity::kError,
         fmt::format("the records that it was built of, up to {}", *subject.last_year),
         "They cannot come from the records that the provenance names; build the folder again.",
         findings);
  if (subject.parts && !subject.parts_of_source && subject.parts->test_end < all)
    tell(subject, subject.parts->test_end, "facts-after-test", Severity::kInfo, "the end of test",
         "They are in no part; take a later end to have them asked.", findings);
}

}  // namespace

extern const FactCheck fact_check_late_facts;
const FactCheck fact_check_late_facts = {"facts-in-the-future",
                                         "facts later than what can be known", run};

}  // namespace cupel
