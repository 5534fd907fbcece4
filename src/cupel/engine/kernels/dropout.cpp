#include "cupel/engine/kernels/dropout.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/dropout.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
// One counter per 64-bit lane: the multiply reads the low half only, so what stands in the high
// half does not matter before the last round.
template <class D, class V>
HWY_INLINE void PhiloxRound(D d, V& c0, V& c1, V& c2, V& c3, std::uint32_t k0, std::uint32_t k1) {
  const hn::Repartition<std::uint32_t, D> d32;
  const auto multiply = [&](V x, std::uint32_t by)
                            HWY_ATTR { return hn::MulEven(hn::BitCast(d32, x), hn::Set(d32, by)); };
  const V p0 = multiply(c0, kPhiloxMul0), p1 = multiply(c2, kPhiloxMul1);
  // Swaps the halves: a shift would wait for the multiplier's port.
  const auto high = [&](V product) HWY_ATTR {
    return hn::BitCast(d, hn::Shuffle2301(hn::BitCast(d32, product)));
  };
  c0 = hn::Xor3(high(p1), c1, hn::Set(d, std::uint64_t{k0}));
  c2 = hn::Xor3(high(p0), c3, hn::Set(d, std::uint64_t{k1}));
  c1 = p1;
  c3 = p0;
}

template <class D>
HWY_INLINE void FillSlots(D d, const DrawSource& source, const std::uint32_t* rows,
                          const std::uint32_t* blocks, std::uint16_t* draws) {
  const hn::Rebind<std::uint32_t, D> narrow;
  auto c0 = hn::PromoteTo(d, hn::LoadU(narrow, blocks));
  auto c1 = hn::PromoteTo(d, hn::LoadU(narrow, rows));
  auto c2 = hn::Set(d, std::uint64_t{source.step});
  auto c3 = hn::Set(d, std::uint64_t{source.purpose});
  std::uint32_t k0 = source.key.low, k1 = source.key.high;
#pragma GCC unroll 16
  for (int round = 0; round < kPhiloxRounds; ++round) {
    PhiloxRound(d, c0, c1, c2, c3, k0, k1);
    k0 += kPhiloxWeyl0;
    k1 += kPhiloxWeyl1;
  }
  const auto low = hn::Set(d, std::uint64_t{0xFFFFFFFFu});
  const auto w01 = hn::Or(hn::And(c0, low), hn::ShiftLeft<32>(c1));
  const auto w23 = hn::Or(hn::And(c2, low), hn::ShiftLeft<32>(c3));
  hn::StoreInterleaved2(w01, w23, d, reinterpret_cast<std::uint64_t*>(draws));
}

void FillDraws(const DrawSource& source, const std::uint32_t* slot_rows,
               const std::uint32_t* slot_blocks, std::size_t slots, std::uint16_t* draws) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t s = 0;
  for (; s + lanes <= slots; s += lanes) {
    FillSlots(d, source, slot_rows + s, slot_blocks + s, draws + 8 * s);
  }
  if (s == slots) return;
  std::uint32_t rows[HWY_MAX_BYTES / 8] = {}, blocks[HWY_MAX_BYTES / 8] = {};
  for (std::size_t i = s; i < slots; ++i) {
    rows[i - s] = slot_rows[i];
    blocks[i - s] = slot_blocks[i];
  }
  FillSlots(d, source, rows, blocks, draws + 8 * s);
}

#endif

// Compress() and a whole store: the compressing store is slow on some processors, and the caller
// leaves room behind the end.
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
      hn::StoreU(hn::Compress(hn::LoadU(d, in.columns + e), keep), d, out_columns + kept);
      if constexpr (kValued) {
        const auto scaled = hn::Mul(hn::LoadU(df, in.values + e), scale);
        hn::StoreU(hn::Compress(scaled, hn::RebindMask(df, keep)), df, out_values + kept);
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
HWY_EXPORT(DropUniform);
HWY_EXPORT(DropValued);

void fill_draws(const DrawSource& source, const std::uint32_t* slot_rows,
                const std::uint32_t* slot_blocks, std::size_t slots, std::uint16_t* draws) {
  static_assert(std::endian::native == std::endian::little,
                "draws are words cut in halves, low half first");
  HWY_DYNAMIC_DISPATCH(FillDraws)(source, slot_rows, slot_blocks, slots, draws);
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
