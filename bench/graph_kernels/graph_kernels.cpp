// Kernel matrices of a set of graphs: how long they take, as one JSON line for each kernel.
//
//   bench_graph_kernels DIR/MUTAG --threads 1 [--labels] [--out FOLDER]
//
// --out writes each matrix as KERNEL.bin (float64, row-major), for comparison with another program.
// Times are of the second run: the first brings memory and caches into the state that later ones
// find.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <functional>

#include "cupel/base/error.h"
#include "cupel/data/formats/format.h"
#include "cupel/learn/graph_kernels/shortest_path.h"
#include "cupel/learn/graph_kernels/subgraph_matching.h"
#include "cupel/learn/graph_kernels/weisfeiler_lehman.h"
#include "measuring.h"

namespace cupel::bench {

namespace {

struct Arguments {
  std::string data, out;
  int threads = 1, levels = 5, k = 5;
  bool labels = false;
};

void measure(const Arguments& args, const std::string& kernel,
             const std::function<Histograms()>& make) {
  using Clock = std::chrono::steady_clock;
  double wall = 0, processor = 0;
  Gram gram;
  for (int round = 0; round < 2; ++round) {
    gram = {};
    const auto start = Clock::now();
    const double used = processor_seconds();
    gram = inner_products(make(), {args.threads});
    wall = std::chrono::duration<double>(Clock::now() - start).count();
    processor = processor_seconds() - used;
  }
  fmt::print("{{\"kernel\": \"{}\", \"graphs\": {}, \"wall\": {:.6f}, \"cpu\": {:.6f}}}\n", kernel,
             gram.graphs, wall, processor);
  std::fflush(stdout);
  write_array(args.out, kernel, gram.values);
}

void run(const Arguments& args) {
  const Dataset data = read_dataset(args.data);
  if (!data.graphs) fail("{}: is one graph; name a set of graphs", args.data);
  std::vector<Index> labels;
  if (args.labels) labels = distinct_rows(data.features);
  const LabelledGraphs graphs = {data.adjacency, data.graphs->start, labels, {}};
  measure(args, "wl", [&] { return wl_histograms(graphs, args.levels); });
  measure(args, "sp", [&] { return sp_histograms(graphs, {args.threads}); });
  refuse_large_sm("sm", graphs, args.k, 1e10);
  measure(args, "sm", [&] { return sm_histograms(graphs, args.k, {args.threads}); });
}

}  // namespace

}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("kernel matrices of a set of graphs");
  cupel::bench::Arguments args;
  app.add_option("data", args.data, "folder of the data set")->required();
  app.add_option("--out", args.out, "folder for the matrices");
  app.add_option("--threads", args.threads, "threads");
  app.add_option("--levels", args.levels, "rounds of Weisfeiler-Lehman");
  app.add_option("--k", args.k, "nodes of the largest subgraphs");
  app.add_flag("--labels", args.labels, "compare labels of nodes");
  CLI11_PARSE(app, argc, argv);
  return cupel::bench::exit_code_of([&] { cupel::bench::run(args); });
}
