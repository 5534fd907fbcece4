// Attention with scores that are products of two nodes' columns.
//
// A pass over the entries of one head reads a slab's rows (256 bytes of 64 columns) in the order
// that entries name them: that is what takes the time. A pass that reads two slabs at once would
// halve their number, but two do not fit the second-level cache, which costs five times as much.
// So forward has two passes: products with senders, which become weights, and sums of values.
// Backward has four: products with values; products with senders, weights again, and the sums that
// are the receivers' gradient; then by the transposed pattern, sums of gradients, and of receivers.
// Between passes lie one or two numbers for each entry of one head.
#include <cmath>

#include "cupel/engine/kernels/attention.h"
#include "cupel/engine/kernels/attention_work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/attention_dot.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/attention-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_ATTENTION_DOT_CPP_
#define CUPEL_ENGINE_KERNELS_ATTENTION_DOT_CPP_
namespace cupel::kernels {

struct DotForward {
  SparseView a;
  ConstDenseView receiver;
  float factor = 0;
  Panel panel;
  Slab sender;
  float* weights = nullptr;  // of entries: products so far; in the end exponentials
  DenseView stats;
};

struct DotBackward {
  SparseView a;
  ConstDenseView receiver, out, stats, g;
  float factor = 0;
  Panel panel;
  Slab slab;  // of values, or of senders
  // Of entries: products of g and values, in the end gradients of scores; products of receivers
  // and senders, in the end exponentials.
  float *gradients = nullptr, *weights = nullptr;
  float* means = nullptr;  // of rows: <g, out> / sum of the exponentials
  bool wants_scores = false;
  DenseView grad_receiver;
};

// out(r) = by(r) * sum over entries k of r of weight(entry(k)) * slab(column(k)).
struct DotSums {
  SparseView a;
  const Offset* entry = nullptr;  // null: entry k itself
  const float* weights = nullptr;
  const float* by = nullptr;  // null: `factor` for all
  float factor = 1;
  Panel panel;
  Slab slab;
  DenseView out;
};

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// exp(score - maximum) in place, and what stays of the row: maximum and sum.
HWY_INLINE void ExpOfRow(float* HWY_RESTRICT x, std::size_t size, float* maximum, float* sum) {
  const Lanes16 d;
  const V16 low = hn::Set(d, -INFINITY);
  V16 most = low;
  OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    const V16 score = LoadUpTo(d, x + j, n);
    most = hn::Max(most, n == kLanes ? score : hn::IfThenElse(hn::FirstN(d, n), score, low));
  });
  most = hn::MaxOfLanes(d, most);
  OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    const V16 below = hn::Sub(LoadUpTo(d, x + j, n), most);
    StoreUpTo(ExpOfNonPositive(d, below, static_cast<V16*>(nullptr)), d, x + j, n);
  });
  *maximum = hn::GetLane(most);
  const Eight e;
  V8 total = hn::Zero(e);
  OverColumns(e, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    total = hn::Add(total, LoadUpTo(e, x + j, n));
  });
  *sum = hn::GetLane(hn::SumOfLanes(e, total));
}

template <std::size_t kWidth>
HWY_INLINE void ForwardRows(const DotForward& p, Index begin, Index end) {
  HWY_ALIGN float mine[kMostColumns];
  for (Index r = begin; r < end; ++r) {
    const Offset first = p.a.row_ptr[r];
    const auto size = static_cast<std::size_t>(p.a.row_ptr[r + 1] - first);
    float* HWY_RESTRICT weight = p.weights + first;
    CopyRow(p.receiver.row(r) + p.panel.first, p.panel.count, p.factor, mine,
            WidthOf<kWidth>(p.sender));
    DotRows<kWidth>(mine, p.a.columns + first, size, p.sender, !p.panel.opens, weight);
    if (!p.panel.closes) continue;
    float& maximum = p.stats.row(2 * p.panel.head)[r];
    float& reciprocal = p.stats.row(2 * p.panel.head + 1)[r];
    maximum = reciprocal = 0.0f;
    if (size == 0) continue;
    float sum;
    ExpOfRow(weight, size, &maximum, &sum);
    reciprocal = 1.0f / sum;
  }
}

// Products of the gradient with values.
template <std::size_t kWidth>
HWY_INLINE void ProductRows(const DotBackward& p, Index begin, Index end) {
  const std::size_t width = WidthOf<kWidth>(p.slab);
  HWY_ALIGN float mine[kMostColumns], out[kMostColumns];
  for (Index r = begin; r < end; ++r) {
    const Offset first = p.a.row_ptr[r];
    const auto size = static_cast<std::size_t>(p.a.row_ptr[r + 1] - first);
    const float reciprocal = p.stats.row(2 * p.panel.head + 1)[r];
    CopyRow(p.g.row(r) + p.panel.first, p.panel.count, reciprocal, mine, width);
    CopyRow(p.out.row(r) + p.panel.first, p.panel.count, 1.0f, out, width);
    const float mean = DotOne(mine, out, width);
    p.means[r] = p.panel.opens ? mean : p.means[r] + mean;
    DotRows<kWidth>(mine, p.a.columns + first, size, p.slab, !p.panel.opens, p.gradients + first);
  }
}

