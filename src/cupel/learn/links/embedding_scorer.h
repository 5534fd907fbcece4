// Scores pairs by embeddings that were computed before.
#pragma once

#include <algorithm>

#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/links/decoder.h"
#include "cupel/learn/pair_scorer.h"

namespace cupel {

inline constexpr std::size_t kDecodedTogether = 1 << 14;  // pairs

// `evaluated` is a decoder's program, compiled for evaluation; `values` has the embeddings and the
// decoder's own parameters. Both must outlive it.
class EmbeddingScorer final : public PairScorer {
 public:
  EmbeddingScorer(const Program& evaluated, ParameterSet& values, Index nodes, Threads threads)
      : program_(evaluated), values_(values), batch_(nodes), threads_(threads) {}

  void score(std::span<const Pair> pairs, std::span<float> scores,
             const RunLimits& limits) override {
    for (std::size_t first = 0; first < pairs.size(); first += kDecodedTogether) {
      limits.throw_if_interrupted();
      const auto block = pairs.subspan(first, std::min(kDecodedTogether, pairs.size() - first));
      batch_.take(block);
      Binding binding{batch_.constants(), batch_.rows(), false, &values_, nullptr};
      binding.memory = &memory_;
      BoundProgram bound(program_, std::move(binding), threads_);
      bound.forward({}, 0);
      const ConstDenseView out = bound.output();
      for (Index r = 0; r < out.rows; ++r)
        scores[first + static_cast<std::size_t>(r)] = *out.row(r);
    }
  }

 private:
  const Program& program_;
  ParameterSet& values_;
  PairBatch batch_;
  Threads threads_;
  AlignedVector<float> memory_;
};

}  // namespace cupel
