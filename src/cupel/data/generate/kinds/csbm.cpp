// A contextual stochastic block model with sparse binary features.
//
// Source: Deshpande, Montanari, Mossel, Sen, "Contextual stochastic block models", NeurIPS 2018: a
// graph with planted communities, and for every node a feature vector that depends on its
// community. Differences, so that the result is trained like a citation graph: any number of
// classes, of equal size; the numbers of edges within and between classes are fixed, not binomial
// (the sparse model, conditioned on its edge counts); features are bags of words, not Gaussian
// vectors. Every class has its own share of the vocabulary, its topic; a word of a node comes from
// the topic of the node's class with probability `signal` and from the whole vocabulary otherwise.
//
// Time and memory are linear in nodes, edges and words.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/base/shuffle.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

enum Purpose : std::uint32_t { kLabels = 1, kEdges = 2, kWords = 3 };

struct Settings {
  Index nodes, classes, features;
  double degree, homophily, words, signal;
  std::int64_t edges_within, edges_between;
};

// Distinct unordered pairs of nodes: open addressing, at most half full.
class PairSet {
 public:
  explicit PairSet(std::int64_t expected) {
    std::size_t size = 16;
    while (size < 2 * static_cast<std::size_t>(expected)) size *= 2;
    slots_.assign(size, kFree);
  }
  // Whether the pair was new.
  bool insert(Index a, Index b) {
    const std::uint64_t key = (static_cast<std::uint64_t>(std::min(a, b)) << 32) |
                              static_cast<std::uint32_t>(std::max(a, b));
    std::uint64_t hash = key * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == key) return false;
      if (slots_[at] == kFree) {
        slots_[at] = key;
        return true;
      }
    }
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no pair: node ids are below 2^31
  std::vector<std::uint64_t> slots_;
};

Settings read(const Options& options) {
  Settings s{static_cast<Index>(options.integer("nodes")),
             static_cast<Index>(options.integer("classes")),
             static_cast<Index>(options.integer("features")),
             options.real("degree"),
             options.real("homophily"),
             options.real("words"),
             options.real("signal"),
             0,
             0};
  if (s.nodes < 2 * s.classes) {
    fail("csbm: {} nodes are too few for {} classes; every class needs two", s.nodes, s.classes);
  }
  if (s.features < s.classes) {
    fail("csbm: {} features are too few for {} classes; every class needs a word of its own",
         s.features, s.classes);
  }
  if (s.words > s.features / 2.0) {
    fail("csbm: words = {} is more than half of the {} features", s.words, s.features);
  }
  const double size = s.nodes * (s.degree + s.words);
  if (size > 1e9) {
    fail("csbm: {} nodes with degree {} and {} words make {:.1e} entries; the limit is 1e9",
         s.nodes, s.degree, s.words, size);
  }
  const auto edges = static_cast<std::int64_t>(std::llround(s.nodes * s.degree / 2));
  s.edges_within = std::llround(static_cast<double>(edges) * s.homophily);
  s.edges_between = edges - s.edges_within;
  // Drawing distinct edges is quick while at least half of the possible ones stay free.
  const double per_class = static_cast<double>(s.nodes / s.classes);
  const double within = s.classes * per_class * (per_class - 1) / 2;
  const double between = s.classes * (s.classes - 1.0) / 2 * per_class * per_class;
  if (static_cast<double>(s.edges_within) > within / 2 ||
      static_cast<double>(s.edges_between) > between / 2) {
    fail(
        "csbm: degree {} with homophily {} asks for {} edges within and {} between classes, more "
        "than half of the {:.0f} and {:.0f} there can be; lower the degree",
        s.degree, s.homophily, s.edges_within, s.edges_between, within, between);
  }
  return s;
}

// Classes of equal size (to one node), spread at random over the node ids.
std::vector<Index> draw_labels(const Settings& s, StreamKey key) {
  std::vector<Index> labels(static_cast<std::size_t>(s.nodes));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<Index>(i) % s.classes;
  Stream stream(key, kLabels);
  shuffle(labels, stream);
  return labels;
}

