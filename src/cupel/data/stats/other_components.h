// Distances within all components but the largest.
#pragma once

#include <functional>
#include <vector>

#include "cupel/data/stats/components.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

// 8 bytes per connected node outside the largest component, and while many sources are searched
// together 24 or 192 per connected node and thread. Both arguments must outlive it.
class OtherComponents {
 public:
  OtherComponents(const SimpleGraph& graph, const ComponentSizes& components);

  // Ordered pairs of different nodes that a path joins.
  std::uint64_t pairs() const { return pairs_; }

  // The mean distance of these pairs, of which there is at least one. Exact if searching all nodes
  // is likely to fit into the budget (seconds), judged by sizes and not by the clock, and stop()
  // does not say otherwise. Else an estimate from nodes drawn, with replacement, in proportion to
  // how many others they reach, so that the mean over draws of the mean distance from the node has
  // the truth as its expectation. At least one batch of them is searched. The result does not
  // depend on the threads.
  AveragePath measure(const StatisticsOptions& options, double budget,
                      const std::function<bool()>& stop) const;

 private:
  std::span<const Index> members(std::size_t component) const {
    return std::span(order_).subspan(start_[component], start_[component + 1] - start_[component]);
  }
  bool is_small(std::size_t component) const { return work_[component] * 100 <= all_work_; }
  bool is_inside(Index v) const;
  double cost() const;
  bool add_small(Threads threads, const std::function<bool()>& stop, std::uint64_t& sum) const;
  bool add_large(Threads threads, const std::function<bool()>& stop, std::uint64_t& sum) const;
  template <int kWords>
  AveragePath sample(const StatisticsOptions& options, double budget,
                     const std::function<bool()>& stop) const;

  const SimpleGraph& graph_;
  const ComponentSizes& components_;
  std::vector<Index> order_;        // nodes, one component after the other
  std::vector<std::size_t> start_;  // components + 1: where each begins in order_
  std::vector<std::int64_t> work_;  // per component: nodes and entries
  std::int64_t all_work_ = 0;       // of the whole graph
  std::uint64_t pairs_ = 0;
};

}  // namespace cupel
