// Dropout from keyed streams: an element's fate depends on (key, purpose, step, its row id, its
// position in the row) alone.
//
// Each Philox block of 128 bits gives eight 16-bit draws, little-endian word order: position p of a
// row uses block p / 8, draw p % 8. An element is kept iff its draw >= threshold(p).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// Drop probability as a count of 2^-16; keep_scale is the exact inverse of the realised keep
// probability, so the mean is unbiased whatever the rounding.
struct DropRate {
  std::uint32_t threshold = 0;
  float keep_scale = 1.0f;
  explicit DropRate(double p = 0)
      : threshold(static_cast<std::uint32_t>(std::min(65535L, std::lround(p * 65536.0)))),
        keep_scale(static_cast<float>(65536.0 / (65536.0 - threshold))) {}
};

struct DrawSource {
  StreamKey key;
  std::uint32_t purpose = 0, step = 0;
};

// Fills draws[8 * s .. 8 * s + 7] with block `slot_blocks[s]` of row `slot_rows[s]` for every slot
// s. `draws` has room for DrawPlan::draws_capacity() values: whole vectors are written, and read
// later.
void fill_draws(const DrawSource& source, const std::uint32_t* slot_rows,
                const std::uint32_t* slot_blocks, std::size_t slots, std::uint16_t* draws);

// Rows [begin, end) of a mask of kept elements for a matrix of `cols` columns: bit p % 8 of byte
// mask[row * ceil(cols / 8) + p / 8] for position p. Row i has id ids[i] (null: i). Bits behind the
// last column are drawn too.
void draw_mask(const DrawSource& source, const DropRate& rate, const Index* ids, Index cols,
               Index begin, Index end, std::uint8_t* mask);

// The slots of a fixed set of rows: made once, used every step.
struct DrawPlan {
  std::vector<std::uint32_t> slot_rows, slot_blocks;
  std::vector<Offset> first_slot;  // per row, + end
  // Row i has id ids[i] (null: i) and row_ptr[i + 1] - row_ptr[i] positions.
  static DrawPlan ragged(const Index* ids, Index rows, const Offset* row_ptr);
  // A block for every entry: entry k of row i has block k of its row to itself. No first_slot.
  static DrawPlan each_entry(const Index* ids, Index rows, const Offset* row_ptr);
  std::size_t draws_capacity() const;  // room that `draws` must have

  // Bytes of such plans with their draws, at most.
  static std::size_t ragged_bytes(Index rows, Offset entries);
  static std::size_t each_entry_bytes(Offset entries);
};

// Kept entries of `in`, in order. out_row_ptr: rows + 1; out_columns (and out_values, if
// in.values): room for in.entries() + 16. Values are multiplied by rate.keep_scale. Returns a view
// of the output (uniform scaled where `in` is uniform).
SparseView drop_entries(const SparseView& in, const DropRate& rate, const DrawPlan& plan,
                        const std::uint16_t* draws, Offset* out_row_ptr, Index* out_columns,
                        float* out_values);

}  // namespace cupel::kernels
