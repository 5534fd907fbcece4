// Heuristics of links on the whole graph of a data set: how many pairs a second, as one JSON line
// for each.
//
//   bench_link_heuristics pubmed --data DIR --pairs 10000000 [--scattered] [--out FOLDER]
//
// Pairs are drawn uniformly and sorted, unless they are to be scattered. "gb_per_second" counts the
// bytes that a pair has to read and write: itself, its score, both rows of the graph or of the
// features, and where these begin; by processor time. Iterations and searches are timed on pairs of
// --columns different smaller nodes, and have no count of bytes here. Times are the best of three.
//
// --out writes the graph's edges, the entries of its features and their values, the pairs and each
// score (pairs of int32, values and scores float32), for comparison with another program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>
#include <set>

#include "cupel/base/random.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/learn/links/heuristics/heuristics.h"
#include "feature_entries.h"
#include "measuring.h"

namespace cupel::bench {

namespace {

struct Arguments {
  std::string dataset, data, out, only;
  std::size_t pairs = 10'000'000;
  Index columns = 512;
  int threads = 1;
  bool scattered = false;
};

struct Heuristic {
  std::string name;
  std::function<std::unique_ptr<PairScorer>(const LinkGraph&, Threads)> make;
  std::function<double(Pair)> bytes;  // none: by columns
};

// Smaller nodes below `sources` alone.
std::vector<Pair> drawn_pairs(Index nodes, Index sources, std::size_t count, bool scattered) {
  Stream stream(stream_key("bench link heuristics"), 0);
  std::vector<Pair> out;
  out.reserve(count);
  while (out.size() < count) {
    const auto i = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(sources)));
    const auto j = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(nodes)));
    if (i != j) out.push_back({std::min(i, j), std::max(i, j)});
  }
  if (!scattered) std::sort(out.begin(), out.end());
  return out;
}

// Different smaller nodes.
std::size_t columns_of(const std::vector<Pair>& pairs) {
  std::set<Index> nodes;
  for (const Pair& pair : pairs) nodes.insert(pair.source);
  return nodes.size();
}

void measure(const Arguments& args, const Heuristic& heuristic, const LinkGraph& graph,
             const std::vector<Pair>& pairs) {
  using Clock = std::chrono::steady_clock;
  std::vector<float> scores(pairs.size());
  const auto scorer = heuristic.make(graph, {args.threads});
  double wall = 1e300, processor = 1e300, bytes = 0;
  for (int round = 0; round < 3; ++round) {
    const auto start = Clock::now();
    const double used = processor_seconds();
    scorer->score(pairs, scores, {});
    wall = std::min(wall, std::chrono::duration<double>(Clock::now() - start).count());
    processor = std::min(processor, processor_seconds() - used);
  }
  if (heuristic.bytes)
    for (const Pair& pair : pairs) bytes += heuristic.bytes(pair);
  const auto count = static_cast<double>(pairs.size());
  fmt::print(
      "{{\"heuristic\": \"{}\", \"pairs\": {}, \"wall\": {:.6f}, \"cpu\": {:.6f}, "
      "\"columns\": {}, \"pairs_per_second\": {:.4g}, \"gb_per_second\": {:.2f}}}\n",
      heuristic.name, pairs.size(), wall, processor, heuristic.bytes ? 0 : columns_of(pairs),
      count / wall, 1e-9 * bytes / processor);
  std::fflush(stdout);
  write_array(args.out, heuristic.name, scores);
}

void run(const Arguments& args) {
  const Dataset data = prepare(
      load_dataset(args.dataset,
                   data_folder(args.data.empty() ? std::nullopt : std::optional(args.data))),
      default_preparation(args.dataset));
  const PairList links = pairs_of(data.adjacency, false);
  const Csr arcs = arcs_of(links.pairs, links.nodes, false);
  const LinkGraph graph = {arcs, data.features, false};
  const auto rows = [](const Csr& x, Pair p) {
    const double entry = x.is_pattern() ? sizeof(Index) : sizeof(Index) + sizeof(float);
    return 4.0 * sizeof(Offset) +
           entry * static_cast<double>(x.row_size(p.source) + x.row_size(p.target));
  };
  constexpr double kPair = sizeof(Pair) + sizeof(float);
  const auto of_arcs = [&](Pair p) { return kPair + rows(arcs, p); };
  const auto of_features = [&](Pair p) {
    const Csr* sparse = std::get_if<Csr>(&data.features);
    return kPair + 2 * sizeof(double) +
           (sparse ? rows(*sparse, p) : 8.0 * feature_count(data.features));
  };
  const std::vector<Heuristic> all = {
      {"common-neighbours", common_neighbours_scorer, of_arcs},
      {"jaccard", jaccard_scorer, of_arcs},
      {"adamic-adar", adamic_adar_scorer, of_arcs},
      {"resource-allocation", resource_allocation_scorer, of_arcs},
      {"preferential-attachment", preferential_attachment_scorer,
       [&](Pair) { return kPair + 2 * sizeof(Offset); }},
      {"feature-cosine", feature_cosine_scorer, of_features},
      {"shortest-path", shortest_path_scorer, {}},
      {"katz", [](auto& g, auto threads) { return katz_scorer(g, {}, threads); }, {}},
      {"personalised-pagerank",
       [](auto& g, auto threads) { return personalised_pagerank_scorer(g, 0.15, threads); },
       {}}};
  const auto pairs = drawn_pairs(links.nodes, links.nodes, args.pairs, args.scattered);
  const auto few = drawn_pairs(links.nodes, std::min(args.columns, links.nodes),
                               std::min(args.pairs, std::size_t{1'000'000}), args.scattered);
  write_array(args.out, "edges", links.pairs);
  const FeatureEntries features = listed_features(data.features);
  write_array(args.out, "feature-entries", features.places);
  write_array(args.out, "feature-values", features.values);
  write_array(args.out, "pairs", pairs);
  write_array(args.out, "pairs-of-columns", few);
  for (const Heuristic& heuristic : all)
    if (args.only.empty() || args.only == heuristic.name)
      measure(args, heuristic, graph, heuristic.bytes ? pairs : few);
}

}  // namespace

}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("heuristics of links");
  cupel::bench::Arguments args;
  app.add_option("dataset", args.dataset, "name of a data set")->required();
  app.add_option("--data", args.data, "folder of data sets (else $CUPEL_DATA)");
  app.add_option("--pairs", args.pairs, "pairs to score");
  app.add_option("--columns", args.columns, "smaller nodes, where they count")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", args.threads, "threads");
  app.add_option("--only", args.only, "this heuristic alone");
  app.add_option("--out", args.out, "folder for edges, pairs and scores");
  app.add_flag("--scattered", args.scattered, "leave the pairs as they are drawn");
  CLI11_PARSE(app, argc, argv);
  return cupel::bench::exit_code_of([&] { cupel::bench::run(args); });
}