Csr draw_graph(const Settings& s, const std::vector<Index>& labels, StreamKey key) {
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(s.classes));
  for (Index node = 0; node < s.nodes; ++node) {
    members[static_cast<std::size_t>(labels[static_cast<std::size_t>(node)])].push_back(node);
  }
  const std::int64_t total = s.edges_within + s.edges_between;
  PairSet seen(total);
  std::vector<Edge> arcs;
  arcs.reserve(2 * static_cast<std::size_t>(total));
  Stream stream(key, kEdges);
  const auto any = [&] {
    return static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(s.nodes)));
  };
  const auto draw = [&](std::int64_t count, bool same_class) {
    while (count > 0) {
      const Index a = any();
      Index b;
      if (same_class) {
        const auto& group = members[static_cast<std::size_t>(labels[static_cast<std::size_t>(a)])];
        b = group[stream.next_below(static_cast<std::uint32_t>(group.size()))];
        if (a == b) continue;
      } else {
        b = any();
        if (labels[static_cast<std::size_t>(a)] == labels[static_cast<std::size_t>(b)]) continue;
      }
      if (!seen.insert(a, b)) continue;
      arcs.push_back({a, b});
      arcs.push_back({b, a});
      --count;
    }
  };
  draw(s.edges_within, true);
  draw(s.edges_between, false);
  return from_edges(s.nodes, arcs);
}

// Poisson by counting exponential waiting times (Knuth), in pieces that cannot underflow.
int draw_poisson(Stream& stream, double mean) {
  constexpr double kPiece = 30;
  int count = 0;
  for (double left = mean; left > 0; left -= kPiece) {
    const double limit = std::exp(-std::min(left, kPiece));
    for (double product = 1 - stream.next_unit(); product > limit;
         product *= 1 - stream.next_unit()) {
      ++count;
    }
  }
  return count;
}

// Word j belongs to the topic of class j mod classes. No row is empty.
Csr draw_features(const Settings& s, const std::vector<Index>& labels, StreamKey key) {
  Csr matrix;
  matrix.rows = s.nodes;
  matrix.cols = s.features;
  matrix.row_ptr.reserve(static_cast<std::size_t>(s.nodes) + 1);
  std::vector<Index> row;
  for (Index node = 0; node < s.nodes; ++node) {
    Stream stream(key, kWords, 0, static_cast<std::uint32_t>(node));
    const Index label = labels[static_cast<std::size_t>(node)];
    const auto topic_words = static_cast<std::uint32_t>((s.features - label - 1) / s.classes + 1);
    const int words = 1 + draw_poisson(stream, s.words - 1);
    row.clear();
    for (int w = 0; w < words; ++w) {
      const bool on_topic = stream.next_unit() < s.signal;
      row.push_back(
          on_topic ? label + s.classes * static_cast<Index>(stream.next_below(topic_words))
                   : static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(s.features))));
    }
    sort_unique(row);
    matrix.columns.insert(matrix.columns.end(), row.begin(), row.end());
    matrix.row_ptr.push_back(static_cast<Offset>(matrix.columns.size()));
  }
  return matrix;
}

Dataset make(const Options& options) {
  const Settings s = read(options);
  const StreamKey key = stream_key(fmt::format("generate/csbm/{}", options.integer("seed")));
  Dataset dataset;
  dataset.labels() = draw_labels(s, key);
  dataset.adjacency = draw_graph(s, dataset.labels(), key);
  dataset.features = draw_features(s, dataset.labels(), key);
  for (Index c = 0; c < s.classes; ++c) dataset.class_names().push_back(fmt::format("class {}", c));
  return dataset;
}

}  // namespace

extern const Generator generator_csbm;
const Generator generator_csbm = {
    "csbm",
    "Contextual stochastic block model",
    "Planted classes of equal size, a random graph that prefers edges within classes, and sparse "
    "binary features that prefer the words of the node's class. The defaults have the size, "
    "degree, homophily and words per node of Cora.",
    "Y. Deshpande, A. Montanari, E. Mossel, S. Sen: Contextual stochastic block models. NeurIPS "
    "2018.",
    {{"nodes", std::int64_t{2500}, "number of nodes", 4, 1e9, {}},
     {"classes", std::int64_t{7}, "number of classes, of equal size", 2, 10'000, {}},
     {"degree", 4.0, "average number of neighbours", 0, 10'000, {}},
     {"homophily", 0.8, "share of the edges that join nodes of one class", 0, 1, {}},
     {"features", std::int64_t{500}, "size of the vocabulary", 2, 100'000'000, {}},
     {"words", 18.0, "average number of words drawn for a node, repeats included", 1, 10'000, {}},
     {"signal", 0.2, "share of the words that are drawn from the class's own topic", 0, 1, {}},
     {"seed", std::int64_t{0}, "which member of the family", 0, 4294967295.0, {}}},
    {"largest-component"},
    make};

}  // namespace cupel
