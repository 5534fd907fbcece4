// Attention with scores that are a sum of two nodes' numbers.
//
// A pass over the entries of one head reads a slab's rows (256 bytes of 64 columns) in the order
// that entries name them: that is what takes the time. Forward needs one such pass, backward one
// too: by the transposed pattern, the gradient's row of an entry serves the gradients of both the
// values (weights times rows) and the weights (products with rows). Scores cost an exponential in
// either, which is cheaper than to keep them.
#include <cmath>

#include "cupel/engine/kernels/attention.h"
#include "cupel/engine/kernels/attention_work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/attention_additive.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/attention-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_ATTENTION_ADDITIVE_CPP_
#define CUPEL_ENGINE_KERNELS_ATTENTION_ADDITIVE_CPP_
namespace cupel::kernels {

struct AdditiveForward {
  SparseView a;
  ConstDenseView receiver;
  const float* sender = nullptr;  // of this head, by column of a
  float slope = 0;
  Panel panel;
  Slab values;
  DenseView out, stats;
};

// What a row has to say to its entries, side by side for the sake of the cache.
struct RowFacts {
  float receiver, maximum, product, unused;  // product: <g, out> / sum of the exponentials
};

struct AdditiveBackward {
  SparseView at;
  const Offset* entry = nullptr;
  ConstDenseView sender, values;
  float slope = 0;
  Panel panel;
  Slab g;  // divided by the sums of the exponentials
  const RowFacts* facts = nullptr;
  float* of_entries = nullptr;  // products so far; in the end gradients of scores
  bool wants_scores = false;
  DenseView grad_sender, grad_values;
};

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

HWY_INLINE V16 Leaky(V16 x, V16 slope) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(Lanes16())), x, hn::Mul(x, slope));
}

void AdditiveForwardRows(const AdditiveForward& p, Index begin, Index end) {
  const Lanes16 d;
  const V16 slope = hn::Set(d, p.slope);
  HWY_ALIGN Index buffer[kChunk];
  HWY_ALIGN float weight[kChunk], sum[kMostColumns];
  for (Index r = begin; r < end; ++r) {
    const Index head = p.panel.head;
    float* HWY_RESTRICT to = p.out.row(r) + p.panel.first;
    float& maximum = p.stats.row(2 * head)[r];
    float& reciprocal = p.stats.row(2 * head + 1)[r];
    if (p.a.row_ptr[r] == p.a.row_ptr[r + 1]) {
      std::fill_n(to, p.panel.count, 0.0f);
      maximum = reciprocal = 0.0f;
      continue;
    }
    const V16 mine = hn::Set(d, p.receiver.row(r)[head]);
    // Scores grow with the sender's number, so the largest one has the largest score.
    V16 most = hn::Set(d, -INFINITY);
    OverChunks(p.a, r, [&](Offset first, std::size_t n) CUPEL_INLINE_LAMBDA {
      const Index* column = ChunkColumns(p.a, first, n, buffer);
      for (std::size_t j = 0; j < n; j += kLanes) {
        most = hn::Max(most, hn::GatherIndex(d, p.sender, LoadIndices(column + j)));
      }
    });
    most = Leaky(hn::Add(mine, hn::MaxOfLanes(d, most)), slope);
    V8 total = hn::Zero(Eight());
    std::fill_n(sum, p.values.width, 0.0f);
    OverChunks(p.a, r, [&](Offset first, std::size_t n) CUPEL_INLINE_LAMBDA {
      const Index* column = ChunkColumns(p.a, first, n, buffer);
      for (std::size_t j = 0; j < n; j += kLanes) {
        const V16 x = hn::Add(mine, hn::GatherIndex(d, p.sender, LoadIndices(column + j)));
        const V16 below = hn::Sub(Leaky(x, slope), most);
        hn::Store(ExpOfNonPositive(d, below, static_cast<V16*>(nullptr)), d, weight + j);
      }
      ClearRest(n, weight);
      total = AddValues(weight, n, total);
      AddRows(weight, column, n, p.values, sum);
    });
    maximum = hn::GetLane(most);
    reciprocal = 1.0f / hn::GetLane(hn::SumOfLanes(Eight(), total));
    StoreRow(sum, p.panel.count, reciprocal, to);
  }
}

