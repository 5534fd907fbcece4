#include "cupel/engine/kernels/dropout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/dropout.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
#include "cupel/engine/kernels/philox-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_DROPOUT_CPP_
#define CUPEL_ENGINE_KERNELS_DROPOUT_CPP_
namespace cupel::kernels {

// Per mask of eight lanes: which lanes are kept, in order, one byte each.
inline constexpr auto kKeptLanes = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    std::size_t kept = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) table[mask][kept++] = lane;
    }
  }
  return table;
}();

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Stores the kept lanes of v side by side (and anything behind them, up to a whole vector).
// Not with the compressing store, which is slow on some processors; nor, for AVX2, with Highway's
// Compress(), whose table gcc copies on every use.
template <class D>
HWY_INLINE void StoreKept(hn::Vec<D> v, hn::Mask<D> keep, D d, hn::TFromD<D>* HWY_RESTRICT to) {
#if HWY_TARGET == HWY_AVX2
  const hn::RebindToSigned<D> di;
  std::uint8_t bits[8];  // room that StoreMaskBits() wants
  hn::StoreMaskBits(d, keep, bits);
  const hn::Rebind<std::uint8_t, D> d8;
  const auto lanes = hn::PromoteTo(di, hn::LoadU(d8, kKeptLanes[bits[0]].data()));
  hn::StoreU(hn::TableLookupLanes(v, hn::IndicesFromVec(d, lanes)), d, to);
#else
  hn::StoreU(hn::Compress(v, keep), d, to);
#endif
}

#if HWY_TARGET == HWY_SCALAR
void FillDraws(const DrawSource& source, const std::uint32_t* slot_rows,
               const std::uint32_t* slot_blocks, std::size_t slots, std::uint16_t* draws) {
  for (std::size_t s = 0; s < slots; ++s) {
    const auto words =
        philox(source.key, source.purpose, source.step, slot_rows[s], slot_blocks[s]);
    std::memcpy(draws + 8 * s, words.data(), sizeof words);
  }
}
#else
void FillDraws(const DrawSource& source, const std::uint32_t* slot_rows,
               const std::uint32_t* slot_blocks, std::size_t slots, std::uint16_t* draws) {
  const hn::ScalableTag<std::uint64_t> d;
  const hn::Rebind<std::uint32_t, decltype(d)> words;
  const std::size_t lanes = hn::Lanes(d);
  const PhiloxLanes<hn::ScalableTag<std::uint64_t> > philox(source);
  const auto fill = [&](const std::uint32_t* rows, const std::uint32_t* blocks, std::uint16_t* to)
                        CUPEL_INLINE_LAMBDA {
                          philox.fill(hn::LoadU(words, rows), hn::LoadU(words, blocks), to);
                        };
  std::size_t s = 0;
  for (; s + lanes <= slots; s += lanes) fill(slot_rows + s, slot_blocks + s, draws + 8 * s);
  if (s == slots) return;
  std::uint32_t rows[HWY_MAX_BYTES / 8] = {}, blocks[HWY_MAX_BYTES / 8] = {};
  for (std::size_t i = s; i < slots; ++i) {
    rows[i - s] = slot_rows[i];
    blocks[i - s] = slot_blocks[i];
  }
  fill(rows, blocks, draws + 8 * s);
}
#endif

