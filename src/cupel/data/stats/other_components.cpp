#include "cupel/data/stats/other_components.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "cupel/base/random.h"
#include "cupel/data/stats/path_batches.h"

namespace cupel {
namespace {

constexpr std::int64_t kComponentsEach = 64;
constexpr double kSecondsPerStep = 4e-9;  // of a plain search: a node or an entry looked at
constexpr Index kLevels = 6;              // of searches together, for the estimate of their cost
constexpr std::uint32_t kPurpose = 3;     // of the random stream; 1 and 2 are the largest's

// One plain search after the other in a component; `place` numbers its nodes from 0.
std::uint64_t sum_of_distances(const SimpleGraph& graph, std::span<const Index> members,
                               const std::vector<Index>& place, std::vector<Index>& distance,
                               std::vector<Index>& queue) {
  std::uint64_t sum = 0;
  for (const Index source : members) {
    distance.assign(members.size(), -1);
    distance[place[source]] = 0;
    queue.assign(1, source);
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const Index next = distance[place[queue[at]]] + 1;
      for (const Index w : graph.neighbours(queue[at])) {
        Index& found = distance[place[w]];
        if (found >= 0) continue;
        found = next;
        sum += static_cast<std::uint64_t>(next);
        queue.push_back(w);
      }
    }
  }
  return sum;
}

}  // namespace

OtherComponents::OtherComponents(const SimpleGraph& graph, const ComponentSizes& components)
    : graph_(graph), components_(components), start_{0} {
  // A root is the smallest id of its component, so it is met first.
  std::vector<Index> number(static_cast<std::size_t>(graph.connected_nodes()), -1);
  Index count = 0;
  for (Index v = 0; v < graph.connected_nodes(); ++v) {
    if (!is_inside(v)) continue;
    if (components.root[v] == v) {
      number[v] = count++;
      start_.push_back(0);
      work_.push_back(0);
    }
    const Index own = number[v] = number[components.root[v]];
    ++start_[static_cast<std::size_t>(own) + 1];
    work_[own] += 1 + graph.degree(v);
  }
  for (std::size_t c = 0; c < work_.size(); ++c) {
    pairs_ += start_[c + 1] * (start_[c + 1] - 1);
    start_[c + 1] += start_[c];
  }
  order_.resize(start_.back());
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (Index v = 0; v < graph.connected_nodes(); ++v) {
    if (number[v] >= 0) order_[next[number[v]]++] = v;
  }
  all_work_ = graph.entries() + graph.connected_nodes();
}

bool OtherComponents::is_inside(Index v) const {
  return components_.root[v] != components_.root_of_largest;
}

// Seconds that searching all nodes takes, roughly.
double OtherComponents::cost() const {
  double out = 0;
  for (std::size_t c = 0; c < work_.size(); ++c) {
    const auto nodes = static_cast<double>(members(c).size());
    out += is_small(c) ? nodes * static_cast<double>(work_[c]) * kSecondsPerStep
                       : search_cost(graph_, kLevels, graph_.connected_nodes() > kManyNodes, nodes);
  }
  return out;
}

// Small components: searching them one node after the other costs less than a look at the whole
// graph for each batch.
bool OtherComponents::add_small(Threads threads, const std::function<bool()>& stop,
                                std::uint64_t& sum) const {
  std::vector<Index> place(static_cast<std::size_t>(graph_.connected_nodes()));
  for (std::size_t c = 0; c < work_.size(); ++c) {
    const auto nodes = members(c);
    for (std::size_t k = 0; k < nodes.size(); ++k) place[nodes[k]] = static_cast<Index>(k);
  }
  std::atomic<bool> stopped = false;
  std::atomic<std::uint64_t> total = 0;
  parallel_blocks(threads, std::ssize(work_), kComponentsEach, [&](auto begin, auto end) {
    std::vector<Index> distance, queue;
    for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c) {
      if (!is_small(c)) continue;
      if (stopped || stop()) {
        stopped = true;
        return;
      }
      total += sum_of_distances(graph_, members(c), place, distance, queue);
    }
  });
  sum += total;
  return !stopped;
}