// Products of receivers with senders; the last panel's make weights and gradients of scores. With
// one panel, the receivers' gradients too.
template <std::size_t kWidth>
HWY_INLINE void ScoreRows(const DotBackward& p, Index begin, Index end) {
  const Lanes16 d;
  const std::size_t width = WidthOf<kWidth>(p.slab);
  HWY_ALIGN float mine[kMostColumns], sum[kMostColumns];
  for (Index r = begin; r < end; ++r) {
    const Offset first = p.a.row_ptr[r];
    const auto size = static_cast<std::size_t>(p.a.row_ptr[r + 1] - first);
    float* HWY_RESTRICT weight = p.weights + first;
    float* HWY_RESTRICT grad = p.wants_scores ? p.gradients + first : nullptr;
    CopyRow(p.receiver.row(r) + p.panel.first, p.panel.count, p.factor, mine, width);
    DotRows<kWidth>(mine, p.a.columns + first, size, p.slab, !p.panel.opens, weight);
    if (!p.panel.closes) continue;
    const V16 maximum = hn::Set(d, p.stats.row(2 * p.panel.head)[r]);
    const V16 mean = hn::Set(d, p.wants_scores ? p.means[r] : 0.0f);
    OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const V16 below = hn::Sub(LoadUpTo(d, weight + j, n), maximum);
      const V16 exp = ExpOfNonPositive(d, below, static_cast<V16*>(nullptr));
      StoreUpTo(exp, d, weight + j, n);
      if (!p.wants_scores) return;
      StoreUpTo(hn::Mul(exp, hn::Sub(LoadUpTo(d, grad + j, n), mean)), d, grad + j, n);
    });
    if (p.grad_receiver.data == nullptr || !p.panel.opens) continue;
    std::fill_n(sum, width, 0.0f);
    AddRows<kWidth>(grad, p.a.columns + first, size, p.slab, sum);
    StoreRow(sum, p.panel.count, p.factor, p.grad_receiver.row(r) + p.panel.first);
  }
}

template <std::size_t kWidth>
HWY_INLINE void SumRows(const DotSums& p, Index begin, Index end) {
  HWY_ALIGN float weight[kChunk], sum[kMostColumns];
  for (Index r = begin; r < end; ++r) {
    std::fill_n(sum, WidthOf<kWidth>(p.slab), 0.0f);
    if (p.entry == nullptr) {
      const Offset first = p.a.row_ptr[r];
      AddRows<kWidth>(p.weights + first, p.a.columns + first,
                      static_cast<std::size_t>(p.a.row_ptr[r + 1] - first), p.slab, sum);
    } else {
      OverChunks(p.a, r, [&](Offset first, std::size_t n) CUPEL_INLINE_LAMBDA {
        const Offset* entry = p.entry + first;
        for (std::size_t i = 0; i < n; ++i) weight[i] = p.weights[entry[i]];
        AddRows<kWidth>(weight, p.a.columns + first, n, p.slab, sum);
      });
    }
    StoreRow(sum, p.panel.count, p.by != nullptr ? p.by[r] : p.factor,
             p.out.row(r) + p.panel.first);
  }
}

void DotForwardRows(const DotForward& p, Index begin, Index end) {
  p.sender.width == 64 ? ForwardRows<64>(p, begin, end) : ForwardRows<0>(p, begin, end);
}
void DotProductRows(const DotBackward& p, Index begin, Index end) {
  p.slab.width == 64 ? ProductRows<64>(p, begin, end) : ProductRows<0>(p, begin, end);
}
void DotScoreRows(const DotBackward& p, Index begin, Index end) {
  p.slab.width == 64 ? ScoreRows<64>(p, begin, end) : ScoreRows<0>(p, begin, end);
}
void DotSumRows(const DotSums& p, Index begin, Index end) {
  p.slab.width == 64 ? SumRows<64>(p, begin, end) : SumRows<0>(p, begin, end);
}

