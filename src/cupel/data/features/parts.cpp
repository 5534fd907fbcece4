#include "cupel/data/features/parts.h"

#include <charconv>

#include "cupel/base/error.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/graph/parallel_arcs.h"

namespace cupel {
namespace {

constexpr Index kLongestCycle = 10'000;

}  // namespace

std::vector<Index> graph_starts(const FeatureSource& source) {
  if (source.graphs != nullptr) return source.graphs->start;
  return {0, source.adjacency.rows};
}

void require_simple(const FeatureSource& source, const std::string& kind) {
  if (source.graphs != nullptr) return;
  const Csr& graph = source.adjacency;
  if (is_symmetric(graph) && count_self_loops(graph) == 0 && !has_parallel_arcs(graph)) return;
  fail(
      "feature '{}' needs an undirected graph without self-loops and parallel arcs; prepare the "
      "data set with \"symmetrise\" and \"drop-self-loops\"",
      kind);
}

void check_dense(Index rows, std::int64_t columns, const std::string& where,
                 const std::string& way_out) {
  constexpr std::int64_t kMostValues = std::int64_t{1} << 32;
  if (rows * columns > kMostValues)
    fail("{}: {} rows of {} columns are too many for a dense matrix; {}", where, rows, columns,
         way_out);
}

Matrix column(const std::vector<double>& values) {
  Matrix out(static_cast<Index>(values.size()), 1);
  for (std::size_t i = 0; i < values.size(); ++i) out.values[i] = static_cast<float>(values[i]);
  return out;
}

std::vector<GraphSize> graph_sizes(const FeatureSource& source) {
  const std::vector<Index> start = graph_starts(source);
  const std::vector<Offset>& row_ptr = source.adjacency.row_ptr;
  std::vector<GraphSize> sizes;
  for (std::size_t g = 0; g + 1 < start.size(); ++g)
    sizes.push_back({start[g + 1] - start[g], row_ptr[start[g + 1]] - row_ptr[start[g]]});
  return sizes;
}

OptionSpec cycle_lengths_setting() {
  return {.name = "k",
          .fallback = std::string("4"),
          .doc = "length of the cycles; several with '-' between: 3-4-5"};
}

std::vector<Index> cycle_lengths(const FeatureSource& source, const Options& settings) {
  require_simple(source, "cycles");
  const std::string& text = settings.text("k");
  std::vector<Index> lengths;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    Index length = 0;
    const auto [next, error] = std::from_chars(at, end, length);
    if (error != std::errc() || length < 3 || length > kLongestCycle ||
        (next != end && *next != '-')) {
      fail("feature 'cycles': '{}' is no list of lengths from 3 to {}; write them as in 3-4-5",
           text, kLongestCycle);
    }
    lengths.push_back(length);
    if (next == end) return lengths;
    at = next + 1;
  }
}

Matrix sum_over_graphs(const FeatureSource& source, const Features& features) {
  const std::vector<Index> start = graph_starts(source);
  Matrix out(static_cast<Index>(start.size()) - 1, feature_count(features));
  for (Index g = 0; g < out.rows; ++g) {
    float* const sum = out.row(g);
    for (Index i = start[g]; i < start[g + 1]; ++i) {
      if (const auto* sparse = std::get_if<Csr>(&features)) {
        for (Offset at = sparse->row_ptr[i]; at < sparse->row_ptr[i + 1]; ++at)
          sum[sparse->columns[static_cast<std::size_t>(at)]] += sparse->value(at);
      } else {
        const float* const row = std::get<Matrix>(features).row(i);
        for (Index j = 0; j < out.cols; ++j) sum[j] += row[j];
      }
    }
  }
  return out;
}

}  // namespace cupel
