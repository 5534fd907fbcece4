// Cross-entropies.
#pragma once

#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

struct LossValue {
  double mean_loss = 0;
  Index correct = 0;   // arg-max hits, ties to the lowest class; means nothing unless finite
  bool finite = true;  // false if any logit is NaN or infinite
};

// Mean over the rows of -log softmax(logits)[label]. grad (nullable data): (softmax - onehot) /
// rows.
LossValue softmax_cross_entropy(ConstDenseView logits, const Index* labels, DenseView grad);

// Mean over the rows of the binary cross-entropy of one logit (of label 1) each; logits: rows x 1.
// grad (nullable data): (sigmoid - label) / rows. `correct`: logit > 0 means 1.
LossValue binary_cross_entropy(ConstDenseView logits, const Index* labels, DenseView grad);

}  // namespace cupel::kernels
