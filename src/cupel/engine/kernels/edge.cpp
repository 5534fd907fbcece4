// Sums, softmax and normalisation over the entries of each row. With several heads a vector holds
// heads and entries are taken in order; with one head, contiguous, a vector holds entries.
#include "cupel/engine/kernels/edge.h"

#include <cmath>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/edge.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

using V = hn::Vec<Eight>;

// The entries of one row and some of its heads (or all entries of a single head), as vectors.
struct Strip {
  Index first = 0, vectors = 0;  // first entry, number of vectors
  std::size_t j = 0, n = 0;      // first head, values per vector (but for the last vector)
  std::size_t last = 0;          // values of the last vector
  bool along = false;            // a vector holds entries, not heads

  std::size_t size(Index k) const { return k + 1 == vectors ? last : n; }
  // Vector k of an edge value.
  V load(ConstDenseView x, Index k) const {
    return LoadUpTo(Eight(), at(x.data, x.stride, k), size(k));
  }
  void store(V v, const DenseView& x, Index k) const {
    StoreUpTo(v, Eight(), const_cast<float*>(at(x.data, x.stride, k)), size(k));
  }
  // Folds a vector of partial sums over entries into the total of each head, in every lane it
  // serves.
  V fold_sum(V v) const { return along ? hn::SumOfLanes(Eight(), v) : v; }
  V fold_max(V v) const { return along ? hn::MaxOfLanes(Eight(), v) : v; }
  // Loads of one value per row and head (all lanes of a single head), and the store to it.
  V load_row(ConstDenseView x, Index r) const {
    return along ? hn::Set(Eight(), x.row(r)[0]) : LoadUpTo(Eight(), x.row(r) + j, n);
  }
  void store_row(V v, const DenseView& x, Index r) const {
    if (along) {
      x.row(r)[0] = hn::GetLane(v);
    } else {
      StoreUpTo(v, Eight(), x.row(r) + j, n);
    }
  }
  // For maxima: the lanes behind the end of a short vector must not win.
  V mask_low(V v, Index k) const {
    const Eight d;
    return size(k) == hn::Lanes(d)
               ? v
               : hn::IfThenElse(hn::FirstN(d, size(k)), v, hn::Set(d, -INFINITY));
  }
  V mask_zero(V v, Index k) const {
    const Eight d;
    return size(k) == hn::Lanes(d) ? v : hn::IfThenElseZero(hn::FirstN(d, size(k)), v);
  }

 private:
  const float* at(const float* data, Index stride, Index k) const {
    return along
               ? data + first + static_cast<std::size_t>(k) * n
               : data + static_cast<std::size_t>(first + k) * static_cast<std::size_t>(stride) + j;
  }
};

// Calls f(r, strip) for the strips of rows [begin, end). `along` may be set for one head,
// contiguous.
template <class F>
HWY_INLINE void OverStrips(const SparseView& a, Index heads, bool along, Index begin, Index end,
                           const F& f) {
  const Eight d;
  const std::size_t lanes = hn::Lanes(d);
  for (Index r = begin; r < end; ++r) {
    const auto first = static_cast<Index>(a.row_ptr[r]);
    const auto count = static_cast<std::size_t>(a.row_ptr[r + 1] - a.row_ptr[r]);
    Strip strip;
    strip.first = first;
    strip.along = along;
    if (along) {
      strip.n = lanes;
      strip.vectors = static_cast<Index>((count + lanes - 1) / lanes);
      strip.last = count - (count == 0 ? 0 : static_cast<std::size_t>(strip.vectors - 1) * lanes);
      f(r, strip);
      continue;
    }
    strip.vectors = static_cast<Index>(count);
    OverColumns(d, static_cast<std::size_t>(heads),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  strip.j = j;
                  strip.n = strip.last = n;
                  f(r, strip);
                });
  }
}

void EdgeAdd(const SparseView& a, ConstDenseView receiver, ConstDenseView sender, DenseView out,
             Index begin, Index end) {
  OverStrips(a, out.cols, false, begin, end, [&](Index r, const Strip& strip) CUPEL_INLINE_LAMBDA {
    const V mine = strip.load_row(receiver, r);
    for (Index k = 0; k < strip.vectors; ++k) {
      strip.store(hn::Add(mine, strip.load_row(sender, a.columns[strip.first + k])), out, k);
    }
  });
}

void EdgeSum(const SparseView& a, const Offset* entry, ConstDenseView g, DenseView out, bool along,
             Index begin, Index end) {
  OverStrips(a, out.cols, along, begin, end, [&](Index r, const Strip& strip) CUPEL_INLINE_LAMBDA {
    V sum = hn::Zero(Eight());
    for (Index k = 0; k < strip.vectors; ++k) {
      sum = hn::Add(sum, entry == nullptr
                             ? strip.load(g, k)
                             : strip.load_row(g, static_cast<Index>(entry[strip.first + k])));
    }
    strip.store_row(strip.fold_sum(sum), out, r);
  });
}

