// What the examples of a part should give, and how far logits are from it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/learn/train/feed.h"

namespace cupel {

// Rows of examples. The loss is cross-entropy of labels where `answers` has no column.
struct Targets {
  std::vector<Index> labels;  // empty where there are several tasks
  Matrix answers;             // examples x outputs, 0, 1 or NaN (not known), of a binary loss

  // Whether there is anything to learn from.
  bool any_known() const;
  // Becomes these rows of `from`.
  void take(const Targets& from, std::span<const Index> rows);
};

// `tasks` as in TaskView, `loss` as in TrainRule: the answers of one label are yes to its class and
// no to the others.
[[nodiscard]] Targets make_targets(const std::vector<Index>& labels, const Matrix& tasks,
                                   Index classes, const std::string& loss);

// Mean over what is known.
[[nodiscard]] kernels::LossValue loss_of(const Targets& targets, ConstDenseView logits,
                                         DenseView grad);
// Its mean loss, and the score by `metric`, 0 where logits are not numbers.
[[nodiscard]] Feed::Evaluation evaluate(const std::string& metric, const Targets& targets,
                                        ConstDenseView logits);

}  // namespace cupel
