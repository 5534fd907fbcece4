#include "cupel/data/facts/time_split.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "cupel/base/error.h"
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

}  // namespace

TimeCuts parse_time_cuts(const std::string& text, const std::string& what) {
  std::array<std::int64_t, 3> cuts{};
  const char* at = text.data();
  const char* const end = at + text.size();
  bool fine = true;
  for (std::size_t i = 0; i < cuts.size() && fine; ++i) {
    if (i > 0) fine = at != end && *at++ == ',';
    if (!fine) break;
    const auto [next, problem] = std::from_chars(at, end, cuts[i]);
    fine = problem == std::errc{};
    at = next;
  }
  if (!fine || at != end)
    fail(
        "{}: {} is not three whole numbers; give the last times of train, valid and test, as "
        "2018,2019,2021",
        what, in_quotes(text));
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

TimeCuts moved_cuts(std::span<const std::int64_t> steps, const TimeCuts& cuts, Offset k,
                    const std::string& name) {
  if (k == 0) return cuts;
  const Offset count = later_cuts(steps, cuts);
  if (k < 0 || k >= count)
    fail(
        "{}: there is no split {} by time: with test up to {} there {}; take fewer, or an "
        "earlier first cut",
        name, k, cuts.test, count == 1 ? "is 1" : fmt::format("are {}, from 0 on", count));
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
  if (cuts.train >= cuts.valid || cuts.valid >= cuts.test)
    fail(
        "{}: the quantiles {} and {} of its times are {} and {} and the last is {}, so that a part "
        "has no fact; cut at times instead",
        name, train, valid, cuts.train, cuts.valid, cuts.test);
  return cuts;
}

bool cuts_a_step(std::span<const std::int64_t> time, Offset at) {
  if (at <= 0 || at >= std::ssize(time)) return false;
  return time[static_cast<std::size_t>(at) - 1] == time[static_cast<std::size_t>(at)];
}

}  // namespace cupel
