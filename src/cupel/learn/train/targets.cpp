#include "cupel/learn/train/targets.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cupel/learn/score/metrics.h"

namespace cupel {

bool Targets::any_known() const {
  return answers.cols == 0
             ? !labels.empty()
             : std::ranges::any_of(answers.values, [](float v) { return !std::isnan(v); });
}

void Targets::take(const Targets& from, std::span<const Index> rows) {
  labels.clear();
  if (!from.labels.empty())
    for (const Index row : rows) labels.push_back(from.labels[static_cast<std::size_t>(row)]);
  answers.rows = static_cast<Index>(rows.size());
  answers.cols = from.answers.cols;
  answers.values.clear();
  for (const Index row : rows)
    answers.values.insert(answers.values.end(), from.answers.row(row),
                          from.answers.row(row) + from.answers.cols);
}

Targets make_targets(const std::vector<Index>& labels, const Matrix& tasks, Index classes,
                     const std::string& loss) {
  if (tasks.cols > 0) return {{}, tasks};
  if (loss != "binary-cross-entropy") return {labels, {}};
  Targets out{labels, Matrix(static_cast<Index>(labels.size()), classes)};
  for (Index i = 0; i < out.answers.rows; ++i)
    out.answers(i, labels[static_cast<std::size_t>(i)]) = 1;
  return out;
}

kernels::LossValue loss_of(const Targets& targets, ConstDenseView logits, DenseView grad) {
  if (targets.answers.cols == 0)
    return logits.cols == 1 ? kernels::binary_cross_entropy(logits, targets.labels.data(), grad)
                            : kernels::softmax_cross_entropy(logits, targets.labels.data(), grad);
  if (logits.cols != targets.answers.cols)
    throw std::logic_error("[targets] a model must give one output per class or task");
  return kernels::masked_binary_cross_entropy(logits, targets.answers, grad);
}

Feed::Evaluation evaluate(const std::string& name, const Targets& targets, ConstDenseView logits) {
  const auto loss = loss_of(targets, logits, {});
  // The kernel has counted.
  if (targets.answers.cols == 0 && counts_hits(name))
    return {loss.mean_loss, static_cast<double>(loss.correct) / targets.labels.size()};
  if (!loss.finite) return {loss.mean_loss, 0.0};
  const Scores scores = copy_of(logits);
  return {loss.mean_loss, targets.labels.empty() ? task_metric(name, scores, targets.answers)
                                                 : metric(name, scores, targets.labels)};
}

}  // namespace cupel
