#include "cupel/engine/kernels/pointwise.h"

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/pointwise.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/functions-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// The mask of kept elements j to j + n - 1 (n <= Lanes(d)) of a row whose bits start at `bits`.
// Reads this row's bytes only: the next row's may be being drawn by another thread.
template <class D>
HWY_INLINE hn::Mask<D> Kept(D d, const std::uint8_t* bits, std::size_t j, std::size_t n) {
  if constexpr (hn::MaxLanes(D()) >= 8) {
    if (n == hn::Lanes(d)) return hn::LoadMaskBits(d, bits + j / 8);
    static_assert(hn::MaxLanes(D()) <= 16);
    const std::uint8_t own[8] = {bits[j / 8], n > 8 ? bits[j / 8 + 1] : std::uint8_t{0}};
    return hn::LoadMaskBits(d, own);
  } else {
    const std::uint8_t own[8] = {static_cast<std::uint8_t>(bits[j / 8] >> (j % 8))};
    return hn::LoadMaskBits(d, own);
  }
}

HWY_INLINE const std::uint8_t* RowBits(const Chain& chain, Index i, Index cols) {
  if (!chain.drop) return nullptr;
  return chain.mask + static_cast<std::size_t>(i) * ((static_cast<std::size_t>(cols) + 7) / 8);
}

// Every branch lets NaN through: it is never positive nor negative.
template <Activation kActivation, class D, class V>
HWY_INLINE V Activate(D d, V x) {
  if constexpr (kActivation == Activation::kRelu) {
    return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);
  } else if constexpr (kActivation == Activation::kElu) {
    V minus_one;
    ExpOfNonPositive(d, hn::IfThenZeroElse(hn::Gt(x, hn::Zero(d)), x), &minus_one);
    return hn::IfThenElse(hn::Le(x, hn::Zero(d)), minus_one, x);
  } else if constexpr (kActivation == Activation::kLeakyRelu) {
    return hn::IfThenElse(hn::Le(x, hn::Zero(d)), hn::Mul(hn::Set(d, 0.2f), x), x);
  } else if constexpr (kActivation == Activation::kTanh) {
    return Tanh(d, x);
  } else {
    return x;
  }
}

// g times the activation's derivative where the activation gave y.
template <Activation kActivation, class D, class V>
HWY_INLINE V Differentiate(D d, V y, V g) {
  if constexpr (kActivation == Activation::kRelu) {
    return hn::IfThenZeroElse(hn::Le(y, hn::Zero(d)), g);
  } else if constexpr (kActivation == Activation::kElu) {
    return hn::IfThenElse(hn::Le(y, hn::Zero(d)), hn::MulAdd(g, y, g), g);
  } else if constexpr (kActivation == Activation::kLeakyRelu) {
    return hn::IfThenElse(hn::Le(y, hn::Zero(d)), hn::Mul(hn::Set(d, 0.2f), g), g);
  } else if constexpr (kActivation == Activation::kTanh) {
    return hn::Mul(g, hn::NegMulAdd(y, y, hn::Set(d, 1.0f)));
  } else {
    return g;
  }
}

template <Activation kActivation>
HWY_INLINE void ForwardRows(const Chain& chain, ConstDenseView in, DenseView out, Index begin,
                            Index end) {
  const Wide d;
  const auto scale = hn::Set(d, chain.rate.keep_scale);
  const bool drop_first = chain.drop && chain.drop_first, drop_last = chain.drop && !drop_first;
  for (Index i = begin; i < end; ++i) {
    const float* from = in.row(i);
    float* to = out.row(i);
    const std::uint8_t* bits = RowBits(chain, i, in.cols);
    OverColumns(d, static_cast<std::size_t>(in.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  auto x = LoadUpTo(d, from + j, n);
                  if (chain.bias != nullptr) x = hn::Add(x, LoadUpTo(d, chain.bias + j, n));
                  if (drop_first) x = hn::IfThenElseZero(Kept(d, bits, j, n), hn::Mul(x, scale));
                  if constexpr (kActivation == Activation::kGelu) {
                    hn::Vec<Wide> slope;
                    x = Gelu(d, x, &slope);
                    if (chain.derivative.data != nullptr) {
                      if (chain.drop)
                        slope = hn::IfThenElseZero(Kept(d, bits, j, n), hn::Mul(slope, scale));
                      StoreUpTo(slope, d, chain.derivative.row(i) + j, n);
                    }
                  } else {
                    x = Activate<kActivation>(d, x);
                  }
                  if (drop_last) x = hn::IfThenElseZero(Kept(d, bits, j, n), hn::Mul(x, scale));
                  if constexpr (kActivation == Activation::kNone) {
                    if (chain.addend.data != nullptr)
                      x = hn::Add(x, LoadUpTo(d, chain.addend.row(i) + j, n));
                  }
                  StoreUpTo(x, d, to + j, n);
                });
  }
}

