// Attention with scores that are products of two nodes' columns.
//
// A pass over the entries of one head reads a slab's rows (256 bytes of 64 columns) in the order
// that entries name them: that is what takes the time. Forward needs two, of the senders for the
// scores and of the values; the numbers of one head's entries lie between them. Backward needs
// three: by the transposed pattern, receivers and the output's gradient at once, for the scores
// anew and the gradients of senders and values; then senders, for the receivers' gradient.
#include <cmath>

#include "cupel/engine/kernels/attention.h"
#include "cupel/engine/kernels/attention_work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/attention_dot.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/attention-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_ATTENTION_DOT_CPP_
#define CUPEL_ENGINE_KERNELS_ATTENTION_DOT_CPP_
namespace cupel::kernels {

struct DotScores {
  SparseView a;
  ConstDenseView receiver;
  float factor = 0;
  Panel panel;
  Slab sender;
  float* of_entries = nullptr;  // products so far; in the end exponentials
  DenseView stats;
};

struct DotBackward {
  SparseView at;
  const Offset* entry = nullptr;
  ConstDenseView sender, values;
  Panel panel;
  Slab receiver, g;                // times the factor; divided by the sums of the exponentials
  const float* maximum = nullptr;  // of each row
  const float* product = nullptr;  // of each row: <g, out> / sum of the exponentials
  float* of_entries = nullptr;     // becomes gradients of scores
  bool wants_scores = false;
  DenseView grad_sender, grad_values;
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

void DotScoreRows(const DotScores& p, Index begin, Index end) {
  HWY_ALIGN float mine[kMostColumns], score[kChunk];
  for (Index r = begin; r < end; ++r) {
    const Offset size = p.a.row_ptr[r + 1] - p.a.row_ptr[r];
    float* HWY_RESTRICT row = p.of_entries + p.a.row_ptr[r];
    CopyRow(p.receiver.row(r) + p.panel.first, p.panel.count, p.factor, mine, p.sender.width);
    OverChunks(p.a, r, [&](Offset first, std::size_t n) CUPEL_INLINE_LAMBDA {
      DotRows(mine, p.a.columns + first, n, p.sender, score);
      float* HWY_RESTRICT to = p.of_entries + first;
      for (std::size_t i = 0; i < n; ++i) to[i] = p.panel.opens ? score[i] : to[i] + score[i];
    });
    if (!p.panel.closes) continue;
    float& maximum = p.stats.row(2 * p.panel.head)[r];
    float& reciprocal = p.stats.row(2 * p.panel.head + 1)[r];
    maximum = reciprocal = 0.0f;
    if (size == 0) continue;
    float sum;
    ExpOfRow(row, static_cast<std::size_t>(size), &maximum, &sum);
    reciprocal = 1.0f / sum;
  }
}

// out(r, panel) = by(r) * sum over the row's entries of weight(e) * slab(column).
void DotWeightedRows(const SparseView& a, const float* weight, const float* by, float factor,
                     const Panel& panel, const Slab& slab, DenseView out, Index begin, Index end) {
  HWY_ALIGN float sum[kMostColumns];
  for (Index r = begin; r < end; ++r) {
    const Offset first = a.row_ptr[r];
    std::fill_n(sum, slab.width, 0.0f);
    AddRows(weight + first, a.columns + first, static_cast<std::size_t>(a.row_ptr[r + 1] - first),
            slab, sum);
    StoreRow(sum, panel.count, by != nullptr ? by[r] : factor, out.row(r) + panel.first);
  }
}

void DotBackwardColumns(const DotBackward& p, Index begin, Index end) {
  const Lanes16 d;
  const std::size_t width = p.g.width;
  HWY_ALIGN Index buffer[kChunk];
  HWY_ALIGN float weight[kChunk], score[kChunk], product[kChunk];
  float* sender = block_scratch(4 * width);
  float *values = sender + width, *of_sender = values + width, *of_values = of_sender + width;
  for (Index c = begin; c < end; ++c) {
    CopyRow(p.sender.row(c) + p.panel.first, p.panel.count, 1.0f, sender, width);
    CopyRow(p.values.row(c) + p.panel.first, p.panel.count, 1.0f, values, width);
    std::fill_n(of_sender, 2 * width, 0.0f);
    OverChunks(p.at, c, [&](Offset first, std::size_t n) CUPEL_INLINE_LAMBDA {
      const Index* row = ChunkColumns(p.at, first, n, buffer);
      DotRows(sender, row, n, p.receiver, score);
      if (p.wants_scores) DotRows(values, row, n, p.g, product);
      for (std::size_t j = 0; j < n; j += kLanes) {
        const auto at = LoadIndices(row + j);
        const V16 below = hn::Sub(hn::Load(d, score + j), hn::GatherIndex(d, p.maximum, at));
        const V16 exp = ExpOfNonPositive(d, below, static_cast<V16*>(nullptr));
        hn::Store(exp, d, weight + j);
        if (!p.wants_scores) continue;
        const V16 mean = hn::GatherIndex(d, p.product, at);
        hn::Store(hn::Mul(exp, hn::Sub(hn::Load(d, product + j), mean)), d, score + j);
      }
      if (p.wants_scores) {
        for (std::size_t i = 0; i < n; ++i) {
          p.of_entries[p.entry[first + static_cast<Offset>(i)]] = score[i];
        }
      }
      if (p.grad_sender.data != nullptr) AddRows(score, row, n, p.receiver, of_sender);
      if (p.grad_values.data != nullptr) AddRows(weight, row, n, p.g, of_values);
    });
    if (p.grad_sender.data != nullptr) {
      StoreRow(of_sender, p.panel.count, 1.0f, p.grad_sender.row(c) + p.panel.first);
    }
    if (p.grad_values.data != nullptr) {
      StoreRow(of_values, p.panel.count, 1.0f, p.grad_values.row(c) + p.panel.first);
    }
  }
}

void DotCopyRows(ConstDenseView x, const Panel& panel, float by, const Slab& to, Index begin,
                 Index end) {
  CopyRows(x, panel, by, to, begin, end);
}

void DotCopyGradient(ConstDenseView g, ConstDenseView out, const float* by, const Panel& panel,
                     const Slab& to, float* product, Index begin, Index end) {
  CopyGradient(g, out, by, panel, to, product, 1, begin, end);
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(DotScoreRows);
HWY_EXPORT(DotWeightedRows);
HWY_EXPORT(DotBackwardColumns);
HWY_EXPORT(DotCopyRows);
HWY_EXPORT(DotCopyGradient);

namespace {

Slab copy(Threads threads, ConstDenseView x, Index rows, const Panel& panel, float by,
          float* data) {
  const Slab slab{data, padded(panel.count)};
  over_blocks(threads, rows, panel.count, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(DotCopyRows)(x, panel, by, slab, begin, end);
  });
  return slab;
}

void weighted_rows(Threads threads, const SparseView& a, const float* weight, const float* by,
                   float factor, const Panel& panel, const Slab& slab, DenseView out) {
  over_entry_blocks(threads, a, panel.count, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(DotWeightedRows)(a, weight, by, factor, panel, slab, out, begin, end);
  });
}

}  // namespace

void dot_attention(Threads threads, const SparseView& a, ConstDenseView receiver,
                   ConstDenseView sender, ConstDenseView values, Index heads, float factor,
                   DenseView out, DenseView stats) {
  const Index cols = values.cols, d = cols / heads;
  float *data = nullptr, *of_entries = nullptr;
  in_scratch([&](Pieces& pieces) {
    data = pieces.take(static_cast<std::size_t>(a.cols) * padded(std::min(d, kMostColumns)));
    of_entries = pieces.take(static_cast<std::size_t>(a.entries()));
  });
  for (Index head = 0; head < heads; ++head) {
    over_panels(head, d, kMostColumns, [&](const Panel& panel) {
      const Slab slab = copy(threads, sender, a.cols, panel, 1.0f, data);
      const DotScores pass{a, receiver, factor, panel, slab, of_entries, stats};
      over_entry_blocks(threads, a, panel.count, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(DotScoreRows)(pass, begin, end);
      });
    });
    over_panels(head, d, kMostColumns, [&](const Panel& panel) {
      const Slab slab = copy(threads, values, a.cols, panel, 1.0f, data);
      weighted_rows(threads, a, of_entries, stats.row(2 * head + 1), 0, panel, slab, out);
    });
  }
}

