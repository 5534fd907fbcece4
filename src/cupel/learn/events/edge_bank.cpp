#include "cupel/learn/events/edge_bank.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/learn/events/edge_window.h"
#include "cupel/learn/events/fact_keys.h"
#include "cupel/learn/events/key_numbers.h"
#include "cupel/learn/events/limits_watch.h"
#include "cupel/learn/events/time_between.h"

namespace cupel {
namespace {

constexpr Offset kBlock = 256;  // facts asked about at once

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class EdgeBank final : public EventModel {
 public:
  EdgeBank(const EventWorld& world, const EdgeBankSettings& settings)
      : world_(world),
        settings_(settings),
        keys_(world.entities, settings.relations ? world.relations : 1,
              {"edge-bank", "relations = false"}),
        times_(1 - settings.share) {
    if (!(settings.share > 0 && settings.share <= 1))
      fail("edge-bank: share is {}; it is a part of the past, above 0 and at most 1",
           settings.share);
    const auto count = std::count_if(world.undirected.begin(), world.undirected.end(),
                                     [](std::uint8_t flag) { return flag != 0; });
    all_undirected_ = count > 0 && count == world.relations;
    both_ways_ = !settings.relations && count > 0 && !all_undirected_;
  }

  void fit(const FactColumns& train, const FactColumns&, const EventRules&,
           const RunLimits&) override {
    if (train.size() > 0) train_span_ = time_between(train.time.front(), train.time.back());
  }

  void learn(const FactColumns& facts) override {
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      const Index s = facts.source[place], r = facts.relation_of(i), o = facts.target[place];
      const std::int64_t time = facts.time[place];
      if (pairs_.size() == 0) first_time_ = time;
      last_time_ = time;
      if (settings_.memory == EdgeMemory::quantile_window) times_.add(time);
      remember(key_of(s, r, o), time);
      if (asked_both_ways(r) && s != o) remember(key_of(o, r, s), time);
    }
  }

  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) override {
    const Kept kept = kept_now();
    LimitsWatch watch(limits);
    for (Offset begin = 0; begin < asked.size(); begin += kBlock) {
      const Offset end = std::min(begin + kBlock, asked.size());
      score_block(
          asked.part(begin, end), kept,
          scores.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
      watch.walked(end - begin);
    }
  }

  void rank(std::int64_t, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) override {
    index_pairs();
    const Kept kept = kept_now();
    LimitsWatch watch(limits);
    for (const EventQuery& query : queries) {
      const bool either = symmetric(query.relation) || asked_both_ways(query.relation);
      named_.clear();
      if (!query.source_asked || either) watch.walked(take(query, false, false, kept));
      // A loop is at both ends.
      if (query.source_asked || either) watch.walked(take(query, true, either, kept));
      if (asked_both_ways(query.relation)) drop_repeats();
      out.some(named_, 0);
      watch.walked(1);
    }
  }

 private:
  struct Kept {
    std::int64_t now = 0;
    std::uint64_t window = 0;  // since how long
    Offset count = 0;          // how often
  };

  // Whether the two orders of the ends have one key.
  bool symmetric(Index relation) const {
    return settings_.relations ? is_undirected(world_.undirected, relation) : all_undirected_;
  }
  bool asked_both_ways(Index relation) const {
    return both_ways_ && is_undirected(world_.undirected, relation);
  }
  std::uint64_t key_of(Index s, Index r, Index o) const {
    const Index kind = settings_.relations ? r : 0;
    return symmetric(r) ? keys_.unordered_key(s, kind, o) : keys_.key(s, kind, o);
  }

  void remember(std::uint64_t key, std::int64_t time) {
    const auto [pair, is_new] = pairs_.insert(key);
    ++facts_;
    if (is_new) {
      key_.push_back(key);
      if (keeps_last()) last_.push_back(time);
      if (keeps_first()) first_.push_back(time);
      if (keeps_count()) count_.push_back(1);
      return;
    }
    if (keeps_count() && count_[at(pair)] < std::numeric_limits<Index>::max()) ++count_[at(pair)];
    if (keeps_first())
      gap_.extend(time_between(first_[at(pair)], last_[at(pair)]),
                  time_between(first_[at(pair)], time), count_[at(pair)]);
    if (keeps_last()) last_[at(pair)] = time;
  }
  bool keeps_last() const {
    return settings_.memory != EdgeMemory::unlimited && settings_.memory != EdgeMemory::repeated;
  }
  bool keeps_first() const { return settings_.memory == EdgeMemory::recurrence_window; }
  bool keeps_count() const { return keeps_first() || settings_.memory == EdgeMemory::repeated; }

  Kept kept_now() const {
    Kept kept = {last_time_, 0, 0};
    if (facts_ == 0) return kept;
    switch (settings_.memory) {
      case EdgeMemory::unlimited:
        break;
      case EdgeMemory::quantile_window:
        kept.window = time_between(times_.first_within(), last_time_);
        break;
      case EdgeMemory::span_window:
        kept.window = share_of_span(train_span_.value_or(time_between(first_time_, last_time_)),
                                    settings_.share);
        break;
      case EdgeMemory::recurrence_window:
        kept.window = gap_.over(pairs_.size());
        break;
      case EdgeMemory::repeated:
        kept.count = (facts_ + pairs_.size() - 1) / pairs_.size();
        break;
    }
    return kept;
  }
  bool is_kept(Index pair, const Kept& kept) const {
    if (keeps_last()) return time_between(last_[at(pair)], kept.now) <= kept.window;
    return settings_.memory == EdgeMemory::unlimited || count_[at(pair)] >= kept.count;
  }

  void score_block(const FactColumns& asked, const Kept& kept, std::span<float> scores) const {
    std::array<std::uint64_t, kBlock> keys;
    std::array<Index, kBlock> pairs;
    const auto n = static_cast<std::size_t>(asked.size());
    for (std::size_t i = 0; i < n; ++i)
      keys[i] = key_of(asked.source[i], asked.relation_of(static_cast<Offset>(i)), asked.target[i]);
    if (settings_.memory == EdgeMemory::unlimited) {
      std::array<std::uint8_t, kBlock> has;
      pairs_.has_all({keys.data(), n}, {has.data(), n});
      for (std::size_t i = 0; i < n; ++i) scores[i] = has[i];
    } else {
      pairs_.find_all({keys.data(), n}, {pairs.data(), n});
      for (std::size_t i = 0; i < n; ++i)
        if (pairs[i] >= 0)
          __builtin_prefetch(keeps_last() ? static_cast<const void*>(&last_[at(pairs[i])])
                                          : &count_[at(pairs[i])]);
      for (std::size_t i = 0; i < n; ++i) scores[i] = pairs[i] >= 0 && is_kept(pairs[i], kept);
    }
    if (!both_ways_) return;
    for (std::size_t i = 0; i < n; ++i) {
      const Index r = asked.relation_of(static_cast<Offset>(i));
      if (scores[i] != 0 || !asked_both_ways(r)) continue;
      const Index pair = pairs_.find(key_of(asked.target[i], r, asked.source[i]));
      scores[i] = pair >= 0 && is_kept(pair, kept);
    }
  }

  // Pairs by their ends, for those who came since the last time.
  void index_pairs() {
    from_.resize(at(world_.entities));
    to_.resize(at(world_.entities));
    for (; indexed_ < pairs_.size(); ++indexed_) {
      const std::uint64_t key = key_[at(indexed_)];
      from_[at(keys_.source(key))].push_back(indexed_);
      to_[at(keys_.target(key))].push_back(indexed_);
    }
  }

  // Names the other ends of the given entity's pairs, where it is the source or the target. Returns
  // how many it looked at.
  Offset take(const EventQuery& query, bool given_is_target, bool loops_are_named,
              const Kept& kept) {
    const std::vector<Index>& row = (given_is_target ? to_ : from_)[at(query.given)];
    for (const Index pair : row) {
      const std::uint64_t key = key_[at(pair)];
      if (settings_.relations && keys_.relation(key) != query.relation) continue;
      const Index other = given_is_target ? keys_.source(key) : keys_.target(key);
      if (loops_are_named && other == query.given) continue;
      if (is_kept(pair, kept)) named_.push_back({other, 1});
    }
    return std::ssize(row);
  }

  void drop_repeats() {
    const auto entity = [](const EntityScore& named) { return named.entity; };
    std::sort(named_.begin(), named_.end(),
              [&](const auto& a, const auto& b) { return entity(a) < entity(b); });
    named_.erase(std::unique(named_.begin(), named_.end(),
                             [&](const auto& a, const auto& b) { return entity(a) == entity(b); }),
                 named_.end());
  }

  EventWorld world_;
  EdgeBankSettings settings_;
  FactKeys keys_;
  bool all_undirected_ = false;  // and there is a relation
  bool both_ways_ = false;       // relations of both kinds share their pairs

  KeyNumbers pairs_;
  std::vector<std::uint64_t> key_;  // per pair, as all that follow; empty where nothing asks
  std::vector<std::int64_t> first_, last_;
  std::vector<Index> count_;
  Offset facts_ = 0;  // pairs with their repeats
  std::int64_t first_time_ = 0, last_time_ = 0;
  std::optional<std::uint64_t> train_span_;
  RunningQuantile times_;
  MeanGap gap_;

  std::vector<std::vector<Index>> from_, to_;  // per entity: its pairs
  Index indexed_ = 0;
  std::vector<EntityScore> named_;
};

}  // namespace

std::unique_ptr<EventModel> make_edge_bank(const EventWorld& world,
                                           const EdgeBankSettings& settings) {
  return std::make_unique<EdgeBank>(world, settings);
}

}  // namespace cupel
