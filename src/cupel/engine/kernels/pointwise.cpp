#include "cupel/engine/kernels/pointwise.h"

#include <algorithm>
#include <tuple>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/pointwise.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// The mask of kept elements j, j + 1, ... of a row whose draws start at `draws`. Reads whole
// vectors of draws; fill_draws() asked for the room.
template <class D>
HWY_INLINE hn::Mask<D> Kept(D d, const Chain& chain, const std::uint16_t* draws, std::size_t j) {
  const hn::RebindToSigned<D> di;
  const hn::Rebind<std::uint16_t, D> d16;
  const auto drawn = hn::PromoteTo(di, hn::LoadU(d16, draws + j));
  const auto below = hn::Set(di, static_cast<std::int32_t>(chain.rate.threshold) - 1);
  return hn::RebindMask(d, hn::Gt(drawn, below));
}

// The draws of row i: whole blocks of eight for every row (DrawPlan::uniform).
HWY_INLINE const std::uint16_t* RowDraws(const Chain& chain, Index i, Index cols) {
  if (!chain.drop) return nullptr;
  return chain.draws + static_cast<std::size_t>(i) * ((static_cast<std::size_t>(cols) + 7) / 8 * 8);
}

// tanh(x) = -sign(x) expm1(-2|x|) / (2 + expm1(-2|x|)).
template <class D, class V>
HWY_INLINE V Tanh(D d, V x) {
  V minus_one;
  ExpOfNonPositive(d, hn::Mul(hn::Abs(x), hn::Set(d, -2.0f)), &minus_one);
  const V size = hn::Div(hn::Neg(minus_one), hn::Add(hn::Set(d, 2.0f), minus_one));
  return hn::CopySign(size, x);
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
  for (Index i = begin; i < end; ++i) {
    const float* from = in.row(i);
    float* to = out.row(i);
    const std::uint16_t* draws = RowDraws(chain, i, in.cols);
    OverColumns(d, static_cast<std::size_t>(in.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  auto x = LoadUpTo(d, from + j, n);
                  if (chain.bias != nullptr) x = hn::Add(x, LoadUpTo(d, chain.bias + j, n));
                  x = Activate<kActivation>(d, x);
                  if (draws != nullptr) {
                    x = hn::IfThenElseZero(Kept(d, chain, draws, j), hn::Mul(x, scale));
                  }
                  StoreUpTo(x, d, to + j, n);
                });
  }
}

