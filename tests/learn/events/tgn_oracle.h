// A temporal graph network as its equations say, fact by fact, in double.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "cupel/learn/events/tgn.h"
#include "learn/events/temporal_oracle.h"

namespace cupel::made {

class TgnOracle {
 public:
  TgnOracle(Tgn& model, const EventWorld& world, const TgnSettings& settings)
      : world_(world), settings_(settings), weights_(model, model.programs().logits.parameters) {
    const Numbers zero(static_cast<std::size_t>(settings.width));
    nodes_.assign(static_cast<std::size_t>(world.entities), Node{zero, {}, {}, {}, 0, false});
  }

  // What is known when facts of a time are asked: all of them where that is the rule, and else the
  // messages of blocks that are over then, and meetings: all of them, or in PyTorch Geometric's
  // form those of these blocks.
  void learn_until(const EventRules& rules, const FactColumns& facts, std::int64_t time) {
    if (!rules.all_before()) return learn(facts);
    for (Node& node : nodes_) node.last = facts.time.front();
    Offset over = 0;
    for (Offset begin = 0; begin < facts.size(); begin = end_of_block(facts, begin)) {
      const Offset end = end_of_block(facts, begin);
      const bool later = end < facts.size() || time > facts.time[at(end - 1)];
      if (end - begin >= settings_.batch && later) over = end;
    }
    if (over > 0) learn(facts.part(0, over));
    if (settings_.form == TgnForm::kReleased) see(facts.part(over, facts.size()));
  }

  // Facts of a block that is asked: meetings alone.
  void meet(const FactColumns& facts) {
    for (Offset i = 0; i < facts.size(); ++i)
      each_end(facts, i,
               [&](Index entity, const Meeting& m) { nodes_[at(entity)].ahead.push_back(m); });
  }

  // Whole blocks but for the last one.
  void learn(const FactColumns& facts) {
    for (Node& node : nodes_) node.last = facts.time.front();
    for (Offset begin = 0; begin < facts.size();) {
      const Offset end = end_of_block(facts, begin);
      learn_block(facts.part(begin, end));
      begin = end;
    }
    see(facts);
  }

  // To be changed: what was learnt stays as it was.
  TemporalWeights& weights() { return weights_; }

  Numbers state(Index entity) const {
    const Node& node = nodes_[at(entity)];
    if (!node.waits) return node.state;
    const Message& m = node.message;
    const auto d = at(settings_.width);
    Numbers in =
        weights_.product(node.state, "gru.own") + weights_.product(m.partner, "gru.partner") +
        weights_.product(weights_.phi(static_cast<double>(m.time - node.last)), "gru.time") +
        weights_.row("gru.bias");
    if (world_.relations > 1)
      in = in + weights_.product(weights_.row("kinds", at(m.kind)), "gru.kind");
    const Numbers out = weights_.product(node.state, "gru.state") + weights_.row("gru.state_bias");
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    Numbers next(d);
    for (std::size_t i = 0; i < d; ++i) {
      const double reset = sigmoid(in[i] + out[i]), keep = sigmoid(in[d + i] + out[d + i]);
      next[i] =
          (1 - keep) * std::tanh(in[2 * d + i] + reset * out[2 * d + i]) + keep * node.state[i];
    }
    return next;
  }

  Numbers embedding(Index entity, std::int64_t time) const {
    return embedding(settings_.layers, entity, time);
  }

  double logit(Index s, Index r, Index o, std::int64_t time) const {
    return weights_.logit(embedding(s, time), embedding(o, time), r);
  }

