#include "cupel/learn/graph_kernels/row_distances.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/learn/graph_kernels/row_distances.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

#ifndef CUPEL_ROW_DISTANCES_SHAPE
#define CUPEL_ROW_DISTANCES_SHAPE
namespace cupel {
inline constexpr int kPanel = 16;  // columns of a panel
inline constexpr int kTile = 4;    // rows that go along it together
}  // namespace cupel
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// out[r][c] = sum over k of rows[r][k] panel[k][c], in ascending order of k.
void TileProducts(const double* const* rows, const double* HWY_RESTRICT panel, std::size_t depth,
                  double* HWY_RESTRICT out) {
  const hn::CappedTag<double, 8> d;
  constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<double, 8>());
  constexpr std::size_t kTogether = kPanel / kLanes < 4 ? kPanel / kLanes : 4;
  static_assert(kPanel % (kLanes * kTogether) == 0);
  for (std::size_t from = 0; from < kPanel; from += kLanes * kTogether) {
    hn::Vec<decltype(d)> sum[kTile][kTogether];
#pragma GCC unroll 8
    for (int r = 0; r < kTile; ++r)
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kTogether; ++v) sum[r][v] = hn::Zero(d);
    for (std::size_t k = 0; k < depth; ++k) {
      const double* x = panel + k * kPanel + from;
#pragma GCC unroll 8
      for (int r = 0; r < kTile; ++r) {
        const auto by = hn::Set(d, rows[r][k]);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kTogether; ++v)
          sum[r][v] = hn::MulAdd(by, hn::Load(d, x + v * kLanes), sum[r][v]);
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kTile; ++r)
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kTogether; ++v)
        hn::StoreU(sum[r][v], d, out + static_cast<std::size_t>(r) * kPanel + from + v * kLanes);
  }
}

}  // namespace cupel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace cupel {

HWY_EXPORT(TileProducts);

std::vector<double> squared_row_distances(const std::vector<double>& features, Index rows,
                                          Index columns, const RunLimits& limits) {
  const auto width = static_cast<std::size_t>(columns);
  std::vector<double> out(static_cast<std::size_t>(rows) * width);
  std::vector<double> squares(static_cast<std::size_t>(rows));
  AlignedVector<double> panel(width * kPanel);
  double products[kTile * kPanel];
  const auto row = [&](Index i) { return features.data() + static_cast<std::size_t>(i) * width; };
  const auto multiply = [&](Index first) {
    const double* tile[kTile];
    for (Index r = 0; r < kTile; ++r) tile[r] = row(std::min(first + r, rows - 1));
    HWY_DYNAMIC_DISPATCH(TileProducts)(tile, panel.data(), width, products);
  };
  for (Index from = 0; from < columns; from += kPanel) {
    const Index filled = std::min(kPanel, columns - from);
    // Row k of the panel: entry k of the rows `from`, ..., by symmetry a piece of row k.
    for (Index k = 0; k < columns; ++k) std::copy_n(row(k) + from, filled, &panel[k * kPanel]);
    // Above the diagonal it is known already.
    for (Index i = from - from % kTile; i < rows; i += kTile) {
      limits.check();
      multiply(i);
      for (Index r = 0; r < std::min(kTile, rows - i); ++r)
        std::copy_n(products + r * kPanel, filled, &out[(i + r) * width + from]);
    }
  }
  for (Index i = 0; i < columns; ++i) squares[i] = out[i * width + i];
  for (Index i = columns; i < rows; ++i)
    for (std::size_t k = 0; k < width; ++k) squares[i] += row(i)[k] * row(i)[k];
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < std::min(i + 1, columns); ++c) {
      double& d = out[i * width + c];
      d = i == c ? 0 : std::max(0.0, squares[i] + squares[c] - 2 * d);
      if (i < columns) out[c * width + i] = d;
    }
  return out;
}

}  // namespace cupel

#endif
