// What answers queries: one head for all of them, or one for each end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/learn/events/re_net/answer_head.h"

namespace cupel {

// Two heads stand by end_of(): the first answers queries whose target is asked, the second the
// others. Not thread-safe; the bits do not depend on the threads. Memory: see bytes().
class AnswerHeads {
 public:
  // One or two `places`.
  AnswerHeads(const ReNetShape& shape, std::span<const ReNetAnswers> places, std::int64_t logits,
              Threads threads);
  // Upper estimate of what they hold: their room, and gradients that await add_rows().
  [[nodiscard]] static std::size_t bytes(Index entities, Index width, Offset logits);
  AnswerHeads(const AnswerHeads&) = delete;
  AnswerHeads& operator=(const AnswerHeads&) = delete;

  // Calls take(i, logits of all entities) for the i-th query, in order. states: a row for each.
  // Throws Interrupted or TimedOut.
  void each(ParameterSet& values, std::span<const HistoryQuery> queries, ConstDenseView states,
            const RunLimits& limits, const std::function<void(std::size_t, const float*)>& take);
  // As AnswerHead has it, of all queries.
  double loss(ParameterSet& values, ParameterSet& gradients, std::span<const HistoryQuery> queries,
              ConstDenseView states, double facts, StreamKey key, std::uint32_t step,
              DenseView grad_states);
  void add_rows(ParameterSet& gradients);

  AnswerHead& first() { return heads_.front(); }

 private:
  std::size_t head_of(const HistoryQuery& query) const {
    return heads_.size() > 1 ? static_cast<std::size_t>(end_of(query.kind, shape_.relations)) : 0;
  }
  // The numbers of queries [begin, end), by head.
  void sort(std::span<const HistoryQuery> queries, std::size_t begin, std::size_t end);

  ReNetShape shape_;
  AnswerRoom room_;
  std::vector<AnswerHead> heads_;
  std::array<std::vector<Index>, 2> rows_;
};

}  // namespace cupel
