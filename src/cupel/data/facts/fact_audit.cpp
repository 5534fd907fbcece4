#include "cupel/data/facts/fact_audit.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "cupel/base/calendar.h"

namespace cupel {
namespace {

struct Later {
  Index source, relation, target;
  Offset place;
  auto key() const { return std::tie(source, relation, target); }
};

}  // namespace

Repetition repetition(const FactColumns& facts, const TimeParts& parts, Undirected undirected,
                      Threads threads) {
  const auto place = [](Offset at) { return static_cast<std::size_t>(at); };
  Repetition out;
  out.test = parts.test_end - parts.valid_end;
  std::vector<Later> later;
  {
    const FactCounts seen(parts.train(facts), undirected, threads);
    for (Offset i = parts.train_end; i < parts.test_end; ++i) {
      Index source = facts.source[place(i)], target = facts.target[place(i)];
      const Index relation = facts.relation_of(i);
      if (seen.has(source, relation, target)) {
        out.in_training += i >= parts.valid_end;
        continue;
      }
      if (is_undirected(undirected, relation) && source > target) std::swap(source, target);
      later.push_back({source, relation, target, i});
    }
  }
  out.before = out.in_training;
  std::sort(later.begin(), later.end(), [](const Later& a, const Later& b) {
    return std::tuple(a.key(), a.place) < std::tuple(b.key(), b.place);
  });
  for (std::size_t i = 0, first = 0; i < later.size(); ++i) {
    if (later[i].key() != later[first].key()) first = i;
    out.before += later[i].place >= parts.valid_end &&
                  facts.time[place(later[first].place)] < facts.time[place(later[i].place)];
  }
  return out;
}

TimeGrain time_grain(std::span<const std::int64_t> time) {
  TimeGrain out;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (i == 0 || time[i] != time[begin]) {
      // Differences have no sign: times may be as far apart as 64 bits allow.
      if (i > 0)
        out.multiple = std::gcd(out.multiple, static_cast<std::uint64_t>(time[i]) -
                                                  static_cast<std::uint64_t>(time[begin]));
      begin = i;
      ++out.steps;
    }
    out.largest_step = std::max(out.largest_step, static_cast<Offset>(i - begin + 1));
  }
  return out;
}

FirstDays first_days(std::span<const std::int64_t> time, std::string_view unit) {
  FirstDays out;
  if (unit != "day" && unit != "second") return out;
  const auto day_at = [&](std::size_t i) {
    if (unit == "day") return time[i];
    return time[i] / kSecondsOfDay - (time[i] % kSecondsOfDay < 0 ? 1 : 0);
  };
  for (std::size_t from = 0, to = 0; from < time.size(); from = to) {
    const std::int64_t day = day_at(from);
    while (to < time.size() && day_at(to) == day) ++to;
    const auto date = date_of_day(day);
    if (!date || date->day != 1) continue;
    const auto facts = static_cast<Offset>(to - from);
    ++out.months, out.facts_of_months += facts;
    if (date->month == 1) ++out.years, out.facts_of_years += facts;
  }
  return out;
}

}  // namespace cupel
