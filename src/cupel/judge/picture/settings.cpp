#include "cupel/judge/picture/settings.h"

#include "cupel/base/names.h"

namespace cupel {
namespace {

struct Drawn {
  const char* dataset;
  double epsilon;
  std::int64_t smallest;
};

constexpr Drawn kPublished[] = {
    {"cora", 0.05, 8}, {"citeseer", 0.03, 8}, {"pubmed", 0.25, 12}, {"wiki-cs", 0.05, 10}};

Drawn drawn_as(const std::string& dataset) {
  for (const Drawn& one : kPublished) {
    const std::string name = one.dataset;
    if (same_name(dataset, name) || same_name(dataset, name + "-planetoid")) return one;
  }
  return {"", 0.05, 8};
}

}  // namespace

std::vector<OptionSpec> picture_options(const std::string& dataset) {
  const Drawn drawn = drawn_as(dataset);
  const auto whole = [](std::int64_t value) { return OptionValue(value); };
  return {
      {"intervals", whole(20), "Cells along each axis of the lens", 1, kMostIntervals},
      {"overlap", 0.0, "How far cells reach into their neighbours", 0, 1},
      {"edges",
       std::string("shared-arcs"),
       "What joins two clusters: edges of the graph between them, or nodes that are in both",
       0,
       0,
       {"shared-arcs", "shared-nodes"}},
      {"epsilon", drawn.epsilon, "Lines with fewer edges than this share of the most go", 0, 1},
      {"smallest", whole(drawn.smallest), "Components of clusters with fewer nodes go", 0, 1e9},
      {"layout",
       std::string("stress"),
       "Where clusters are drawn: by their distances, or where they are in the lens",
       0,
       0,
       {"stress", "lens"}},
      {"epochs", whole(201), "Steps of training the embedding", 0, 1e6},
      {"dimension", whole(512), "Width of the embedding", 1, 4096},
      {"perplexity", 30.0, "t-SNE: how many neighbours count", 1, 1e6},
      {"early-exaggeration", 12.0, "t-SNE: how much stronger attraction is at first", 1, 1e6},
      {"learning-rate", 200.0, "Learning rate of t-SNE", 1e-6, 1e6},
      {"iterations", whole(1000), "Iterations of t-SNE", 1, 1e6},
      {"seed", whole(0), "Seed of the embedding and of t-SNE", 0, 9e15},
  };
}

PictureSettings picture_settings(const Options& options) {
  PictureSettings out;
  out.mapper.intervals = static_cast<int>(options.integer("intervals"));
  out.mapper.overlap = options.real("overlap");
  out.mapper.edges =
      options.text("edges") == "shared-arcs" ? MapperEdges::kSharedArcs : MapperEdges::kSharedNodes;
  out.mapper.epsilon = options.real("epsilon");
  out.mapper.smallest = static_cast<Index>(options.integer("smallest"));
  out.layout = options.text("layout") == "stress" ? PictureLayout::kStress : PictureLayout::kLens;
  out.lens.dgi.epochs = static_cast<int>(options.integer("epochs"));
  out.lens.dgi.dimension = static_cast<Index>(options.integer("dimension"));
  out.lens.tsne.perplexity = options.real("perplexity");
  out.lens.tsne.early_exaggeration = options.real("early-exaggeration");
  out.lens.tsne.learning_rate = options.real("learning-rate");
  out.lens.tsne.iterations = static_cast<int>(options.integer("iterations"));
  out.seed = options.integer("seed");
  return out;
}

}  // namespace cupel
