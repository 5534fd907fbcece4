#include "cupel/learn/events/recurrency_history.h"

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/learn/events/time_between.h"

namespace cupel {

Index RecurrencyHistory::find_given(Index given) const {
  return given_table_.find(mixed(given, 0), [&](Index g) { return givens_[at(g)].id == given; });
}

Index RecurrencyHistory::add_given(Index given) {
  givens_.push_back({.id = given});
  given_table_.add([&](Index g) { return mixed(givens_[at(g)].id, 0); });
  return static_cast<Index>(givens_.size()) - 1;
}

Index RecurrencyHistory::find_pair(Index given, Index slot) const {
  return pair_table_.find(mixed(given, slot), [&](Index p) {
    return pairs_[at(p)].given == given && pairs_[at(p)].slot == slot;
  });
}

Index RecurrencyHistory::add_pair(Index given, Index slot) {
  const auto pair = static_cast<Index>(pairs_.size());
  Given& of = givens_[at(find_given(given))];
  pairs_.push_back({.given = given, .slot = slot, .next = of.pairs});
  of.pairs = pair;
  pair_table_.add([&](Index p) { return mixed(pairs_[at(p)].given, pairs_[at(p)].slot); });
  return pair;
}

void RecurrencyHistory::keep_only(Index given) {
  only_ = true;
  if (find_given(given) < 0) add_given(given);
}

double RecurrencyHistory::decayed(double decay, std::int64_t time) const {
  return time == last_ ? 1 : std::exp2(-decay * static_cast<double>(time_between(time, last_)));
}

void RecurrencyHistory::add(Index given, Index object, std::int64_t time) {
  if (facts_ == std::numeric_limits<Index>::max())
    fail("recurrency: a relation has more than {} facts; split the relation, or leave out repeats",
         facts_);
  if (facts_++ == 0) first_ = time;
  last_ = time;
  const Index slot = objects_.find_or_add(object);
  // A fact may be known late, when questions have gone on without it.
  if (time >= start_) objects_.add(slot);
  if (find_given(given) < 0) {
    if (only_) {
      if (window_ > 0) add_occurrence(slot, -1, time);  // which lets the object go again
      return;
    }
    add_given(given);
  }
  Index pair = find_pair(given, slot);
  if (pair < 0) {
    pair = add_pair(given, slot);
    pairs_[at(pair)].latest = window_ > 0 ? -1 : time;
    if (window_ <= 0) sums_.insert(sums_.end(), decays_.size(), 0.0);
  }
  if (window_ > 0)
    add_occurrence(slot, pair, time);
  else
    add_sum(pair, time);
}

void RecurrencyHistory::add_sum(Index pair, std::int64_t time) {
  double* sums = sums_.data() + at(pair) * decays_.size();
  std::int64_t& latest = pairs_[at(pair)].latest;
  const auto age = static_cast<double>(time_between(latest, time));
  for (std::size_t d = 0; d < decays_.size(); ++d)
    sums[d] = (age > 0 ? sums[d] * std::exp2(-decays_[d] * age) : sums[d]) + 1;
  latest = time;
}

void RecurrencyHistory::add_occurrence(Index slot, Index pair, std::int64_t time) {
  const auto latest = pair < 0 ? Index{-1} : static_cast<Index>(pairs_[at(pair)].latest);
  if (latest >= 0 && occurrences_[at(latest)].time == time) {
    ++occurrences_[at(latest)].count;
    return;
  }
  if (pair >= 0) pairs_[at(pair)].latest = std::ssize(occurrences_);
  occurrences_.push_back({.time = time, .slot = slot, .count = 1, .before = latest});
  if (time < start_) ++expired_;
}

void RecurrencyHistory::ask_at(std::int64_t time) {
  if (window_ <= 0) return;
  constexpr auto kEarliest = std::numeric_limits<std::int64_t>::min();
  start_ = time < kEarliest + window_ ? kEarliest : time - window_;
  while (expired_ < std::ssize(occurrences_)) {
    const Occurrence& next = occurrences_[static_cast<std::size_t>(expired_)];
    if (next.time >= start_) break;
    for (Index i = 0; i < next.count; ++i) objects_.remove(next.slot);
    ++expired_;
  }
  while (expired_ > 0) {
    const Occurrence& before = occurrences_[static_cast<std::size_t>(expired_) - 1];
    if (before.time < start_) break;
    for (Index i = 0; i < before.count; ++i) objects_.add(before.slot);
    --expired_;
  }
}

template <class Take>
bool RecurrencyHistory::sums_of(Index pair, std::size_t decays, const Take& take) const {
  const std::int64_t latest = pairs_[at(pair)].latest;
  if (window_ <= 0) {
    const double* sums = sums_.data() + at(pair) * decays_.size();
    for (std::size_t d = 0; d < decays; ++d) take(d, sums[d] * decayed(decays_[d], latest));
    return true;
  }
  const auto in_window = [&](Index o) { return o >= 0 && occurrences_[at(o)].time >= start_; };
  if (!in_window(static_cast<Index>(latest))) return false;
  for (std::size_t d = 0; d < decays; ++d) {
    double sum = 0;
    for (auto o = static_cast<Index>(latest); in_window(o); o = occurrences_[at(o)].before)
      sum += occurrences_[at(o)].count * decayed(decays_[d], occurrences_[at(o)].time);
    take(d, sum);
  }
  return true;
}

void RecurrencyHistory::recall(Index given, Recalled& out) const {
  out.slots.clear(), out.sums.clear();
  const Index g = find_given(given);
  if (g < 0) return;
  for (Index pair = givens_[at(g)].pairs; pair >= 0; pair = pairs_[at(pair)].next)
    if (sums_of(pair, decays_.size(), [&](std::size_t, double sum) { out.sums.push_back(sum); }))
      out.slots.push_back(pairs_[at(pair)].slot);
}

double RecurrencyHistory::recall(Index given, Index object) const {
  double out = 0;
  const Index slot = objects_.find(object);
  const Index pair = slot < 0 ? -1 : find_pair(given, slot);
  if (pair >= 0) sums_of(pair, 1, [&](std::size_t, double sum) { out = sum; });
  return out;
}

}  // namespace cupel
