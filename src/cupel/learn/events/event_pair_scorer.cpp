#include "cupel/learn/events/event_pair_scorer.h"

#include <algorithm>

#include "cupel/engine/kernels/dense.h"

namespace cupel {
namespace {

Matrix turned(const Matrix& m) {
  Matrix t(m.cols, m.rows);
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j) t(j, i) = m(i, j);
  return t;
}

}  // namespace

Index kinds_of(const EventWorld& world) {
  return world.relations > 1 ? 2 * world.relations : Index{0};
}

Index kind_of(const EventWorld& world, Index relation, bool from_source) {
  if (world.relations <= 1) return 0;
  return 2 * relation + (from_source || is_undirected(world.undirected, relation) ? 0 : 1);
}

void EventPairScorer::take_kind(ParameterSet& values, Index relation) {
  const DenseView bias = values.view(places_.hidden_bias);
  kind_.assign(bias.data, bias.data + bias.cols);
  if (places_.kinds < 0) return;
  const DenseView weights = values.view(places_.of_kind);
  const float* kind = values.view(places_.kinds).row(kind_of(world_, relation, true));
  for (Index k = 0; k < weights.rows; ++k)
    for (std::size_t j = 0; j < kind_.size(); ++j) kind_[j] += kind[k] * weights.row(k)[j];
}

float EventPairScorer::logit(ParameterSet& values, const float* source, const float* target) const {
  const DenseView out = values.view(places_.out);
  float sum = *values.view(places_.out_bias).data;
  for (Index j = 0; j < out.rows; ++j)
    sum +=
        *out.row(j) * std::max((source[j] + kind_[static_cast<std::size_t>(j)]) + target[j], 0.0f);
  return sum;
}

Matrix EventPairScorer::part_of(ParameterSet& values, int parameter, const Matrix& z) const {
  Matrix out(z.rows, z.cols);
  kernels::matmul(threads_, z, values.view(parameter), view(out));
  return out;
}

void EventPairScorer::score(ParameterSet& values, const Matrix& z, const FactColumns& asked,
                            std::span<float> scores) {
  const Matrix sources = part_of(values, places_.of_source, z),
               targets = part_of(values, places_.of_target, z);
  Index of = -1;
  for (Offset i = 0; i < asked.size(); ++i) {
    const Index r = asked.relation_of(i), s = static_cast<Index>(2 * i), o = s + 1;
    if (r != of) take_kind(values, of = r);
    float score = logit(values, sources.row(s), targets.row(o));
    if (is_undirected(world_.undirected, r))
      score = 0.5f * (score + logit(values, sources.row(o), targets.row(s)));
    scores[static_cast<std::size_t>(i)] = score;
  }
}

void EventPairScorer::rank(ParameterSet& values, const Matrix& z,
                           std::span<const EventQuery> queries, EventAnswers& out,
                           const RunLimits& limits) {
  const Matrix as_source = part_of(values, places_.of_source, z),
               as_target = part_of(values, places_.of_target, z);
  // By column, so that one value of the given entity meets those of all others.
  const Matrix sources = turned(as_source), targets = turned(as_target);
  const DenseView weights = values.view(places_.out);
  const float bias = *values.view(places_.out_bias).data;
  const auto n = static_cast<std::size_t>(z.rows);
  std::vector<float> scores(n), reverse(n);
  const auto as_given_source = [&](Index given, std::vector<float>& to) {
    std::ranges::fill(to, bias);
    for (Index j = 0; j < weights.rows; ++j) {
      const float w = *weights.row(j), x = as_source(given, j) + kind_[static_cast<std::size_t>(j)];
      const float* row = targets.row(j);
      for (std::size_t i = 0; i < n; ++i) to[i] += w * std::max(x + row[i], 0.0f);
    }
  };
  const auto as_given_target = [&](Index given, std::vector<float>& to) {
    std::ranges::fill(to, bias);
    for (Index j = 0; j < weights.rows; ++j) {
      const float w = *weights.row(j), k = kind_[static_cast<std::size_t>(j)],
                  x = as_target(given, j);
      const float* row = sources.row(j);
      for (std::size_t i = 0; i < n; ++i) to[i] += w * std::max((row[i] + k) + x, 0.0f);
    }
  };
  Index of = -1;
  for (const EventQuery& query : queries) {
    limits.check();
    if (query.relation != of) take_kind(values, of = query.relation);
    const auto one = [&](bool source_asked, std::vector<float>& to) {
      source_asked ? as_given_target(query.given, to) : as_given_source(query.given, to);
    };
    one(query.source_asked, scores);
    if (is_undirected(world_.undirected, query.relation)) {
      one(!query.source_asked, reverse);
      for (std::size_t i = 0; i < n; ++i) scores[i] = 0.5f * (scores[i] + reverse[i]);
    }
    out.all(scores);
  }
}

}  // namespace cupel
