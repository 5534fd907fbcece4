// Blocks of a matrix copied into panels, whose numbers a tile of a product reads from end to end.
// Include in a foreach_target file.
#if defined(CUPEL_ENGINE_KERNELS_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUPEL_ENGINE_KERNELS_PACK_INL_H_
#undef CUPEL_ENGINE_KERNELS_PACK_INL_H_
#else
#define CUPEL_ENGINE_KERNELS_PACK_INL_H_
#endif

#include <algorithm>
#include <cstddef>

#include "cupel/base/matrix.h"
#include "cupel/engine/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Panels are a line further apart than a power of two, or all would share a few sets of the cache.
constexpr std::size_t kSpare = 16;

HWY_INLINE std::size_t PanelSize(Index depth, std::size_t width) {
  return static_cast<std::size_t>(depth) * width + kSpare;
}

// Copies one panel of `items` rows that lie along the steps: to[k * width + i].
HWY_INLINE void PackAcross(const float* HWY_RESTRICT from, std::size_t stride, Index items,
                           Index depth, std::size_t width, float* HWY_RESTRICT to) {
  for (std::size_t i = 0; i < width; i += 4) {
    // Rows that are not there repeat the last one; what is summed from them goes nowhere.
    const float* row[4];
    for (std::size_t r = 0; r < 4; ++r) {
      row[r] = from + std::min(i + r, static_cast<std::size_t>(items) - 1) * stride;
    }
    float* HWY_RESTRICT at = to + i;
    Index k = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::Full128<float> d;
    const hn::Repartition<double, decltype(d)> pairs;
    for (; k + 4 <= depth; k += 4, at += 4 * width) {
      const auto r0 = hn::LoadU(d, row[0] + k), r1 = hn::LoadU(d, row[1] + k);
      const auto r2 = hn::LoadU(d, row[2] + k), r3 = hn::LoadU(d, row[3] + k);
      const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
      const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
      const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
      const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, at);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, at + width);
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, at + 2 * width);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, at + 3 * width);
    }
#endif
    for (; k < depth; ++k, at += width) {
      for (std::size_t r = 0; r < 4; ++r) at[r] = row[r][k];
    }
  }
}

// `width` values: whole vectors, or whole groups of four.
HWY_INLINE void CopyPanelRow(const float* HWY_RESTRICT from, std::size_t width,
                             float* HWY_RESTRICT to) {
  const Wide d;
  const hn::CappedTag<float, 4> four;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= width; i += hn::Lanes(d))
    hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  for (; i < width; i += hn::Lanes(four)) hn::StoreU(hn::LoadU(four, from + i), four, to + i);
}

// Copies panels of `width` items from steps along which the items lie.
HWY_INLINE void PackAlong(const float* HWY_RESTRICT from, std::size_t stride, Index items,
                          Index depth, std::size_t width, float* HWY_RESTRICT to) {
  const std::size_t step = PanelSize(depth, width);
  const auto size = static_cast<std::size_t>(items);
  const std::size_t whole = size / width;
  for (Index k = 0; k < depth; ++k, from += stride, to += width) {
    float* HWY_RESTRICT at = to;
    const float* HWY_RESTRICT x = from;
    for (std::size_t panel = 0; panel < whole; ++panel, at += step, x += width) {
      CopyPanelRow(x, width, at);
    }
    for (std::size_t i = whole * width; i < size; ++i) *at++ = *x++;
    // Not to sum what happens to lie there: it could be slow to add.
    if (size > whole * width) {
      for (std::size_t i = size; i < (whole + 1) * width; ++i) *at++ = 0;
    }
  }
}

// Panels of `width` items each, `depth` steps long, PanelSize apart.
HWY_INLINE void Pack(const float* from, std::size_t item, std::size_t step, Index items,
                     Index depth, std::size_t width, float* to) {
  if (item == 1) return PackAlong(from, step, items, depth, width, to);
  const auto each = static_cast<Index>(width);
  for (Index i = 0; i < items; i += each, to += PanelSize(depth, width)) {
    PackAcross(from + static_cast<std::size_t>(i) * item, item, std::min(each, items - i), depth,
               width, to);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
