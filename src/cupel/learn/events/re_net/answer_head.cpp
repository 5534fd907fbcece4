#include "cupel/learn/events/re_net/answer_head.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cupel/engine/kernels/dense.h"
#include "cupel/engine/kernels/gather.h"
#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/kernels/rows.h"

namespace cupel {
namespace {

enum Purpose : std::uint32_t { kDropGiven = 0x72650001u, kDropKinds };
constexpr double kRelationWeight = 0.1;

DenseView row_of(DenseView m, Index i) { return {m.row(i), 1, m.cols, m.cols}; }
ConstDenseView row_of(ConstDenseView m, Index i) { return {m.row(i), 1, m.cols, m.cols}; }
ConstDenseView columns_of(ConstDenseView m, Index first, Index count) {
  return {m.data + first, m.rows, count, m.stride};
}

// Kept elements are scaled, others zero; all stay without a mask.
void apply(const std::vector<std::uint8_t>& mask, const kernels::DropRate& rate, Matrix& rows) {
  if (mask.empty()) return;
  const std::size_t bytes = (static_cast<std::size_t>(rows.cols) + 7) / 8;
  for (Index i = 0; i < rows.rows; ++i) {
    const std::uint8_t* bits = mask.data() + bytes * static_cast<std::size_t>(i);
    for (Index j = 0; j < rows.cols; ++j)
      rows(i, j) *= (bits[j / 8] >> (j % 8) & 1) != 0 ? rate.keep_scale : 0.0f;
  }
}

}  // namespace

DenseView room_for(AlignedVector<float>& in, Index rows, Index cols) {
  const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  if (in.size() < size) in = AlignedVector<float>(size);
  return {in.data(), rows, cols, cols};
}

AnswerHead::AnswerHead(const ReNetShape& shape, const ReNetAnswers& places, std::int64_t logits,
                       AnswerRoom& room, Threads threads)
    : shape_(shape),
      at_(places),
      threads_(threads),
      rate_(shape.dropout),
      block_(static_cast<Index>(
          std::clamp<std::int64_t>(logits / std::max<Index>(1, shape.entities), 4, 1024))),
      room_(room) {}

void AnswerHead::name(ParameterSet& values, int table, std::span<const Index> ids,
                      const Source* source, Named& out) {
  const bool dropped = source != nullptr && shape_.dropout > 0;
  const bool each = dropped && !shape_.shared_masks;  // a row, and a mask, for each query
  out.ids.assign(ids.begin(), ids.end());
  out.of_query.resize(ids.size());
  if (each) {
    std::iota(out.of_query.begin(), out.of_query.end(), 0);
  } else {
    std::ranges::sort(out.ids);
    out.ids.erase(std::unique(out.ids.begin(), out.ids.end()), out.ids.end());
    std::ranges::transform(ids, out.of_query.begin(), [&](Index id) {
      return static_cast<Index>(std::ranges::lower_bound(out.ids, id) - out.ids.begin());
    });
  }
  const auto rows = static_cast<Index>(out.ids.size());
  const Index d = shape_.width;
  out.rows = Matrix(rows, d);
  kernels::gather_rows(threads_, out.ids.data(), values.view(table), view(out.rows));
  out.mask.clear();
  if (!dropped) return;
  const std::size_t bytes = (static_cast<std::size_t>(d) + 7) / 8;
  out.mask.resize(bytes * out.ids.size() + 8);
  kernels::draw_mask({source->key, source->purpose, source->step}, rate_,
                     each ? out.of_query.data() : out.ids.data(), d, 0, rows, out.mask.data());
  apply(out.mask, rate_, out.rows);
}

void AnswerHead::keep_rows(int table, const Named& named, Matrix grad) {
  apply(named.mask, rate_, grad);
  kept_.push_back({table, named.ids, std::move(grad)});
}

void AnswerHead::add_rows(ParameterSet& gradients) {
  for (const KeptRows& kept : kept_) {
    const DenseView out = gradients.view(kept.table);
    for (Index i = 0; i < kept.grad.rows; ++i) {
      const DenseView row = row_of(out, kept.ids[static_cast<std::size_t>(i)]);
      kernels::add({1}, row, row_of(ConstDenseView(kept.grad), i), row);
    }
  }
  kept_.clear();
}

void AnswerHead::fill(ParameterSet& values, std::span<const HistoryQuery* const> queries,
                      ConstDenseView g, const Source* source, DenseView logits) {
  const Index n = shape_.entities, kinds = values.view(at_.kinds).rows;
  ids_.clear();
  for (const HistoryQuery* query : queries) ids_.push_back(query->given);
  name(values, at_.entities, ids_, source, given_);
  ids_.clear();
  // Where the table has a row for a relation, both directions share it.
  for (const HistoryQuery* query : queries) ids_.push_back(query->kind % kinds);
  Source of_kinds;
  if (source != nullptr) of_kinds = *source, of_kinds.purpose = kDropKinds;
  name(values, at_.kinds, ids_, source != nullptr ? &of_kinds : nullptr, kind_);
  const DenseView of_given = room_for(room_.of_given, given_.rows.rows, n);
  const DenseView of_kind = room_for(room_.of_kind, kind_.rows.rows, n);
  kernels::matmul_nt(threads_, given_.rows, values.view(at_.of_entity), of_given);
  kernels::matmul_nt(threads_, kind_.rows, values.view(at_.of_kind), of_kind);
  for (Index k = 0; k < of_kind.rows; ++k)
    kernels::add({1}, row_of(of_kind, k), values.view(at_.bias), row_of(of_kind, k));
  kernels::matmul_nt(threads_, g, values.view(at_.of_state), logits);
  parallel_blocks(threads_, logits.rows, 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const DenseView row = row_of(logits, i);
      kernels::add({1}, row, row_of(of_given, given_.of_query[at]), row);
      kernels::add({1}, row, row_of(of_kind, kind_.of_query[at]), row);
    }
  });
}