bool OtherComponents::add_large(Threads threads, const std::function<bool()>& stop,
                                std::uint64_t& sum) const {
  std::vector<Index> order;
  std::vector<char> large(static_cast<std::size_t>(graph_.connected_nodes()));
  for (std::size_t c = 0; c < work_.size(); ++c) {
    if (is_small(c)) continue;
    order.insert(order.end(), members(c).begin(), members(c).end());
    for (const Index v : members(c)) large[v] = 1;
  }
  if (order.empty()) return true;
  const bool narrow = graph_.connected_nodes() > kManyNodes;
  const std::size_t each = narrow ? MultiBfs<1>::kSources : MultiBfs<8>::kSources;
  std::vector<Index> batches((order.size() + each - 1) / each);
  for (std::size_t k = 0; k < batches.size(); ++k) batches[k] = static_cast<Index>(k);
  const auto inside = [&](Index v) { return large[v] != 0; };
  const BatchSums found = narrow ? search_batches<1>(graph_, threads, order, batches, inside, stop)
                                 : search_batches<8>(graph_, threads, order, batches, inside, stop);
  for (const std::uint64_t one : found.sums) sum += one;
  return std::ranges::count(found.done, 0) == 0;
}

template <int kWords>
AveragePath OtherComponents::sample(const StatisticsOptions& options, double budget,
                                    const std::function<bool()>& stop) const {
  std::vector<double> up_to;  // pairs of all components up to each
  double pairs = 0;
  for (std::size_t c = 0; c < work_.size(); ++c) {
    const auto nodes = static_cast<double>(members(c).size());
    up_to.push_back(pairs += nodes * (nodes - 1));
  }
  const double one = search_cost(graph_, kLevels, kWords == 1, 1);
  const auto count = static_cast<std::size_t>(std::clamp(budget / 2 / one, 64.0, 8192.0));
  Stream random(
      {static_cast<std::uint32_t>(options.seed), static_cast<std::uint32_t>(options.seed >> 32)},
      kPurpose);
  std::vector<Index> sources;
  std::vector<double> reached;
  for (std::size_t k = 0; k < count; ++k) {
    const double drawn = random.next_unit() * pairs;
    const auto above = std::ranges::upper_bound(up_to, drawn) - up_to.begin();
    const auto nodes = members(std::min(static_cast<std::size_t>(above), up_to.size() - 1));
    sources.push_back(nodes[random.next_below(static_cast<std::uint32_t>(nodes.size()))]);
    reached.push_back(static_cast<double>(nodes.size()) - 1);
  }
  MultiBfs<kWords> search(graph_, options.threads, [&](Index v) { return is_inside(v); });
  const auto never = [] { return false; };
  std::vector<double> means;
  while (means.size() < count) {
    const std::size_t from = means.size();
    const std::size_t size = std::min<std::size_t>(MultiBfs<kWords>::kSources, count - from);
    SourceDistances found;
    const auto batch = std::span(sources).subspan(from, size);
    if (from == 0 ? !search.run(batch, never, found) : !search.run(batch, stop, found)) break;
    for (std::size_t k = 0; k < size; ++k)
      means.push_back(static_cast<double>(found.sum[k]) / reached[from + k]);
  }
  AveragePath out = mean_of_draws(means, std::numeric_limits<double>::infinity());
  out.sources = static_cast<Index>(means.size());
  return out;
}

AveragePath OtherComponents::measure(const StatisticsOptions& options, double budget,
                                     const std::function<bool()>& stop) const {
  std::uint64_t sum = 0;
  if (cost() <= budget && add_small(options.threads, stop, sum) &&
      add_large(options.threads, stop, sum)) {
    const double mean = static_cast<double>(sum) / static_cast<double>(pairs_);
    return {mean, mean, mean, true, static_cast<Index>(order_.size())};
  }
  return graph_.connected_nodes() > kManyNodes ? sample<1>(options, budget, stop)
                                               : sample<8>(options, budget, stop);
}

}  // namespace cupel
