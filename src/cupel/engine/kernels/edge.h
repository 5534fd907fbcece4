// Values on the entries ("edges") of a sparse matrix: row r receives, the columns of r send.
// An edge value has one row per stored entry, in stored order, and `heads` columns.
//
// Gradients overwrite what was there, unless said otherwise. Sums along entries are made in stored
// order for several heads and for columns, by eight lanes for rows of a single contiguous head; in
// either case the bits depend on the row's or column's entries alone, not on threads or on the
// width of the vectors.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// out(e, h) = receiver(r, h) + sender(c, h) for entry e = (r, c).
void edge_add(Threads threads, const SparseView& a, ConstDenseView receiver, ConstDenseView sender,
              DenseView out);
// out(r, h) = sum over the entries of row r of g(., h): the receiver's gradient of edge_add. The
// sender's is edge_sum_transposed.
void edge_sum(Threads threads, const SparseView& a, ConstDenseView g, DenseView out);
// The same over columns: out(c, h) = sum over the entries in column c of g(., h), by the transposed
// pattern `at`: entry[k] is the entry of A behind entry k of A^T.
void edge_sum_transposed(Threads threads, const SparseView& at, const Offset* entry,
                         ConstDenseView g, DenseView out);

// Softmax of each head over the entries of each row. out may be in.
void edge_softmax(Threads threads, const SparseView& a, ConstDenseView in, DenseView out);
// grad_in = out * (g - sum over row(out * g)), per head. grad_in may be out or g.
void edge_softmax_backward(Threads threads, const SparseView& a, ConstDenseView out,
                           ConstDenseView g, DenseView grad_in);

// out(e, h) = in(e, h) / sums(r, h), with sums(r, h) = epsilon + sum over the row's entries of
// in(., h). out may be in.
void edge_normalise(Threads threads, const SparseView& a, float epsilon, ConstDenseView in,
                    DenseView out, DenseView sums);
void edge_normalise_backward(Threads threads, const SparseView& a, ConstDenseView out,
                             ConstDenseView sums, ConstDenseView g, DenseView grad_in);

// Weighted gather. h: nodes x (heads * d). If `sum_heads`, out: rows x d is summed over heads;
// else out: rows x (heads * d).   out(r, .) = sum over e = (r, c) of weight(e, h) * h(c, head h)
void edge_gather(Threads threads, const SparseView& a, ConstDenseView weight, ConstDenseView h,
                 bool sum_heads, DenseView out);
// Gradient with respect to h, by the transposed pattern (see edge_sum_transposed).
void edge_gather_backward_values(Threads threads, const SparseView& at, const Offset* entry,
                                 ConstDenseView weight, ConstDenseView g, bool sum_heads,
                                 DenseView grad_h);
// Gradient with respect to the weights: grad_weight(e, head) = <g(r, head part), h(c, head part)>.
void edge_gather_backward_weights(Threads threads, const SparseView& a, ConstDenseView g,
                                  ConstDenseView h, bool sum_heads, DenseView grad_weight);

// out(i, head) = <h(i, head's d columns), a(head, .)>; h: n x (heads * d), a: heads x d,
// out: n x heads.
void head_dot(Threads threads, ConstDenseView h, ConstDenseView a, DenseView out);
// Gradients; each is skipped where it has no data. grad_a sums over i in order.
void head_dot_backward(Threads threads, ConstDenseView h, ConstDenseView a, ConstDenseView g,
                       DenseView grad_h, DenseView grad_a);

// out(i, k) = exp(-1/2 sum over q of (v(i, q) - mu(k, q))^2 / (1e-14 + sigma(k, q)^2)).
void gaussian_kernels(Threads threads, ConstDenseView v, ConstDenseView mu, ConstDenseView sigma,
                      DenseView out);
// Gradients; each is added to its argument, or skipped where that has no data. Sums over i in
// order.
void gaussian_kernels_backward(ConstDenseView v, ConstDenseView mu, ConstDenseView sigma,
                               ConstDenseView out, ConstDenseView g, DenseView grad_v,
                               DenseView grad_mu, DenseView grad_sigma);

}  // namespace cupel::kernels