void AnswerHead::logits(ParameterSet& values, std::span<const HistoryQuery> queries,
                        std::span<const Index> rows, ConstDenseView states, DenseView out) {
  std::vector<const HistoryQuery*> some;
  for (const Index row : rows) some.push_back(&queries[static_cast<std::size_t>(row)]);
  Matrix g(static_cast<Index>(rows.size()), shape_.width);
  kernels::gather_rows(threads_, rows.data(), columns_of(states, 0, shape_.width), view(g));
  fill(values, some, g, nullptr, out);
}

Matrix AnswerHead::relation_probabilities(ParameterSet& values,
                                          std::span<const HistoryQuery> queries,
                                          ConstDenseView states) {
  ids_.clear();
  for (const HistoryQuery& query : queries) ids_.push_back(query.given);
  name(values, at_.entities, ids_, nullptr, given_);
  Matrix of_given(given_.rows.rows, shape_.relations);
  kernels::matmul_nt(threads_, given_.rows, values.view(at_.relation_of_entity), view(of_given));
  Matrix out(static_cast<Index>(queries.size()), shape_.relations);
  kernels::matmul_nt(threads_, columns_of(states, shape_.width, shape_.width),
                     values.view(at_.relation_of_state), view(out));
  const float* bias = values.view(at_.relation_bias).data;
  for (Index i = 0; i < out.rows; ++i) {
    const float* part = of_given.row(given_.of_query[static_cast<std::size_t>(i)]);
    for (Index r = 0; r < out.cols; ++r) out(i, r) += part[r] + bias[r];
  }
  kernels::softmax_rows(threads_, out, view(out));
  return out;
}

