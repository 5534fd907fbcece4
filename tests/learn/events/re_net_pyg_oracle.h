// RE-Net as PyTorch Geometric has it, query by query, in double: all facts are gone through for
// every step, and what a recurrence reads is put side by side.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cupel/learn/events/re_net/re_net_pyg.h"
#include "learn/events/history_oracle.h"

namespace cupel::made {

class ReNetPygOracle : public HistoryOracle {
 public:
  ReNetPygOracle(ReNetPyg& model, const EventWorld& world, const HistorySettings& settings)
      : HistoryOracle(world),
        weights(weights_of(model.program(), model.values())),
        settings_(settings) {}

  void learn(const FactColumns& facts) {
    for (Offset i = 0; i < facts.size(); ++i)
      facts_.push_back(
          {facts.source[at(i)], facts.relation_of(i), facts.target[at(i)], facts.time[at(i)]});
  }
  // At these times something is asked about, and nothing known.
  void pass(std::set<std::int64_t> times) { passed_ = std::move(times); }

  Numbers logits(Index given, Index kind, std::int64_t time) const {
    const Index r = kind % world_.relations;
    const std::string end = kind < world_.relations ? "source." : "target.";
    const Numbers e = weights.at("entities")[at(given)], w = weights.at("relations")[at(r)];
    std::set<std::int64_t> all;
    for (const Fact& fact : facts_) all.insert(fact.time);
    all.insert(passed_.begin(), passed_.end());
    std::vector<std::int64_t> times;
    for (const std::int64_t t : all)
      if (t < time) times.push_back(t);
    const auto length = at(settings_.history);
    while (times.size() < length) times.insert(times.begin(), -1);  // before all that is known
    if (times.size() > length) times.erase(times.begin(), times.end() - settings_.history);

    Numbers h(at(settings_.width));
    for (const std::int64_t t : times) {
      Numbers mean(at(settings_.width));
      double count = 0;
      for (const Index who : met(given, kind, t)) {
        add(mean, weights.at("entities")[at(who)]);
        ++count;
      }
      if (count > 0)
        for (double& x : mean) x /= count;
      Numbers x = weights.at(end + "gru.bias")[0];
      add(x, product(e, weights.at(end + "gru.entity")));
      add(x, product(mean, weights.at(end + "gru.received")));
      add(x, product(w, weights.at(end + "gru.kind")));
      h = step(x, h, weights.at(end + "gru.state"), weights.at(end + "gru.state_bias")[0]);
    }
    Numbers out = weights.at(end + "answer.bias")[0];
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] += dot(weights.at(end + "answer.entity")[i], e) +
                dot(weights.at(end + "answer.state")[i], h) +
                dot(weights.at(end + "answer.kind")[i], w);
    return out;
  }

  // The loss of facts, from both ends, by what is before each.
  double loss(const FactColumns& facts) const {
    double sum = 0;
    for (Offset i = 0; i < facts.size(); ++i)
      for (const bool source_asked : {false, true}) {
        const Index s = facts.source[at(i)], o = facts.target[at(i)];
        const Index kind = kind_of(facts.relation_of(i), source_asked);
        const Numbers p = softmax(logits(source_asked ? o : s, kind, facts.time[at(i)]));
        sum -= std::log(p[at(source_asked ? s : o)]);
      }
    return sum / static_cast<double>(facts.size());
  }

  Weights weights;

 private:
  struct Fact {
    Index source, relation, target;
    std::int64_t time;
  };
  std::vector<Index> met(Index given, Index kind, std::int64_t time) const {
    std::vector<Index> out;
    for (const Fact& fact : facts_) {
      if (fact.time != time || fact.relation != kind % world_.relations) continue;
      const bool undirected = is_undirected(world_.undirected, fact.relation);
      const bool as_source = fact.source == given && kind < world_.relations,
                 as_target = fact.target == given && (kind >= world_.relations || undirected);
      if (as_source) out.push_back(fact.target);
      if (as_target && !(as_source && fact.source == fact.target)) out.push_back(fact.source);
    }
    return out;
  }

  HistorySettings settings_;
  std::vector<Fact> facts_;
  std::set<std::int64_t> passed_;
};

}  // namespace cupel::made
