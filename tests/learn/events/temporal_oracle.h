// The layers of temporal graph networks as their equations say, in double; and made facts.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "cupel/learn/events/temporal_net.h"

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

// Parameters by name, as they were when it was made.
class TemporalWeights {
 public:
  TemporalWeights(TemporalNet& model, const std::vector<Parameter>& parameters) {
    for (std::size_t slot = 0; slot < parameters.size(); ++slot) {
      const DenseView view = model.values().view(static_cast<int>(slot));
      auto& rows = weights_[parameters[slot].name];
      for (Index r = 0; r < view.rows; ++r) rows.emplace_back(view.row(r), view.row(r) + view.cols);
    }
  }

  bool has(const std::string& name) const { return weights_.contains(name); }
  double& at(const std::string& name, std::size_t row, std::size_t col) {
    return weights_.at(name).at(row).at(col);
  }
  const Numbers& row(const std::string& name, std::size_t row = 0) const {
    return weights_.at(name).at(row);
  }
  Numbers product(const Numbers& x, const std::string& name) const {
    const auto& rows = weights_.at(name);
    EXPECT_EQ(x.size(), rows.size()) << name;
    Numbers out(rows.front().size());
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t j = 0; j < out.size(); ++j) out[j] += x.at(k) * rows[k][j];
    return out;
  }
  Numbers phi(double elapsed) const {
    Numbers out = row("time.w");
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = std::cos(elapsed * out[i] + row("time.b")[i]);
    return out;
  }

  // What attention and merge layer give to a receiver (none: empty) from its senders.
  Numbers attended(const std::string& prefix, const Numbers& mine,
                   const std::vector<Numbers>& senders) const {
    const std::size_t d = row("time.w").size();
    const bool biased = has(prefix + "query.bias");
    Numbers query = product(phi(0), prefix + "query.time");
    if (biased) query = query + row(prefix + "query.bias");
    if (!mine.empty()) query = query + product(mine, prefix + "query");
    Numbers a(2 * d);
    if (!senders.empty()) {
      if (biased) a = row(prefix + "attended.bias");
      for (std::size_t head = 0; head < 2; ++head) {
        const std::string number = std::to_string(head + 1);
        const Numbers q(query.begin() + static_cast<std::ptrdiff_t>(head * d),
                        query.begin() + static_cast<std::ptrdiff_t>((head + 1) * d));
        double sum = 0;
        Numbers mean(d);
        for (const Numbers& x : senders) {
          Numbers key;
          for (const Numbers& line : weights_.at(prefix + "key" + number))
            key.push_back(dot(line, x));
          const double weight = std::exp(dot(q, key) / std::sqrt(static_cast<double>(d)));
          const Numbers value = product(x, prefix + "value" + number);
          for (std::size_t i = 0; i < d; ++i) mean[i] += weight * value[i];
          sum += weight;
        }
        for (double& v : mean) v /= sum;
        if (biased) mean = mean + row(prefix + "value.bias" + number);
        a = a + product(mean, prefix + "attended" + number);
      }
    }
    if (has(prefix + "gain")) a = normalised(prefix, a + row(prefix + "attended.bias"), mine);
    Numbers merged = product(a, prefix + "merge.attended") + row(prefix + "merge.bias");
    if (!mine.empty()) merged = merged + product(mine, prefix + "merge.own");
    for (double& v : merged) v = std::max(v, 0.0);
    return product(merged, prefix + "embedding") + row(prefix + "embedding.bias");
  }

  // What a layer of PyTorch Geometric's TransformerConv gives, head by head; its bias of keys is
  // zero. A sender is its state, and what its edge says.
  Numbers transformed(const Numbers& mine,
                      const std::vector<std::pair<Numbers, Numbers>>& senders) const {
    const std::size_t d = mine.size(), c = d / 2;
    const Numbers query = product(mine, "query") + row("query.bias");
    Numbers out = product(mine, "skip") + row("skip.bias");
    for (std::size_t first = 0; first < d && !senders.empty(); first += c) {
      std::vector<double> weights;
      double sum = 0;
      for (const auto& [state, edge] : senders) {
        const Numbers key = product(state, "key") + product(edge, "edge");
        double score = 0;
        for (std::size_t i = first; i < first + c; ++i) score += query[i] * key[i];
        weights.push_back(std::exp(score / std::sqrt(static_cast<double>(c))));
        sum += weights.back();
      }
      for (std::size_t j = 0; j < senders.size(); ++j) {
        const Numbers value = product(senders[j].first, "value") + row("value.bias") +
                              product(senders[j].second, "edge");
        for (std::size_t i = first; i < first + c; ++i) out[i] += weights[j] / sum * value[i];
      }
    }
    return out;
  }

  double logit(const Numbers& source, const Numbers& target, Index relation) const {
    Numbers hidden =
        product(source, "score.source") + product(target, "score.target") + row("score.bias");
    if (has("kinds"))
      hidden = hidden + product(row("kinds", 2 * static_cast<std::size_t>(relation)), "score.kind");
    for (double& v : hidden) v = std::max(v, 0.0);
    return product(hidden, "score.out")[0] + row("score.out_bias")[0];
  }

 private:
  Numbers normalised(const std::string& prefix, const Numbers& a, const Numbers& mine) const {
    const std::size_t d = a.size() / 2;
    Numbers x = a + joined({mine.empty() ? Numbers(d) : mine, phi(0)});
    double mean = 0, variance = 0;
    for (const double v : x) mean += v / static_cast<double>(x.size());
    for (const double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (x[i] - mean) / std::sqrt(variance + 1e-5) * row(prefix + "gain")[i] +
             row(prefix + "shift")[i];
    return x;
  }

  std::map<std::string, std::vector<Numbers>> weights_;
};

