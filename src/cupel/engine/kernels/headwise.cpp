#include "cupel/engine/kernels/headwise.h"

#include <cstring>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/headwise.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

using Tag = hn::CappedTag<float, 16>;

void HeadMasks(const std::uint16_t* HWY_RESTRICT draws, std::size_t slots, std::uint32_t threshold,
               std::uint8_t* HWY_RESTRICT keep) {
  const hn::CappedTag<std::uint16_t, 32> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t s = 0;
  if (lanes >= 8 && threshold <= 0xffff) {
    const auto least = hn::Set(d, static_cast<std::uint16_t>(threshold));
    for (; s + lanes / 8 <= slots; s += lanes / 8) {
      const auto x = hn::LoadU(d, draws + 8 * s);
      hn::StoreMaskBits(d, hn::Eq(hn::Max(x, least), x), keep + s);  // x >= least
    }
  }
  for (; s < slots; ++s) {
    unsigned bits = 0;
    for (unsigned h = 0; h < 8; ++h)
      bits |= static_cast<unsigned>(draws[8 * s + h] >= threshold) << h;
    keep[s] = static_cast<std::uint8_t>(bits);
  }
}

// A run of columns.
struct Panel {
  std::size_t at, count;
};

// One row of A times b; values that are all alike are a part of `scale`. `entry`: null, or where
// the mask of each entry is.
template <bool kValued, int kVectors>
HWY_INLINE void SumPanel(const SparseView& a, const Offset* HWY_RESTRICT entry, Offset begin,
                         Offset end, const std::uint8_t* HWY_RESTRICT keep,
                         const HeadColumns& heads, float scale, const ConstDenseView& b,
                         float* HWY_RESTRICT to, Panel panel) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Tag> sum[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
  for (Offset e = begin; e < end; ++e) {
    const std::uint8_t mask_bits = keep[entry != nullptr ? entry[e] : e];
    const std::uint8_t* HWY_RESTRICT bits = heads.bits(mask_bits) + panel.at / 8;
    const float* HWY_RESTRICT from = b.row(a.columns[e]) + panel.at;
    const auto value = hn::Set(d, kValued ? a.values[e] : 1.0f);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const auto mask = hn::LoadMaskBits(d, bits + v * lanes / 8);
      const auto x = kVectors == 1 ? LoadUpTo(d, from, panel.count)
                                   : hn::LoadU(d, from + static_cast<std::size_t>(v) * lanes);
      const auto kept = hn::IfThenElseZero(mask, x);
      sum[v] = kValued ? hn::MulAdd(value, kept, sum[v]) : hn::Add(sum[v], kept);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const auto scaled = hn::Mul(sum[v], hn::Set(d, scale));
    if (kVectors == 1)
      StoreUpTo(scaled, d, to + panel.at, panel.count);
    else
      hn::StoreU(scaled, d, to + panel.at + static_cast<std::size_t>(v) * lanes);
  }
}

// Panels of four vectors, then single ones, the last maybe partial.
template <class Wide4, class Single>
HWY_INLINE void OverHeadPanels(std::size_t cols, const Wide4& wide, const Single& single) {
  const std::size_t lanes = hn::Lanes(Tag());
  std::size_t j = 0;
  for (; j + 4 * lanes <= cols; j += 4 * lanes) wide(Panel{j, 4 * lanes});
  for (; j < cols; j += lanes) single(Panel{j, std::min(lanes, cols - j)});
}

#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES >= 32
constexpr bool kVectorMasks = true;  // at least eight lanes: masks begin at whole bytes
#else
constexpr bool kVectorMasks = false;
#endif

HWY_INLINE bool Kept(const std::uint8_t* bits, Index j) {
  return ((bits[j / 8] >> (j % 8)) & 1) != 0;
}

