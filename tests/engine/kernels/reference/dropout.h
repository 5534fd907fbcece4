// Slow oracles of dropout.h.
#pragma once

#include "cupel/engine/kernels/dropout.h"

namespace cupel::reference {

inline void fill_draws(const kernels::DrawSource& source, const std::uint32_t* slot_rows,
                       const std::uint32_t* slot_blocks, std::size_t slots, std::uint16_t* draws) {
  for (std::size_t s = 0; s < slots; ++s) {
    const auto words =
        philox(source.key, source.purpose, source.step, slot_rows[s], slot_blocks[s]);
    for (std::size_t i = 0; i < 4; ++i) {
      draws[8 * s + 2 * i] = static_cast<std::uint16_t>(words[i]);
      draws[8 * s + 2 * i + 1] = static_cast<std::uint16_t>(words[i] >> 16);
    }
  }
}

inline SparseView drop_entries(const SparseView& in, const kernels::DropRate& rate,
                               const kernels::DrawPlan& plan, const std::uint16_t* draws,
                               Offset* out_row_ptr, Index* out_columns, float* out_values) {
  Offset kept = 0;
  out_row_ptr[0] = 0;
  for (Index r = 0; r < in.rows; ++r) {
    const std::uint16_t* row_draws = draws + 8 * plan.first_slot[static_cast<std::size_t>(r)];
    for (Offset e = in.row_ptr[r]; e < in.row_ptr[r + 1]; ++e) {
      if (row_draws[e - in.row_ptr[r]] < rate.threshold) continue;
      out_columns[kept] = in.columns[e];
      if (in.values != nullptr) out_values[kept] = in.values[e] * rate.keep_scale;
      ++kept;
    }
    out_row_ptr[r + 1] = kept;
  }
  SparseView out = in;
  out.row_ptr = out_row_ptr;
  out.columns = out_columns;
  out.values = in.values != nullptr ? out_values : nullptr;
  out.uniform = in.uniform * rate.keep_scale;
  return out;
}

}  // namespace cupel::reference
