#include "cupel/engine/kernels/gru_sequence.h"

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/dense.h"
#include "cupel/engine/kernels/pointwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/gru_sequence.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/functions-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// One step of one row. gates has h U on the way in; `after` is the state behind the step.
void GruStep(const float* HWY_RESTRICT x, const float* HWY_RESTRICT own,
             const float* HWY_RESTRICT bias, const float* HWY_RESTRICT before,
             float* HWY_RESTRICT gates, float* HWY_RESTRICT after, std::size_t size) {
  const Wide d;
  OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    const auto input = [&](std::size_t part) CUPEL_INLINE_LAMBDA {
      return hn::Add(LoadUpTo(d, x + part * size + j, n), LoadUpTo(d, own + part * size + j, n));
    };
    const auto hidden = [&](std::size_t part) CUPEL_INLINE_LAMBDA {
      return hn::Add(LoadUpTo(d, gates + part * size + j, n),
                     LoadUpTo(d, bias + part * size + j, n));
    };
    const auto h = LoadUpTo(d, before + j, n);
    const auto r = Sigmoid(d, hn::Add(input(0), hidden(0)));
    const auto z = Sigmoid(d, hn::Add(input(1), hidden(1)));
    const auto q = hidden(2);
    const auto fresh = Tanh(d, hn::MulAdd(r, q, input(2)));
    StoreUpTo(r, d, gates + j, n);
    StoreUpTo(z, d, gates + size + j, n);
    StoreUpTo(q, d, gates + 2 * size + j, n);
    StoreUpTo(fresh, d, gates + 3 * size + j, n);
    StoreUpTo(hn::MulAdd(z, hn::Sub(h, fresh), fresh), d, after + j, n);
  });
}

// Replaces gates by gradients: of r and z before the sigmoid, of q, and of the argument of tanh;
// and the gradient `g` of the state behind the step by that part of the gradient of the state
// before it that does not go through U.
void GruStepBackward(const float* HWY_RESTRICT before, float* HWY_RESTRICT gates,
                     float* HWY_RESTRICT g, std::size_t size) {
  const Wide d;
  const auto one = hn::Set(d, 1.0f);
  OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    const auto r = LoadUpTo(d, gates + j, n), z = LoadUpTo(d, gates + size + j, n),
               q = LoadUpTo(d, gates + 2 * size + j, n),
               fresh = LoadUpTo(d, gates + 3 * size + j, n), h = LoadUpTo(d, before + j, n),
               grad = LoadUpTo(d, g + j, n);
    const auto of_fresh = hn::Mul(hn::Mul(grad, hn::Sub(one, z)), hn::NegMulAdd(fresh, fresh, one));
    const auto of_z = hn::Mul(hn::Mul(grad, hn::Sub(h, fresh)), hn::NegMulAdd(z, z, z));
    const auto of_r = hn::Mul(hn::Mul(of_fresh, q), hn::NegMulAdd(r, r, r));
    StoreUpTo(of_r, d, gates + j, n);
    StoreUpTo(of_z, d, gates + size + j, n);
    StoreUpTo(hn::Mul(of_fresh, r), d, gates + 2 * size + j, n);
    StoreUpTo(of_fresh, d, gates + 3 * size + j, n);
    StoreUpTo(hn::Mul(grad, z), d, g + j, n);
  });
}

// to += the gradients of a step's input, which gates holds.
void AddInputGradient(const float* HWY_RESTRICT gates, float* HWY_RESTRICT to, std::size_t size) {
  const Wide d;
  for (std::size_t part = 0; part < 3; ++part)
    OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const float* from = gates + (part == 2 ? 3 : part) * size + j;
      float* at = to + part * size + j;
      StoreUpTo(hn::Add(LoadUpTo(d, at, n), LoadUpTo(d, from, n)), d, at, n);
    });
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(GruStep);
HWY_EXPORT(GruStepBackward);
HWY_EXPORT(AddInputGradient);

SequenceSteps::SequenceSteps(const SparseView& sequences)
    : place_of_entry(static_cast<std::size_t>(sequences.entries())) {
  const auto length = [&](Index r) { return sequences.row_ptr[r + 1] - sequences.row_ptr[r]; };
  for (Index r = 0; r < sequences.rows; ++r)
    if (length(r) > 0) order.push_back(r);
  std::ranges::stable_sort(order, [&](Index a, Index b) { return length(a) > length(b); });
  begin.push_back(0);
  for (Offset step = 0; !order.empty() && step < length(order.front()); ++step) {
    for (const Index r : order) {
      if (length(r) <= step) break;
      const auto e = static_cast<std::size_t>(sequences.row_ptr[r] + step);
      place_of_entry[e] = std::ssize(row);
      row.push_back(r), column.push_back(sequences.columns[e]);
    }
    begin.push_back(std::ssize(row));
  }
}

