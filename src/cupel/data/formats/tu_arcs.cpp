#include "cupel/data/formats/tu_arcs.h"

#include <algorithm>

namespace cupel::tu {
namespace {

constexpr std::size_t kArcsAtOnce = std::size_t{1} << 15;

// Arcs by one end, in the order in which they came.
struct Bundles {
  std::vector<Offset> start;  // nodes + 1
  std::vector<Index> other;   // the other end
  std::vector<Index> origin;  // number of the arc; empty unless asked for
};

// `each(put)` calls put(node, other, origin) for every arc, twice over the same ones.
template <class Each>
Bundles bundle(Index nodes, bool with_origin, Each each) {
  Bundles out;
  out.start.assign(static_cast<std::size_t>(nodes) + 1, 0);
  each([&](Index node, Index, Index) { ++out.start[static_cast<std::size_t>(node) + 1]; });
  for (std::size_t i = 1; i < out.start.size(); ++i) out.start[i] += out.start[i - 1];
  const auto count = static_cast<std::size_t>(out.start.back());
  out.other.resize(count);
  if (with_origin) out.origin.resize(count);
  std::vector<Offset> next(out.start.begin(), out.start.end() - 1);
  each([&](Index node, Index other, Index origin) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(node)]++);
    out.other[at] = other;
    if (with_origin) out.origin[at] = origin;
  });
  return out;
}

// The same arcs by their other end. What came first stays first among equals.
Bundles turned(const Bundles& in, Index nodes) {
  const bool with_origin = !in.origin.empty();
  return bundle(nodes, with_origin, [&](auto put) {
    for (Index i = 0; i < nodes; ++i) {
      for (Offset at = in.start[i]; at < in.start[i + 1]; ++at) {
        const auto k = static_cast<std::size_t>(at);
        put(in.other[k], i, with_origin ? in.origin[k] : 0);
      }
    }
  });
}

// Keeps the first of equal neighbours. Requires bundles that ascend.
void merge_repeats(Bundles& bundles) {
  std::size_t kept = 0;
  Offset from = 0;
  for (std::size_t i = 0; i + 1 < bundles.start.size(); ++i) {
    const Offset to = bundles.start[i + 1];
    const std::size_t first = kept;
    for (Offset at = from; at < to; ++at) {
      const auto k = static_cast<std::size_t>(at);
      if (kept > first && bundles.other[kept - 1] == bundles.other[k]) continue;
      bundles.other[kept] = bundles.other[k];
      if (!bundles.origin.empty()) bundles.origin[kept] = bundles.origin[k];
      ++kept;
    }
    from = to;
    bundles.start[i + 1] = static_cast<Offset>(kept);
  }
  bundles.other.resize(kept);
  if (!bundles.origin.empty()) bundles.origin.resize(kept);
}

// Arcs out of and into each node: their union, with the origin of the arc out where there is one.
SimpleGraph united(Index nodes, Bundles out, const Bundles& in) {
  SimpleGraph graph;
  graph.adjacency.rows = graph.adjacency.cols = nodes;
  if (out.start == in.start && out.other == in.other) {
    graph.adjacency.row_ptr = std::move(out.start);
    graph.adjacency.columns = std::move(out.other);
    graph.origin = std::move(out.origin);
    return graph;
  }
  const bool with_origin = !out.origin.empty();
  graph.adjacency.row_ptr.reserve(static_cast<std::size_t>(nodes) + 1);
  graph.adjacency.columns.reserve(2 * out.other.size());
  const auto put = [&](const Bundles& from, std::size_t at) {
    graph.adjacency.columns.push_back(from.other[at]);
    if (with_origin) graph.origin.push_back(from.origin[at]);
  };
  for (Index i = 0; i < nodes; ++i) {
    auto a = static_cast<std::size_t>(out.start[i]), b = static_cast<std::size_t>(in.start[i]);
    const auto a_end = static_cast<std::size_t>(out.start[i + 1]);
    const auto b_end = static_cast<std::size_t>(in.start[i + 1]);
    while (a < a_end || b < b_end) {
      if (b == b_end || (a < a_end && out.other[a] <= in.other[b])) {
        if (b < b_end && out.other[a] == in.other[b]) ++b;
        put(out, a++);
      } else {
        put(in, b++);
      }
    }
    graph.adjacency.row_ptr.push_back(static_cast<Offset>(graph.adjacency.columns.size()));
  }
  return graph;
}

}  // namespace

SimpleGraph simple_graph(Index nodes, std::span<const Edge> arcs, bool with_origin) {
  // By target, then by source: targets of a source ascend.
  Bundles in = bundle(nodes, with_origin, [&](auto put) {
    for (std::size_t k = 0; k < arcs.size(); ++k) {
      if (arcs[k].source == arcs[k].target) continue;
      put(arcs[k].target, arcs[k].source, static_cast<Index>(k));
    }
  });
  const auto without_loops = static_cast<Offset>(in.other.size());
  Bundles out = turned(in, nodes);
  merge_repeats(out);
  const auto distinct = static_cast<Offset>(out.other.size());
  in = turned(out, nodes);
  SimpleGraph graph = united(nodes, std::move(out), in);
  graph.loops = static_cast<Offset>(arcs.size()) - without_loops;
  graph.repeats = without_loops - distinct;
  return graph;
}

GraphsBuilder::GraphsBuilder(std::span<const Index> start, bool with_origin, Order order)
    : start_(start), with_origin_(with_origin), order_(order) {
  out_.adjacency.rows = out_.adjacency.cols = start.back();
  out_.adjacency.row_ptr.reserve(static_cast<std::size_t>(start.back()) + 1);
}

bool GraphsBuilder::move_to(Index graph) {
  if (graph < first_) return false;
  current_ = graph;
  if (graph <= last_) return true;
  if (order_ == Order::kByGraph && arcs_.size() >= kArcsAtOnce) finish_up_to(last_ + 1);
  last_ = graph;
  return true;
}

void GraphsBuilder::finish_up_to(Index graph) {
  const Index from = start_[static_cast<std::size_t>(first_)];
  const Index to = start_[static_cast<std::size_t>(graph)];
  for (Edge& arc : arcs_) arc = {arc.source - from, arc.target - from};
  const SimpleGraph part = simple_graph(to - from, arcs_, with_origin_);
  Csr& all = out_.adjacency;
  const Offset entries = all.entries();
  for (Index i = 0; i < part.adjacency.rows; ++i) {
    all.row_ptr.push_back(entries + part.adjacency.row_ptr[i + 1]);
  }
  for (const Index j : part.adjacency.columns) all.columns.push_back(from + j);
  for (const Index k : part.origin) {
    out_.origin.push_back(static_cast<Index>(finished_arcs_ + k));
  }
  out_.repeats += part.repeats;
  out_.loops += part.loops;
  finished_arcs_ += static_cast<Offset>(arcs_.size());
  arcs_.clear();
  first_ = graph;
}

void GraphsBuilder::expect(double factor) {
  const auto wanted = static_cast<std::size_t>(factor * double(out_.adjacency.columns.size()));
  out_.adjacency.columns.reserve(wanted);
  if (with_origin_) out_.origin.reserve(wanted);
}

SimpleGraph GraphsBuilder::finish() {
  finish_up_to(static_cast<Index>(start_.size()) - 1);
  return std::move(out_);
}

}  // namespace cupel::tu
