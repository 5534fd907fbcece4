#include "cupel/data/stats/graph_set_properties.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "cupel/data/stats/cycle_basis.h"
#include "cupel/data/stats/triangles.h"

namespace cupel {
namespace {

constexpr std::int64_t kGraphsEach = 16;

// Mean clusterings that are the same fraction must be the same number, as ranks and what is
// constant ask for equality: what rounding errors sums have lies far beyond these digits.
double without_rounding_errors(double clustering) {
  constexpr double kDigits = 1e12;
  return std::round(clustering * kDigits) / kDigits;
}

}  // namespace

std::vector<double> average_clustering(const Csr& graphs, std::span<const Index> start,
                                       Threads threads) {
  const SimpleGraph simple(graphs, threads);
  const std::vector<std::uint64_t> triangles = triangles_of_nodes(simple, threads);
  std::vector<double> of_node(static_cast<std::size_t>(graphs.rows), 0.0);
  for (std::size_t v = 0; v < triangles.size(); ++v) {
    const double degree = simple.degree(static_cast<Index>(v));
    if (degree < 2) continue;
    of_node[static_cast<std::size_t>(simple.original()[v])] =
        2 * static_cast<double>(triangles[v]) / (degree * (degree - 1));
  }
  std::vector<double> average(start.size() - 1, 0.0);
  for (std::size_t g = 0; g < average.size(); ++g) {
    const std::span nodes = std::span(of_node).subspan(
        static_cast<std::size_t>(start[g]), static_cast<std::size_t>(start[g + 1] - start[g]));
    if (nodes.empty()) continue;
    std::ranges::sort(nodes);  // the sum does not depend on how nodes are numbered
    const double sum = std::accumulate(nodes.begin(), nodes.end(), 0.0);
    average[g] = without_rounding_errors(sum / static_cast<double>(nodes.size()));
  }
  return average;
}

std::vector<std::vector<std::int64_t>> basis_cycles(const Csr& graphs, std::span<const Index> start,
                                                    std::span<const Index> lengths,
                                                    Threads threads) {
  std::vector<std::vector<std::int64_t>> counts(lengths.size(),
                                                std::vector<std::int64_t>(start.size() - 1, 0));
  parallel_blocks(threads, std::ssize(start) - 1, kGraphsEach, [&](auto begin, auto end) {
    CycleBasis basis(graphs);
    for (auto g = static_cast<std::size_t>(begin); g < static_cast<std::size_t>(end); ++g) {
      basis.find(start[g], start[g + 1], [&](std::span<const Index> cycle) {
        for (std::size_t k = 0; k < lengths.size(); ++k)
          counts[k][g] += std::ssize(cycle) == lengths[k];
      });
    }
  });
  return counts;
}

GraphProperties graph_properties(const Dataset& dataset, Threads threads) {
  if (!dataset.graphs) throw std::logic_error("graph_properties: no set of graphs");
  const std::vector<Index>& start = dataset.graphs->start;
  GraphProperties out;
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    const double nodes = start[g + 1] - start[g];
    const auto entries = static_cast<double>(dataset.adjacency.row_ptr[start[g + 1]] -
                                             dataset.adjacency.row_ptr[start[g]]);
    out.columns[0].push_back(nodes);
    out.columns[1].push_back(entries / 2);
    out.columns[2].push_back(nodes == 0 ? 0 : entries / nodes);
  }
  out.columns[3] = average_clustering(dataset.adjacency, start, threads);
  constexpr std::array<Index, 5> kLengths = {3, 4, 5, 6, 7};
  const auto cycles = basis_cycles(dataset.adjacency, start, kLengths, threads);
  for (std::size_t k = 0; k < cycles.size(); ++k)
    out.columns[4 + k].assign(cycles[k].begin(), cycles[k].end());
  return out;
}

}  // namespace cupel
