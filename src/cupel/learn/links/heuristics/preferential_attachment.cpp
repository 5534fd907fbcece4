#include <vector>

#include "cupel/learn/links/heuristics/heuristics.h"

namespace cupel {
namespace {

constexpr std::int64_t kPairsEach = 1 << 14;

class PreferentialAttachment final : public PairScorer {
 public:
  PreferentialAttachment(const LinkGraph& graph, Threads threads)
      : out_(graph.arcs.row_ptr.size() - 1), threads_(threads) {
    for (Index i = 0; i < graph.arcs.rows; ++i) out_[i] = graph.arcs.row_size(i);
    if (!graph.directed) return;
    in_.resize(out_.size());
    for (const Index j : graph.arcs.columns) ++in_[j];
  }

  void score(std::span<const Pair> pairs, std::span<float> scores,
             const RunLimits& limits) override {
    const std::vector<Offset>& into = in_.empty() ? out_ : in_;
    parallel_blocks(
        threads_, std::ssize(pairs), kPairsEach, [&](std::int64_t begin, std::int64_t end) {
          limits.check();
          for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
            scores[k] = static_cast<float>(out_[pairs[k].source] * into[pairs[k].target]);
        });
  }

 private:
  std::vector<Offset> out_, in_;  // arcs of each node; `in_` only where direction matters
  const Threads threads_;
};

}  // namespace

std::unique_ptr<PairScorer> preferential_attachment_scorer(const LinkGraph& graph,
                                                           Threads threads) {
  return std::make_unique<PreferentialAttachment>(graph, threads);
}

}  // namespace cupel
