// Syn-Degree: random graphs whose label correlates with their average degree.
//
// Source: Li, Cao, Shuai, Miao, Hwang, IJCAI 2024, section 4.2 and figure 6, as their code makes
// them: with a target degree d in [low, high], G(nodes + a, d / nodes + b), where a = |N(0, 3)| cut
// to a whole number and b = |N(0, 0.01)|. The mean clustering of such a graph is its density, so it
// correlates with the label as the degree does.
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
  return {{"degree", settings.real("r")}};
}

Dataset make(const Options& settings) {
  const LabelModel model = label_model("syn-degree", settings, {"r"});
  const auto graphs = static_cast<Index>(settings.integer("graphs"));
  const auto nodes = static_cast<Index>(settings.integer("nodes"));
  const double low = settings.real("low"), high = settings.real("high");
  if (!(low < high && high <= nodes)) {
    fail("syn-degree: degrees from low = {} to high = {} must ascend and be at most nodes = {}",
         low, high, nodes);
  }
  const StreamKey key = stream_key(fmt::format("generate/syn-degree/{}", settings.integer("seed")));
  LabelledDraws draws = draw_labelled(model, graphs, key, 0);
  MadeGraphs set("syn-degree");
  for (Index g = 0; g < graphs; ++g) {
    Stream stream(key, kGraphPurpose, 0, static_cast<std::uint32_t>(g));
    const double degree = property_of(draws.n[0][static_cast<std::size_t>(g)], low, high);
    const double more_nodes = std::trunc(settings.real("node_noise") * stream.next_normal());
    const double more_edges = std::abs(settings.real("edge_noise") * stream.next_normal());
    set.new_graph();
    set.add_nodes(nodes + static_cast<Index>(std::abs(more_nodes)));
    set.add_random_edges(0, set.nodes(), std::clamp(degree / nodes + more_edges, 0.0, 1.0), stream);
  }
  return std::move(set).finish(std::move(draws.labels), model.labels());
}

std::vector<OptionSpec> settings() {
  std::vector<OptionSpec> all = label_model_settings();
  all.insert(all.begin(),
             {{"r", 0.9, "correlation of average degree and label, before rounding", -1, 1, {}},
              {"nodes", std::int64_t{100}, "nodes of a graph, without noise", 2, 1'000'000, {}},
              {"low", 5.0, "least degree; with high it gives mean and spread", 0, 1e6, {}},
              {"high", 50.0, "largest degree, at most the nodes", 0, 1e6, {}},
              {"node_noise", 3.0, "spread of the nodes added to a graph", 0, 1e5, {}},
              {"edge_noise", 0.01, "spread of what is added to the share of edges", 0, 1, {}}});
  return all;
}

}  // namespace

extern const Generator generator_syn_degree;
const Generator generator_syn_degree = {
    "syn-degree",
    "Syn-Degree",
    "Random graphs, every pair of nodes joined with a probability of the graph's own, and labels "
    "that correlate with the average degree as asked, before they are rounded to classes. The "
    "defaults are the paper's.",
    "Z. Li, Y. Cao, K. Shuai, Y. Miao, K. Hwang: Rethinking the Effectiveness of Graph "
    "Classification Datasets in Benchmarks for Assessing GNNs. IJCAI 2024.",
    settings(),
    {},
    make,
    false,
    requested};

}  // namespace cupel
