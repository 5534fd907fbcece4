// From scores, delivered block by block, to counts for each question.
#pragma once

#include <span>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/links/candidates.h"

namespace cupel {

// Per question, in the order of Questions: how many of its candidates score above its positive, as
// much, and how many there are. A rank is 1 + above + the tie rule's share of ties.
struct RankCounts {
  std::vector<Offset> above, ties, candidates;
};

// What metrics of two classes take: the rows of a pool, in the order of Asked.
struct PoolScores {
  std::vector<float> scores;
  std::vector<std::uint8_t> positive;  // 1 or 0
};

// With P questions and R rows:
//   pool   holds R scores; time O(R + (P + negatives) log negatives)
//   lists  holds R scores; time O(R + sum of the lists)
//   all    holds the scores of one source's block; time O(P width), in the worst case. Never R.
// Counts are whole numbers, so that they do not depend on blocks or threads. Refers to the ranking.
// Not thread-safe.
class RankCounter {
 public:
  explicit RankCounter(const Ranking& ranking, Threads threads = {});

  // The next rows' scores, any number of them; infinite ones are ordered like others. Throws Error
  // naming the pair if a score is not a number. More scores than rows are a bug (std::logic_error).
  void add(std::span<const float> scores);
  Offset rows_taken() const { return taken_; }

  // Both need all rows to have been added, else std::logic_error; pool_scores() a pool too.
  [[nodiscard]] RankCounts finish();
  [[nodiscard]] PoolScores pool_scores() const;

 private:
  void require_all() const;
  void count_pool(RankCounts& out) const;
  void count_lists(RankCounts& out) const;
  void count_block(Offset block);  // of all targets, once its scores are complete

  const Ranking& ranking_;
  Threads threads_;
  Offset taken_ = 0;
  std::vector<float> held_;
  // All targets: questions by the block of their source, and what is counted so far.
  std::vector<Offset> by_block_, block_start_;
  RankCounts counts_;
};

}  // namespace cupel
