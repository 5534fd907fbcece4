// Philox blocks, several at a time, once per target. Include in a foreach_target file, after
// hwy/highway.h.
#if defined(CUPEL_ENGINE_KERNELS_PHILOX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUPEL_ENGINE_KERNELS_PHILOX_INL_H_
#undef CUPEL_ENGINE_KERNELS_PHILOX_INL_H_
#else
#define CUPEL_ENGINE_KERNELS_PHILOX_INL_H_
#endif

#include <cstdint>

#include "cupel/engine/kernels/dropout.h"
#include "hwy/highway.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One counter per 64-bit lane: the multiply reads the low half only, so what stands in the high
// half does not matter before the last round.
template <class D>
class PhiloxLanes {
 public:
  using V = hn::Vec<D>;
  using Slots = hn::Vec<hn::Rebind<std::uint32_t, D>>;

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

  // The draws of block blocks[i] of row rows[i] for every lane i.
  HWY_INLINE void fill(Slots rows, Slots blocks, std::uint16_t* draws) const {
    const D d;
    V c0 = hn::PromoteTo(d, blocks), c1 = hn::PromoteTo(d, rows);
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

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
