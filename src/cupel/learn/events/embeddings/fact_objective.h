// The loss of embeddings over a batch of queries, and its gradient.
#pragma once

#include <span>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/learn/events/embeddings/fact_embeddings.h"
#include "cupel/learn/events/embeddings/fact_queries.h"
#include "cupel/learn/events/embeddings/row_loss.h"

namespace cupel {

// Gradients of the rows that a batch touches; all others are 0.
struct RowGradients {
  explicit RowGradients(const Matrix& of)
      : values(of.rows, of.cols), is_touched(static_cast<std::size_t>(of.rows)) {}
  void touch(Index row);
  void clear();  // O(touched)

  Matrix values;
  std::vector<Index> touched;
  std::vector<std::uint8_t> is_touched;
};

struct FactPenalty {
  double weight = 0;
  // weight times the sum over a fact's rows of |x|^power, x a coordinate (complex in ComplEx).
  // 3: the nuclear 3-norm of Lacroix et al. 2018, equation 6; 2: weight decay.
  int power = 3;
};

// Results do not depend on the number of threads. Memory: four rows for each candidate of a batch
// or entity at most, four for each answer in a part of a batch, and 16 MB or 64 bytes an entity,
// whichever is more.
class FactObjective {
 public:
  FactObjective(const FactQueries& queries, Index entities, RowLoss loss, FactPenalty penalty,
                Threads threads);

  // Adds the gradients of the loss of `batch`, numbers of queries, and returns it. Candidates for
  // wrong answers: different entities, or all if there are none. Throws Interrupted or TimedOut.
  double add(const FactEmbeddings& at, std::span<const Offset> batch,
             std::span<const Index> candidates, RowGradients& entities, RowGradients& relations,
             const RunLimits& limits);

 private:
  struct Part;
  double add_part(const FactEmbeddings& at, std::span<const Offset> part, ConstDenseView candidates,
                  RowGradients& entities, RowGradients& relations);
  void meet(const FactEmbeddings& at, Part& part, std::size_t i);
  void add_penalty(const FactEmbeddings& at, double weight, std::span<const float> row,
                   std::span<float> grad, double& loss) const;

  const FactQueries& queries_;
  RowLoss loss_;
  FactPenalty penalty_;
  Threads threads_;
  std::vector<Index> place_;  // of an entity among the candidates; -1: it is none
  std::span<const Index> candidates_;
  Matrix chosen_, candidate_gradients_;  // rows of candidates
};

}  // namespace cupel