// Rows [begin, end) of columns [first, last); first is a multiple of the vector.
template <Activation kActivation>
HWY_INLINE void BackwardRows(const Chain& chain, ConstDenseView out, ConstDenseView grad_out,
                             DenseView grad_in, float* sums, Index begin, Index end, Index first,
                             Index last) {
  const Wide d;
  const auto scale = hn::Set(d, chain.rate.keep_scale);
  // Exact: the scale is 65536 over a count.
  const auto unscale =
      hn::Set(d, static_cast<float>(65536 - chain.rate.threshold) * (1.0f / 65536.0f));
  const bool drop_last = chain.drop && !chain.drop_first;
  if (sums != nullptr) std::fill(sums + first, sums + last, 0.0f);
  for (Index i = begin; i < end; ++i) {
    const std::uint8_t* bits = RowBits(chain, i, grad_out.cols);
    OverColumns(d, static_cast<std::size_t>(last - first),
                [&](std::size_t k, std::size_t n) CUPEL_INLINE_LAMBDA {
                  const std::size_t j = static_cast<std::size_t>(first) + k;
                  auto g = LoadUpTo(d, grad_out.row(i) + j, n);
                  if constexpr (kActivation == Activation::kGelu) {
                    g = hn::Mul(g, LoadUpTo(d, chain.derivative.row(i) + j, n));
                  } else {
                    if (chain.drop) g = hn::Mul(g, scale);
                    if constexpr (kActivation != Activation::kNone) {
                      auto y = LoadUpTo(d, out.row(i) + j, n);
                      if (drop_last) y = hn::Mul(y, unscale);
                      g = Differentiate<kActivation>(d, y, g);
                    }
                    if (chain.drop) g = hn::IfThenElseZero(Kept(d, bits, j, n), g);
                  }
                  if (grad_in.data != nullptr) StoreUpTo(g, d, grad_in.row(i) + j, n);
                  if (sums != nullptr)
                    StoreUpTo(hn::Add(LoadUpTo(d, sums + j, n), g), d, sums + j, n);
                });
  }
}

// Calls f.template operator()<activation>().
template <class F>
HWY_INLINE void WithActivation(Activation activation, const F& f) {
  switch (activation) {
    case Activation::kNone:
      return f.template operator()<Activation::kNone>();
    case Activation::kRelu:
      return f.template operator()<Activation::kRelu>();
    case Activation::kElu:
      return f.template operator()<Activation::kElu>();
    case Activation::kLeakyRelu:
      return f.template operator()<Activation::kLeakyRelu>();
    case Activation::kTanh:
      return f.template operator()<Activation::kTanh>();
    case Activation::kGelu:
      return f.template operator()<Activation::kGelu>();
  }
}

void Forward(const Chain& chain, ConstDenseView in, DenseView out, Index begin, Index end) {
  WithActivation(chain.activation, [&]<Activation kActivation>() CUPEL_INLINE_LAMBDA {
    ForwardRows<kActivation>(chain, in, out, begin, end);
  });
}

void Backward(const Chain& chain, ConstDenseView out, ConstDenseView grad_out, DenseView grad_in,
              float* sums, Index begin, Index end, Index first, Index last) {
  WithActivation(chain.activation, [&]<Activation kActivation>() CUPEL_INLINE_LAMBDA {
    BackwardRows<kActivation>(chain, out, grad_out, grad_in, sums, begin, end, first, last);
  });
}