template <Activation kActivation>
HWY_INLINE void BackwardRows(const Chain& chain, ConstDenseView out, ConstDenseView grad_out,
                             DenseView grad_in, bool accumulate, Index begin, Index end) {
  const Wide d;
  const auto scale = hn::Set(d, chain.rate.keep_scale);
  // Exact: the scale is 65536 over a count.
  const auto unscale =
      hn::Set(d, static_cast<float>(65536 - chain.rate.threshold) * (1.0f / 65536.0f));
  for (Index i = begin; i < end; ++i) {
    const std::uint16_t* draws = RowDraws(chain, i, out.cols);
    OverColumns(d, static_cast<std::size_t>(out.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  auto g = LoadUpTo(d, grad_out.row(i) + j, n);
                  auto y = LoadUpTo(d, out.row(i) + j, n);
                  if (draws == nullptr) {
                    g = Differentiate<kActivation>(d, y, g);
                  } else {
                    g = Differentiate<kActivation>(d, hn::Mul(y, unscale), hn::Mul(g, scale));
                    g = hn::IfThenElseZero(Kept(d, chain, draws, j), g);
                  }
                  float* to = grad_in.row(i) + j;
                  if (accumulate) g = hn::Add(LoadUpTo(d, to, n), g);
                  StoreUpTo(g, d, to, n);
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
  }
}

void Forward(const Chain& chain, ConstDenseView in, DenseView out, Index begin, Index end) {
  WithActivation(chain.activation, [&]<Activation kActivation>() CUPEL_INLINE_LAMBDA {
    ForwardRows<kActivation>(chain, in, out, begin, end);
  });
}

void Backward(const Chain& chain, ConstDenseView out, ConstDenseView grad_out, DenseView grad_in,
              bool accumulate, Index begin, Index end) {
  WithActivation(chain.activation, [&]<Activation kActivation>() CUPEL_INLINE_LAMBDA {
    BackwardRows<kActivation>(chain, out, grad_out, grad_in, accumulate, begin, end);
  });
}

void ColumnSums(ConstDenseView in, float* HWY_RESTRICT out) {
  const Wide d;
  OverColumns(d, static_cast<std::size_t>(in.cols),
              [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                auto sum = hn::Zero(d);
                for (Index i = 0; i < in.rows; ++i)
                  sum = hn::Add(sum, LoadUpTo(d, in.row(i) + j, n));
                StoreUpTo(sum, d, out + j, n);
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
HWY_EXPORT(ColumnSums);
HWY_EXPORT(Add);

namespace {

// How many short rows can be worked on as one long row: contiguous ones without a bias, whose draws
// follow each other too. Rows of a few columns would leave most of a vector empty.
Index mergeable(const Chain& chain, Index rows, Index cols) {
  constexpr Index kLong = 512;
  if (cols >= kLong || cols == 0 || chain.bias != nullptr || (chain.drop && cols % 8 != 0))
    return 1;
  return std::min(rows, kLong / cols);
}

// `view` with every `merged` rows as one; what is left over is not in it.
template <class View>
View merge_rows(const View& view, Index merged) {
  View out = view;
  out.rows = view.rows / merged;
  out.cols = out.stride = view.cols * merged;
  return out;
}
template <class View>
View rows_from(const View& view, Index first) {
  View out = view;
  out.data += static_cast<std::size_t>(first) * static_cast<std::size_t>(view.stride);
  out.rows -= first;
  return out;
}

// Calls f(chain, merged views...) for the whole, and once more for the rows left over.
template <class F, class... Views>
void over_merged(const Chain& chain, const F& f, const Views&... views) {
  const auto& first = std::get<0>(std::tie(views...));
  const bool contiguous = (... && (views.stride == views.cols));
  const Index merged = contiguous ? mergeable(chain, first.rows, first.cols) : 1;
  if (merged <= 1) {
    f(chain, views...);
    return;
  }
  f(chain, merge_rows(views, merged)...);
  const Index done = first.rows / merged * merged;
  if (done == first.rows) return;
  Chain rest = chain;
  if (chain.drop)
    rest.draws += static_cast<std::size_t>(done) * static_cast<std::size_t>(first.cols);
  f(rest, rows_from(views, done)...);
}

}  // namespace

void chain_forward(Threads threads, const Chain& chain, ConstDenseView in, DenseView out) {
  over_merged(
      chain,
      [&](const Chain& part, const ConstDenseView& from, const DenseView& to) {
        over_blocks(threads, from.rows, from.cols, 1, [&](Index begin, Index end) {
          HWY_DYNAMIC_DISPATCH(Forward)(part, from, to, begin, end);
        });
      },
      in, out);
}

void chain_backward(Threads threads, const Chain& chain, ConstDenseView out,
                    ConstDenseView grad_out, DenseView grad_in, bool accumulate) {
  over_merged(
      chain,
      [&](const Chain& part, const ConstDenseView& y, const ConstDenseView& g,
          const DenseView& to) {
        over_blocks(threads, y.rows, y.cols, 1, [&](Index begin, Index end) {
          HWY_DYNAMIC_DISPATCH(Backward)(part, y, g, to, accumulate, begin, end);
        });
      },
      out, grad_out, grad_in);
}

void column_sums(ConstDenseView in, float* out) { HWY_DYNAMIC_DISPATCH(ColumnSums)(in, out); }

void add(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Add)(a, b, out, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
