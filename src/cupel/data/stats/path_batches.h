// What both means of distances.h are made with: searches from many sources, and estimates.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/stats/multi_bfs.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

// Above this diameter or this number of connected nodes, sources are searched 64 at a time.
inline constexpr Index kNarrow = 64, kManyNodes = 1 << 19;

// Seconds that searching `sources` nodes takes, roughly, on two cores. `narrow`: 64 at a time.
[[nodiscard]] double search_cost(const SimpleGraph& graph, Index diameter, bool narrow,
                                 double sources);

// The mean of values of one draw each, with its interval; `all` of them would be the truth.
[[nodiscard]] AveragePath mean_of_draws(const std::vector<double>& values, double all);

// The order in which batches are taken: 0 .. count - 1, shuffled by `random`.
[[nodiscard]] std::vector<Index> shuffled(std::size_t count, Stream& random);

struct BatchSums {
  std::vector<std::uint64_t> sums;  // per batch, in the order taken: of all distances found
  std::vector<char> done;
  Index largest = 0;  // distance
};

// Searches from all nodes of `order`: batch b is the nodes from kSources * b on. Each thread takes
// one batch after the other, those that memory (1 GB) has room for. Nodes for which inside(v) is
// false are not looked at (multi_bfs.h). What is not done when stop() says so stays undone.
template <int kWords>
[[nodiscard]] BatchSums search_batches(const SimpleGraph& graph, Threads threads,
                                       std::span<const Index> order, std::span<const Index> batches,
                                       const std::function<bool(Index)>& inside,
                                       const std::function<bool()>& stop);

extern template BatchSums search_batches<1>(const SimpleGraph&, Threads, std::span<const Index>,
                                            std::span<const Index>,
                                            const std::function<bool(Index)>&,
                                            const std::function<bool()>&);
extern template BatchSums search_batches<8>(const SimpleGraph&, Threads, std::span<const Index>,
                                            std::span<const Index>,
                                            const std::function<bool(Index)>&,
                                            const std::function<bool()>&);

}  // namespace cupel
