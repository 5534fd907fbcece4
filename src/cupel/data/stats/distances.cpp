#include "cupel/data/stats/distances.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "cupel/base/random.h"
#include "cupel/base/shuffle.h"
#include "cupel/data/stats/diameter.h"
#include "cupel/data/stats/other_components.h"
#include "cupel/data/stats/path_batches.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;
using Stop = std::function<bool()>;

// Of the largest component.
class Paths {
 public:
  Paths(const SimpleGraph& graph, const ComponentSizes& components,
        const StatisticsOptions& options)
      : graph_(graph), components_(components), options_(options) {}

  // Raises the lower bound of the diameter to what is found.
  AveragePath measure(Diameter& diameter, double budget, const Stop& stop) {
    const bool narrow = graph_.connected_nodes() > kManyNodes || diameter.lower > kNarrow;
    const double every = search_cost(graph_, diameter.lower, narrow, components_.largest);
    if (every <= budget) {
      return narrow ? all_sources<1>(diameter, stop) : all_sources<8>(diameter, stop);
    }
    const double wanted = components_.largest * (budget / 2) / every;
    const auto count =
        static_cast<Index>(std::clamp(wanted, std::min<double>(64, components_.largest),
                                      std::min<double>(8192, components_.largest)));
    return narrow ? sample<1>(count, diameter, stop) : sample<8>(count, diameter, stop);
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

  // Once every source was searched: the sum of all distances, and the longest.
  AveragePath exact(std::uint64_t sum, Index longest, Diameter& diameter) const {
    diameter = {longest, longest};
    const double nodes = components_.largest;
    const double mean = static_cast<double>(sum) / (nodes - 1) / nodes;
    return {mean, mean, mean, true, components_.largest};
  }

  // Batches of neighbouring sources in random order: if time runs out, those that were finished are
  // a sample of clusters. One of them alone would not tell how far the mean may be off.
  template <int kWords>
  AveragePath all_sources(Diameter& diameter, const Stop& stop) {
    const std::vector<Index> order = members();
    const Index each = MultiBfs<kWords>::kSources;
    Stream random = stream(1);
    const std::vector<Index> batches =
        shuffled(static_cast<std::size_t>((std::ssize(order) + each - 1) / each), random);
    const auto [sums, done, largest] = search_batches<kWords>(
        graph_, options_.threads, order, batches, [&](Index v) { return inside(v); }, stop);

    // Up to the first that is missing: which later ones were finished depends on how long they
    // took.
    const auto finished = static_cast<std::size_t>(std::ranges::find(done, 0) - done.begin());
    if (finished == batches.size())
      return exact(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}), largest, diameter);
    if (finished < 2) return sample<kWords>(std::min(each, components_.largest), diameter, stop);
    const double others = std::ssize(order) - 1.0;
    diameter.lower = std::max(diameter.lower, largest);
    std::vector<double> means;
    Index sources = 0;
    for (std::size_t k = 0; k < finished; ++k) {
      const Index size =
          std::min<Index>(each, static_cast<Index>(order.size()) - batches[k] * each);
      means.push_back(static_cast<double>(sums[k]) / size / others);
      sources += size;
    }
    AveragePath out = mean_of_draws(means, static_cast<double>(batches.size()));
    out.sources = sources;
    return out;
  }

  // `count` different sources, or as many as there is time for; the first batch is always finished.
  template <int kWords>
  AveragePath sample(Index count, Diameter& diameter, const Stop& stop) {
    std::vector<Index> chosen;
    {
      std::vector<Index> list;
      list.reserve(static_cast<std::size_t>(components_.largest));
      for (Index v = 0; v < graph_.connected_nodes(); ++v) {
        if (inside(v)) list.push_back(v);
      }
      Stream random = stream(2);
      draw_to_front(list, static_cast<std::size_t>(count), random);
      chosen.assign(list.begin(), list.begin() + count);
    }
    MultiBfs<kWords> search(graph_, options_.threads, [&](Index v) { return inside(v); });
    const Stop never = [] { return false; };
    std::vector<double> means;
    std::uint64_t all = 0;
    Index longest = 0;
    for (std::size_t at = 0; at < chosen.size();) {
      const std::size_t size =
          std::min<std::size_t>(MultiBfs<kWords>::kSources, chosen.size() - at);
      SourceDistances result;
      if (!search.run(std::span(chosen).subspan(at, size), at == 0 ? never : stop, result)) break;
      for (std::size_t k = 0; k < size; ++k) {
        means.push_back(static_cast<double>(result.sum[k]) / (components_.largest - 1.0));
        all += result.sum[k];
        longest = std::max(longest, result.eccentricity[k]);
      }
      at += size;
    }
    if (std::ssize(means) == components_.largest) return exact(all, longest, diameter);
    diameter.lower = std::max(diameter.lower, longest);
    AveragePath out = mean_of_draws(means, components_.largest);
    out.sources = static_cast<Index>(means.size());
    return out;
  }

  const SimpleGraph& graph_;
  const ComponentSizes& components_;
  const StatisticsOptions& options_;
};

// Over the pairs of both: `own` of them have the mean `largest`, `others` the mean `rest`.
AveragePath joined(const AveragePath& largest, double own, const AveragePath& rest, double others) {
  const double pairs = own + others;
  const double value = (largest.value * own + rest.value * others) / pairs;
  const double half = std::hypot((largest.high - largest.value) * own / pairs,
                                 (rest.high - rest.value) * others / pairs);
  return {value, std::max(1.0, value - half), value + half, largest.exact && rest.exact,
          largest.sources + rest.sources};
}

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
        Paths(graph, components, options).measure(*out.diameter, options.seconds / 2, [&] {
          return spent() > options.seconds;
        });
    const OtherComponents others(graph, components);
    const auto nodes = static_cast<std::uint64_t>(components.largest);
    const std::uint64_t own = nodes * (nodes - 1);
    out.reachable_pairs = own + others.pairs();
    out.average_path_reachable = out.average_path;
    if (others.pairs() > 0) {
      const AveragePath rest =
          others.measure(options, options.seconds / 4, [&] { return spent() > options.seconds; });
      out.average_path_reachable = joined(*out.average_path, static_cast<double>(own), rest,
                                          static_cast<double>(others.pairs()));
    }
  }
  return out;
}

}  // namespace cupel
