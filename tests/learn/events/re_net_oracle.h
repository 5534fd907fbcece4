// RE-Net as its equations say, query by query, in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cupel/learn/events/re_net/re_net.h"
#include "learn/events/history_oracle.h"

namespace cupel::made {

class ReNetOracle : public HistoryOracle {
 public:
  ReNetOracle(ReNet& model, const EventWorld& world, const ReNetSettings& settings)
      : HistoryOracle(world),
        local(weights_of(model.program(), model.values())),
        global(weights_of(model.global().program(), model.global().values())),
        settings_(settings) {}

  void learn(const FactColumns& facts) {
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Index s = facts.source[at], r = facts.relation_of(i), o = facts.target[at];
      steps_[facts.time[at]].insert({s, r, o});
      if (is_undirected(world_.undirected, r)) steps_[facts.time[at]].insert({o, r, s});
    }
  }

  // Logits of entities, or of relations.
  Numbers logits(Index given, Index kind, std::int64_t time, bool of_relations = false) const {
    const Numbers e = local.at("entities")[at(given)], w = local.at("kinds")[at(kind)];
    const bool as_target = kind >= world_.relations;
    std::vector<std::int64_t> times;
    for (const auto& [t, facts] : steps_)
      if (t < time)
        for (const auto& [s, r, o] : facts)
          if ((as_target ? o : s) == given && (times.empty() || times.back() != t))
            times.push_back(t);
    if (times.size() > at(settings_.history))
      times.erase(times.begin(), times.end() - settings_.history);
    Numbers state(at(settings_.width));
    const std::string gru = of_relations ? "relation_gru" : "gru";
    for (const std::int64_t t : times) {
      Numbers x = local.at(gru + ".bias")[0];
      add(x, product(received(local, given, t, as_target), local.at(gru + ".received")));
      add(x, product(e, local.at(gru + ".entity")));
      if (!of_relations) add(x, product(w, local.at(gru + ".kind")));
      add(x, product(global_state(t), local.at(gru + ".global")));
      state = step(x, state, local.at(gru + ".state"), local.at(gru + ".state_bias")[0]);
    }
    const std::string answer = of_relations ? "relation" : "answer";
    Numbers out = local.at(answer + ".bias")[0];
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] +=
          dot(local.at(answer + ".entity")[i], e) + dot(local.at(answer + ".state")[i], state);
      if (!of_relations) out[i] += dot(local.at(answer + ".kind")[i], w);
    }
    return out;
  }

  // The loss of facts, from both ends, by what is before each.
  double loss(const FactColumns& facts) const {
    double sum = 0;
    for (Offset i = 0; i < facts.size(); ++i)
      for (const bool source_asked : {false, true}) {
        const Index s = facts.source[at(i)], r = facts.relation_of(i), o = facts.target[at(i)];
        const Index given = source_asked ? o : s, answer = source_asked ? s : o;
        const Index kind = kind_of(r, source_asked);
        const std::int64_t time = facts.time[at(i)];
        sum -= std::log(softmax(logits(given, kind, time))[at(answer)]);
        sum -= 0.1 * std::log(softmax(logits(given, kind, time, true))[at(r)]);
      }
    return sum / static_cast<double>(facts.size());
  }

  // After the step at `time`.
  Numbers global_state(std::int64_t time) const {
    if (const auto at = kept_.find(time); at != kept_.end()) return at->second;
    std::vector<std::int64_t> times;
    for (const auto& [t, facts] : steps_)
      if (t <= time) times.push_back(t);
    if (times.size() > at(settings_.history))
      times.erase(times.begin(), times.end() - settings_.history);
    Numbers state(at(settings_.width));
    for (const std::int64_t t : times) {
      std::set<Index> active;
      for (const auto& [s, r, o] : steps_.at(t)) active.insert(s), active.insert(o);
      Numbers pooled(at(settings_.width), -1e300);
      for (const Index v : active) {
        const Numbers x = received(global, v, t, false);
        for (std::size_t j = 0; j < x.size(); ++j) pooled[j] = std::max(pooled[j], x[j]);
      }
      Numbers x = global.at("gru.bias")[0];
      add(x, product(pooled, global.at("gru.pooled")));
      state = step(x, state, global.at("gru.state"), global.at("gru.state_bias")[0]);
    }
    return state;
  }
  // From now on weights of the global model do not change.
  void keep_global_states() {
    for (const auto& [t, facts] : steps_) kept_[t] = global_state(t);
  }
  // What is predicted after the step at `time`: of sources, or of targets.
  Numbers next(std::int64_t time, bool targets) const {
    const std::string name = targets ? "target" : "source";
    const Numbers h = global_state(time);
    Numbers out = global.at(name + ".bias")[0];
    for (std::size_t e = 0; e < out.size(); ++e) out[e] += dot(global.at(name)[e], h);
    return softmax(out);
  }
  // The loss of predicting the steps [first, last), counted from 0.
  double global_loss(std::size_t first, std::size_t last, bool released) const {
    double sum = 0;
    std::vector<std::int64_t> times;
    for (const auto& [t, facts] : steps_) times.push_back(t);
    for (std::size_t k = first; k < last; ++k)
      for (const bool targets : {false, true}) {
        if (targets && released) continue;
        const Numbers p = next(times[k - 1], targets);
        const auto& facts = steps_.at(times[k]);
        for (const auto& [s, r, o] : facts)
          sum -= std::log(p[at(targets || released ? o : s)]) / static_cast<double>(facts.size());
      }
    return sum / static_cast<double>(last - first);
  }

  Weights local, global;

 private:
  // Two layers at v, by the graph of time t.
  Numbers received(const Weights& w, Index v, std::int64_t t, bool as_target) const {
    Numbers out =
        around(w, "2", v, t, as_target, [&](Index u) { return first(w, u, t, as_target); });
    add(out, product(first(w, v, t, as_target), w.at("own.2")));
    return out;
  }
  Numbers first(const Weights& w, Index v, std::int64_t t, bool as_target) const {
    const auto entity = [&](Index u) { return w.at("entities")[at(u)]; };
    Numbers out = around(w, "1", v, t, as_target, entity);
    add(out, product(entity(v), w.at("own.1")));
    for (double& x : out) x = std::max(x, 0.0);
    return out;
  }
  template <class F>
  Numbers around(const Weights& w, const std::string& layer, Index v, std::int64_t t,
                 bool as_target, const F& of) const {
    std::vector<std::pair<Index, Index>> messages;
    const Index relations = world_.relations;
    for (const auto& [s, r, o] : steps_.at(t)) {
      if (o == v) messages.emplace_back(s, as_target ? r + relations : r);
      if (s == v) messages.emplace_back(o, as_target ? r : r + relations);
    }
    const std::size_t half = at(settings_.width) / 2;
    Numbers out(2 * half);
    for (const auto& [u, kind] : messages) {
      const Numbers x = of(u), b = w.at("blocks." + layer)[at(kind)];
      for (std::size_t j = 0; j < half; ++j) {
        const double by = 1.0 / static_cast<double>(messages.size());
        out[j] += by * (b[j] * x[j] + b[half + j] * x[half + j]);
        out[half + j] += by * (b[2 * half + j] * x[j] + b[3 * half + j] * x[half + j]);
      }
    }
    return out;
  }

  ReNetSettings settings_;
  std::map<std::int64_t, Numbers> kept_;
  std::map<std::int64_t, std::set<std::tuple<Index, Index, Index>>> steps_;
};

}  // namespace cupel::made