inline const std::vector<std::uint8_t> kMadeUndirected = {0, 1, 0};

// Facts drawn at random; the last entity never meets anybody, and some meet themselves.
struct MadeMeetings {
  std::vector<Index> source, relation, target;
  std::vector<std::int64_t> time;
  Index entities = 0, relations = 1;

  MadeMeetings(Index entities_, Index relations_, int facts, std::uint32_t seed)
      : entities(entities_), relations(relations_) {
    Stream random(stream_key("made facts"), seed);
    std::int64_t now = 1000;
    const auto below = [&](Index bound) {
      return static_cast<Index>(random.next_below(static_cast<std::uint32_t>(bound)));
    };
    for (int i = 0; i < facts; ++i) {
      now += random.next_below(3);
      source.push_back(below(entities - 1)), target.push_back(below(entities - 1));
      relation.push_back(below(relations)), time.push_back(now);
    }
  }
  FactColumns facts() const { return {source, relation, target, time, entities, relations}; }
  EventWorld world() const {
    return {entities,
            relations,
            relations > 1 ? Undirected(kMadeUndirected).first(static_cast<std::size_t>(relations))
                          : Undirected(),
            {}};
  }
};

// Biases and phases that are not zero, and times that make a difference.
inline void shake(TemporalNet& model, const std::vector<Parameter>& parameters) {
  Stream random(stream_key("shaken"), 1);
  for (std::size_t slot = 0; slot < parameters.size(); ++slot) {
    const DenseView view = model.values().view(static_cast<int>(slot));
    for (Index i = 0; i < view.rows * view.cols; ++i)
      view.data[i] += static_cast<float>(0.2 * random.next_normal());
  }
  model.parameters_changed();
}

// The loss of two facts and of two others, by the logits that `model` says.
template <class Model>
double loss_of(const Model& model, const FactColumns& asked, const std::vector<Index>& others) {
  double sum = 0;
  const auto n = static_cast<double>(asked.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Index s = asked.source[i], r = asked.relation_of(static_cast<Offset>(i));
    sum += std::log1p(std::exp(-model.logit(s, r, asked.target[i], asked.time[i]))) / n;
    sum += std::log1p(std::exp(model.logit(s, r, others[i], asked.time[i]))) / n;
  }
  return sum;
}

// Gradients that the last loss() left, against differences of the oracle's loss.
template <class Oracle>
void expect_gradients(TemporalNet& model, const std::vector<Parameter>& parameters, Oracle& oracle,
                      const FactColumns& asked, const std::vector<Index>& others) {
  for (std::size_t slot = 0; slot < parameters.size(); ++slot) {
    const DenseView gradient = model.gradients().view(static_cast<int>(slot));
    double largest = 0;
    for (Index r = 0; r < gradient.rows; ++r)
      for (Index c = 0; c < gradient.cols; ++c) {
        double& w = oracle.weights().at(parameters[slot].name, static_cast<std::size_t>(r),
                                        static_cast<std::size_t>(c));
        constexpr double kStep = 1e-6;
        w += kStep;
        const double up = loss_of(oracle, asked, others);
        w -= 2 * kStep;
        const double down = loss_of(oracle, asked, others);
        w += kStep;
        const double expected = (up - down) / (2 * kStep);
        ASSERT_NEAR(gradient.row(r)[c], expected, 2e-5 + 1e-4 * std::abs(expected))
            << parameters[slot].name << " " << r << " " << c;
        largest = std::max(largest, std::abs(expected));
      }
    EXPECT_GT(largest, 1e-6) << parameters[slot].name << " gets no gradient";
  }
}

}  // namespace cupel::made
