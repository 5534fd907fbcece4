// Attention over the entries of a sparse matrix: row r receives from the columns of its entries.
//
// Heads are blocks of d = columns / heads contiguous columns. For each head,
//   out(r) = sum over entries (r, c) of alpha(r, c) values(c),   alpha = softmax over the entries
// of r of score(r, c). A row without entries gets zeros. NaN passes.
//
// Nothing of the size entries x heads is kept: `stats` (2 * heads x rows) has the maximum of each
// row's scores and the reciprocal of the sum of their exponentials, head h in rows 2 h and 2 h + 1;
// backward computes alpha again from them (FlashAttention, Dao et al. 2022, alg. 2 to 4). Scratch
// is at most two numbers for each entry, which one head after the other reuses.
//
// One head at a time is copied to rows side by side, which stay in the second-level cache (64
// columns of 12 000 nodes are 3 MB, and a strided head would use a sixteenth of the cache's sets).
// Bits depend on a row's entries alone: not on threads, on vectors, or on rows left out whose
// gradient is zero.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// score = x > 0 ? x : slope * x with x = receiver(r, h) + sender(c, h); 0 <= slope <= 1.
// receiver: rows x heads, sender: columns x heads.
void additive_attention(Threads threads, const SparseView& a, ConstDenseView receiver,
                        ConstDenseView sender, ConstDenseView values, float slope, DenseView out,
                        DenseView stats);
// Gradients from that of `out`, g; one without data is not wanted. at, entry: the transposed
// pattern, and the entry of A behind each of its entries.
struct AdditiveAttentionGradients {
  DenseView receiver, sender, values;
  bool adds_values = false;  // to what `values` holds
};
void additive_attention_backward(Threads threads, const SparseView& a, const SparseView& at,
                                 const Offset* entry, ConstDenseView receiver,
                                 ConstDenseView sender, ConstDenseView values, float slope,
                                 ConstDenseView out, ConstDenseView stats, ConstDenseView g,
                                 const AdditiveAttentionGradients& gradients);

// score = <factor * receiver(r), sender(c)> over the head's columns. receiver: rows x cols, sender:
// columns x cols, both with as many columns as values.
void dot_attention(Threads threads, const SparseView& a, ConstDenseView receiver,
                   ConstDenseView sender, ConstDenseView values, Index heads, float factor,
                   DenseView out, DenseView stats);
struct DotAttentionGradients {
  DenseView receiver, sender, values;
};
void dot_attention_backward(Threads threads, const SparseView& a, const SparseView& at,
                            const Offset* entry, ConstDenseView receiver, ConstDenseView sender,
                            ConstDenseView values, Index heads, float factor, ConstDenseView out,
                            ConstDenseView stats, ConstDenseView g,
                            const DotAttentionGradients& gradients);

}  // namespace cupel::kernels
