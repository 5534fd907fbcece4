#include "cupel/learn/events/temporal_net.h"

#include <algorithm>

#include "cupel/learn/events/setting_range.h"

namespace cupel {

TemporalNet::TemporalNet(const char* name, const EventWorld& world,
                         const TemporalTraining& training, std::vector<Parameter> parameters,
                         const PairScorerPlaces& places, Index width, std::size_t together,
                         StreamKey key, Threads threads)
    : world_(world),
      key_(key),
      threads_(threads),
      values_(parameters),
      gradients_(parameters),
      name_(name),
      training_(training),
      parameters_(std::move(parameters)),
      scorer_(world, places, threads),
      width_(width),
      together_(together),
      adam_(parameters_, training.lr, {1e-8, true}) {
  require_range(name, "batch", training.batch, 1, 1e6);
  require_range(name, "lr", training.lr, 1e-12, 1e3);
  require_range(name, "epochs", training.epochs, 0, 1e6);
  require_range(name, "patience", training.patience, 1, 1e6);
  initialise(parameters_, key_, values_);
}

void TemporalNet::follow(const EventRules& rules) {
  rules_ = rules;
  forget();
}

void TemporalNet::forget() { block_meetings_.clear(); }

template <class Add>
void TemporalNet::each_meeting(const FactColumns& facts, const Add& add) const {
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Index s = facts.source[at], o = facts.target[at], r = facts.relation_of(i);
    add(s, Meeting{facts.time[at], o, kind_of(world_, r, true)});
    if (s != o) add(o, Meeting{facts.time[at], s, kind_of(world_, r, false)});
  }
}

void TemporalNet::see(const FactColumns& facts) {
  block_meetings_.clear();
  each_meeting(facts, [&](Index entity, const Meeting& m) { remember(entity, m); });
}

void TemporalNet::meet(const FactColumns& facts) {
  block_meetings_.clear();
  if (!rules_.all_before()) return;
  each_meeting(facts, [&](Index entity, const Meeting& m) { block_meetings_.add(entity, m); });
  block_meetings_.finish();
}

Matrix TemporalNet::embeddings(std::span<const TimedEntity> roots) {
  Matrix out(static_cast<Index>(roots.size()), width_);
  for (std::size_t begin = 0; begin < roots.size(); begin += together_) {
    BoundProgram bound =
        bind_embeddings(roots.subspan(begin, std::min(together_, roots.size() - begin)));
    bound.forward(key_, 0);
    const ConstDenseView z = bound.output();
    for (Index r = 0; r < z.rows; ++r)
      std::copy_n(z.row(r), z.cols, out.row(static_cast<Index>(begin) + r));
  }
  return out;
}

void TemporalNet::score(const FactColumns& asked, std::span<float> scores,
                        const RunLimits& limits) {
  const auto together = static_cast<Offset>(std::max<std::size_t>(together_ / 2, 1));
  if (asked.size() > 0) settle(*std::ranges::min_element(asked.time));
  std::vector<TimedEntity> roots;
  for (Offset begin = 0; begin < asked.size(); begin += together) {
    limits.check();
    const FactColumns some = asked.part(begin, std::min(begin + together, asked.size()));
    roots.clear();
    for (std::size_t i = 0; i < some.source.size(); ++i) {
      roots.push_back({some.source[i], some.time[i]});
      roots.push_back({some.target[i], some.time[i]});
    }
    scorer_.score(values_, embeddings(roots), some,
                  scores.subspan(static_cast<std::size_t>(begin), some.source.size()));
  }
}

void TemporalNet::rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
                       const RunLimits& limits) {
  if (queries.empty()) return;
  limits.check();
  settle(time);
  std::vector<TimedEntity> roots;
  for (Index entity = 0; entity < world_.entities; ++entity) roots.push_back({entity, time});
  scorer_.rank(values_, embeddings(roots), queries, out, limits);
}

}  // namespace cupel
