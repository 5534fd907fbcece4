#include "cupel/data/facts/time_split.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "cupel/base/calendar.h"
#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

Offset first_after(std::span<const std::int64_t> times, std::int64_t time) {
  return std::upper_bound(times.begin(), times.end(), time) - times.begin();
}

std::string span_of(std::span<const std::int64_t> time) {
  return time.empty() ? "it has no facts"
                      : fmt::format("its times are {} to {}", time.front(), time.back());
}

// Fewer steps than parts have no cuts at all.
void check_steps(std::span<const std::int64_t> time, const std::string& name) {
  int steps = 0;
  for (auto at = time.begin(); at != time.end() && steps < 3; ++steps)
    at = std::upper_bound(at, time.end(), *at);
  if (steps == 1 || steps == 2)
    fail(
        "{}: all its facts are of {} of time, and train, valid and test need one each; take finer "
        "times",
        name, counted(steps, "step"));
}

std::string splits_there(const TimeCuts& cuts, Offset count) {
  return fmt::format("as with test up to {} there {} {}; take fewer, or an earlier first cut",
                     cuts.test, count == 1 ? "is" : "are", count);
}

// The last three steps, of as many or more, as people write cuts.
std::string last_cuts(std::span<const std::int64_t> time) {
  std::string out;
  for (int k = 0; k < 3; ++k) {
    out = fmt::format("{}{}{}", time.back(), k == 0 ? "" : ",", out);
    time = time.first(
        static_cast<std::size_t>(std::ranges::lower_bound(time, time.back()) - time.begin()));
  }
  return out;
}

// The last point in time that the text speaks of.
std::optional<std::int64_t> cut_of(std::string_view text, const std::string& time_unit) {
  if (time_unit == "day" || time_unit == "second") {
    if (const auto day = day_of(text))
      return time_unit == "day" ? *day : (*day + 1) * kSecondsOfDay - 1;
  }
  if (time_unit == "second") {
    if (const auto second = second_of(text)) return second;
  }
  std::int64_t out;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

}  // namespace

TimeCuts parse_time_cuts(const std::string& text, const std::string& time_unit,
                         const std::string& what) {
  std::vector<std::int64_t> cuts;
  bool fine = true;
  for (std::size_t at = 0; fine && at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto cut = cut_of(std::string_view(text).substr(at, end - at), time_unit);
    fine = cut.has_value();
    if (fine) cuts.push_back(*cut);
    at = end + 1;
  }
  if (!fine || cuts.size() != 3) {
    const bool days = time_unit == "day" || time_unit == "second";
    fail("{}: {} is not three whole numbers{}; give the last times of train, valid and test, as {}",
         what, in_quotes(text), days ? " or days" : "",
         days ? "2018-12-31,2019-12-31,2021-12-31" : "2018,2019,2021");
  }
  if (cuts[0] >= cuts[1] || cuts[1] >= cuts[2])
    fail("{}: {} does not ascend; each part needs a last time after that of the part before", what,
         in_quotes(text));
  return {cuts[0], cuts[1], cuts[2]};
}

TimeParts parts_at(const FactColumns& facts, const TimeCuts& cuts, const std::string& name) {
  if (cuts.train >= cuts.valid || cuts.valid >= cuts.test)
    fail(
        "{}: the cuts {}, {}, {} do not ascend; each part needs a last time after that of the part "
        "before",
        name, cuts.train, cuts.valid, cuts.test);
  check_steps(facts.time, name);
  const TimeParts parts = {first_after(facts.time, cuts.train), first_after(facts.time, cuts.valid),
                           first_after(facts.time, cuts.test)};
  if (parts.train_end == 0)
    fail("{}: no fact for training up to {} ({}); cut later", name, cuts.train,
         span_of(facts.time));
  if (parts.valid_end == parts.train_end)
    fail("{}: no fact for validation after {} up to {} ({}); move the cuts", name, cuts.train,
         cuts.valid, span_of(facts.time));
  if (parts.test_end == parts.valid_end)
    fail("{}: no fact to test on after {} up to {} ({}); cut earlier", name, cuts.valid, cuts.test,
         span_of(facts.time));
  return parts;
}

std::vector<std::int64_t> time_steps(std::span<const std::int64_t> time) {
  std::vector<std::int64_t> steps;
  for (const std::int64_t t : time)
    if (steps.empty() || steps.back() != t) steps.push_back(t);
  return steps;
}

Offset later_cuts(std::span<const std::int64_t> steps, const TimeCuts& cuts) {
  return 1 + std::ssize(steps) - first_after(steps, cuts.test);
}

void check_later_cuts(std::span<const std::int64_t> steps, const TimeCuts& cuts, Offset count,
                      const std::string& name) {
  if (const Offset there = later_cuts(steps, cuts); count > there)
    fail("{}: {} splits by time are asked for, {}", name, count, splits_there(cuts, there));
}

TimeCuts moved_cuts(std::span<const std::int64_t> steps, const TimeCuts& cuts, Offset k,
                    const std::string& name) {
  if (k == 0) return cuts;
  const Offset count = later_cuts(steps, cuts);
  if (k < 0 || k >= count)
    fail("{}: there is no split {} by time, counted from 0, {}", name, k,
         splits_there(cuts, count));
  const auto moved = [&](std::int64_t cut) {
    const Offset at = first_after(steps, cut) - 1 + k;
    // Before the first step a cut stays: its part is empty, which parts_at() says.
    return at < k ? cut : steps[static_cast<std::size_t>(at)];
  };
  return {moved(cuts.train), moved(cuts.valid), moved(cuts.test)};
}

TimeCuts quantile_cuts(std::span<const std::int64_t> time, double train, double valid,
                       const std::string& name) {
  if (time.empty()) fail("{}: it has no facts, so that there is nothing to split by time", name);
  check_steps(time, name);
  const auto cut = [&](double share) {
    const double place = static_cast<double>(time.size() - 1) * share;
    const auto low = std::min(static_cast<std::size_t>(place), time.size() - 1);
    const auto next = std::min(low + 1, time.size() - 1);
    // As numpy rounds: an interpolation may reach the later fact, which is then within the cut.
    const auto from = static_cast<double>(time[low]), to = static_cast<double>(time[next]);
    const double part = place - static_cast<double>(low);
    const double value = part >= 0.5 ? to - (to - from) * (1 - part) : from + (to - from) * part;
    return time[value >= to ? next : low];
  };
  const TimeCuts cuts = {cut(train), cut(valid), time.back()};
  if (cuts.train >= cuts.valid || cuts.valid >= cuts.test) {
    const std::string last = last_cuts(time);
    fail(
        "{}: the quantiles {} and {} of its times are {} and {} and the last is {}, so that a part "
        "has no fact; cut at times instead, by cuts = \"{}\" in [split] of a protocol or --split "
        "{} "
        "on the command line",
        name, train, valid, cuts.train, cuts.valid, cuts.test, last, last);
  }
  return cuts;
}

bool cuts_a_step(std::span<const std::int64_t> time, Offset at) {
  if (at <= 0 || at >= std::ssize(time)) return false;
  return time[static_cast<std::size_t>(at) - 1] == time[static_cast<std::size_t>(at)];
}

}  // namespace cupel