void AdditiveBackwardColumns(const AdditiveBackward& p, Index begin, Index end) {
  const Lanes16 d;
  const V16 slope = hn::Set(d, p.slope), zero = hn::Zero(d);
  static_assert(sizeof(RowFacts) == 4 * sizeof(float));
  const auto* facts = reinterpret_cast<const float*>(p.facts);
  HWY_ALIGN Index buffer[kChunk];
  HWY_ALIGN float weight[kChunk], score[kChunk], mine[kMostColumns], sum[kMostColumns];
  const bool wants_values = p.grad_values.data != nullptr;
  for (Index c = begin; c < end; ++c) {
    const V16 sender = hn::Set(d, p.sender.row(c)[p.panel.head]);
    if (p.wants_scores) {
      CopyRow(p.values.row(c) + p.panel.first, p.panel.count, 1.0f, mine, p.g.width);
    }
    std::fill_n(sum, p.g.width, 0.0f);
    float of_sender = 0.0f;
    OverChunks(p.at, c, [&](Offset first, std::size_t n) CUPEL_INLINE_LAMBDA {
      const Index* row = ChunkColumns(p.at, first, n, buffer);
      if (p.wants_scores) {
        DotRows(mine, row, n, p.g, score);
        for (std::size_t i = 0; !p.panel.opens && i < n; ++i) {
          score[i] += p.of_entries[p.entry[first + static_cast<Offset>(i)]];
        }
      }
      for (std::size_t j = 0; j < n; j += kLanes) {
        const auto at = hn::ShiftLeft<2>(LoadIndices(row + j));
        const V16 x = hn::Add(hn::GatherIndex(d, facts, at), sender);
        const V16 below = hn::Sub(Leaky(x, slope), hn::GatherIndex(d, facts + 1, at));
        const V16 exp = ExpOfNonPositive(d, below, static_cast<V16*>(nullptr));
        hn::Store(exp, d, weight + j);
        if (!p.wants_scores || !p.panel.closes) continue;
        const V16 product = hn::GatherIndex(d, facts + 2, at);
        const V16 grad = hn::Mul(exp, hn::Sub(hn::Load(d, score + j), product));
        hn::Store(hn::IfThenElse(hn::Gt(x, zero), grad, hn::Mul(grad, slope)), d, score + j);
      }
      if (p.wants_scores) {
        for (std::size_t i = 0; i < n; ++i) {
          p.of_entries[p.entry[first + static_cast<Offset>(i)]] = score[i];
          of_sender += score[i];
        }
      }
      if (wants_values) AddRows(weight, row, n, p.g, sum);
    });
    if (p.grad_sender.data != nullptr && p.panel.closes) {
      p.grad_sender.row(c)[p.panel.head] = of_sender;
    }
    if (!wants_values) continue;
    StoreRow(sum, p.panel.count, 1.0f, p.grad_values.row(c) + p.panel.first);
  }
}

void AdditiveCopyValues(ConstDenseView x, const Panel& panel, const Slab& to, Index begin,
                        Index end) {
  CopyRows(x, panel, 1.0f, to, begin, end);
}

void AdditiveCopyGradient(ConstDenseView g, ConstDenseView out, const float* by, const Panel& panel,
                          const Slab& to, RowFacts* facts, Index begin, Index end) {
  CopyGradient(g, out, by, panel, to, &facts->product, 4, begin, end);
}