// Replaces logits by their gradients.
double AnswerHead::entity_loss(std::span<const HistoryQuery* const> queries, double facts,
                               DenseView logits) {
  std::vector<double> losses(queries.size());
  parallel_blocks(threads_, logits.rows, 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const HistoryQuery& query = *queries[static_cast<std::size_t>(i)];
      float* row = logits.row(i);
      kernels::softmax_rows({1}, row_of(logits, i), row_of(logits, i));
      double loss = 0;
      for (std::size_t a = 0; a < query.answers.size(); ++a) {
        const float p = row[query.answers[a]];
        // Keeps what is not a number.
        loss -=
            double{query.counts[a]} *
            std::log(p < std::numeric_limits<float>::min() ? std::numeric_limits<float>::min() : p);
      }
      losses[static_cast<std::size_t>(i)] = loss;
      const auto scale = static_cast<float>(query.total / facts);
      for (Index j = 0; j < logits.cols; ++j) row[j] *= scale;
      for (std::size_t a = 0; a < query.answers.size(); ++a)
        row[query.answers[a]] -= static_cast<float>(query.counts[a] / facts);
    }
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0) / facts;
}

void AnswerHead::put_weights(ParameterSet& gradients, int place, ConstDenseView grad,
                             ConstDenseView in, bool first) {
  const DenseView out = gradients.view(place);
  if (first) return kernels::matmul_tn(threads_, grad, in, out);
  const DenseView part = room_for(room_.weights, out.rows, out.cols);
  kernels::matmul_tn(threads_, grad, in, part);
  kernels::add(threads_, out, part, out);
}

void AnswerHead::put_bias(ParameterSet& gradients, int place, ConstDenseView grad, bool first) {
  const DenseView out = gradients.view(place);
  if (first) return kernels::column_sums(threads_, grad, out.data);
  const DenseView part = room_for(room_.weights, 1, out.cols);
  kernels::column_sums(threads_, grad, part.data);
  kernels::add(threads_, out, part, out);
}

double AnswerHead::relation_loss(ParameterSet& values, ParameterSet& gradients,
                                 std::span<const HistoryQuery* const> queries, ConstDenseView q,
                                 double facts, DenseView grad_q, DenseView grad_given, bool first) {
  const Index relations = shape_.relations;
  Matrix of_given(given_.rows.rows, relations), logits(q.rows, relations);
  kernels::matmul_nt(threads_, given_.rows, values.view(at_.relation_of_entity), view(of_given));
  kernels::matmul_nt(threads_, q, values.view(at_.relation_of_state), view(logits));
  const float* bias = values.view(at_.relation_bias).data;
  for (Index i = 0; i < logits.rows; ++i) {
    const float* part = of_given.row(given_.of_query[static_cast<std::size_t>(i)]);
    for (Index r = 0; r < relations; ++r) logits(i, r) += part[r] + bias[r];
  }
  kernels::softmax_rows(threads_, logits, view(logits));
  double loss = 0;
  for (Index i = 0; i < logits.rows; ++i) {
    const HistoryQuery& query = *queries[static_cast<std::size_t>(i)];
    const Index r = query.kind % relations;
    const double weight = kRelationWeight * query.total / facts;
    loss -= weight * std::log(std::max(logits(i, r), std::numeric_limits<float>::min()));
    for (Index j = 0; j < relations; ++j) logits(i, j) *= static_cast<float>(weight);
    logits(i, r) -= static_cast<float>(weight);
  }
  kernels::scatter_rows(threads_, given_.of_query.data(), logits, view(of_given));
  kernels::matmul(threads_, logits, values.view(at_.relation_of_state), grad_q);
  kernels::matmul(threads_, of_given, values.view(at_.relation_of_entity), grad_given);
  put_weights(gradients, at_.relation_of_state, logits, q, first);
  put_weights(gradients, at_.relation_of_entity, of_given, given_.rows, first);
  put_bias(gradients, at_.relation_bias, logits, first);
  return loss;
}