void Add(ConstDenseView a, ConstDenseView b, DenseView out, Index begin, Index end) {
  const Wide d;
  for (Index i = begin; i < end; ++i) {
    OverColumns(d, static_cast<std::size_t>(out.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  const auto sum =
                      hn::Add(LoadUpTo(d, a.row(i) + j, n), LoadUpTo(d, b.row(i) + j, n));
                  StoreUpTo(sum, d, out.row(i) + j, n);
                });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);
HWY_EXPORT(Add);

namespace {

// How many short rows can be worked on as one long row: contiguous ones without a bias, whose mask
// follows on too. Rows of a few columns would leave most of a vector empty.
Index mergeable(const Chain& chain, Index rows, Index cols) {
  constexpr Index kLong = 512;
  if (cols >= kLong || cols == 0 || chain.bias != nullptr || (chain.drop && cols % 8 != 0) ||
      chain.addend.data != nullptr || chain.derivative.data != nullptr)
    return 1;
  return std::min(rows, kLong / cols);
}

// Rows [begin, end) of `view` with every `merged` rows as one; what is left over is not in it.
template <class View>
View merge_rows(const View& view, Index begin, Index end, Index merged) {
  View out = view;
  if (view.data == nullptr) return out;
  out.data += static_cast<std::size_t>(begin) * static_cast<std::size_t>(view.stride);
  out.rows = (end - begin) / merged;
  out.cols = out.stride = view.cols * merged;
  return out;
}

// Calls f(chain, begin, end, views...) for rows [begin, end): those of merged views, then those
// left over.
template <class F, class View, class... Views>
void over_merged(const Chain& chain, Index begin, Index end, const F& f, const View& first,
                 const Views&... others) {
  const bool contiguous = first.stride == first.cols && (... && (others.stride == others.cols));
  const Index merged = contiguous ? mergeable(chain, end - begin, first.cols) : 1;
  if (merged <= 1) {
    f(chain, begin, end, first, others...);
    return;
  }
  Chain part = chain;
  if (chain.drop) part.mask += static_cast<std::size_t>(begin) * (first.cols / 8);
  const Index long_rows = (end - begin) / merged;
  f(part, 0, long_rows, merge_rows(first, begin, end, merged),
    merge_rows(others, begin, end, merged)...);
  if (begin + long_rows * merged < end) f(chain, begin + long_rows * merged, end, first, others...);
}

}  // namespace

void chain_forward(Threads threads, const Chain& chain, ConstDenseView in, DenseView out) {
  const auto rows = [](const Chain& part, Index begin, Index end, const ConstDenseView& from,
                       const DenseView& to) {
    HWY_DYNAMIC_DISPATCH(Forward)(part, from, to, begin, end);
  };
  // Draws first, for as many rows as stay in the first cache.
  const Index step = chain.drop ? std::max<Index>(1, 4096 / std::max<Index>(1, in.cols)) : in.rows;
  over_blocks(threads, in.rows, in.cols, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end;) {
      const Index to = i + std::min(step, end - i);  // i + step may be too large for an Index
      if (chain.drop) draw_mask(chain.source, chain.rate, chain.ids, in.cols, i, to, chain.mask);
      over_merged(chain, i, to, rows, in, out);
      i = to;
    }
  });
}

void chain_backward(Threads threads, const Chain& chain, ConstDenseView out,
                    ConstDenseView grad_out, DenseView grad_in, float* bias_gradient) {
  if (bias_gradient == nullptr) {
    const auto rows = [](const Chain& part, Index begin, Index end, const ConstDenseView& g,
                         const ConstDenseView& y, const DenseView& to) {
      HWY_DYNAMIC_DISPATCH(Backward)(part, y, g, to, nullptr, begin, end, 0, g.cols);
    };
    over_blocks(threads, grad_out.rows, grad_out.cols, 1, [&](Index begin, Index end) {
      over_merged(chain, begin, end, rows, grad_out, out, grad_in);
    });
    return;
  }
  // Every column is one chain of additions, so threads share columns, not rows.
  over_panels(threads, grad_out.rows, grad_out.cols, [&](Index first, Index last) {
    HWY_DYNAMIC_DISPATCH(Backward)
    (chain, out, grad_out, grad_in, bias_gradient, 0, grad_out.rows, first, last);
  });
}

void column_sums(Threads threads, ConstDenseView in, float* out) {
  chain_backward(threads, Chain(), in, in, {}, out);
}

void add(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Add)(a, b, out, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
