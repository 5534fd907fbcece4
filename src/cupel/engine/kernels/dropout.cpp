#include "cupel/engine/kernels/dropout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/dropout.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
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
// One counter per 64-bit lane: the multiply reads the low half only, so what stands in the high
// half does not matter before the last round.
template <class D>
class PhiloxLanes {
 public:
  using V = hn::Vec<D>;

  explicit PhiloxLanes(const DrawSource& source)
      : step_(hn::Set(D(), std::uint64_t{source.step})),
        purpose_(hn::Set(D(), std::uint64_t{source.purpose})) {
    std::uint32_t k0 = source.key.low, k1 = source.key.high;
    for (int round = 0; round < kPhiloxRounds; ++round) {
      key0_[round] = hn::Set(D(), std::uint64_t{k0});
      key1_[round] = hn::Set(D(), std::uint64_t{k1});
      k0 += kPhiloxWeyl0;
      k1 += kPhiloxWeyl1;
    }
  }

  HWY_INLINE void fill(const std::uint32_t* rows, const std::uint32_t* blocks,
                       std::uint16_t* draws) const {
    const D d;
    const hn::Rebind<std::uint32_t, D> narrow;
    V c0 = hn::PromoteTo(d, hn::LoadU(narrow, blocks));
    V c1 = hn::PromoteTo(d, hn::LoadU(narrow, rows));
    V c2 = step_, c3 = purpose_;
#pragma GCC unroll 16
    for (int round = 0; round < kPhiloxRounds; ++round) {
      const V p0 = multiply(c0, kPhiloxMul0), p1 = multiply(c2, kPhiloxMul1);
      c0 = hn::Xor3(high(p1), c1, key0_[round]);
      c2 = hn::Xor3(high(p0), c3, key1_[round]);
      c1 = p1;
      c3 = p0;
    }
    const V low = hn::Set(d, std::uint64_t{0xFFFFFFFFu});
    const V w01 = hn::Or(hn::And(c0, low), hn::ShiftLeft<32>(c1));
    const V w23 = hn::Or(hn::And(c2, low), hn::ShiftLeft<32>(c3));
    hn::StoreInterleaved2(w01, w23, d, reinterpret_cast<std::uint64_t*>(draws));
  }

 private:
  static HWY_INLINE V multiply(V x, std::uint32_t by) {
    const hn::Repartition<std::uint32_t, D> d32;
    return hn::MulEven(hn::BitCast(d32, x), hn::Set(d32, by));
  }
  // The high half in the low half's place. A swap: a shift would wait for the multiplier's port.
  static HWY_INLINE V high(V product) {
    const hn::Repartition<std::uint32_t, D> d32;
    return hn::BitCast(D(), hn::Shuffle2301(hn::BitCast(d32, product)));
  }

  V step_, purpose_, key0_[kPhiloxRounds], key1_[kPhiloxRounds];
};

void FillDraws(const DrawSource& source, const std::uint32_t* slot_rows,
               const std::uint32_t* slot_blocks, std::size_t slots, std::uint16_t* draws) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const PhiloxLanes<hn::ScalableTag<std::uint64_t> > philox(source);
  std::size_t s = 0;
  for (; s + lanes <= slots; s += lanes) {
    philox.fill(slot_rows + s, slot_blocks + s, draws + 8 * s);
  }
  if (s == slots) return;
  std::uint32_t rows[HWY_MAX_BYTES / 8] = {}, blocks[HWY_MAX_BYTES / 8] = {};
  for (std::size_t i = s; i < slots; ++i) {
    rows[i - s] = slot_rows[i];
    blocks[i - s] = slot_blocks[i];
  }
  philox.fill(rows, blocks, draws + 8 * s);
}
#endif

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
