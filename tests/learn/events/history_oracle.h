// What the oracles of RE-Net's forms share, in double.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cupel/learn/events/re_net/history_model.h"
#include "learn/events/asked_model.h"

namespace cupel::made {

class HistoryOracle {
 public:
  using Numbers = std::vector<double>;
  using Weights = std::map<std::string, std::vector<Numbers>>;

  explicit HistoryOracle(const EventWorld& world) : world_(world) {}

  Index kind_of(Index relation, bool source_asked) const {
    return source_asked && !is_undirected(world_.undirected, relation) ? world_.relations + relation
                                                                       : relation;
  }

  static Numbers softmax(Numbers x) {
    const double most = *std::max_element(x.begin(), x.end());
    double sum = 0;
    for (double& v : x) sum += v = std::exp(v - most);
    for (double& v : x) v /= sum;
    return x;
  }

 protected:
  template <class I>
  static std::size_t at(I i) {
    return static_cast<std::size_t>(i);
  }
  static Weights weights_of(const Program& program, ParameterSet& values) {
    Weights out;
    for (std::size_t slot = 0; slot < program.parameters.size(); ++slot) {
      const DenseView view = values.view(static_cast<int>(slot));
      auto& rows = out[program.parameters[slot].name];
      for (Index r = 0; r < view.rows; ++r) rows.emplace_back(view.row(r), view.row(r) + view.cols);
    }
    return out;
  }
  static void add(Numbers& a, const Numbers& b, double by = 1) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += by * b.at(i);
  }
  static double dot(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b.at(i);
    return sum;
  }
  static Numbers product(const Numbers& x, const std::vector<Numbers>& rows) {
    Numbers out(rows.front().size());
    for (std::size_t k = 0; k < rows.size(); ++k) add(out, rows[k], x.at(k));
    return out;
  }
  static Numbers step(const Numbers& x, const Numbers& h, const std::vector<Numbers>& u,
                      const Numbers& bias) {
    const std::size_t d = h.size();
    Numbers own = product(h, u);
    add(own, bias);
    const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
    Numbers next(d);
    for (std::size_t i = 0; i < d; ++i) {
      const double r = sigmoid(x[i] + own[i]), z = sigmoid(x[d + i] + own[d + i]);
      next[i] = (1 - z) * std::tanh(x[2 * d + i] + r * own[2 * d + i]) + z * h[i];
    }
    return next;
  }

  EventWorld world_;
};

// Differences of the equations, weight by weight.
template <class Loss>
void expect_gradient(const Program& program, ParameterSet& gradients,
                     HistoryOracle::Weights& weights, const Loss& loss,
                     const std::set<std::string>& without) {
  for (std::size_t slot = 0; slot < program.parameters.size(); ++slot) {
    const std::string& name = program.parameters[slot].name;
    const DenseView gradient = gradients.view(static_cast<int>(slot));
    double largest = 0;
    for (Index r = 0; r < gradient.rows; ++r)
      for (Index c = 0; c < gradient.cols; ++c) {
        double& w =
            weights.at(name).at(static_cast<std::size_t>(r)).at(static_cast<std::size_t>(c));
        constexpr double kStep = 1e-6;
        w += kStep;
        const double up = loss();
        w -= 2 * kStep;
        const double down = loss();
        w += kStep;
        const double expected = (up - down) / (2 * kStep);
        ASSERT_NEAR(gradient.row(r)[c], expected, 2e-5 + 1e-4 * std::abs(expected))
            << name << " " << r << " " << c;
        largest = std::max(largest, std::abs(expected));
      }
    EXPECT_EQ(largest > 1e-6, !without.contains(name)) << name << ": " << largest;
  }
}

// rank() and score() at `time` are what an oracle's logits(given, kind, time) say; `seen`: by
// entity.
template <class Oracle>
void expect_answers(EventModel& model, const Oracle& oracle, const EventWorld& world,
                    std::int64_t time, const std::vector<bool>& seen, const std::string& when) {
  const auto rows = all_answers(model, world, time);
  std::size_t row = 0;
  for (const bool source_asked : {false, true})
    for (Index given = 0; given < world.entities; ++given)
      for (Index r = 0; r < world.relations; ++r, ++row) {
        const auto expected = oracle.logits(given, oracle.kind_of(r, source_asked), time);
        for (std::size_t e = 0; e < expected.size(); ++e) {
          if (!seen[e]) {
            ASSERT_EQ(rows[row][e], -std::numeric_limits<float>::infinity());
            continue;
          }
          ASSERT_NEAR(rows[row][e], expected[e], 2e-5)
              << given << " " << r << " " << e << " " << when << " at " << time;
        }
      }
  // Whether: the mean of both ends.
  const AllFacts all(world, time);
  const std::vector<float> scores = scores_of(model, all.columns());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Index s = all.source[i], r = all.relation[i], o = all.target[i];
    if (!seen[static_cast<std::size_t>(s)] || !seen[static_cast<std::size_t>(o)]) {
      ASSERT_EQ(scores[i], std::numeric_limits<float>::lowest());
      continue;
    }
    const auto p = [&](Index given, bool source_asked, Index answer) {
      return std::log(oracle.softmax(oracle.logits(given, oracle.kind_of(r, source_asked),
                                                   time))[static_cast<std::size_t>(answer)]);
    };
    ASSERT_NEAR(scores[i], (p(s, false, o) + p(o, true, s)) / 2, 2e-5);
  }
}

// The masks of a step of training stay, so that its loss is a function of the parameters: along the
// gradient of each of them it changes as that says.
inline void expect_losses_along_gradients(HistoryModel& model, const FactColumns& asked,
                                          std::uint32_t draw) {
  (void)model.loss(asked, draw);
  const AlignedVector<float> gradients = model.gradients().block();
  for (std::size_t slot = 0; slot < model.program().parameters.size(); ++slot) {
    const DenseView value = model.values().view(static_cast<int>(slot));
    const float* along = gradients.data() + (value.data - model.values().block().data());
    const std::vector<float> before(value.data, value.data + value.rows * value.cols);
    double squares = 0;
    for (std::size_t i = 0; i < before.size(); ++i) squares += double{along[i]} * along[i];
    if (squares == 0) continue;
    const double step = 0.01 / std::sqrt(squares);
    const auto loss_at = [&](double by) {
      for (std::size_t i = 0; i < before.size(); ++i)
        value.data[i] = static_cast<float>(before[i] + by * along[i]);
      return model.loss(asked, draw);
    };
    const double difference = loss_at(step) - loss_at(-step);
    std::ranges::copy(before, value.data);
    EXPECT_NEAR(difference, 2 * step * squares, 1e-4 + 0.02 * 2 * step * squares)
        << model.program().parameters[slot].name;
  }
}

}  // namespace cupel::made
