// Attention over the entries of a sparse matrix, whose heads share keys and values.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// Which weights of a softmax are left out: bit h of keep[e] is off for head h of entry e. A null
// `keep` leaves none out. What is kept is multiplied by `scale`.
struct KeptWeights {
  const std::uint8_t* keep = nullptr;
  float scale = 1.0f;
};

// out_h(r) = sum over entries e = (r, c) of kept(e, h) weights(e, h) x(c), where weights(., h) is
// the softmax over the entries of r of factor * <receiver_h(r), x(c)>. receiver, out: rows x heads
// * d; x: d columns. weights: entries x heads. At most 8 heads. Entries in stored order.
void shared_attention(Threads threads, const SparseView& a, ConstDenseView receiver,
                      ConstDenseView x, Index heads, float factor, const KeptWeights& kept,
                      DenseView out, float* weights);

// Its gradient, in two walks: by rows, which fills slopes (entries x heads), the gradient of the
// scores times factor, and the receivers' gradient (data null: not wanted) ...
void shared_attention_rows(Threads threads, const SparseView& a, ConstDenseView x, Index heads,
                           float factor, const KeptWeights& kept, const float* weights,
                           ConstDenseView grad_out, float* slopes, DenseView grad_receiver);
// ... and by columns. `at` is the transpose, entry[k] the entry of a behind entry k of it.
void shared_attention_columns(Threads threads, const SparseView& at, const Offset* entry,
                              ConstDenseView receiver, Index heads, const KeptWeights& kept,
                              const float* weights, const float* slopes, ConstDenseView grad_out,
                              DenseView grad_x);

}  // namespace cupel::kernels
