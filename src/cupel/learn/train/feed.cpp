#include "cupel/learn/train/feed.h"

#include <algorithm>

namespace cupel {

void Feed::restart(StreamKey key) {
  initialise(parameters(), key, values_);
  forget_gradients();
  keep();
}

void Feed::forget_gradients() {
  std::fill(gradients_.block().begin(), gradients_.block().end(), 0.0f);
}

Scores copy_of(ConstDenseView view) {
  Scores scores(view.rows, view.cols);
  for (Index r = 0; r < view.rows; ++r) std::copy_n(view.row(r), view.cols, scores.row(r));
  return scores;
}

}  // namespace cupel