// `by`: a factor for each row, or null.
void DotCopyRows(ConstDenseView x, const Panel& panel, const float* by, float factor,
                 const Slab& to, Index begin, Index end) {
  for (Index r = begin; r < end; ++r) {
    CopyRow(x.row(r) + panel.first, panel.count, by != nullptr ? by[r] : factor, to.row(r),
            to.width);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(DotForwardRows);
HWY_EXPORT(DotProductRows);
HWY_EXPORT(DotScoreRows);
HWY_EXPORT(DotSumRows);
HWY_EXPORT(DotCopyRows);

namespace {

Slab copy(Threads threads, ConstDenseView x, const Panel& panel, const float* by, float factor,
          float* data) {
  const Slab slab{data, padded(panel.count)};
  over_blocks(threads, x.rows, panel.count, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(DotCopyRows)(x, panel, by, factor, slab, begin, end);
  });
  return slab;
}

void sums(Threads threads, const DotSums& pass) {
  over_entry_blocks(threads, pass.a, pass.panel.count, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(DotSumRows)(pass, begin, end);
  });
}

}  // namespace

void dot_attention(Threads threads, const SparseView& a, ConstDenseView receiver,
                   ConstDenseView sender, ConstDenseView values, Index heads, float factor,
                   DenseView out, DenseView stats) {
  const Index d = values.cols / heads;
  float *data = nullptr, *weights = nullptr;
  in_scratch([&](Pieces& pieces) {
    data = pieces.take(static_cast<std::size_t>(a.cols) * padded(std::min(d, kMostColumns)));
    weights = pieces.take(static_cast<std::size_t>(a.entries()));
  });
  for (Index head = 0; head < heads; ++head) {
    over_head_panels(head, d, kMostColumns, [&](const Panel& panel) {
      const Slab slab = copy(threads, sender, panel, nullptr, 1.0f, data);
      const DotForward pass{a, receiver, factor, panel, slab, weights, stats};
      over_entry_blocks(threads, a, panel.count, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(DotForwardRows)(pass, begin, end);
      });
    });
    over_head_panels(head, d, kMostColumns, [&](const Panel& panel) {
      const Slab slab = copy(threads, values, panel, nullptr, 1.0f, data);
      sums(threads, {a, nullptr, weights, stats.row(2 * head + 1), 1.0f, panel, slab, out});
    });
  }
}

void dot_attention_backward(Threads threads, const SparseView& a, const SparseView& at,
                            const Offset* entry, ConstDenseView receiver, ConstDenseView sender,
                            ConstDenseView values, Index heads, float factor, ConstDenseView out,
                            ConstDenseView stats, ConstDenseView g,
                            const DotAttentionGradients& gradients) {
  const Index d = values.cols / heads;
  const auto rows = static_cast<std::size_t>(std::max(a.rows, a.cols));
  DotBackward pass;
  pass.a = a;
  pass.receiver = receiver;
  pass.out = out;
  pass.stats = stats;
  pass.g = g;
  pass.factor = factor;
  pass.grad_receiver = gradients.receiver;
  pass.wants_scores = gradients.receiver.data != nullptr || gradients.sender.data != nullptr;
  float* data = nullptr;
  in_scratch([&](Pieces& pieces) {
    data = pieces.take(rows * padded(std::min(d, kMostColumns)));
    pass.weights = pieces.take(static_cast<std::size_t>(a.entries()));
    if (!pass.wants_scores) return;
    pass.gradients = pieces.take(static_cast<std::size_t>(a.entries()));
    pass.means = pieces.take(rows);
  });
  for (Index head = 0; head < heads; ++head) {
    const auto over = [&](const auto& f) { over_head_panels(head, d, kMostColumns, f); };
    if (pass.wants_scores) {
      over([&](const Panel& panel) {
        pass.panel = panel;
        pass.slab = copy(threads, values, panel, nullptr, 1.0f, data);
        over_entry_blocks(threads, a, panel.count, [&](Index begin, Index end) {
          HWY_DYNAMIC_DISPATCH(DotProductRows)(pass, begin, end);
        });
      });
    }
    over([&](const Panel& panel) {
      pass.panel = panel;
      pass.slab = copy(threads, sender, panel, nullptr, 1.0f, data);
      over_entry_blocks(threads, a, 2 * panel.count, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(DotScoreRows)(pass, begin, end);
      });
    });
    if (gradients.receiver.data != nullptr && d > kMostColumns) {
      over([&](const Panel& panel) {
        const Slab slab = copy(threads, sender, panel, nullptr, 1.0f, data);
        sums(threads,
             {a, nullptr, pass.gradients, nullptr, factor, panel, slab, gradients.receiver});
      });
    }
    if (gradients.values.data != nullptr) {
      over([&](const Panel& panel) {
        const Slab slab = copy(threads, g, panel, stats.row(2 * head + 1), 1.0f, data);
        sums(threads, {at, entry, pass.weights, nullptr, 1.0f, panel, slab, gradients.values});
      });
    }
    if (gradients.sender.data != nullptr) {
      over([&](const Panel& panel) {
        const Slab slab = copy(threads, receiver, panel, nullptr, factor, data);
        sums(threads, {at, entry, pass.gradients, nullptr, 1.0f, panel, slab, gradients.sender});
      });
    }
  }
}

}  // namespace cupel::kernels
#endif