// Of a batch that asks it nothing.
void AnswerHead::clear_gradients(ParameterSet& gradients) const {
  for (const int place : {at_.of_entity, at_.of_state, at_.of_kind, at_.bias,
                          at_.relation_of_entity, at_.relation_of_state, at_.relation_bias}) {
    if (place < 0) continue;
    const DenseView of = gradients.view(place);
    for (Index i = 0; i < of.rows; ++i) std::fill_n(of.row(i), of.cols, 0.0f);
  }
}

double AnswerHead::loss(ParameterSet& values, ParameterSet& gradients,
                        std::span<const HistoryQuery> queries, std::span<const Index> rows_of,
                        ConstDenseView states, double facts, StreamKey key, std::uint32_t step,
                        DenseView grad_states) {
  const Index d = shape_.width, width = predicts_relations() ? 2 * d : d;
  // Queries of one entity lie together, so that few blocks have to compute its part.
  std::vector<Index> order(rows_of.begin(), rows_of.end());
  std::ranges::stable_sort(order, {}, [&](Index i) {
    const HistoryQuery& query = queries[static_cast<std::size_t>(i)];
    return std::pair(query.given, query.kind);
  });
  const auto count = static_cast<Index>(order.size());
  double sum = 0;
  kept_.clear();
  if (count == 0) clear_gradients(gradients);
  std::vector<const HistoryQuery*> some;
  for (Index begin = 0; begin < count; begin += block_) {
    const Index rows = std::min(block_, count - begin);
    const Index* which = order.data() + begin;
    Matrix in(rows, width), grad(rows, width);
    kernels::gather_rows(threads_, which, states, view(in));
    const ConstDenseView g = columns_of(in, 0, d);
    const DenseView grad_g{grad.values.data(), rows, d, width};
    some.clear();
    for (Index i = 0; i < rows; ++i) some.push_back(&queries[static_cast<std::size_t>(which[i])]);
    // Masks of queries are told apart by their places in a block, and by the block.
    const auto number = shape_.shared_masks ? 0u : static_cast<std::uint32_t>(begin / block_);
    const Source source{{key.low, key.high ^ number}, kDropGiven, step};
    const DenseView logits = room_for(room_.logits, rows, shape_.entities);
    fill(values, some, g, &source, logits);
    sum += entity_loss(some, facts, logits);

    const DenseView of_given = room_for(room_.of_given, given_.rows.rows, shape_.entities);
    const DenseView of_kind = room_for(room_.of_kind, kind_.rows.rows, shape_.entities);
    kernels::scatter_rows(threads_, given_.of_query.data(), logits, of_given);
    kernels::scatter_rows(threads_, kind_.of_query.data(), logits, of_kind);
    kernels::matmul(threads_, logits, values.view(at_.of_state), grad_g);
    put_weights(gradients, at_.of_state, logits, g, begin == 0);
    Matrix grad_given(of_given.rows, d), grad_kind(of_kind.rows, d);
    kernels::matmul(threads_, of_given, values.view(at_.of_entity), view(grad_given));
    kernels::matmul(threads_, of_kind, values.view(at_.of_kind), view(grad_kind));
    put_weights(gradients, at_.of_entity, of_given, given_.rows, begin == 0);
    put_weights(gradients, at_.of_kind, of_kind, kind_.rows, begin == 0);
    put_bias(gradients, at_.bias, of_kind, begin == 0);
    if (predicts_relations()) {
      Matrix more(of_given.rows, d);
      sum += relation_loss(values, gradients, some, columns_of(in, d, d), facts,
                           {grad.values.data() + d, rows, d, width}, view(more), begin == 0);
      kernels::add(threads_, grad_given, more, view(grad_given));
    }
    keep_rows(at_.entities, given_, std::move(grad_given));
    keep_rows(at_.kinds, kind_, std::move(grad_kind));
    for (Index i = 0; i < rows; ++i) std::copy_n(grad.row(i), width, grad_states.row(which[i]));
  }
  return sum;
}

}  // namespace cupel
