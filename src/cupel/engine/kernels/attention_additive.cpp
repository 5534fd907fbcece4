// Attention with scores that are a sum of two nodes' numbers.
//
// A pass over the entries of one head reads a slab's rows (256 bytes of 64 columns) in the order
// that entries name them: that is what takes the time. Forward needs one such pass, backward one
// too: by the transposed pattern, the gradient's row of an entry serves the gradients of both the
// values (weights times rows) and the weights (products with rows). Scores cost an exponential in
// either, which is cheaper than to keep them.
//
// The receivers' gradients are sums over the entries of rows, which the transposed pattern visits
// row by row in between: a thread that has a whole head adds to them as it goes, and needs no
// memory for entries. Several threads on one head keep its entries' gradients and add them then,
// in the same order.
#include <cmath>

#include "cupel/engine/kernels/attention.h"
#include "cupel/engine/kernels/attention_work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/attention_additive.cpp"
#include "cupel/base/vector_targets.h"
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
  float* products = nullptr;    // of a head with several panels: of each entry of at, so far
  float* of_rows = nullptr;     // gradient of the receivers' numbers, or
  float* of_entries = nullptr;  // gradients of the scores of the entries of A
  bool wants_scores = false;
  DenseView grad_sender, grad_values;
  bool adds_values = false;
};

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

HWY_INLINE V16 Leaky(V16 x, V16 slope) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(Lanes16())), x, hn::Mul(x, slope));
}

template <std::size_t kWidth>
HWY_INLINE void ForwardRows(const AdditiveForward& p, Index begin, Index end) {
  const Lanes16 d;
  const V16 slope = hn::Set(d, p.slope), low = hn::Set(d, -INFINITY);
  const Index head = p.panel.head;
  HWY_ALIGN float weight[kChunk], sum[kMostColumns];
  for (Index r = begin; r < end; ++r) {
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
    V16 most = low;
    OverColumns(d, static_cast<std::size_t>(p.a.row_ptr[r + 1] - p.a.row_ptr[r]),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  const Index* column = p.a.columns + p.a.row_ptr[r] + j;
                  const V16 x = hn::GatherIndex(d, p.sender, LoadIndices(column, n));
                  const bool whole = n == kLanes;
                  most = hn::Max(most, whole ? x : hn::IfThenElse(hn::FirstN(d, n), x, low));
                });
    most = Leaky(hn::Add(mine, hn::MaxOfLanes(d, most)), slope);
    V8 total = hn::Zero(Eight());
    std::fill_n(sum, WidthOf<kWidth>(p.values), 0.0f);
    OverChunks(p.a, r, [&](Offset first, std::size_t n) CUPEL_INLINE_LAMBDA {
      const Index* column = p.a.columns + first;
      for (std::size_t j = 0; j < n; j += kLanes) {
        const Indices at = LoadIndices(column + j, n - j);
        const V16 x = hn::Add(mine, hn::GatherIndex(d, p.sender, at));
        const V16 below = hn::Sub(Leaky(x, slope), most);
        hn::Store(ExpOfNonPositive(d, below, static_cast<V16*>(nullptr)), d, weight + j);
      }
      ClearRest(n, weight);
      total = AddValues(weight, n, total);
      AddRows<kWidth>(weight, column, n, p.values, sum);
    });
    maximum = hn::GetLane(most);
    reciprocal = 1.0f / hn::GetLane(hn::SumOfLanes(Eight(), total));
    StoreRow(sum, p.panel.count, reciprocal, to);
  }
}

void AdditiveForwardRows(const AdditiveForward& p, Index begin, Index end) {
  if (p.values.width == 64) {
    ForwardRows<64>(p, begin, end);
  } else {
    ForwardRows<0>(p, begin, end);
  }
}

