// Syn-CC: graphs whose label correlates with their average clustering, at an average degree that
// tells next to nothing.
//
// Source: Li, Cao, Shuai, Miao, Hwang, IJCAI 2024, section 4.2 and figure 6, as their code makes
// them. With a target c in [low, high] and M = `nodes`: a random base graph, t = 0.3 M c triangles
// and (M / 2 - 3 t) / 4 squares (both cut to whole numbers), each tied to the graph by one edge.
// The more triangles the fewer squares, so that nodes and edges hardly change. Clustering itself is
// not set: it grows with t. So does the number of all triangles, as far as the base graph, which
// has triangles too, does not differ from graph to graph.
//
// Three versions of the base graph are in the code's history:
//   notebook  G(M, |N(0, 0.05)|), redrawn while |corr(average degree, label)| >= 0.1: the data
//             behind the figure (5 classes, 2048 graphs)
//   final     G(M, 0.02), no rejection
//   older     G(M - 3 t + |N(0, 3)| cut, |N(0, 0.05)| - 0.01 t), without edges where that is <= 0;
//             base graph and squares both give way to triangles: nodes fall as the label rises
// The correlations printed of the 5-class data are those of `notebook`; of the 2-class data the
// clustering's are those of `final` or `older`, and the degree's (-0.03 to -0.09) of none.
//
// Triangles are tied to a node of the base graph; the first square too, the others to any node of
// base graph and triangles or to a node that ties an earlier square.
#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/generate/made_graphs.h"
#include "cupel/data/generate/theorem1.h"
#include "cupel/data/stats/correlation.h"

namespace cupel {
namespace {

constexpr std::uint32_t kGraphPurpose = 2;
constexpr std::uint32_t kMostRedraws = 200;
constexpr double kNotebookLimit = 0.1;

struct Base {
  Index nodes;
  double p;
};

Base base_graph(const std::string& version, Index nodes, Index triangles, Stream& stream) {
  if (version == "final") return {nodes, 0.02};
  const double p = std::abs(0.05 * stream.next_normal());
  if (version == "notebook") return {nodes, p};
  const auto more = static_cast<Index>(std::abs(std::trunc(3 * stream.next_normal())));
  return {std::max(1, nodes - 3 * triangles + more), p - 0.01 * triangles};
}

// Adds a cycle and ties one of its nodes to one of `points`; the tying node of the cycle.
Index tie_cycle(MadeGraphs& set, Index length, const std::vector<Index>& points, Stream& stream) {
  const Index first = set.add_nodes(length);
  const Index point = points[stream.next_below(static_cast<std::uint32_t>(points.size()))];
  const Index tied =
      first + static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(length)));
  set.add_edge(point, tied);
  for (Index k = 0; k < length; ++k) set.add_edge(first + k, first + (k + 1) % length);
  return tied;
}

void add_graph(MadeGraphs& set, const std::string& version, Index nodes, double clustering,
               Stream& stream) {
  const auto triangles = static_cast<Index>(std::max(0.0, 3.0 * nodes / 10 * clustering));
  const Index squares = std::max(0, nodes / 2 - 3 * triangles) / 4;
  const Base base = base_graph(version, nodes, triangles, stream);
  set.new_graph();
  set.add_nodes(base.nodes);
  set.add_random_edges(0, base.nodes, std::min(base.p, 1.0), stream);
  std::vector<Index> points(static_cast<std::size_t>(base.nodes));
  for (Index v = 0; v < base.nodes; ++v) points[static_cast<std::size_t>(v)] = v;
  for (Index k = 0; k < triangles; ++k) tie_cycle(set, 3, points, stream);
  const Index with_triangles = set.nodes();
  for (Index k = 0; k < squares; ++k) {
    const Index tied = tie_cycle(set, 4, points, stream);
    if (k == 0) {
      for (Index v = base.nodes; v < with_triangles; ++v) points.push_back(v);
    }
    points.push_back(tied);
  }
}

std::vector<Requested> requested(const Options& settings) {
  return {{"clustering", settings.real("r")}, {"degree", 0}};
}

Dataset make(const Options& settings) {
  const LabelModel model = label_model("syn-cc", settings, {"r"});
  const auto graphs = static_cast<Index>(settings.integer("graphs"));
  const auto nodes = static_cast<Index>(settings.integer("nodes"));
  const double low = settings.real("low"), high = settings.real("high");
  if (!(low < high)) fail("syn-cc: low = {} must be below high = {}", low, high);
  const std::string& version = settings.text("version");
  double limit = settings.real("rejection");
  if (limit == 0) limit = version == "notebook" ? kNotebookLimit : 1;
  const StreamKey key = stream_key(fmt::format("generate/syn-cc/{}", settings.integer("seed")));
  for (std::uint32_t draw = 0; draw < kMostRedraws; ++draw) {
    LabelledDraws draws = draw_labelled(model, graphs, key, draw);
    MadeGraphs set("syn-cc");
    for (Index g = 0; g < graphs; ++g) {
      Stream stream(key, kGraphPurpose, draw, static_cast<std::uint32_t>(g));
      add_graph(set, version, nodes,
                property_of(draws.n[0][static_cast<std::size_t>(g)], low, high), stream);
    }
    const std::vector<double> labels(draws.labels.begin(), draws.labels.end());
    if (limit < 1 && std::abs(pearson(set.average_degrees(), labels).value_or(0)) >= limit)
      continue;
    return std::move(set).finish(std::move(draws.labels), model.labels());
  }
  fail(
      "syn-cc: in {} draws average degree and label always correlated by {} or more; raise "
      "rejection, or take more graphs",
      kMostRedraws, limit);
}

std::vector<OptionSpec> settings() {
  std::vector<OptionSpec> all = label_model_settings();
  all.insert(
      all.begin(),
      {{"r", 0.9, "correlation of planted triangles and label, before rounding", -1, 1, {}},
       {"nodes", std::int64_t{100}, "M: nodes of the base graph", 2, 1'000'000, {}},
       {"low", 0.1, "least target; with high it gives mean and spread", 0, 100, {}},
       {"high", 0.5, "largest target, in triangles / 0.3 M", 0, 100, {}},
       {.name = "version",
        .fallback = std::string("notebook"),
        .doc = "how the base graph is made",
        .choices = {"notebook", "final", "older"}},
       {"rejection",
        0.0,
        "redraw while average degree and label correlate by this or more; 0: as the version did "
        "(notebook 0.1, else never), 1: never",
        0,
        1,
        {}}});
  return all;
}

}  // namespace

extern const Generator generator_syn_cc;
const Generator generator_syn_cc = {
    "syn-cc",
    "Syn-CC",
    "Random graphs with triangles and squares tied to them, and labels that correlate with the "
    "number of these triangles as asked, before they are rounded to classes; average clustering "
    "follows it. Nodes and average degree tell next to nothing, except in the version older, where "
    "nodes fall as the label rises. The defaults are those of the data behind the paper's figure, "
    "but for the classes: those had 5, in 2048 graphs.",
    "Z. Li, Y. Cao, K. Shuai, Y. Miao, K. Hwang: Rethinking the Effectiveness of Graph "
    "Classification Datasets in Benchmarks for Assessing GNNs. IJCAI 2024.",
    settings(),
    {},
    make,
    false,
    requested};

}  // namespace cupel
