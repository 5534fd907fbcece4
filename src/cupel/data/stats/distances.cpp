#include "cupel/data/stats/distances.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "cupel/base/random.h"
#include "cupel/data/stats/diameter.h"
#include "cupel/data/stats/multi_bfs.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;
using Stop = std::function<bool()>;

constexpr Index kNarrow = 64;          // above this diameter, sources are searched 64 at a time
constexpr Index kManyNodes = 1 << 19;  // and above this number of nodes
constexpr double kMostSpace = 1e9;     // bytes of all searches at once

// Seconds that searching `sources` nodes takes, roughly, on two cores.
double cost(const SimpleGraph& graph, Index diameter, bool narrow, double sources) {
  const auto entries = static_cast<double>(graph.entries() + graph.connected_nodes());
  if (!narrow) return sources / 512 * entries * std::min<double>(diameter, 6) * 4e-9;
  const double levels = std::min<double>(diameter, diameter <= kNarrow ? 4 : 32);
  return sources / 64 * entries * levels * 2e-9;
}

// The 97.5 % point of Student's distribution, by Cornish and Fisher's expansion; from df = 3 on the
// error is below 3 %. Below that the exact values.
double student(double df) {
  if (df < 1.5) return 12.706;
  if (df < 2.5) return 4.303;
  const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * df) + (5 * z5 + 16 * z3 + 3 * z) / (96 * df * df);
}

// The mean of values of one draw each, with its interval; `all` of them would be the truth.
AveragePath mean_of(const std::vector<double>& values, double all) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double missing = std::max(0.0, 1 - count / all);
  const double half = student(count - 1) * std::sqrt(squares / (count - 1) / count * missing);
  return {mean, std::max(1.0, mean - half), mean + half, false, 0};
}

class Paths {
 public:
  Paths(const SimpleGraph& graph, const ComponentSizes& components,
        const StatisticsOptions& options)
      : graph_(graph), components_(components), options_(options) {}

  std::optional<AveragePath> measure(std::optional<Diameter>& diameter, double budget,
                                     const Stop& stop) {
    const bool narrow = graph_.connected_nodes() > kManyNodes || diameter->lower > kNarrow;
    const double every = cost(graph_, diameter->lower, narrow, components_.largest);
    if (every <= budget) {
      return narrow ? all_sources<1>(*diameter, stop) : all_sources<8>(*diameter, stop);
    }
    const double wanted = components_.largest * (budget / 2) / every;
    const auto count =
        static_cast<Index>(std::clamp(wanted, std::min<double>(64, components_.largest),
                                      std::min<double>(8192, components_.largest)));
    return narrow ? sample<1>(count, stop) : sample<8>(count, stop);
  }

 private:
  bool inside(Index v) const { return components_.root[v] == components_.root_of_largest; }

  // The largest component in the order of a breadth-first search, so that nodes near each other in
  // the list are so in the graph.
  std::vector<Index> members() const {
    std::vector<Index> order = {components_.root_of_largest};
    std::vector<bool> seen(static_cast<std::size_t>(graph_.connected_nodes()));
    seen[order[0]] = true;
    for (std::size_t at = 0; at < order.size(); ++at) {
      for (const Index w : graph_.neighbours(order[at])) {
        if (!seen[w]) seen[w] = true, order.push_back(w);
      }
    }
    return order;
  }

  Stream stream(std::uint32_t purpose) const {
    return {{static_cast<std::uint32_t>(options_.seed),
             static_cast<std::uint32_t>(options_.seed >> 32)},
            purpose};
  }

