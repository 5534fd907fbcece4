// A temporal graph network as its equations say, fact by fact, in double.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "cupel/learn/events/tgn.h"

namespace cupel::made {

using Numbers = std::vector<double>;

inline Numbers operator+(Numbers a, const Numbers& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b.at(i);
  return a;
}
inline Numbers joined(std::initializer_list<Numbers> parts) {
  Numbers out;
  for (const Numbers& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}
inline double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b.at(i);
  return sum;
}

class TgnOracle {
 public:
  TgnOracle(Tgn& model, const EventWorld& world, const TgnSettings& settings)
      : world_(world), settings_(settings) {
    const auto& parameters = model.programs().logits.parameters;
    for (std::size_t slot = 0; slot < parameters.size(); ++slot) {
      const DenseView view = model.values().view(static_cast<int>(slot));
      auto& rows = weights_[parameters[slot].name];
      for (Index r = 0; r < view.rows; ++r) rows.emplace_back(view.row(r), view.row(r) + view.cols);
    }
    const Numbers zero(static_cast<std::size_t>(settings.width));
    nodes_.assign(static_cast<std::size_t>(world.entities), Node{zero, {}, {}, 0, false});
  }

  // Whole blocks but for the last one.
  void learn(const FactColumns& facts) {
    for (Node& node : nodes_) node.last = facts.time.front();
    for (Offset begin = 0; begin < facts.size();) {
      Offset end = begin;
      while (end < facts.size() &&
             (end - begin < settings_.batch || facts.time[at(end)] == facts.time[at(end - 1)]))
        ++end;
      learn_block(facts.part(begin, end));
      begin = end;
    }
  }

  // To be changed: what was learnt stays as it was.
  double& weight(const std::string& name, std::size_t row, std::size_t col) {
    return weights_.at(name).at(row).at(col);
  }

  Numbers state(Index entity) const {
    const Node& node = nodes_[at(entity)];
    if (!node.waits) return node.state;
    const Message& m = node.message;
    const auto d = at(settings_.width);
    Numbers in = product(node.state, "gru.own") + product(m.partner, "gru.partner") +
                 product(phi(static_cast<double>(m.time - node.last)), "gru.time") +
                 row("gru.bias");
    if (world_.relations > 1) in = in + product(weights_.at("kinds").at(at(m.kind)), "gru.kind");
    const Numbers out = product(node.state, "gru.state") + row("gru.state_bias");
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
    const Numbers mine = state(entity);
    const auto d = at(settings_.width);
    Numbers query = row("query.bias") + product(mine, "query") + product(phi(0), "query.time");
    Numbers heads = Numbers(2 * d);
    std::vector<Meeting> met;
    for (const Meeting& m : nodes_[at(entity)].met) met.push_back(m);
    if (met.size() > at(settings_.neighbours))
      met.erase(met.begin(), met.end() - settings_.neighbours);
    std::erase_if(met, [&](const Meeting& m) { return m.time >= time; });
    Numbers attended(2 * d);
    if (!met.empty()) {
      for (std::size_t head = 0; head < 2; ++head) {
        const std::string number = std::to_string(head + 1);
        const Numbers q(query.begin() + static_cast<std::ptrdiff_t>(head * d),
                        query.begin() + static_cast<std::ptrdiff_t>((head + 1) * d));
        double sum = 0;
        Numbers total(d);
        for (const Meeting& m : met) {
          Numbers x = joined({state(m.with), phi(static_cast<double>(time - m.time))});
          if (world_.relations > 1)
            x = joined({state(m.with), weights_.at("kinds").at(at(m.kind)),
                        phi(static_cast<double>(time - m.time))});
          Numbers key;
          for (const Numbers& line : weights_.at("key" + number)) key.push_back(dot(line, x));
          const double weight = std::exp(dot(q, key) / std::sqrt(static_cast<double>(d)));
          const Numbers value = product(x, "value" + number);
          for (std::size_t i = 0; i < d; ++i) total[i] += weight * value[i];
          sum += weight;
        }
        for (std::size_t i = 0; i < d; ++i)
          heads[head * d + i] = total[i] / sum + row("value.bias" + number)[i];
      }
      attended = row("attended.bias");
      for (std::size_t head = 0; head < 2; ++head) {
        const auto first = heads.begin() + static_cast<std::ptrdiff_t>(head * d);
        attended = attended + product(Numbers(first, first + static_cast<std::ptrdiff_t>(d)),
                                      "attended" + std::to_string(head + 1));
      }
    }
    Numbers merged =
        product(attended, "merge.attended") + product(mine, "merge.own") + row("merge.bias");
    for (double& v : merged) v = std::max(v, 0.0);
    return product(merged, "embedding") + row("embedding.bias");
  }

  double logit(Index s, Index r, Index o, std::int64_t time) const {
    Numbers hidden = product(embedding(s, time), "score.source") +
                     product(embedding(o, time), "score.target") + row("score.bias");
    if (world_.relations > 1)
      hidden = hidden + product(weights_.at("kinds").at(at(2 * r)), "score.kind");
    for (double& v : hidden) v = std::max(v, 0.0);
    return product(hidden, "score.out")[0] + row("score.out_bias")[0];
  }

 private:
  struct Message {
    Numbers partner;
    Index kind = 0;
    std::int64_t time = 0;
  };
  struct Node {
    Numbers state;
    Message message;
    std::vector<Meeting> met;
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
      nodes_[at(s)].met.push_back({time, o, kind});
      if (s != o) nodes_[at(o)].met.push_back({time, s, back});
    }
  }

  Numbers product(const Numbers& x, const std::string& name) const {
    const auto& rows = weights_.at(name);
    Numbers out(rows.front().size());
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t j = 0; j < out.size(); ++j) out[j] += x.at(k) * rows[k][j];
    return out;
  }
  const Numbers& row(const std::string& name) const { return weights_.at(name).front(); }
  Numbers phi(double elapsed) const {
    Numbers out = row("time.w");
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = std::cos(elapsed * out[i] + row("time.b")[i]);
    return out;
  }

  EventWorld world_;
  TgnSettings settings_;
  std::map<std::string, std::vector<Numbers>> weights_;
  std::vector<Node> nodes_;
};

}  // namespace cupel::made
