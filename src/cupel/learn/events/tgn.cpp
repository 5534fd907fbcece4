#include "cupel/learn/events/tgn.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/engine/kernels/dense.h"
#include "cupel/engine/program/passes.h"

namespace cupel {
namespace {

constexpr Index kRootsTogether = 512;  // of which embeddings are computed at a time

void require_range(const char* what, double value, double low, double high) {
  if (!(value >= low && value <= high))
    fail("tgn: {} is {}; it is from {} to {}", what, value, low, high);
}

const TgnSettings& checked(const TgnSettings& s) {
  require_range("width", s.width, 1, 1024);
  require_range("neighbours", s.neighbours, 1, 1000);
  require_range("batch", s.batch, 1, 1e6);
  require_range("dropout", s.dropout, 0, 0.99);
  require_range("lr", s.lr, 1e-12, 1e3);
  require_range("epochs", s.epochs, 0, 1e6);
  require_range("patience", s.patience, 1, 1e6);
  return s;
}

Index kinds_of(const EventWorld& world) {
  return world.relations > 1 ? 2 * world.relations : Index{0};
}

std::vector<Index> all_rows(Index rows) {
  std::vector<Index> out(static_cast<std::size_t>(rows));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace

Tgn::Tgn(const EventWorld& world, const TgnSettings& settings, StreamKey key, Threads threads)
    : world_(world),
      settings_(checked(settings)),
      key_(key),
      threads_(threads),
      programs_({settings.width, kinds_of(world), settings.dropout, settings.trained_times}),
      training_(compile(programs_.logits, true)),
      embedding_(compile(programs_.embed, false)),
      updating_(compile(programs_.update, false)),
      values_(programs_.logits.parameters),
      gradients_(programs_.logits.parameters),
      adam_(programs_.logits.parameters, settings.lr, {1e-8, true}),
      memory_(world.entities, settings.width),
      neighbours_(world.entities, settings.neighbours),
      blocks_(settings.batch),
      of_block_(static_cast<std::size_t>(world.entities)),
      fresh_(world.entities, settings.width),
      fresh_version_(static_cast<std::size_t>(world.entities)),
      batch_(world.entities, settings.width, kinds_of(world)),
      update_batch_(world.entities, settings.width, kinds_of(world)) {
  initialise(programs_.logits.parameters, key_, values_);
}

void Tgn::forget() {
  memory_.clear(0);
  neighbours_.clear();
  blocks_ = EventBlocks(settings_.batch);
  any_ = false, block_ = 0;
  std::ranges::fill(of_block_, 0);
}

Index Tgn::kind_of(Index relation, bool from_source) const {
  if (world_.relations <= 1) return 0;
  return 2 * relation + (from_source || is_undirected(world_.undirected, relation) ? 0 : 1);
}

// States with messages of those of `nodes` for which they are out of date.
void Tgn::refresh(std::span<const Index> nodes) {
  stale_.clear();
  for (const Index entity : nodes) {
    std::int64_t& version = fresh_version_[static_cast<std::size_t>(entity)];
    if (!memory_.has_message(entity) || version == version_) continue;
    version = version_;
    stale_.push_back(entity);
  }
  if (stale_.empty()) return;
  update_batch_.take_nodes(stale_, memory_);
  BoundProgram bound(updating_,
                     {.constants = update_batch_.constants(),
                      .rows = all_rows(static_cast<Index>(stale_.size())),
                      .prune = false,
                      .values = &values_,
                      .memory = &updating_memory_},
                     threads_);
  bound.forward(key_, 0);
  const ConstDenseView out = bound.output();
  for (Index r = 0; r < out.rows; ++r)
    std::copy_n(out.row(r), out.cols, fresh_.row(stale_[static_cast<std::size_t>(r)]));
}

// Facts of one block.
void Tgn::absorb(const FactColumns& facts) {
  std::vector<Index> ends;
  for (Offset i = 0; i < facts.size(); ++i)
    for (const Index entity :
         {facts.source[static_cast<std::size_t>(i)], facts.target[static_cast<std::size_t>(i)]}) {
      std::int64_t& block = of_block_[static_cast<std::size_t>(entity)];
      if (block == block_) continue;
      block = block_;
      if (memory_.has_message(entity)) ends.push_back(entity);
    }
  refresh(ends);
  for (const Index entity : ends) memory_.update(entity, fresh_.row(entity));
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Index s = facts.source[at], o = facts.target[at], r = facts.relation_of(i);
    const Index to = kind_of(r, true), from = kind_of(r, false);
    memory_.post(s, o, to, facts.time[at]);
    memory_.post(o, s, from, facts.time[at]);
    for (const Index entity : {s, o}) fresh_version_[static_cast<std::size_t>(entity)] = 0;
    neighbours_.add(s, {facts.time[at], o, to});
    if (s != o) neighbours_.add(o, {facts.time[at], s, from});
  }
}

void Tgn::learn(const FactColumns& facts) {
  if (facts.size() == 0) return;
  if (!any_) memory_.clear(facts.time.front());
  any_ = true;
  Offset begin = 0;
  for (Offset i = 0; i < facts.size(); ++i) {
    if (!blocks_.next(facts.time[static_cast<std::size_t>(i)])) continue;
    if (i > begin) absorb(facts.part(begin, i));
    begin = i;
    ++block_;
  }
  absorb(facts.part(begin, facts.size()));
}

std::vector<float> Tgn::state(Index entity) {
  const Index nodes[] = {entity};
  refresh(nodes);
  const float* from = memory_.has_message(entity) ? fresh_.row(entity) : memory_.state(entity);
  return {from, from + settings_.width};
}

Matrix Tgn::embeddings(std::span<const TgnRoot> roots) {
  Matrix out(static_cast<Index>(roots.size()), settings_.width);
  for (std::size_t begin = 0; begin < roots.size(); begin += kRootsTogether) {
    const auto some =
        roots.subspan(begin, std::min<std::size_t>(kRootsTogether, roots.size() - begin));
    batch_.take_roots(some, neighbours_, memory_);
    refresh(batch_.nodes());
    for (std::size_t r = 0; r < batch_.nodes().size(); ++r)
      std::copy_n(fresh_.row(batch_.nodes()[r]), settings_.width,
                  batch_.own().row(static_cast<Index>(r)));
    BoundProgram bound(embedding_,
                       {.constants = batch_.constants(),
                        .rows = all_rows(batch_.roots()),
                        .prune = false,
                        .values = &values_,
                        .memory = &embedding_memory_},
                       threads_);
    bound.forward(key_, 0);
    const ConstDenseView z = bound.output();
    for (Index r = 0; r < z.rows; ++r)
      std::copy_n(z.row(r), z.cols, out.row(static_cast<Index>(begin) + r));
  }
  return out;
}

void Tgn::kind_part(Index relation, std::vector<float>& out) {
  const auto d = static_cast<std::size_t>(settings_.width);
  const DenseView bias = values_.view(programs_.hidden_bias);
  out.assign(bias.data, bias.data + d);
  if (programs_.kinds < 0) return;
  const DenseView weights = values_.view(programs_.of_kind);
  const float* kind = values_.view(programs_.kinds).row(kind_of(relation, true));
  for (Index k = 0; k < weights.rows; ++k)
    for (std::size_t j = 0; j < d; ++j) out[j] += kind[k] * weights.row(k)[j];
}

float Tgn::logit(const float* source, const float* kind, const float* target) {
  const DenseView out = values_.view(programs_.out);
  float sum = *values_.view(programs_.out_bias).data;
  for (Index j = 0; j < out.rows; ++j)
    sum += *out.row(j) * std::max((source[j] + kind[j]) + target[j], 0.0f);
  return sum;
}

const Matrix& Tgn::part_of(int parameter, const Matrix& z, Matrix& out) {
  out = Matrix(z.rows, z.cols);
  kernels::matmul(threads_, z, values_.view(parameter), view(out));
  return out;
}

void Tgn::score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) {
  constexpr Offset kTogether = kRootsTogether / 2;
  std::vector<TgnRoot> roots;
  std::vector<std::vector<float>> kinds(static_cast<std::size_t>(world_.relations));
  Matrix as_source, as_target;
  for (Offset begin = 0; begin < asked.size(); begin += kTogether) {
    limits.check();
    const FactColumns some = asked.part(begin, std::min(begin + kTogether, asked.size()));
    roots.clear();
    for (std::size_t i = 0; i < some.source.size(); ++i) {
      roots.push_back({some.source[i], some.time[i]});
      roots.push_back({some.target[i], some.time[i]});
    }
    const Matrix z = embeddings(roots);
    part_of(programs_.of_source, z, as_source), part_of(programs_.of_target, z, as_target);
    for (Offset i = 0; i < some.size(); ++i) {
      const Index r = some.relation_of(i), s = static_cast<Index>(2 * i), o = s + 1;
      std::vector<float>& kind = kinds[static_cast<std::size_t>(r)];
      if (kind.empty()) kind_part(r, kind);
      float score = logit(as_source.row(s), kind.data(), as_target.row(o));
      if (is_undirected(world_.undirected, r))
        score = 0.5f * (score + logit(as_source.row(o), kind.data(), as_target.row(s)));
      scores[static_cast<std::size_t>(begin + i)] = score;
    }
  }
}

void Tgn::rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
               const RunLimits& limits) {
  if (queries.empty()) return;
  limits.check();
  std::vector<TgnRoot> roots;
  for (Index entity = 0; entity < world_.entities; ++entity) roots.push_back({entity, time});
  const Matrix z = embeddings(roots);
  Matrix as_source, as_target;
  part_of(programs_.of_source, z, as_source), part_of(programs_.of_target, z, as_target);
  // By column, so that one value of the given entity meets those of all others.
  const auto n = static_cast<std::size_t>(world_.entities);
  const auto turned = [&](const Matrix& m) {
    Matrix t(m.cols, m.rows);
    for (Index i = 0; i < m.rows; ++i)
      for (Index j = 0; j < m.cols; ++j) t(j, i) = m(i, j);
    return t;
  };
  const Matrix sources = turned(as_source), targets = turned(as_target);
  const DenseView weights = values_.view(programs_.out);
  const float bias = *values_.view(programs_.out_bias).data;
  std::vector<float> kind, scores(n), reverse(n);
  const auto as_given_source = [&](Index given, std::vector<float>& to) {
    std::ranges::fill(to, bias);
    for (Index j = 0; j < weights.rows; ++j) {
      const float w = *weights.row(j), x = as_source(given, j) + kind[static_cast<std::size_t>(j)];
      const float* row = targets.row(j);
      for (std::size_t i = 0; i < n; ++i) to[i] += w * std::max(x + row[i], 0.0f);
    }
  };
  const auto as_given_target = [&](Index given, std::vector<float>& to) {
    std::ranges::fill(to, bias);
    for (Index j = 0; j < weights.rows; ++j) {
      const float w = *weights.row(j), k = kind[static_cast<std::size_t>(j)],
                  x = as_target(given, j);
      const float* row = sources.row(j);
      for (std::size_t i = 0; i < n; ++i) to[i] += w * std::max((row[i] + k) + x, 0.0f);
    }
  };
  Index of = -1;
  for (const EventQuery& query : queries) {
    limits.check();
    if (query.relation != of) kind_part(of = query.relation, kind);
    if (query.source_asked)
      as_given_target(query.given, scores);
    else
      as_given_source(query.given, scores);
    if (is_undirected(world_.undirected, query.relation)) {
      if (query.source_asked)
        as_given_source(query.given, reverse);
      else
        as_given_target(query.given, reverse);
      for (std::size_t i = 0; i < n; ++i) scores[i] = 0.5f * (scores[i] + reverse[i]);
    }
    out.all(scores);
  }
}

}  // namespace cupel