template <std::size_t kWidth>
HWY_INLINE void BackwardColumns(const AdditiveBackward& p, Index begin, Index end) {
  const Lanes16 d;
  const V16 slope = hn::Set(d, p.slope), zero = hn::Zero(d);
  static_assert(sizeof(RowFacts) == 4 * sizeof(float));
  const auto* facts = reinterpret_cast<const float*>(p.facts);
  const bool wants_values = p.grad_values.data != nullptr;
  const bool wants_senders = p.grad_sender.data != nullptr;
  HWY_ALIGN float weight[kChunk], score[kChunk], mine[kMostColumns], sum[kMostColumns];
  for (Index c = begin; c < end; ++c) {
    const V16 sender = hn::Set(d, p.sender.row(c)[p.panel.head]);
    if (p.wants_scores) {
      CopyRow(p.values.row(c) + p.panel.first, p.panel.count, 1.0f, mine, WidthOf<kWidth>(p.g));
    }
    std::fill_n(sum, WidthOf<kWidth>(p.g), 0.0f);
    float of_sender = 0.0f;
    OverChunks(p.at, c, [&](Offset first, std::size_t n) CUPEL_INLINE_LAMBDA {
      const Index* row = p.at.columns + first;
      if (p.wants_scores) {
        DotRows<kWidth>(mine, row, n, p.g, false, score);
        for (std::size_t i = 0; !p.panel.opens && i < n; ++i) {
          score[i] = p.products[static_cast<std::size_t>(first) + i] + score[i];
        }
        if (!p.panel.closes) std::copy_n(score, n, p.products + first);
      }
      const bool finish = p.wants_scores && p.panel.closes;
      for (std::size_t j = 0; j < n; j += kLanes) {
        const Indices at = hn::ShiftLeft<2>(LoadIndices(row + j, n - j));
        const V16 x = hn::Add(hn::GatherIndex(d, facts, at), sender);
        const V16 below = hn::Sub(Leaky(x, slope), hn::GatherIndex(d, facts + 1, at));
        const V16 exp = ExpOfNonPositive(d, below, static_cast<V16*>(nullptr));
        hn::Store(exp, d, weight + j);
        if (!finish) continue;
        const V16 product = hn::GatherIndex(d, facts + 2, at);
        const V16 grad = hn::Mul(exp, hn::Sub(hn::Load(d, score + j), product));
        hn::Store(hn::IfThenElse(hn::Gt(x, zero), grad, hn::Mul(grad, slope)), d, score + j);
      }
      if (wants_values) AddRows<kWidth>(weight, row, n, p.g, sum);
      if (!finish) return;
      if (wants_senders) {
        for (std::size_t i = 0; i < n; ++i) of_sender += score[i];
      }
      if (p.of_rows != nullptr) {
        for (std::size_t i = 0; i < n; ++i) p.of_rows[row[i]] += score[i];
      } else if (p.of_entries != nullptr) {
        for (std::size_t i = 0; i < n; ++i) {
          p.of_entries[p.entry[static_cast<std::size_t>(first) + i]] = score[i];
        }
      }
    });
    if (wants_senders && p.panel.closes) p.grad_sender.row(c)[p.panel.head] = of_sender;
    if (wants_values) {
      StoreRow(sum, p.panel.count, 1.0f, p.grad_values.row(c) + p.panel.first, p.adds_values);
    }
  }
}

