#include "cupel/learn/events/re_net/pair_histories.h"

#include <algorithm>

namespace cupel {

PairHistories::PairHistories(const EventWorld& world)
    : relations_(world.relations), undirected_(world.undirected) {}

void PairHistories::meet(Index entity, Index kind, Index who) {
  const auto at = static_cast<std::size_t>(pairs_.insert(key_of(entity, kind)).first);
  if (at == met_.size()) met_.emplace_back();
  met_[at].push_back({steps() - 1, who});
}

void PairHistories::add(const FactColumns& facts) {
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (times_.empty() || facts.time[at] != times_.back()) times_.push_back(facts.time[at]);
    const Index s = facts.source[at], r = facts.relation_of(i), o = facts.target[at];
    const bool undirected = is_undirected(undirected_, r);
    meet(s, r, o);
    if (!undirected || s != o) meet(o, undirected ? r : relations_ + r, s);
  }
}

void PairHistories::clear() {
  times_.clear(), met_.clear();
  pairs_ = KeyNumbers();
}

void PairHistories::keep(Index steps) {
  if (steps >= this->steps()) return;
  times_.resize(static_cast<std::size_t>(steps));
  for (std::vector<Met>& met : met_)
    while (!met.empty() && met.back().step >= steps) met.pop_back();
}

Index PairHistories::steps_before(std::int64_t time) const {
  return static_cast<Index>(std::ranges::lower_bound(times_, time) - times_.begin());
}

std::span<const PairHistories::Met> PairHistories::met(Index entity, Index kind, Index first,
                                                       Index last) const {
  const Index pair = pairs_.find(key_of(entity, kind));
  if (pair == KeyNumbers::kNone) return {};
  const std::vector<Met>& met = met_[static_cast<std::size_t>(pair)];
  const auto from = std::ranges::lower_bound(met, first, {}, &Met::step),
             to = std::ranges::lower_bound(from, met.end(), last, {}, &Met::step);
  return {from, to};
}

}  // namespace cupel