 private:
  // Of the layer below everything is as of the same time, those whom neighbours met among it.
  Numbers embedding(Index layer, Index entity, std::int64_t time) const {
    if (layer == 0) return state(entity);
    std::vector<Meeting> met = nodes_[at(entity)].met;
    if (met.size() > at(settings_.neighbours))
      met.erase(met.begin(), met.end() - settings_.neighbours);
    if (settings_.form == TgnForm::kPyg) return timeless(entity, met);
    met.insert(met.end(), nodes_[at(entity)].ahead.begin(), nodes_[at(entity)].ahead.end());
    std::erase_if(met, [&](const Meeting& m) { return m.time >= time; });
    if (met.size() > at(settings_.neighbours))
      met.erase(met.begin(), met.end() - settings_.neighbours);
    std::vector<Numbers> senders;
    for (const Meeting& m : met) {
      senders.push_back(joined({embedding(layer - 1, m.with, time), kind(m),
                                weights_.phi(static_cast<double>(time - m.time))}));
    }
    return weights_.attended(layer == 1 ? "" : "layer" + std::to_string(layer) + ".",
                             embedding(layer - 1, entity, time), senders);
  }

  Numbers kind(const Meeting& m) const {
    return world_.relations > 1 ? weights_.row("kinds", at(m.kind)) : Numbers();
  }

  Numbers timeless(Index entity, const std::vector<Meeting>& met) const {
    std::vector<std::pair<Numbers, Numbers>> senders;
    for (const Meeting& m : met) {
      const Node& other = nodes_[at(m.with)];
      const std::int64_t last = other.waits ? other.message.time : other.last;
      senders.emplace_back(state(m.with),
                           joined({kind(m), weights_.phi(static_cast<double>(last - m.time))}));
    }
    return weights_.transformed(state(entity), senders);
  }

  struct Message {
    Numbers partner;
    Index kind = 0;
    std::int64_t time = 0;
  };
  struct Node {
    Numbers state;
    Message message;
    std::vector<Meeting> met, ahead;
    std::int64_t last = 0;
    bool waits = false;
  };
  template <class I>
  static std::size_t at(I i) {
    return static_cast<std::size_t>(i);
  }

  void learn_block(const FactColumns& facts) {
    std::map<Index, Numbers> updated;
    for (const auto& ends : {facts.source, facts.target})
      for (const Index entity : ends)
        if (nodes_[at(entity)].waits) updated[entity] = state(entity);
    for (const auto& [entity, state] : updated) {
      Node& node = nodes_[at(entity)];
      node.state = state, node.last = node.message.time, node.waits = false;
    }
    for (Offset i = 0; i < facts.size(); ++i) {
      const Index s = facts.source[at(i)], o = facts.target[at(i)], r = facts.relation_of(i);
      const bool both = is_undirected(world_.undirected, r);
      const std::int64_t time = facts.time[at(i)];
      const Index kind = world_.relations > 1 ? 2 * r : 0;
      const Index back = world_.relations > 1 && !both ? 2 * r + 1 : kind;
      nodes_[at(s)].message = {nodes_[at(o)].state, kind, time};
      nodes_[at(s)].waits = true;
      nodes_[at(o)].message = {nodes_[at(s)].state, back, time};
      nodes_[at(o)].waits = true;
    }
  }

  Offset end_of_block(const FactColumns& facts, Offset begin) const {
    Offset end = begin;
    while (end < facts.size() &&
           (end - begin < settings_.batch || facts.time[at(end)] == facts.time[at(end - 1)]))
      ++end;
    return end;
  }
  void see(const FactColumns& facts) {
    for (Offset i = 0; i < facts.size(); ++i)
      each_end(facts, i,
               [&](Index entity, const Meeting& m) { nodes_[at(entity)].met.push_back(m); });
  }
  template <class Take>
  void each_end(const FactColumns& facts, Offset i, const Take& take) const {
    const Index s = facts.source[at(i)], o = facts.target[at(i)], r = facts.relation_of(i);
    const Index kind = world_.relations > 1 ? 2 * r : 0;
    const bool both = is_undirected(world_.undirected, r);
    take(s, Meeting{facts.time[at(i)], o, kind});
    if (s != o)
      take(o, Meeting{facts.time[at(i)], s, world_.relations > 1 && !both ? 2 * r + 1 : kind});
  }

  EventWorld world_;
  TgnSettings settings_;
  TemporalWeights weights_;
  std::vector<Node> nodes_;
};

}  // namespace cupel::made