void AdditiveBackwardColumns(const AdditiveBackward& p, Index begin, Index end) {
  if (p.g.width == 64) {
    BackwardColumns<64>(p, begin, end);
  } else {
    BackwardColumns<0>(p, begin, end);
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

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(AdditiveCopyValues);
HWY_EXPORT(AdditiveCopyGradient);
HWY_EXPORT(AdditiveForwardRows);
HWY_EXPORT(AdditiveBackwardColumns);

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
    over_head_panels(head, values.cols / heads, kMostColumns, [&](const Panel& panel) {
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

namespace {

struct AdditiveInputs {
  const SparseView &a, &at;
  const Offset* entry;
  ConstDenseView receiver, sender, values;
  float slope;
  ConstDenseView out, stats, g;
  const AdditiveAttentionGradients& gradients;
};

// `alone`: one thread, which then needs no memory for entries.
void backward_of_head(Threads threads, const AdditiveInputs& in, Index head, bool alone) {
  const Index columns = in.values.cols / in.receiver.cols;
  const auto rows = static_cast<std::size_t>(in.a.rows);
  const auto entries = static_cast<std::size_t>(in.a.entries());
  const DenseView& grad_receiver = in.gradients.receiver;
  AdditiveBackward pass;
  pass.at = in.at;
  pass.entry = in.entry;
  pass.sender = in.sender;
  pass.values = in.values;
  pass.slope = in.slope;
  pass.grad_sender = in.gradients.sender;
  pass.grad_values = in.gradients.values;
  pass.adds_values = in.gradients.adds_values;
  pass.wants_scores = grad_receiver.data != nullptr || pass.grad_sender.data != nullptr;
  float *slab = nullptr, *facts_of = nullptr;
  in_scratch([&](Pieces& pieces) {
    slab = pieces.take(rows * padded(std::min(kMostColumns, columns)));
    facts_of = pieces.take(4 * rows);
    if (columns > kMostColumns && pass.wants_scores) pass.products = pieces.take(entries);
    if (grad_receiver.data == nullptr) return;
    if (alone) {
      pass.of_rows = pieces.take(rows);
    } else {
      pass.of_entries = pieces.take(entries);
    }
  });
  auto* facts = reinterpret_cast<RowFacts*>(facts_of);
  pass.facts = facts;
  for (Index r = 0; r < in.a.rows; ++r) {
    facts[r].receiver = in.receiver.row(r)[head];
    facts[r].maximum = in.stats.row(2 * head)[r];
  }
  if (pass.of_rows != nullptr) std::fill_n(pass.of_rows, rows, 0.0f);
  over_head_panels(head, columns, kMostColumns, [&](const Panel& panel) {
    pass.panel = panel;
    pass.g = {slab, padded(panel.count)};
    over_blocks(threads, in.a.rows, 2 * panel.count, 1, [&](Index begin, Index end) {
      HWY_DYNAMIC_DISPATCH(AdditiveCopyGradient)
      (in.g, in.out, in.stats.row(2 * head + 1), panel, pass.g, facts, begin, end);
    });
    over_entry_blocks(threads, in.at, 2 * panel.count, [&](Index begin, Index end) {
      HWY_DYNAMIC_DISPATCH(AdditiveBackwardColumns)(pass, begin, end);
    });
  });
  if (grad_receiver.data == nullptr) return;
  if (alone) {
    for (Index r = 0; r < in.a.rows; ++r) grad_receiver.row(r)[head] = pass.of_rows[r];
    return;
  }
  over_entry_blocks(threads, in.a, 1, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      float sum = 0.0f;
      for (Offset e = in.a.row_ptr[r]; e < in.a.row_ptr[r + 1]; ++e) sum += pass.of_entries[e];
      grad_receiver.row(r)[head] = sum;
    }
  });
}

}  // namespace

void additive_attention_backward(Threads threads, const SparseView& a, const SparseView& at,
                                 const Offset* entry, ConstDenseView receiver,
                                 ConstDenseView sender, ConstDenseView values, float slope,
                                 ConstDenseView out, ConstDenseView stats, ConstDenseView g,
                                 const AdditiveAttentionGradients& gradients) {
  const AdditiveInputs in{a, at, entry, receiver, sender, values, slope, out, stats, g, gradients};
  const Index heads = receiver.cols;
  const Index count = std::max(1, threads.count);
  if (heads % count == 0 || heads / 4 >= count) {
    parallel_blocks(threads, heads, 1, [&](std::int64_t head, std::int64_t) {
      backward_of_head({1}, in, static_cast<Index>(head), true);
    });
    return;
  }
  for (Index head = 0; head < heads; ++head) backward_of_head(threads, in, head, false);
}

}  // namespace cupel::kernels
#endif
