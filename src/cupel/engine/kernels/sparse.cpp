#include "cupel/engine/kernels/sparse.h"

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/sparse.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/panels-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

template <bool kValued>
HWY_INLINE void SpmmRows(const SparseView& a, const Index* rows, ConstDenseView b, DenseView out,
                         bool accumulate, Index begin, Index end) {
  constexpr Weights kWeights = kValued ? Weights::kEach : Weights::kNone;
  const auto stride = static_cast<std::size_t>(b.stride);
  for (Index i = begin; i < end; ++i) {
    const Index r = rows != nullptr ? rows[i] : i;
    const Offset first = a.row_ptr[r];
    const Entries row{a.columns + first, kValued ? a.values + first : nullptr,
                      a.row_ptr[r + 1] - first};
    float* HWY_RESTRICT to = out.row(i);
    OverPanels(static_cast<std::size_t>(out.cols),
               [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                 hn::Vec<decltype(d)> sum[kVectors];
#pragma GCC unroll 8
                 for (int v = 0; v < kVectors; ++v) {
                   sum[v] = kValued && accumulate ? LoadOf<kVectors>(d, to + j, v, n) : hn::Zero(d);
                 }
                 SumEntries<kWeights, kVectors>(d, row, b.data + j, stride, n, sum);
#pragma GCC unroll 8
                 for (int v = 0; v < kVectors; ++v) {
                   if constexpr (!kValued) {
                     sum[v] = hn::Mul(sum[v], hn::Set(d, a.uniform));
                     if (accumulate) sum[v] = hn::Add(sum[v], LoadOf<kVectors>(d, to + j, v, n));
                   }
                   StoreOf<kVectors>(sum[v], d, to + j, v, n);
                 }
               });
  }
}

void Spmm(const SparseView& a, const Index* rows, ConstDenseView b, DenseView out, bool accumulate,
          Index begin, Index end) {
  if (a.values != nullptr) {
    SpmmRows<true>(a, rows, b, out, accumulate, begin, end);
  } else {
    SpmmRows<false>(a, rows, b, out, accumulate, begin, end);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Spmm);

void spmm(Threads threads, const SparseView& a, const Index* rows, ConstDenseView b, DenseView out,
          bool accumulate) {
  const Offset mean_size = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  over_blocks(threads, out.rows, mean_size * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Spmm)(a, rows, b, out, accumulate, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
