#include "cupel/learn/events/popularity.h"

#include <algorithm>
#include <deque>

#include "cupel/base/error.h"
#include "cupel/learn/events/end_counts.h"
#include "cupel/learn/events/limits_watch.h"

namespace cupel {
namespace {

class Popularity final : public EventModel {
 public:
  Popularity(const EventWorld& world, const PopularitySettings& settings)
      : steps_(settings.steps), counts_(world.entities, world.relations, world.undirected) {
    if (steps_ < 0) fail("popularity: steps is {}; it is a number of steps, or 0 for all", steps_);
  }

  void learn(const FactColumns& facts) override {
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      const Index s = facts.source[place], r = facts.relation_of(i), o = facts.target[place];
      if (steps_ > 0) move_to(facts.time[place]);
      count(counts_.insert(false, r, o));
      if (!counts_.undirected(r) || s != o) count(counts_.insert(true, r, s));
    }
  }

  void rank(std::int64_t, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) override {
    LimitsWatch watch(limits);
    CountsAnswer last;
    for (const EventQuery& query : queries) {
      const bool undirected = counts_.undirected(query.relation);
      const Offset own = undirected ? counts_.count(true, query.relation, query.given) : 0;
      const std::size_t row = counts_.row(query.source_asked, query.relation);
      const bool same_order =
          own == last.own || last.most + std::max(own, last.own) < kMostExactFloat;
      if (last.row == row && same_order && out.as_before()) {
        last.own = own;
        watch.walked(1);
        continue;
      }
      last = {row, own, 0};
      const auto members = counts_.members(query.source_asked, query.relation);
      named_.clear();
      for (const Index member : members)
        if (const Offset n = counts_.count(member); n > 0) {
          named_.push_back({counts_.entity(member), static_cast<float>(n + own)});
          last.most = std::max(last.most, n);
        }
      out.some(named_, static_cast<float>(own));
      watch.walked(std::ssize(members) + 1);
    }
  }

  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) override {
    LimitsWatch watch(limits);
    for (Offset i = 0; i < asked.size(); ++i) {
      watch.walked(1);
      const auto place = static_cast<std::size_t>(i);
      const Index r = asked.relation_of(i);
      Offset n = counts_.count(false, r, asked.target[place]);
      if (counts_.undirected(r)) n += counts_.count(false, r, asked.source[place]);
      scores[place] = static_cast<float>(n);
    }
  }

 private:
  // Begins a step if this is another time, and forgets the one that is now too old.
  void move_to(std::int64_t time) {
    if (!step_sizes_.empty() && time == last_time_) return;
    last_time_ = time;
    step_sizes_.push_back(0);
    if (std::ssize(step_sizes_) <= steps_) return;
    for (; step_sizes_.front() > 0; --step_sizes_.front()) {
      counts_.add(counted_.front(), -1);
      counted_.pop_front();
    }
    step_sizes_.pop_front();
  }
  void count(Index number) {
    counts_.add(number, 1);
    if (steps_ == 0) return;
    counted_.push_back(number);
    ++step_sizes_.back();
  }

  Offset steps_ = 0;
  EndCounts counts_;
  std::deque<Index> counted_;      // in the steps that count, in their order
  std::deque<Offset> step_sizes_;  // how many of them in each step
  std::int64_t last_time_ = 0;
  std::vector<EntityScore> named_;
};

}  // namespace

std::unique_ptr<EventModel> make_popularity(const EventWorld& world,
                                            const PopularitySettings& settings) {
  return std::make_unique<Popularity>(world, settings);
}

}  // namespace cupel
