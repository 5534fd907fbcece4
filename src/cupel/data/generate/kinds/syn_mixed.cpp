// Graphs whose label correlates with several properties at once: theorem 1 in full.
//
// Of Li, Cao, Shuai, Miao, Hwang, IJCAI 2024 the theorem and algorithm 1; the graphs are this
// library's own. A graph has n nodes, t triangles on 3 t nodes of its own and random edges on all
// nodes, as many as make the expected average degree d; n, d and t are independent. Random
// triangles come on top: about d^3 / 6.
#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/generate/made_graphs.h"
#include "cupel/data/generate/theorem1.h"

namespace cupel {
namespace {

constexpr std::uint32_t kGraphPurpose = 2;

std::vector<Requested> requested(const Options& settings) {
  return {{"nodes", settings.real("r_nodes")},
          {"degree", settings.real("r_degree")},
          {"cycles_3", settings.real("r_triangles")}};
}

struct Range {
  double low, high;
};

Range range(const Options& settings, const std::string& name) {
  const Range range{settings.real("low_" + name), settings.real("high_" + name)};
  if (!(range.low < range.high)) {
    fail("syn-mixed: low_{} = {} must be below high_{} = {}", name, range.low, name, range.high);
  }
  return range;
}

Dataset make(const Options& settings) {
  const LabelModel model =
      label_model("syn-mixed", settings, {"r_nodes", "r_degree", "r_triangles"});
  const auto graphs = static_cast<Index>(settings.integer("graphs"));
  const Range of_nodes = range(settings, "nodes"), of_degree = range(settings, "degree"),
              of_triangles = range(settings, "triangles");
  if (3 * of_triangles.high > of_nodes.low) {
    fail(
        "syn-mixed: {} triangles need {} nodes of their own; raise low_nodes = {} or lower "
        "high_triangles",
        of_triangles.high, 3 * of_triangles.high, of_nodes.low);
  }
  if (of_degree.low * of_nodes.low < 6 * of_triangles.high) {
    fail(
        "syn-mixed: {} triangles alone make an average degree of {:.3g} in {} nodes, more than "
        "low_degree = {}",
        of_triangles.high, 6 * of_triangles.high / of_nodes.low, of_nodes.low, of_degree.low);
  }
  if (of_degree.high > of_nodes.low - 1) {
    fail("syn-mixed: high_degree = {} needs more nodes than low_nodes = {}", of_degree.high,
         of_nodes.low);
  }
  const StreamKey key = stream_key(fmt::format("generate/syn-mixed/{}", settings.integer("seed")));
  LabelledDraws draws = draw_labelled(model, graphs, key, 0);
  MadeGraphs set("syn-mixed");
  for (Index g = 0; g < graphs; ++g) {
    const auto at = static_cast<std::size_t>(g);
    const auto value = [&](std::size_t k, const Range& r) {
      return property_of(draws.n[k][at], r.low, r.high);
    };
    // Gaussian draws may leave their range by far: what cannot be is cut.
    const auto nodes = static_cast<Index>(std::max(2.0, std::nearbyint(value(0, of_nodes))));
    const auto triangles =
        std::clamp(static_cast<Index>(std::nearbyint(value(2, of_triangles))), 0, nodes / 3);
    const double pairs = 0.5 * nodes * (nodes - 1);
    const double missing = 0.5 * nodes * value(1, of_degree) - 3.0 * triangles;
    set.new_graph();
    set.add_nodes(nodes);
    for (Index k = 0; k < 3 * triangles; ++k) set.add_edge(k, k % 3 == 2 ? k - 2 : k + 1);
    // Of the pairs, 3 t are joined already: a random edge there is no new one.
    const double p = std::max(0.0, missing) / std::max(1.0, pairs - 3.0 * triangles);
    Stream stream(key, kGraphPurpose, 0, static_cast<std::uint32_t>(g));
    set.add_random_edges(0, nodes, std::min(p, 1.0), stream);
  }
  return std::move(set).finish(std::move(draws.labels), model.labels());
}

std::vector<OptionSpec> settings() {
  std::vector<OptionSpec> all = label_model_settings();
  all.insert(all.begin(),
             {{"r_nodes", 0.5, "correlation of nodes and label, before rounding", -1, 1, {}},
              {"r_degree", 0.5, "of average degree and label", -1, 1, {}},
              {"r_triangles", 0.5, "of planted triangles and label", -1, 1, {}},
              {"low_nodes", 80.0, "least nodes; with high_nodes mean and spread", 2, 1e6, {}},
              {"high_nodes", 160.0, "most nodes", 2, 1e6, {}},
              {"low_degree", 2.0, "least average degree", 0, 1e6, {}},
              {"high_degree", 4.0, "largest average degree", 0, 1e6, {}},
              {"low_triangles", 0.0, "fewest planted triangles", 0, 1e6, {}},
              {"high_triangles", 20.0, "most planted triangles", 0, 1e6, {}}});
  return all;
}

}  // namespace

extern const Generator generator_syn_mixed;
const Generator generator_syn_mixed = {
    "syn-mixed",
    "Syn-Mixed",
    "Random graphs with triangles planted in them, and labels that correlate with nodes, average "
    "degree and triangles at once, each as asked, before they are rounded to classes. The squares "
    "of the three coefficients sum to at most 1.",
    "After theorem 1 and algorithm 1 of Z. Li, Y. Cao, K. Shuai, Y. Miao, K. Hwang: Rethinking the "
    "Effectiveness of Graph Classification Datasets in Benchmarks for Assessing GNNs. IJCAI 2024.",
    settings(),
    {},
    make,
    false,
    requested};

}  // namespace cupel
