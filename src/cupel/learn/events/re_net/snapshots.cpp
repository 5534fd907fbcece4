#include "cupel/learn/events/re_net/snapshots.h"

#include <algorithm>

#include "cupel/base/error.h"

namespace cupel {

Snapshots::Snapshots(const EventWorld& world)
    : world_(world), place_of_(static_cast<std::size_t>(world.entities)) {
  for (auto& of : history_) of.resize(static_cast<std::size_t>(world.entities));
}

void Snapshots::add(const FactColumns& facts) {
  for (Offset i = 0; i < facts.size(); ++i) {
    const std::int64_t time = facts.time[at(i)];
    if (open_.empty() || time != open_time_) {
      settle();
      open_.clear();
      open_time_ = time, has_open_ = false;
    }
    const Index s = facts.source[at(i)], r = facts.relation_of(i), o = facts.target[at(i)];
    open_.push_back({s, r, o});
    if (is_undirected(world_.undirected, r) && s != o) open_.push_back({o, r, s});
    stale_ = true;
  }
}

void Snapshots::keep(Index steps) {
  settle();
  if (steps >= std::ssize(times_)) return;
  const Index first = begin(steps);
  for (Index place = first; place < places(); ++place)
    for (auto& of : history_) {
      std::vector<Index>& list = of[at(entity(place))];
      while (!list.empty() && list.back() >= first) list.pop_back();
    }
  times_.resize(at(steps));
  begin_.resize(at(steps) + 1);
  around_.resize(at(ptr_[at(first)]));
  ptr_.resize(at(first) + 1);
  for (std::vector<Index>* of : {&entity_, &step_of_, &counts_[0], &counts_[1]})
    of->resize(at(first));
  open_.clear();
  has_open_ = false;
}

Index Snapshots::steps() {
  settle();
  return static_cast<Index>(times_.size());
}

void Snapshots::settle() {
  if (!stale_) return;
  stale_ = false;
  if (has_open_) {  // it was a step already, of fewer facts
    std::vector<Fact> all;
    all.swap(open_);
    keep(static_cast<Index>(times_.size()) - 1);
    open_.swap(all);
  }
  std::ranges::sort(open_);
  open_.erase(std::unique(open_.begin(), open_.end()), open_.end());
  const auto step = static_cast<Index>(times_.size());
  std::vector<Index> active;
  for (const Fact& f : open_) active.push_back(f.source), active.push_back(f.target);
  std::ranges::sort(active);
  active.erase(std::unique(active.begin(), active.end()), active.end());
  if (around_.size() + 2 * open_.size() > 2'000'000'000)
    fail("more than 10^9 facts cannot be kept as graphs");
  const Index first = places();
  for (std::size_t i = 0; i < active.size(); ++i)
    place_of_[at(active[i])] = first + static_cast<Index>(i);
  std::vector<Offset> degree(active.size());
  for (auto& of : counts_) of.resize(at(first) + active.size());
  for (const Fact& f : open_)
    for (const bool target : {false, true}) {
      const Index place = place_of_[at(target ? f.target : f.source)];
      ++degree[at(place - first)];
      ++counts_[target][at(place)];
      std::vector<Index>& list = history_[target][at(target ? f.target : f.source)];
      if (list.empty() || list.back() != place) list.push_back(place);
    }
  std::vector<Offset> next(active.size());
  Offset sum = ptr_.back();
  for (std::size_t i = 0; i < active.size(); ++i) {
    entity_.push_back(active[i]), step_of_.push_back(step);
    next[i] = sum;
    sum += degree[i];
    ptr_.push_back(sum);
  }
  around_.resize(at(sum));
  for (const Fact& f : open_) {
    const Index s = place_of_[at(f.source)], o = place_of_[at(f.target)];
    around_[at(next[at(o - first)]++)] = {s, f.relation};
    around_[at(next[at(s - first)]++)] = {o, world_.relations + f.relation};
  }
  times_.push_back(open_time_);
  begin_.push_back(first + static_cast<Index>(active.size()));
  has_open_ = true;
}

std::span<const Index> Snapshots::history(Index entity, bool as_target, std::int64_t time,
                                          Index length) const {
  const std::vector<Index>& list = history_[as_target][at(entity)];
  const auto end =
      at(std::partition_point(list.begin(), list.end(),
                              [&](Index place) { return this->time(step_of(place)) < time; }) -
         list.begin());
  const std::size_t count = std::min(end, at(length));
  return std::span(list).subspan(end - count, count);
}

}  // namespace cupel
