#include "cupel/learn/train/feed.h"

#include <algorithm>

#include "cupel/engine/kernels/loss.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {

void Feed::restart(StreamKey key) {
  initialise(parameters(), key, values_);
  forget_gradients();
  keep();
}

void Feed::forget_gradients() {
  std::fill(gradients_.block().begin(), gradients_.block().end(), 0.0f);
}

kernels::LossValue cross_entropy(ConstDenseView logits, const std::vector<Index>& labels,
                                 DenseView grad) {
  return logits.cols == 1 ? kernels::binary_cross_entropy(logits, labels.data(), grad)
                          : kernels::softmax_cross_entropy(logits, labels.data(), grad);
}

Scores copy_of(ConstDenseView view) {
  Scores scores(view.rows, view.cols);
  for (Index r = 0; r < view.rows; ++r) std::copy_n(view.row(r), view.cols, scores.row(r));
  return scores;
}

double score_of(const std::string& name, const kernels::LossValue& loss, ConstDenseView logits,
                const std::vector<Index>& labels) {
  if (counts_hits(name)) return static_cast<double>(loss.correct) / labels.size();
  return loss.finite ? metric(name, copy_of(logits), labels) : 0.0;
}

}  // namespace cupel
