// Sparse products in which every head drops entries of its own: the input dropout of multi-head
// layers, without one thinned matrix for each head.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/dropout.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

inline constexpr Index kHeadsPerMask =
    8;  // one Philox block decides the fate of an entry in 8 heads

// The columns of each set of heads: bit j of row m is set if column j belongs to a head in m.
struct HeadColumns {
  HeadColumns(Index heads, Index cols);  // heads <= 8, cols a multiple of heads
  const std::uint8_t* bits(std::uint8_t mask) const { return bytes.data() + mask * row_bytes; }
  static constexpr std::size_t kMasks = 256;
  // Whole, with room behind for reading a vector's worth.
  static std::size_t row_bytes_of(Index cols) {
    return (static_cast<std::size_t>(cols) + 7) / 8 + 8;
  }
  std::size_t row_bytes = 0;
  std::vector<std::uint8_t> bytes;
};

// keep[s], bit h: draw h of slot s is kept. Slot s is entry s of the matrix.
void head_masks(const std::uint16_t* draws, std::size_t slots, const DropRate& rate,
                std::uint8_t* keep);

// Which heads keep each entry of a matrix, drawn anew every step. Not thread-safe.
class EntryMasks {
 public:
  EntryMasks() = default;
  // ids: of the rows of `a` (null: 0, 1, ...).
  EntryMasks(const SparseView& a, const Index* ids);
  void draw(const DrawSource& source, const DropRate& rate);
  // One mask per entry, as head_masks() makes them; those of the last draw.
  const std::uint8_t* masks() const { return masks_.data(); }
  // Of those for so many entries.
  static std::size_t bytes(Offset entries);

 private:
  DrawPlan plan_;
  AlignedVector<std::uint16_t> draws_;
  std::vector<std::uint8_t> masks_;
};

// out(r, j) = scale * sum over entries e = (r, c) kept for column j's head of value(e) * b(c, j).
// keep: one mask per entry. Entries in stored order, from zero.
void headwise_spmm(Threads threads, const SparseView& a, const std::uint8_t* keep,
                   const HeadColumns& heads, float scale, ConstDenseView b, DenseView out);
// The gradient with respect to b: out(c, j) = scale * sum over kept entries e = (r, c) of
// value(e) * g(r, j), rows in order. `at` is A^T and entry[k] the entry of A behind entry k of it.
void headwise_spmm_transposed(Threads threads, const SparseView& at, const Offset* entry,
                              const std::uint8_t* keep, const HeadColumns& heads, float scale,
                              ConstDenseView g, DenseView out);

}  // namespace cupel::kernels