namespace {

DenseView rows_of(DenseView m, Offset begin, Index rows) {
  return {m.row(static_cast<Index>(begin)), rows, m.cols, m.stride};
}
DenseView columns_of(DenseView m, Index first, Index count) {
  return {m.data + first, m.rows, count, m.stride};
}

}  // namespace

void gru_sequence(Threads threads, const SequenceSteps& steps, ConstDenseView of_columns,
                  ConstDenseView of_rows, ConstDenseView u, const float* bias, GruTrace trace,
                  DenseView out) {
  const Index d = out.cols;
  for (Index i = 0; i < out.rows; ++i) std::fill_n(out.row(i), d, 0.0f);
  const std::size_t count = steps.begin.size() - 1;
  for (std::size_t k = 0; k < count; ++k) {
    const Index rows = steps.rows(k), longer = k + 1 < count ? steps.rows(k + 1) : 0;
    const auto first = static_cast<Index>(steps.begin[k]);
    const DenseView before = rows_of(trace.before, first, rows);
    const DenseView gates = rows_of(trace.gates, first, rows);
    if (k == 0) {
      for (Index i = 0; i < rows; ++i) {
        std::fill_n(before.row(i), d, 0.0f);
        std::fill_n(gates.row(i), 3 * d, 0.0f);
      }
    } else {
      matmul(threads, before, u, columns_of(gates, 0, 3 * d));
    }
    over_blocks(threads, rows, Offset{9} * d, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const auto place = static_cast<std::size_t>(first + i);
        float* after = i < longer ? trace.before.row(first + rows + i) : out.row(steps.row[place]);
        HWY_DYNAMIC_DISPATCH(GruStep)
        (of_columns.row(steps.column[place]), of_rows.row(steps.row[place]), bias, before.row(i),
         gates.row(i), after, static_cast<std::size_t>(d));
      }
    });
  }
}

void gru_sequence_backward(Threads threads, const SequenceSteps& steps, const SparseView& at,
                           const Offset* entry, ConstDenseView u, GruTrace trace,
                           ConstDenseView grad_out, DenseView work,
                           const GruSequenceGradients& out) {
  const Index d = grad_out.cols;
  const auto size = static_cast<std::size_t>(d);
  for (std::size_t k = steps.begin.size() - 1; k-- > 0;) {
    const Index rows = steps.rows(k);
    const Index longer = k + 2 < steps.begin.size() ? steps.rows(k + 1) : 0;
    const auto first = static_cast<Index>(steps.begin[k]);
    const DenseView before = rows_of(trace.before, first, rows);
    const DenseView gates = rows_of(trace.gates, first, rows);
    over_blocks(threads, rows, Offset{10} * d, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        if (i >= longer)
          std::copy_n(grad_out.row(steps.row[static_cast<std::size_t>(first + i)]), d, work.row(i));
        HWY_DYNAMIC_DISPATCH(GruStepBackward)(before.row(i), gates.row(i), work.row(i), size);
      }
    });
    if (k > 0)  // the state before the first step is zero, and no parameter
      matmul_nt_add(threads, columns_of(gates, 0, 3 * d), u, rows_of(work, 0, rows));
  }
  // Places of the first step have a state of zeros, and add nothing to U.
  const Index places = steps.places(), start = places == 0 ? 0 : steps.rows(0);
  if (out.u.data != nullptr)
    matmul_tn(threads, rows_of(trace.before, start, places - start),
              columns_of(rows_of(trace.gates, start, places - start), 0, 3 * d), out.u);
  if (out.bias.data != nullptr)
    column_sums(threads, columns_of(rows_of(trace.gates, 0, places), 0, 3 * d), out.bias.data);
  if (out.of_rows.data != nullptr) {
    for (Index i = 0; i < out.of_rows.rows; ++i) std::fill_n(out.of_rows.row(i), 3 * d, 0.0f);
    for (std::size_t k = 0; k + 1 < steps.begin.size(); ++k)
      over_blocks(threads, steps.rows(k), Offset{9} * d, 1, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const auto place = static_cast<Index>(steps.begin[k] + i);
          HWY_DYNAMIC_DISPATCH(AddInputGradient)
          (trace.gates.row(place), out.of_rows.row(steps.row[static_cast<std::size_t>(place)]),
           size);
        }
      });
  }
  if (out.of_columns.data == nullptr) return;
  over_blocks(threads, out.of_columns.rows, Offset{9} * d, 1, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      std::fill_n(out.of_columns.row(c), 3 * d, 0.0f);
      for (Offset e = at.row_ptr[c]; e < at.row_ptr[c + 1]; ++e) {
        const Offset place = steps.place_of_entry[static_cast<std::size_t>(entry[e])];
        HWY_DYNAMIC_DISPATCH(AddInputGradient)
        (trace.gates.row(static_cast<Index>(place)), out.of_columns.row(c), size);
      }
    }
  });
}

}  // namespace cupel::kernels
#endif