template <bool kValued>
HWY_INLINE void SumRows(const SparseView& a, const Offset* entry, const std::uint8_t* keep,
                        const HeadColumns& heads, float scale, const ConstDenseView& b,
                        const DenseView& out, Index first, Index last) {
  for (Index i = first; i < last; ++i) {
    const Offset begin = a.row_ptr[i], end = a.row_ptr[i + 1];
    float* to = out.row(i);
    if constexpr (kVectorMasks) {
      OverHeadPanels(
          static_cast<std::size_t>(out.cols),
          [&](Panel p) HWY_ATTR {
            SumPanel<kValued, 4>(a, entry, begin, end, keep, heads, scale, b, to, p);
          },
          [&](Panel p) HWY_ATTR {
            SumPanel<kValued, 1>(a, entry, begin, end, keep, heads, scale, b, to, p);
          });
    } else {
      const hn::CappedTag<float, 1> d;  // fuses where vectors do
      std::memset(to, 0, static_cast<std::size_t>(out.cols) * sizeof(float));
      for (Offset e = begin; e < end; ++e) {
        const std::uint8_t* bits = heads.bits(keep[entry != nullptr ? entry[e] : e]);
        const float* from = b.row(a.columns[e]);
        const auto value = hn::Set(d, kValued ? a.values[e] : 1.0f);
        for (Index j = 0; j < out.cols; ++j)
          if (Kept(bits, j))
            to[j] = hn::GetLane(hn::MulAdd(value, hn::Set(d, from[j]), hn::Set(d, to[j])));
      }
      for (Index j = 0; j < out.cols; ++j) to[j] *= scale;
    }
  }
}

void HeadwiseSum(const SparseView& a, const Offset* entry, const std::uint8_t* keep,
                 const HeadColumns& heads, float scale, const ConstDenseView& b,
                 const DenseView& out, Index first, Index last) {
  if (a.values != nullptr)
    SumRows<true>(a, entry, keep, heads, scale, b, out, first, last);
  else
    SumRows<false>(a, entry, keep, heads, scale, b, out, first, last);
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(HeadMasks);
HWY_EXPORT(HeadwiseSum);

HeadColumns::HeadColumns(Index heads, Index cols)
    : row_bytes(row_bytes_of(cols)), bytes(kMasks * row_bytes) {
  const Index width = cols / heads;
  for (std::size_t mask = 0; mask < kMasks; ++mask)
    for (Index j = 0; j < cols; ++j)
      if (((mask >> (j / width)) & 1) != 0)
        bytes[mask * row_bytes + j / 8] |= static_cast<std::uint8_t>(1u << (j % 8));
}

void head_masks(const std::uint16_t* draws, std::size_t slots, const DropRate& rate,
                std::uint8_t* keep) {
  HWY_DYNAMIC_DISPATCH(HeadMasks)(draws, slots, rate.threshold, keep);
}

// Whole vectors of masks may be written.
constexpr std::size_t kRoomForVector = 64;

EntryMasks::EntryMasks(const SparseView& a, const Index* ids)
    : plan_(DrawPlan::each_entry(ids, a.rows, a.row_ptr)),
      draws_(plan_.draws_capacity()),
      masks_(plan_.slot_rows.size() + kRoomForVector) {}

std::size_t EntryMasks::bytes(Offset entries) {
  return DrawPlan::each_entry_bytes(entries) + static_cast<std::size_t>(entries) + kRoomForVector;
}

void EntryMasks::draw(const DrawSource& source, const DropRate& rate) {
  const std::size_t slots = plan_.slot_rows.size();
  fill_draws(source, plan_.slot_rows.data(), plan_.slot_blocks.data(), slots, draws_.data());
  head_masks(draws_.data(), slots, rate, masks_.data());
}

namespace {

void sum(Threads threads, const SparseView& a, const Offset* entry, const std::uint8_t* keep,
         const HeadColumns& heads, float scale, ConstDenseView b, DenseView out) {
  if (a.values == nullptr) scale *= a.uniform;
  const Offset mean_size = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  over_blocks(threads, out.rows, mean_size * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(HeadwiseSum)(a, entry, keep, heads, scale, b, out, begin, end);
  });
}

}  // namespace

void headwise_spmm(Threads threads, const SparseView& a, const std::uint8_t* keep,
                   const HeadColumns& heads, float scale, ConstDenseView b, DenseView out) {
  sum(threads, a, nullptr, keep, heads, scale, b, out);
}

void headwise_spmm_transposed(Threads threads, const SparseView& at, const Offset* entry,
                              const std::uint8_t* keep, const HeadColumns& heads, float scale,
                              ConstDenseView g, DenseView out) {
  sum(threads, at, entry, keep, heads, scale, g, out);
}

}  // namespace cupel::kernels
#endif
