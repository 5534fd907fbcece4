#include "cupel/learn/events/shared_neighbours.h"

#include <cmath>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/learn/events/event_neighbours.h"
#include "cupel/learn/events/limits_watch.h"

namespace cupel {
namespace {

constexpr double kUnits = 0x1p36;  // of weights

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

const char* name_of(SharedNeighbours score) {
  switch (score) {
    case SharedNeighbours::common:
      return "past-common-neighbours";
    case SharedNeighbours::jaccard:
      return "past-jaccard";
    case SharedNeighbours::adamic_adar:
      return "past-adamic-adar";
    case SharedNeighbours::resource_allocation:
      break;
  }
  return "past-resource-allocation";
}

class SharedNeighboursModel final : public EventModel {
 public:
  SharedNeighboursModel(const EventWorld& world, const SharedNeighboursSettings& settings)
      : world_(world),
        settings_(settings),
        neighbours_(world.entities, settings.typed ? world.relations : 1,
                    {name_of(settings.score), "typed = false"}),
        plays_(settings.typed ? at(world.relations) : 1) {
    const std::vector<Index>& via = settings.via;
    if (!via.empty() && std::ssize(via) != world.relations)
      fail("{}: via names {} relations; there are {}, and it names one for each",
           name_of(settings.score), via.size(), world.relations);
    for (const Index relation : via)
      if (relation < 0 || relation >= world.relations)
        fail("{}: via names the relation {}; they are from 0 and below {}", name_of(settings.score),
             relation, world.relations);
    if (!settings.typed) {
      plays_[0] = 1;
    } else {
      for (Index r = 0; r < world.relations; ++r)
        plays_[at(steps_of(r).first)] = plays_[at(steps_of(r).second)] = 1;
    }
  }

  void learn(const FactColumns& facts) override {
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      const Index kind = settings_.typed ? facts.relation_of(i) : 0;
      if (plays_[at(kind)] == 0) continue;
      neighbours_.add(facts.source[place], kind, facts.target[place]);
    }
  }

  void rank(std::int64_t, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) override {
    sum_.resize(at(world_.entities));
    LimitsWatch watch(limits);
    for (const EventQuery& query : queries) {
      Steps steps = steps_of(query.relation);
      if (query.source_asked) std::swap(steps.first, steps.second);
      walk(query.given, steps, watch);
      const Offset own = degree(query.given, steps.first);
      named_.clear();
      for (const Index other : met_) {
        named_.push_back({other, value(sum_[at(other)], own, other, steps.second)});
        sum_[at(other)] = 0;
      }
      met_.clear();
      out.some(named_, 0);
    }
  }

  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) override {
    LimitsWatch watch(limits);
    for (Offset i = 0; i < asked.size(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      const Index s = asked.source[place], o = asked.target[place];
      const Steps steps = steps_of(asked.relation_of(i));
      const auto of_source = neighbours_.of(s, steps.first);
      const auto of_target = neighbours_.of(o, steps.second);
      std::uint64_t sum = 0;
      const auto meet = [&](Index entity, Index kind, std::span<const Index> others) {
        neighbours_.for_linked(entity, kind, others,
                               [&](std::size_t k) { sum += weight(others[k], steps); });
        watch.walked(std::ssize(others) + 1);
      };
      if (s == o) {
        scores[place] = 0;
        watch.walked(1);
        continue;
      }
      if (of_source.size() <= of_target.size()) {
        meet(o, steps.second, of_source);
      } else {
        meet(s, steps.first, of_target);
      }
      scores[place] = value(sum, std::ssize(of_source), o, steps.second);
    }
  }

 private:
  // The kinds of links from the one end to who is between, and from the other end.
  struct Steps {
    Index first = 0, second = 0;
  };
  Steps steps_of(Index relation) const {
    if (!settings_.typed) return {};
    const Index via = settings_.via.empty() ? relation : settings_.via[at(relation)];
    return {via, is_undirected(world_.undirected, relation) ? via : relation};
  }
  Offset degree(Index entity, Index kind) const { return std::ssize(neighbours_.of(entity, kind)); }

  // Of who is between.
  std::uint64_t weight(Index entity, Steps steps) {
    if (settings_.score == SharedNeighbours::common || settings_.score == SharedNeighbours::jaccard)
      return 1;
    Offset links = degree(entity, steps.first);
    if (steps.second != steps.first) links += degree(entity, steps.second);
    const auto d = static_cast<std::size_t>(links);
    for (std::size_t next = weights_.size(); next <= d; ++next) {
      const auto n = static_cast<double>(next);
      const double w = settings_.score == SharedNeighbours::adamic_adar ? 1 / std::log(n) : 1 / n;
      // Who is between two has two links, or there is nobody to be weighed.
      weights_.push_back(next < 2 ? 0 : static_cast<std::uint64_t>(std::llround(w * kUnits)));
    }
    return weights_[d];
  }

  float value(std::uint64_t sum, Offset own, Index other, Index kind_of_other) const {
    const auto shared = static_cast<double>(sum);
    if (settings_.score == SharedNeighbours::common) return static_cast<float>(shared);
    if (settings_.score != SharedNeighbours::jaccard) return static_cast<float>(shared / kUnits);
    if (sum == 0) return 0;
    const auto either = static_cast<double>(own + degree(other, kind_of_other)) - shared;
    return static_cast<float>(shared / either);
  }

  // Sums up, for all who are two steps away, over who is between.
  void walk(Index given, Steps steps, LimitsWatch& watch) {
    for (const Index left : met_) sum_[at(left)] = 0;  // by a walk that was given up
    met_.clear();
    for (const Index between : neighbours_.of(given, steps.first)) {
      const std::uint64_t w = weight(between, steps);
      const auto others = neighbours_.of(between, steps.second);
      for (const Index other : others) {
        if (other == given) continue;
        if (sum_[at(other)] == 0) met_.push_back(other);
        sum_[at(other)] += w;
      }
      watch.walked(std::ssize(others) + 1);
    }
  }

  EventWorld world_;
  SharedNeighboursSettings settings_;
  EventNeighbours neighbours_;
  std::vector<std::uint8_t> plays_;     // per kind: whether its links are ever asked for
  std::vector<std::uint64_t> weights_;  // by degree
  std::vector<std::uint64_t> sum_;      // per entity, 0 between walks
  std::vector<Index> met_;
  std::vector<EntityScore> named_;
};

}  // namespace

std::unique_ptr<EventModel> make_shared_neighbours(const EventWorld& world,
                                                   const SharedNeighboursSettings& settings) {
  return std::make_unique<SharedNeighboursModel>(world, settings);
}

}  // namespace cupel
