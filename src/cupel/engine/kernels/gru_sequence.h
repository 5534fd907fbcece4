// Gated recurrent units over sequences of different lengths.
//
// Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", EMNLP 2014, in the form
// of PyTorch: with x the input of a step, as three parts of d columns, and h the state,
//   r = sigmoid(x_r + h U_r + b_r), z = sigmoid(x_z + h U_z + b_z), q = h U_n + b_n,
//   h' = (1 - z) tanh(x_n + r q) + z h.
#pragma once

#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// The steps of sequences: row i of a sparse matrix goes through its entries in their order. Places
// are numbered step by step, and within a step the longest sequence first, ties by row, so that
// each step is a product of the first so many rows. 24 bytes an entry and 8 a row.
struct SequenceSteps {
  explicit SequenceSteps(const SparseView& sequences);

  std::vector<Index> order;            // rows that have a step, longest first
  std::vector<Offset> begin;           // by step: its first place; and the end
  std::vector<Index> row, column;      // of each place
  std::vector<Offset> place_of_entry;  // of the matrix
  Index rows(std::size_t step) const { return static_cast<Index>(begin[step + 1] - begin[step]); }
  Index places() const { return static_cast<Index>(begin.back()); }
};

// What forward leaves to backward. Both have a row for each place.
struct GruTrace {
  DenseView before;  // d columns: the state before the step
  DenseView gates;   // 4 d columns: r, z, q, tanh(...); backward overwrites them
};

// out row i: the state after the last step of row i from a state of zeros; zeros without a step.
// The input of a step is the row of `of_columns` that its entry names plus row i of `of_rows`
// (3 d columns each). u: d x 3 d; bias: 3 d values. Without a gradient in mind a trace is wanted
// all the same.
void gru_sequence(Threads threads, const SequenceSteps& steps, ConstDenseView of_columns,
                  ConstDenseView of_rows, ConstDenseView u, const float* bias, GruTrace trace,
                  DenseView out);

// What is not wanted has null data. `at` is the transposed pattern of the sequences, and `entry`
// the entry behind each of its entries.
struct GruSequenceGradients {
  DenseView of_columns, of_rows, u, bias;
};
// Sums are in the order of places, or of rows for a column. `work`: out.rows x d.
void gru_sequence_backward(Threads threads, const SequenceSteps& steps, const SparseView& at,
                           const Offset* entry, ConstDenseView u, GruTrace trace,
                           ConstDenseView grad_out, DenseView work,
                           const GruSequenceGradients& out);

}  // namespace cupel::kernels