void AdditiveRowSums(const SparseView& a, const float* of_entries, Index head, DenseView out,
                     Index begin, Index end) {
  const Eight d;
  for (Index r = begin; r < end; ++r) {
    const float* HWY_RESTRICT row = of_entries + a.row_ptr[r];
    V8 sum = hn::Zero(d);
    OverColumns(d, static_cast<std::size_t>(a.row_ptr[r + 1] - a.row_ptr[r]),
                [&](std::size_t j, std::size_t n)
                    CUPEL_INLINE_LAMBDA { sum = hn::Add(sum, LoadUpTo(d, row + j, n)); });
    out.row(r)[head] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(AdditiveCopyValues);
HWY_EXPORT(AdditiveCopyGradient);
HWY_EXPORT(AdditiveForwardRows);
HWY_EXPORT(AdditiveBackwardColumns);
HWY_EXPORT(AdditiveRowSums);

void additive_attention(Threads threads, const SparseView& a, ConstDenseView receiver,
                        ConstDenseView sender, ConstDenseView values, float slope, DenseView out,
                        DenseView stats) {
  const Index heads = receiver.cols;
  const std::size_t width = padded(std::min(kMostColumns, values.cols / heads));
  const std::size_t columns = static_cast<std::size_t>(a.cols);
  float *slab = nullptr, *plane = nullptr;
  in_scratch([&](Pieces& pieces) {
    slab = pieces.take(columns * width);
    plane = pieces.take(columns);
  });
  for (Index head = 0; head < heads; ++head) {
    over_panels(head, values.cols / heads, kMostColumns, [&](const Panel& panel) {
      AdditiveForward pass{a,   receiver, plane, slope, panel, {slab, padded(panel.count)},
                           out, stats};
      over_blocks(threads, a.cols, panel.count, 1, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(AdditiveCopyValues)(values, panel, pass.values, begin, end);
      });
      for (Index c = 0; c < a.cols; ++c) plane[c] = sender.row(c)[panel.head];
      over_entry_blocks(threads, a, panel.count, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(AdditiveForwardRows)(pass, begin, end);
      });
    });
  }
}

void additive_attention_backward(Threads threads, const SparseView& a, const SparseView& at,
                                 const Offset* entry, ConstDenseView receiver,
                                 ConstDenseView sender, ConstDenseView values, float slope,
                                 ConstDenseView out, ConstDenseView stats, ConstDenseView g,
                                 const AdditiveAttentionGradients& gradients) {
  const Index heads = receiver.cols;
  const std::size_t width = padded(std::min(kMostColumns, values.cols / heads));
  const auto rows = static_cast<std::size_t>(a.rows);
  float *slab = nullptr, *of_entries = nullptr, *facts_of = nullptr;
  in_scratch([&](Pieces& pieces) {
    slab = pieces.take(rows * width);
    of_entries = pieces.take(static_cast<std::size_t>(a.entries()));
    facts_of = pieces.take(4 * rows);
  });
  auto* facts = reinterpret_cast<RowFacts*>(facts_of);
  AdditiveBackward pass;
  pass.at = at;
  pass.entry = entry;
  pass.sender = sender;
  pass.values = values;
  pass.slope = slope;
  pass.facts = facts;
  pass.of_entries = of_entries;
  pass.wants_scores = gradients.receiver.data != nullptr || gradients.sender.data != nullptr;
  pass.grad_sender = gradients.sender;
  pass.grad_values = gradients.values;
  for (Index head = 0; head < heads; ++head) {
    over_panels(head, values.cols / heads, kMostColumns, [&](const Panel& panel) {
      pass.panel = panel;
      pass.g = {slab, padded(panel.count)};
      const float* maximum = stats.row(2 * panel.head);
      for (Index r = 0; r < a.rows; ++r) {
        facts[r].receiver = receiver.row(r)[panel.head];
        facts[r].maximum = maximum[r];
      }
      over_blocks(threads, a.rows, 2 * panel.count, 1, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(AdditiveCopyGradient)
        (g, out, stats.row(2 * panel.head + 1), panel, pass.g, facts, begin, end);
      });
      over_entry_blocks(threads, at, 2 * panel.count, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(AdditiveBackwardColumns)(pass, begin, end);
      });
      if (gradients.receiver.data == nullptr || !panel.closes) return;
      over_entry_blocks(threads, a, 1, [&](Index begin, Index end) {
        HWY_DYNAMIC_DISPATCH(AdditiveRowSums)
        (a, of_entries, panel.head, gradients.receiver, begin, end);
      });
    });
  }
}

}  // namespace cupel::kernels
#endif