void DrawMask(const DrawSource& source, std::uint32_t threshold, const Index* ids, Index blocks,
              Index begin, Index end, std::uint8_t* mask) {
  std::uint8_t* to = mask + static_cast<std::size_t>(begin) * static_cast<std::size_t>(blocks);
#if HWY_TARGET == HWY_SCALAR
  for (Index row = begin; row < end; ++row) {
    for (Index block = 0; block < blocks; ++block) {
      const auto words = philox(source.key, source.purpose, source.step,
                                static_cast<std::uint32_t>(ids != nullptr ? ids[row] : row),
                                static_cast<std::uint32_t>(block));
      std::uint16_t draws[8];
      std::memcpy(draws, words.data(), sizeof words);
      unsigned bits = 0;
      for (unsigned k = 0; k < 8; ++k) bits |= (draws[k] >= threshold ? 1u : 0u) << k;
      *to++ = static_cast<std::uint8_t>(bits);
    }
  }
#else
  const hn::ScalableTag<std::uint64_t> d;
  const hn::ScalableTag<std::uint16_t> d16;
  const hn::Rebind<std::uint32_t, decltype(d)> words;
  const hn::RebindToSigned<decltype(words)> narrow;
  const PhiloxLanes<hn::ScalableTag<std::uint64_t> > philox(source);
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const auto low = hn::Set(d16, static_cast<std::uint16_t>(threshold));
  HWY_ALIGN std::uint16_t draws[HWY_MAX_BYTES];
  // The next `lanes` bytes of the mask.
  const auto draw = [&](auto rows, auto places, std::uint8_t* bits) CUPEL_INLINE_LAMBDA {
    philox.fill(hn::BitCast(words, rows), hn::BitCast(words, places), draws);
    for (std::size_t k = 0; k < 8 * hn::Lanes(d); k += hn::Lanes(d16)) {
      const auto drawn = hn::Load(d16, draws + k);
      const auto kept = hn::Eq(hn::Max(drawn, low), drawn);  // AVX2 compares signed numbers only
      hn::StoreMaskBits(d16, kept, bits + k / 8);
    }
  };
  if (blocks % lanes == 0) {
    for (Index row = begin; row < end; ++row) {
      const auto id = hn::Set(narrow, ids != nullptr ? ids[row] : row);
      for (Index block = 0; block < blocks; block += lanes, to += lanes) {
        draw(id, hn::Iota(narrow, block), to);
      }
    }
    return;
  }
  // Each lane walks over the blocks that are `lanes` apart: so many rows and blocks further.
  const auto rows_on = hn::Set(narrow, lanes / blocks), blocks_on = hn::Set(narrow, lanes % blocks);
  const auto one = hn::Set(narrow, 1), last_row = hn::Set(narrow, end - 1);
  const auto of = hn::Set(narrow, blocks), last_block = hn::Sub(of, one);
  HWY_ALIGN Index rows[HWY_MAX_BYTES / 8], places[HWY_MAX_BYTES / 8];
  for (Index i = 0; i < lanes; ++i) {
    rows[i] = begin + i / blocks;
    places[i] = i % blocks;
  }
  auto row = hn::Load(narrow, rows), place = hn::Load(narrow, places);
  for (Offset left = Offset{end - begin} * blocks; left > 0; left -= lanes, to += lanes) {
    // Lanes behind the last block draw, too.
    const auto id = ids != nullptr ? hn::GatherIndex(narrow, ids, hn::Min(row, last_row)) : row;
    if (left >= lanes) {
      draw(id, place, to);
    } else {
      std::uint8_t bits[HWY_MAX_BYTES / 8];
      draw(id, place, bits);
      std::memcpy(to, bits, static_cast<std::size_t>(left));
    }
    place = hn::Add(place, blocks_on);
    const auto over = hn::Gt(place, last_block);
    place = hn::Sub(place, hn::IfThenElseZero(over, of));
    row = hn::Add(row, hn::Add(rows_on, hn::IfThenElseZero(over, one)));
  }
#endif
}