void dot_attention_backward(Threads threads, const SparseView& a, const SparseView& at,
                            const Offset* entry, ConstDenseView receiver, ConstDenseView sender,
                            ConstDenseView values, Index heads, float factor, ConstDenseView out,
                            ConstDenseView stats, ConstDenseView g,
                            const DotAttentionGradients& gradients) {
  const Index cols = values.cols, d = cols / heads;
  const auto rows = static_cast<std::size_t>(std::max(a.rows, a.cols));
  float *first = nullptr, *second = nullptr, *of_entries = nullptr, *product = nullptr;
  in_scratch([&](Pieces& pieces) {
    first = pieces.take(rows * padded(d));
    second = pieces.take(rows * padded(d));
    of_entries = pieces.take(static_cast<std::size_t>(a.entries()));
    product = pieces.take(rows);
  });
  DotBackward pass;
  pass.at = at;
  pass.entry = entry;
  pass.sender = sender;
  pass.values = values;
  pass.of_entries = of_entries;
  pass.product = product;
  pass.wants_scores = gradients.receiver.data != nullptr || gradients.sender.data != nullptr;
  pass.grad_sender = gradients.sender;
  pass.grad_values = gradients.values;
  for (Index head = 0; head < heads; ++head) {
    over_panels(head, d, d, [&](const Panel& panel) {
      pass.panel = panel;
      pass.maximum = stats.row(2 * head);
      pass.receiver = copy(threads, receiver, a.rows, panel, factor, first);
      pass.g = {second, padded(d)};
      over_blocks(threads, a.rows, 2 * d, 1, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(DotCopyGradient)
        (g, out, stats.row(2 * head + 1), panel, pass.g, product, begin, end);
      });
      over_entry_blocks(threads, at, 4 * d, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(DotBackwardColumns)(pass, begin, end);
      });
    });
    if (gradients.receiver.data == nullptr) continue;
    over_panels(head, d, kMostColumns, [&](const Panel& panel) {
      const Slab slab = copy(threads, sender, a.cols, panel, 1.0f, first);
      weighted_rows(threads, a, of_entries, nullptr, factor, panel, slab, gradients.receiver);
    });
  }
}

}  // namespace cupel::kernels
#endif
