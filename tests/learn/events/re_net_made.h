// Small facts, small models, for the tests of RE-Net.
#pragma once

#include "learn/events/asked_model.h"
#include "learn/events/re_net_oracle.h"

namespace cupel::made::re_net {

inline const StreamKey kKey = stream_key("re-net test");
inline const std::vector<std::uint8_t> kUndirected = {0, 1, 0};

struct Made {
  std::vector<Index> source, relation, target;
  std::vector<std::int64_t> time;
  Index entities = 0, relations = 1;

  Made(Index entities_, Index relations_) : entities(entities_), relations(relations_) {}
  // Three facts a step or so; the last entity is never met, some meet themselves, some facts repeat
  // within a step.
  Made(Index entities_, Index relations_, int facts, std::uint32_t seed)
      : Made(entities_, relations_) {
    Stream random(stream_key("made facts"), seed);
    const auto below = [&](Index n) {
      return static_cast<Index>(random.next_below(static_cast<std::uint32_t>(n)));
    };
    std::int64_t now = 1000;
    for (int i = 0; i < facts; ++i) {
      if (below(3) == 0) now += 1 + below(2);
      add(below(entities - 1), below(relations), below(entities - 1), now);
      if (below(6) == 0) add(source.back(), relation.back(), target.back(), now);
    }
  }
  void add(Index s, Index r, Index o, std::int64_t t) {
    source.push_back(s), relation.push_back(r), target.push_back(o), time.push_back(t);
  }
  FactColumns facts() const { return {source, relation, target, time, entities, relations}; }
  EventWorld world() const {
    return {entities,
            relations,
            relations > 1 ? Undirected(kUndirected).first(static_cast<std::size_t>(relations))
                          : Undirected(),
            {}};
  }
};

inline ReNetSettings tiny() {
  ReNetSettings settings{{.width = 4, .history = 3, .batch = 7, .dropout = 0}};
  settings.global_batch = 2, settings.foretold = 40;
  settings.logits = 0;  // blocks of four queries
  return settings;
}

// Biases that are not zero, and states that make a difference.
inline void shake(ParameterSet& set, Stream& random) {
  for (int slot = 0; slot < static_cast<int>(set.count()); ++slot) {
    const DenseView view = set.view(slot);
    for (Index i = 0; i < view.rows * view.cols; ++i)
      view.data[i] += static_cast<float>(0.3 * random.next_normal());
  }
}
inline void shake(ReNet& model) {
  Stream random(stream_key("shaken"), 1);
  for (ParameterSet* set : {&model.values(), &model.global().values()}) shake(*set, random);
  model.global().forget(0);
}

}  // namespace cupel::made::re_net
