#include "cupel/engine/kernels/block_product.h"

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/block_product.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// The four parts of `of` are at multiples of half; `second` and `third` are those of q and s, which
// change places in the transposed product.
HWY_INLINE void Blocks(const float* HWY_RESTRICT of, std::size_t second, std::size_t third,
                       const float* HWY_RESTRICT from, float* HWY_RESTRICT to, std::size_t half) {
  const Wide d;
  OverColumns(d, half, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    const auto x = LoadUpTo(d, from + j, n), y = LoadUpTo(d, from + half + j, n);
    const auto part = [&](std::size_t k)
                          CUPEL_INLINE_LAMBDA { return LoadUpTo(d, of + k * half + j, n); };
    StoreUpTo(hn::MulAdd(part(second), y, hn::Mul(part(0), x)), d, to + j, n);
    StoreUpTo(hn::MulAdd(part(3), y, hn::Mul(part(third), x)), d, to + half + j, n);
  });
}

void BlockProduct(const Index* HWY_RESTRICT which, bool transposed, ConstDenseView in,
                  ConstDenseView table, DenseView out, Index begin, Index end) {
  const std::size_t half = static_cast<std::size_t>(in.cols) / 2;
  for (Index i = begin; i < end; ++i)
    Blocks(table.row(which[i]), transposed ? 2 : 1, transposed ? 1 : 2, in.row(i), out.row(i),
           half);
}

// Rows [begin, end) of the table's gradient.
void BlockProductTable(const Index* HWY_RESTRICT which, ConstDenseView in, ConstDenseView grad,
                       DenseView out, Index begin, Index end) {
  const Wide d;
  const std::size_t half = static_cast<std::size_t>(in.cols) / 2;
  for (Index i = 0; i < in.rows; ++i) {
    if (which[i] < begin || which[i] >= end) continue;
    const float *from = in.row(i), *g = grad.row(i);
    float* to = out.row(which[i]);
    OverColumns(d, half, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const auto x = LoadUpTo(d, from + j, n), y = LoadUpTo(d, from + half + j, n),
                 gx = LoadUpTo(d, g + j, n), gy = LoadUpTo(d, g + half + j, n);
      const auto add = [&](std::size_t k, auto a, auto b) CUPEL_INLINE_LAMBDA {
        float* at = to + k * half + j;
        StoreUpTo(hn::MulAdd(a, b, LoadUpTo(d, at, n)), d, at, n);
      };
      add(0, gx, x), add(1, gx, y), add(2, gy, x), add(3, gy, y);
    });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(BlockProduct);
HWY_EXPORT(BlockProductTable);

void block_product(Threads threads, const Index* which, ConstDenseView in, ConstDenseView table,
                   DenseView out) {
  over_blocks(threads, in.rows, Offset{4} * in.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(BlockProduct)(which, false, in, table, out, begin, end);
  });
}

void block_product_backward(Threads threads, const Index* which, ConstDenseView table,
                            ConstDenseView grad_out, DenseView grad_in) {
  over_blocks(threads, grad_out.rows, Offset{4} * grad_out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(BlockProduct)(which, true, grad_out, table, grad_in, begin, end);
  });
}

void block_product_table(Threads threads, const Index* which, ConstDenseView in,
                         ConstDenseView grad_out, DenseView grad_table, bool add) {
  over_owned_rows(threads, grad_table.rows, Offset{in.rows} * in.cols, [&](Index begin, Index end) {
    for (Index k = begin; k < end && !add; ++k)
      std::fill_n(grad_table.row(k), grad_table.cols, 0.0f);
    HWY_DYNAMIC_DISPATCH(BlockProductTable)
    (which, in, grad_out, grad_table, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
