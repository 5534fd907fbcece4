#include "cupel/learn/events/re_net/answer_heads.h"

#include <algorithm>

namespace cupel {

AnswerHeads::AnswerHeads(const ReNetShape& shape, std::span<const ReNetAnswers> places,
                         std::int64_t logits, Threads threads)
    : shape_(shape) {
  heads_.reserve(places.size());
  for (const ReNetAnswers& of : places) heads_.emplace_back(shape, of, logits, room_, threads);
}

std::size_t AnswerHeads::bytes(Index entities, Index width, Offset logits) {
  const auto n = static_cast<std::size_t>(entities), d = static_cast<std::size_t>(width);
  return 4 * (3 * std::max(static_cast<std::size_t>(logits), 4 * n) + 2 * n * d);
}

void AnswerHeads::sort(std::span<const HistoryQuery> queries, std::size_t begin, std::size_t end) {
  for (std::vector<Index>& rows : rows_) rows.clear();
  for (std::size_t i = begin; i < end; ++i)
    rows_[head_of(queries[i])].push_back(static_cast<Index>(i));
}

void AnswerHeads::each(ParameterSet& values, std::span<const HistoryQuery> queries,
                       ConstDenseView states, const RunLimits& limits,
                       const std::function<void(std::size_t, const float*)>& take) {
  const auto block = static_cast<std::size_t>(heads_.front().block());
  for (std::size_t begin = 0; begin < queries.size(); begin += block) {
    limits.check();
    const std::size_t end = std::min(begin + block, queries.size());
    sort(queries, begin, end);
    const DenseView logits =
        room_for(room_.logits, static_cast<Index>(end - begin), shape_.entities);
    std::array<Index, 2> next = {0, static_cast<Index>(rows_[0].size())};  // rows of logits
    for (std::size_t h = 0; h < heads_.size(); ++h) {
      const auto rows = static_cast<Index>(rows_[h].size());
      if (rows > 0)
        heads_[h].logits(values, queries, rows_[h], states,
                         {logits.row(next[h]), rows, logits.cols, logits.stride});
    }
    for (std::size_t i = begin; i < end; ++i) take(i, logits.row(next[head_of(queries[i])]++));
  }
}

double AnswerHeads::loss(ParameterSet& values, ParameterSet& gradients,
                         std::span<const HistoryQuery> queries, ConstDenseView states, double facts,
                         StreamKey key, std::uint32_t step, DenseView grad_states) {
  sort(queries, 0, queries.size());
  double sum = 0;
  for (std::size_t h = 0; h < heads_.size(); ++h) {
    // Draws of their own; numbers of blocks take the low bits.
    const StreamKey own = {key.low, key.high ^ (static_cast<std::uint32_t>(h) << 31)};
    sum +=
        heads_[h].loss(values, gradients, queries, rows_[h], states, facts, own, step, grad_states);
  }
  return sum;
}

void AnswerHeads::add_rows(ParameterSet& gradients) {
  for (AnswerHead& head : heads_) head.add_rows(gradients);
}

}  // namespace cupel
