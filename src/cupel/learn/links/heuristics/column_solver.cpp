#include "cupel/learn/links/heuristics/column_solver.h"

#include <algorithm>
#include <cstddef>

#include "cupel/learn/links/heuristics/pair_groups.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/learn/links/heuristics/column_solver.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

#ifndef CUPEL_COLUMN_SOLVER_SHAPE
#define CUPEL_COLUMN_SOLVER_SHAPE
namespace cupel {
inline constexpr int kColumns = 16;  // of a panel: two cache lines a node
struct PanelStep {
  const Offset* row_ptr;
  const Index* columns;
  const double* scale;
  const double* y;  // nodes x kColumns
  double* next;     // holds y_{k-1}, becomes y_{k+1}
  double factor;    // 0: there are none
};
}  // namespace cupel
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// All but the term of e_t, for the nodes from `begin` to `end`.
void StepRows(const PanelStep& step, Index begin, Index end) {
  const hn::CappedTag<double, 8> d;
  constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<double, 8>());
  constexpr std::size_t kTogether = kColumns / kLanes < 4 ? kColumns / kLanes : 4;
  static_assert(kColumns % (kLanes * kTogether) == 0);
  const auto factor = hn::Set(d, step.factor);
  for (Index i = begin; i < end; ++i) {
    const auto scale = hn::Set(d, step.scale[i]);
    for (std::size_t from = 0; from < kColumns; from += kLanes * kTogether) {
      hn::Vec<decltype(d)> sum[kTogether];
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kTogether; ++v) sum[v] = hn::Zero(d);
      for (Offset at = step.row_ptr[i]; at < step.row_ptr[i + 1]; ++at) {
        const double* y = step.y + static_cast<std::size_t>(step.columns[at]) * kColumns + from;
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kTogether; ++v)
          sum[v] = hn::Add(sum[v], hn::Load(d, y + v * kLanes));
      }
      double* next = step.next + static_cast<std::size_t>(i) * kColumns + from;
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kTogether; ++v) {
        auto value = hn::Mul(scale, sum[v]);
        if (step.factor != 0) {
          const auto before = hn::Load(d, next + v * kLanes);
          value = hn::MulAdd(factor, hn::Sub(value, before), before);
        }
        hn::Store(value, d, next + v * kLanes);
      }
    }
  }
}

}  // namespace cupel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace cupel {

HWY_EXPORT(StepRows);

namespace {

constexpr Index kNodesEach = 4096;
// Above, two panels are larger than caches, and one panel for each thread than memory may be.
constexpr Index kNodesOfManyPanels = 1 << 16;

using Panel = AlignedVector<double>;  // nodes x kColumns

// The last iterate of the columns of `nodes`, at most kColumns of them.
Panel solve(const Csr& arcs, const ColumnIteration& iteration, std::span<const Index> nodes,
            Threads threads, const RunLimits& limits) {
  Panel y(static_cast<std::size_t>(arcs.rows) * kColumns), next(y.size());
  const auto add_start = [&](Panel& panel, double factor) {
    for (std::size_t c = 0; c < nodes.size(); ++c)
      panel[static_cast<std::size_t>(nodes[c]) * kColumns + c] += factor * iteration.start;
  };
  add_start(y, 1);
  for (int k = 0; k < iteration.steps; ++k) {
    limits.check();
    const double factor = iteration.factors.empty() ? 0 : iteration.factors[k];
    const PanelStep step = {arcs.row_ptr.data(),
                            arcs.columns.data(),
                            iteration.scale.data(),
                            y.data(),
                            next.data(),
                            factor};
    parallel_blocks(threads, arcs.rows, kNodesEach, [&](std::int64_t begin, std::int64_t end) {
      HWY_DYNAMIC_DISPATCH(StepRows)(step, static_cast<Index>(begin), static_cast<Index>(end));
    });
    add_start(next, factor == 0 ? 1 : factor);
    y.swap(next);
  }
  return y;
}

}  // namespace

void score_columns(const LinkGraph& graph, const ColumnIteration& iteration,
                   const FinishColumn& finish, std::span<const Pair> pairs, std::span<float> scores,
                   Threads threads, const RunLimits& limits) {
  const GroupBy by = graph.directed ? GroupBy::kTarget : GroupBy::kSmaller;
  const PairGroups groups = group_pairs(pairs, by, graph.arcs.rows);
  const bool many = graph.arcs.rows <= kNodesOfManyPanels;
  const Threads of_panels = many ? threads : Threads{1}, of_steps = many ? Threads{1} : threads;
  parallel_blocks(of_panels, groups.size(), kColumns, [&](std::int64_t begin, std::int64_t end) {
    const auto count = static_cast<std::size_t>(end - begin);
    const auto nodes = std::span(groups.nodes).subspan(static_cast<std::size_t>(begin), count);
    const Panel y = solve(graph.arcs, iteration, nodes, of_steps, limits);
    for (std::size_t c = 0; c < count; ++c) {
      for (const std::size_t place : groups.of(static_cast<Index>(begin) + static_cast<Index>(c))) {
        const auto [i, j] = pairs[place];
        const Index node = i == nodes[c] ? j : i;
        const double value = y[static_cast<std::size_t>(node) * kColumns + c];
        scores[place] = static_cast<float>(finish(value, node, nodes[c]));
      }
    }
  });
}

}  // namespace cupel

#endif