void EdgeSoftmax(const SparseView& a, ConstDenseView in, DenseView out, bool along, Index begin,
                 Index end) {
  const Eight d;
  OverStrips(a, in.cols, along, begin, end, [&](Index, const Strip& strip) CUPEL_INLINE_LAMBDA {
    V most = hn::Set(d, -INFINITY), sum = hn::Zero(d);
    for (Index k = 0; k < strip.vectors; ++k) {
      most = hn::Max(most, strip.mask_low(strip.load(in, k), k));
    }
    most = strip.fold_max(most);
    for (Index k = 0; k < strip.vectors; ++k) {
      const V power = strip.mask_zero(
          ExpOfNonPositive(d, hn::Sub(strip.load(in, k), most), static_cast<V*>(nullptr)), k);
      sum = hn::Add(sum, power);
      strip.store(power, out, k);
    }
    const V scale = hn::Div(hn::Set(d, 1.0f), strip.fold_sum(sum));
    for (Index k = 0; k < strip.vectors; ++k) {
      strip.store(hn::Mul(strip.load(out, k), scale), out, k);
    }
  });
}

// out * (g - <out, g>), or (g - <out, g>) / sums where there are sums.
void EdgeBackward(const SparseView& a, ConstDenseView out, const ConstDenseView* sums,
                  ConstDenseView g, DenseView grad_in, bool along, Index begin, Index end) {
  OverStrips(a, out.cols, along, begin, end, [&](Index r, const Strip& strip) CUPEL_INLINE_LAMBDA {
    V dot = hn::Zero(Eight());
    for (Index k = 0; k < strip.vectors; ++k) {
      dot = hn::MulAdd(strip.load(out, k), strip.load(g, k), dot);
    }
    dot = strip.fold_sum(dot);
    const V divisor = sums != nullptr ? strip.load_row(*sums, r) : hn::Set(Eight(), 1.0f);
    for (Index k = 0; k < strip.vectors; ++k) {
      V x = hn::Sub(strip.load(g, k), dot);
      x = sums != nullptr ? hn::Div(x, divisor) : hn::Mul(x, strip.load(out, k));
      strip.store(x, grad_in, k);
    }
  });
}

void EdgeNormalise(const SparseView& a, float epsilon, ConstDenseView in, DenseView out,
                   DenseView sums, bool along, Index begin, Index end) {
  const Eight d;
  OverStrips(a, in.cols, along, begin, end, [&](Index r, const Strip& strip) CUPEL_INLINE_LAMBDA {
    V sum = hn::Zero(d);
    for (Index k = 0; k < strip.vectors; ++k) sum = hn::Add(sum, strip.load(in, k));
    const V divisor = hn::Add(hn::Set(d, epsilon), strip.fold_sum(sum));
    strip.store_row(divisor, sums, r);
    for (Index k = 0; k < strip.vectors; ++k) {
      strip.store(hn::Div(strip.load(in, k), divisor), out, k);
    }
  });
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(EdgeAdd);
HWY_EXPORT(EdgeSum);
HWY_EXPORT(EdgeSoftmax);
HWY_EXPORT(EdgeBackward);
HWY_EXPORT(EdgeNormalise);

namespace {

bool contiguous(const ConstDenseView& x) { return x.cols == 1 && x.stride == 1; }

template <class Body>
void over_rows(Threads threads, const SparseView& a, Index heads, const Body& body) {
  const Offset mean_size = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  over_blocks(threads, a.rows, 4 * mean_size * heads, 1, body);
}

}  // namespace

void edge_add(Threads threads, const SparseView& a, ConstDenseView receiver, ConstDenseView sender,
              DenseView out) {
  over_rows(threads, a, out.cols, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(EdgeAdd)(a, receiver, sender, out, begin, end);
  });
}

void edge_sum(Threads threads, const SparseView& a, ConstDenseView g, DenseView out) {
  const bool along = contiguous(g);
  over_rows(threads, a, out.cols, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(EdgeSum)(a, nullptr, g, out, along, begin, end);
  });
}

void edge_sum_transposed(Threads threads, const SparseView& at, const Offset* entry,
                         ConstDenseView g, DenseView out) {
  over_rows(threads, at, out.cols, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(EdgeSum)(at, entry, g, out, false, begin, end);
  });
}

void edge_softmax(Threads threads, const SparseView& a, ConstDenseView in, DenseView out) {
  const bool along = contiguous(in) && contiguous(out);
  over_rows(threads, a, 8 * out.cols, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(EdgeSoftmax)(a, in, out, along, begin, end);
  });
}

void edge_softmax_backward(Threads threads, const SparseView& a, ConstDenseView out,
                           ConstDenseView g, DenseView grad_in) {
  const bool along = contiguous(out) && contiguous(g) && contiguous(grad_in);
  over_rows(threads, a, out.cols, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(EdgeBackward)
    (a, out, nullptr, g, grad_in, along, begin, end);
  });
}

void edge_normalise(Threads threads, const SparseView& a, float epsilon, ConstDenseView in,
                    DenseView out, DenseView sums) {
  const bool along = contiguous(in) && contiguous(out);
  over_rows(threads, a, out.cols, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(EdgeNormalise)(a, epsilon, in, out, sums, along, begin, end);
  });
}

void edge_normalise_backward(Threads threads, const SparseView& a, ConstDenseView out,
                             ConstDenseView sums, ConstDenseView g, DenseView grad_in) {
  const bool along = contiguous(out) && contiguous(g) && contiguous(grad_in);
  over_rows(threads, a, out.cols, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(EdgeBackward)
    (a, out, &sums, g, grad_in, along, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
