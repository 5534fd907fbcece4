// R-MAT graphs: degrees that vary widely, of any size that memory holds. See ../rmat.h.
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/generate/rmat.h"

namespace cupel {
namespace {

enum Purpose : std::uint32_t { kClasses = 3 };  // 1 and 2 are the graph's

constexpr double kMostDraws = 1e10;

RmatSettings read(const Options& options) {
  RmatSettings s;
  s.scale = static_cast<int>(options.integer("scale"));
  s.a = options.real("a");
  s.b = options.real("b");
  s.c = options.real("c");
  s.permute = options.flag("permute");
  s.key = stream_key(fmt::format("generate/rmat/{}", options.integer("seed")));
  if (s.a + s.b + s.c > 1 + 1e-9) {
    fail("rmat: a, b and c are shares of the edges, and {} + {} + {} is more than 1; lower them",
         s.a, s.b, s.c);
  }
  const double draws = std::round(std::ldexp(options.real("edge-factor"), s.scale));
  if (draws > kMostDraws) {
    fail("rmat: scale {} with edge-factor {} makes {:.1e} draws; the limit is {:.0e}", s.scale,
         options.real("edge-factor"), draws, kMostDraws);
  }
  s.draws = static_cast<std::int64_t>(draws);
  return s;
}

Dataset make(const Options& options) {
  const RmatSettings s = read(options);
  const auto classes = static_cast<Index>(options.integer("classes"));
  const auto nodes = std::int64_t{1} << s.scale;
  if (classes > nodes) fail("rmat: {} nodes are too few for {} classes", nodes, classes);
  Dataset dataset;
  dataset.adjacency = rmat_graph(s, {available_processors()});
  dataset.features = Matrix(dataset.nodes(), 0);
  if (classes == 0) return dataset;
  const RandomNumbering place(s.key, kClasses, s.scale);
  dataset.labels().resize(static_cast<std::size_t>(nodes));
  for (std::uint32_t node = 0; node < nodes; ++node)
    dataset.labels()[node] = static_cast<Index>(place(node) % static_cast<std::uint32_t>(classes));
  for (Index c = 0; c < classes; ++c) dataset.class_names().push_back(fmt::format("class {}", c));
  return dataset;
}

}  // namespace

extern const Generator generator_rmat;
const Generator generator_rmat = {
    "rmat",
    "R-MAT",
    "A recursive random graph with hubs: the edges of Graph500, drawn with the shares a, b, c and "
    "1 - a - b - c of the quarters of the adjacency. Undirected, each edge stored once; loops are "
    "dropped and repeats merged, so that there are fewer edges than draws. No features; classes, "
    "where asked for, are of equal size and have nothing to do with the graph.",
    "D. Chakrabarti, Y. Zhan, C. Faloutsos: R-MAT: a recursive model for graph mining. SDM 2004.",
    {{"scale", std::int64_t{10}, "2^scale nodes", 1, 30, {}},
     {"edge-factor", 16.0, "edges drawn for each node", 0, 4096, {}},
     {"a", 0.57, "share of the edges in the quarter of both lower halves", 0, 1, {}},
     {"b", 0.19, "the same of lower sources and upper targets", 0, 1, {}},
     {"c", 0.19, "the same of upper sources and lower targets", 0, 1, {}},
     {"permute", true, "whether nodes are renumbered at random", 0, 0, {}},
     {"classes", std::int64_t{0}, "number of classes, of equal size; 0: no labels", 0, 10'000, {}},
     {"seed", std::int64_t{0}, "which member of the family", 0, 4294967295.0, {}}},
    {"symmetrise"},
    make,
    false,
    nullptr,
    true};

}  // namespace cupel
