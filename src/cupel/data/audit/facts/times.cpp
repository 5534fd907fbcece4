// Times that are coarser than they look, or no times.
#include <optional>

#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/facts/fact_audit.h"
#include "cupel/data/facts/fact_times.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr Offset kFewSteps = 5, kStepsForDefault = 10, kFactsForLines = 10;
constexpr double kDefaultShare = 0.5, kNearlyAll = 0.95;

Finding fake(const FactSubject& subject, const TimeGrain& grain, std::string title,
             std::string evidence) {
  Finding out;
  out.id = "fake-times";
  out.severity = Severity::kWarning;
  out.count = subject.columns.size();
  out.title = std::move(title);
  out.evidence = std::move(evidence);
  out.details = {{"steps", grain.steps}, {"largest_step", grain.largest_step}};
  out.advice =
      "Find out where the times come from before anything is predicted by them; a made-up order "
      "makes made-up scores.";
  return out;
}

// The time of the step with the most facts.
std::int64_t time_of_largest(const FactColumns& facts, Offset largest) {
  for (Offset i = 0; i + largest <= facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (facts.time[at] == facts.time[at + static_cast<std::size_t>(largest) - 1])
      return facts.time[at];
  }
  return 0;
}

void look_for_fakes(const FactSubject& subject, const TimeGrain& grain,
                    std::vector<Finding>& findings) {
  const FactColumns& facts = subject.columns;
  const Offset all = facts.size();
  const std::string& unit = subject.facts.time_unit;
  const auto span = static_cast<std::uint64_t>(facts.time.back()) -
                    static_cast<std::uint64_t>(facts.time.front());
  if (grain.steps == all && all >= kFactsForLines &&
      span == grain.multiple * static_cast<std::uint64_t>(all - 1)) {
    findings.push_back(fake(
        subject, grain, "times are no times: every fact has its own, at even distances",
        fmt::format("{} have the times from {} to {}, each {} after the one before it, as line "
                    "numbers have.",
                    text::count(all, "fact"), time_text(facts.time.front(), unit),
                    time_text(facts.time.back(), unit),
                    text::number(static_cast<Offset>(grain.multiple)))));
  } else if (grain.steps >= kStepsForDefault &&
             static_cast<double>(grain.largest_step) > kDefaultShare * static_cast<double>(all)) {
    findings.push_back(
        fake(subject, grain,
             fmt::format(
                 "{} of all facts have one time",
                 text::percent(static_cast<double>(grain.largest_step) / static_cast<double>(all))),
             fmt::format("{} of {} have the time {}, out of {}; it looks like what is written "
                         "where a time is not known.",
                         text::number(grain.largest_step), text::count(all, "fact"),
                         time_text(time_of_largest(facts, grain.largest_step), unit),
                         text::count(grain.steps, "step"))));
  }
}

// Days that stand for longer times, if nearly all facts have such: years written as their first of
// January, months as their first.
struct StandIns {
  const char *day, *whole;  // "the first of January", "year"
  Offset facts, days;
};
std::optional<StandIns> stand_ins(const FactSubject& subject) {
  const FirstDays found = first_days(subject.columns.time, subject.facts.time_unit);
  const auto nearly_all = [&](Offset facts) {
    return static_cast<double>(facts) >= kNearlyAll * static_cast<double>(subject.columns.size());
  };
  if (found.years > 1 && nearly_all(found.facts_of_years))
    return StandIns{"the first of January", "year", found.facts_of_years, found.years};
  if (found.months > 1 && nearly_all(found.facts_of_months))
    return StandIns{"the first of a month", "month", found.facts_of_months, found.months};
  return std::nullopt;
}

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const FactColumns& facts = subject.columns;
  const Offset all = facts.size();
  if (all == 0) return;
  const TimeGrain grain = time_grain(facts.time);
  look_for_fakes(subject, grain, findings);
  const bool few = grain.steps < kFewSteps && all > grain.steps, wide = grain.multiple > 1;
  const bool lines = grain.steps == all;
  const auto days = stand_ins(subject);
  if (!few && !days && (!wide || lines)) return;
  Finding out;
  out.id = "coarse-times";
  out.severity = few || days ? Severity::kWarning : Severity::kInfo;
  out.count = grain.steps;
  out.evidence = fmt::format("{} have {}; the largest step has {}.", text::count(all, "fact"),
                             text::count(grain.steps, "different time"),
                             text::count(grain.largest_step, "fact"));
  out.details = {
      {"steps", grain.steps}, {"largest_step", grain.largest_step}, {"multiple", grain.multiple}};
  if (few) {
    out.title = fmt::format("all facts are of {} of time", text::count(grain.steps, "step"));
    out.advice =
        "Little can be learnt about order from so few steps; take finer times if the source has "
        "them.";
  } else if (!days) {
    out.title = fmt::format("all times are {} apart or multiples of it",
                            text::number(static_cast<Offset>(grain.multiple)));
    out.advice = fmt::format(
        "Facts of one step have no order among them, and staleness counts {} for a step. Divide "
        "the times by {} where steps are meant.",
        grain.multiple, grain.multiple);
  }
  if (wide && !days)
    out.evidence += " A step is larger than the unit that the times are written in.";
  if (days) {
    const double share = static_cast<double>(days->facts) / static_cast<double>(all);
    out.evidence += fmt::format(" {} are dated {}, on {}.", text::number(days->facts), days->day,
                                text::count(days->days, "different day"));
    out.details["written_as"] = days->whole;
    out.details["share"] = share;
    if (!few) {
      out.title = days->facts == all
                      ? fmt::format("all facts are dated {}", days->day)
                      : fmt::format("{} of facts are dated {}", text::percent(share), days->day);
      out.advice = fmt::format(
          "So a {} is written where the day is not known. Write times as {}s: facts of one {} have "
          "no order among them.",
          days->whole, days->whole, days->whole);
    }
  }
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_times;
const FactCheck fact_check_times = {"coarse-times", "times that are coarse, or no times", run};

}  // namespace cupel