  // Batches of neighbouring sources in random order: if time runs out, those that were finished are
  // a sample of clusters.
  template <int kWords>
  std::optional<AveragePath> all_sources(Diameter& diameter, const Stop& stop) {
    const std::vector<Index> order = members();
    const Index each = MultiBfs<kWords>::kSources;
    std::vector<Index> batches(static_cast<std::size_t>((std::ssize(order) + each - 1) / each));
    std::iota(batches.begin(), batches.end(), 0);
    Stream random = stream(1);
    for (std::size_t k = batches.size(); k > 1; --k)
      std::swap(batches[k - 1], batches[random.next_below(static_cast<std::uint32_t>(k))]);

    std::vector<std::uint64_t> sums(batches.size());
    std::vector<char> done(batches.size());
    Index largest = 0;
    std::mutex mutex;
    std::atomic<std::size_t> next = 0;
    const double space = 24.0 * kWords * graph_.connected_nodes();
    const int workers =
        std::max(1, std::min({options_.threads.count, static_cast<int>(kMostSpace / space),
                              static_cast<int>(batches.size())}));
    parallel_blocks(options_.threads, workers, 1, [&](std::int64_t, std::int64_t) {
      MultiBfs<kWords> search(graph_, {1}, [&](Index v) { return inside(v); });
      SourceDistances result;
      for (std::size_t k; (k = next++) < batches.size();) {
        const std::size_t from = static_cast<std::size_t>(batches[k]) * each;
        const std::size_t size = std::min<std::size_t>(each, order.size() - from);
        if (!search.run(std::span(order).subspan(from, size), stop, result)) return;
        const std::lock_guard lock(mutex);
        sums[k] = std::accumulate(result.sum.begin(), result.sum.end(), std::uint64_t{0});
        done[k] = 1;
        largest = std::max(largest, *std::ranges::max_element(result.eccentricity));
      }
    });

    // Up to the first that is missing: which later ones were finished depends on how long they
    // took.
    const auto finished = static_cast<std::size_t>(std::ranges::find(done, 0) - done.begin());
    const double others = std::ssize(order) - 1.0;
    if (finished == batches.size()) {
      diameter = {largest, largest};
      const double sum =
          static_cast<double>(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}));
      const double mean = sum / others / static_cast<double>(order.size());
      return AveragePath{mean, mean, mean, true, static_cast<Index>(order.size())};
    }
    diameter.lower = std::max(diameter.lower, largest);
    std::vector<double> means;
    Index sources = 0;
    for (std::size_t k = 0; k < finished; ++k) {
      const Index size =
          std::min<Index>(each, static_cast<Index>(order.size()) - batches[k] * each);
      means.push_back(static_cast<double>(sums[k]) / size / others);
      sources += size;
    }
    if (means.size() < 2) return std::nullopt;
    AveragePath out = mean_of(means, static_cast<double>(batches.size()));
    out.sources = sources;
    return out;
  }

  // `count` different sources.
  template <int kWords>
  std::optional<AveragePath> sample(Index count, const Stop& stop) {
    std::vector<Index> chosen;
    {
      std::vector<Index> list;
      list.reserve(static_cast<std::size_t>(components_.largest));
      for (Index v = 0; v < graph_.connected_nodes(); ++v) {
        if (inside(v)) list.push_back(v);
      }
      Stream random = stream(2);
      for (Index k = 0; k < count; ++k) {
        const auto left = static_cast<std::uint32_t>(list.size()) - static_cast<std::uint32_t>(k);
        std::swap(list[k], list[static_cast<std::size_t>(k) + random.next_below(left)]);
      }
      chosen.assign(list.begin(), list.begin() + count);
    }
    MultiBfs<kWords> search(graph_, options_.threads, [&](Index v) { return inside(v); });
    const Stop never = [] { return false; };
    std::vector<double> means;
    for (std::size_t at = 0; at < chosen.size();) {
      const std::size_t size =
          std::min<std::size_t>(MultiBfs<kWords>::kSources, chosen.size() - at);
      SourceDistances result;
      if (!search.run(std::span(chosen).subspan(at, size), at == 0 ? never : stop, result)) break;
      for (const std::uint64_t sum : result.sum)
        means.push_back(static_cast<double>(sum) / (components_.largest - 1.0));
      at += size;
    }
    AveragePath out = mean_of(means, components_.largest);
    out.sources = static_cast<Index>(means.size());
    return out;
  }

  const SimpleGraph& graph_;
  const ComponentSizes& components_;
  const StatisticsOptions& options_;
};

}  // namespace

Distances distances(const SimpleGraph& graph, const ComponentSizes& components,
                    const StatisticsOptions& options, const std::function<void()>& diameter_done) {
  Distances out;
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  if (components.largest == 1) out.diameter = Diameter{0, 0};
  if (components.largest > 1) {
    out.diameter = diameter_bounds(graph, components, options.threads,
                                   [&] { return spent() > options.seconds / 2; });
  }
  diameter_done();
  if (components.largest > 1) {
    out.average_path =
        Paths(graph, components, options).measure(out.diameter, options.seconds / 2, [&] {
          return spent() > options.seconds;
        });
  }
  return out;
}

}  // namespace cupel
