#include "cupel/data/stats/path_batches.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

#include "cupel/base/shuffle.h"

namespace cupel {
namespace {

constexpr double kMostSpace = 1e9;  // bytes of all searches at once

// The 97.5 % point of Student's distribution, by Cornish and Fisher's expansion; from df = 3 on the
// error is below 3 %. Below that the exact values.
double student(double df) {
  if (df < 1.5) return 12.706;
  if (df < 2.5) return 4.303;
  const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * df) + (5 * z5 + 16 * z3 + 3 * z) / (96 * df * df);
}

}  // namespace

double search_cost(const SimpleGraph& graph, Index diameter, bool narrow, double sources) {
  const auto entries = static_cast<double>(graph.entries() + graph.connected_nodes());
  if (!narrow) return sources / 512 * entries * std::min<double>(diameter, 6) * 4e-9;
  const double levels = std::min<double>(diameter, diameter <= kNarrow ? 4 : 32);
  return sources / 64 * entries * levels * 2e-9;
}

AveragePath mean_of_draws(const std::vector<double>& values, double all) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double missing = std::max(0.0, 1 - count / all);
  const double half = student(count - 1) * std::sqrt(squares / (count - 1) / count * missing);
  return {mean, std::max(1.0, mean - half), mean + half, false, 0};
}

std::vector<Index> shuffled(std::size_t count, Stream& random) {
  std::vector<Index> out(count);
  std::iota(out.begin(), out.end(), 0);
  shuffle(out, random);
  return out;
}

template <int kWords>
BatchSums search_batches(const SimpleGraph& graph, Threads threads, std::span<const Index> order,
                         std::span<const Index> batches, const std::function<bool(Index)>& inside,
                         const std::function<bool()>& stop) {
  constexpr std::size_t kEach = MultiBfs<kWords>::kSources;
  BatchSums out;
  out.sums.resize(batches.size());
  out.done.resize(batches.size());
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  const double space = 24.0 * kWords * graph.connected_nodes();
  const int workers = std::max(1, std::min({threads.count, static_cast<int>(kMostSpace / space),
                                            static_cast<int>(batches.size())}));
  parallel_blocks(threads, workers, 1, [&](std::int64_t, std::int64_t) {
    MultiBfs<kWords> search(graph, {1}, inside);
    SourceDistances result;
    for (std::size_t k; (k = next++) < batches.size();) {
      const std::size_t from = static_cast<std::size_t>(batches[k]) * kEach;
      const std::size_t size = std::min(kEach, order.size() - from);
      if (!search.run(order.subspan(from, size), stop, result)) return;
      const std::lock_guard lock(mutex);
      out.sums[k] = std::accumulate(result.sum.begin(), result.sum.end(), std::uint64_t{0});
      out.done[k] = 1;
      out.largest = std::max(out.largest, *std::ranges::max_element(result.eccentricity));
    }
  });
  return out;
}

template BatchSums search_batches<1>(const SimpleGraph&, Threads, std::span<const Index>,
                                     std::span<const Index>, const std::function<bool(Index)>&,
                                     const std::function<bool()>&);
template BatchSums search_batches<8>(const SimpleGraph&, Threads, std::span<const Index>,
                                     std::span<const Index>, const std::function<bool(Index)>&,
                                     const std::function<bool()>&);

}  // namespace cupel