// The caller leaves room behind the end for whole vectors.
template <bool kValued>
HWY_INLINE void DropEntries(const SparseView& in, const DropRate& rate, const DrawPlan& plan,
                            const std::uint16_t* draws, Offset* out_row_ptr, Index* out_columns,
                            float* out_values) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::RebindToFloat<decltype(d)> df;
  const hn::Rebind<std::uint16_t, decltype(d)> d16;
  const auto lanes = static_cast<Offset>(hn::Lanes(d));
  const auto threshold = hn::Set(d, static_cast<std::int32_t>(rate.threshold) - 1);
  const auto scale = hn::Set(df, rate.keep_scale);
  const Offset readable = in.entries() - lanes;  // last position where a whole vector can be read
  Offset kept = 0;
  out_row_ptr[0] = 0;
  for (Index r = 0; r < in.rows; ++r) {
    const std::uint16_t* row_draws = draws + 8 * plan.first_slot[static_cast<std::size_t>(r)];
    const Offset end = in.row_ptr[r + 1];
    for (Offset e = in.row_ptr[r]; e < end; e += lanes, row_draws += lanes) {
      if (HWY_UNLIKELY(e > readable)) {
        for (Offset i = e; i < std::min(end, e + lanes); ++i) {
          if (row_draws[i - e] < rate.threshold) continue;
          out_columns[kept] = in.columns[i];
          if constexpr (kValued) out_values[kept] = in.values[i] * rate.keep_scale;
          ++kept;
        }
        continue;
      }
      // Draws behind the row's end are those of the next row, or room that fill_draws() asked for.
      auto keep = hn::Gt(hn::PromoteTo(d, hn::LoadU(d16, row_draws)), threshold);
      if (end - e < lanes) keep = hn::And(keep, hn::FirstN(d, static_cast<std::size_t>(end - e)));
      StoreKept(hn::LoadU(d, in.columns + e), keep, d, out_columns + kept);
      if constexpr (kValued) {
        const auto scaled = hn::Mul(hn::LoadU(df, in.values + e), scale);
        StoreKept(scaled, hn::RebindMask(df, keep), df, out_values + kept);
      }
      kept += static_cast<Offset>(hn::CountTrue(d, keep));
    }
    out_row_ptr[r + 1] = kept;
  }
}

void DropUniform(const SparseView& in, const DropRate& rate, const DrawPlan& plan,
                 const std::uint16_t* draws, Offset* out_row_ptr, Index* out_columns,
                 float* out_values) {
  DropEntries<false>(in, rate, plan, draws, out_row_ptr, out_columns, out_values);
}

void DropValued(const SparseView& in, const DropRate& rate, const DrawPlan& plan,
                const std::uint16_t* draws, Offset* out_row_ptr, Index* out_columns,
                float* out_values) {
  DropEntries<true>(in, rate, plan, draws, out_row_ptr, out_columns, out_values);
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(FillDraws);
HWY_EXPORT(DrawMask);
HWY_EXPORT(DropUniform);
HWY_EXPORT(DropValued);

void fill_draws(const DrawSource& source, const std::uint32_t* slot_rows,
                const std::uint32_t* slot_blocks, std::size_t slots, std::uint16_t* draws) {
  static_assert(std::endian::native == std::endian::little,
                "draws are words cut in halves, low half first");
  HWY_DYNAMIC_DISPATCH(FillDraws)(source, slot_rows, slot_blocks, slots, draws);
}

void draw_mask(const DrawSource& source, const DropRate& rate, const Index* ids, Index cols,
               Index begin, Index end, std::uint8_t* mask) {
  if (cols == 0) return;
  HWY_DYNAMIC_DISPATCH(DrawMask)
  (source, rate.threshold, ids, (cols + 7) / 8, begin, end, mask);
}

SparseView drop_entries(const SparseView& in, const DropRate& rate, const DrawPlan& plan,
                        const std::uint16_t* draws, Offset* out_row_ptr, Index* out_columns,
                        float* out_values) {
  SparseView out = in;
  out.row_ptr = out_row_ptr;
  out.columns = out_columns;
  out.uniform = in.uniform * rate.keep_scale;
  if (in.values == nullptr) {
    HWY_DYNAMIC_DISPATCH(DropUniform)
    (in, rate, plan, draws, out_row_ptr, out_columns, out_values);
  } else {
    out.values = out_values;
    HWY_DYNAMIC_DISPATCH(DropValued)(in, rate, plan, draws, out_row_ptr, out_columns, out_values);
  }
  return out;
}

}  // namespace cupel::kernels
#endif
