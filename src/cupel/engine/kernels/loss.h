// Cross-entropies.
#pragma once

#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

struct LossValue {
  double mean_loss = 0;
  Index correct = 0;   // arg-max hits, ties to the lowest class; means nothing unless finite
  Index known = 0;     // labels that it is the mean over
  bool finite = true;  // false if any logit is NaN or infinite
};

// Mean over the rows of -log softmax(logits)[label]. grad (nullable data): (softmax - onehot) /
// rows.
LossValue softmax_cross_entropy(ConstDenseView logits, const Index* labels, DenseView grad);

// Mean over the rows of the binary cross-entropy of one logit (of label 1) each; logits: rows x 1.
// grad (nullable data): (sigmoid - label) / rows. `correct`: logit > 0 means 1.
LossValue binary_cross_entropy(ConstDenseView logits, const Index* labels, DenseView grad);

// Mean over the targets that are known of the binary cross-entropy of each logit; 0 where none is.
// targets: 0, 1 or NaN (not known), of the same shape. grad (nullable data): (sigmoid - target) /
// known, and 0 where the target is not known. `correct`: logit > 0 means 1; logits without a target
// are read for `finite` all the same.
LossValue masked_binary_cross_entropy(ConstDenseView logits, ConstDenseView targets,
                                      DenseView grad);

}  // namespace cupel::kernels
