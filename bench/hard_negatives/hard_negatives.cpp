// Hard negatives of a data set's links: the processor time to draw them, as one JSON line for
// validation and one for test.
//
//   bench_hard_negatives pubmed --data DIR [--seed 0] [--count 500] [--threads 1] [--out FOLDER]
//
// Links are split 85 / 5 / 10, the first member of scheme 'links'. --out writes the training links,
// the entries of features and their values, the positives of each part and their candidates (pairs
// of int32, values float32; where each positive's begin, as int64), for comparison with another
// program. The hash is of the candidates.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>

#include "cupel/base/hash.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/links/negatives.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/data/split/split.h"
#include "feature_entries.h"
#include "measuring.h"

namespace cupel::bench {

namespace {

struct Arguments {
  std::string dataset, data, out, zeros = "last";
  int seed = 0, count = 500, threads = 1;
};

void draw(const Arguments& args, const NegativeContext& context) {
  const double start = processor_seconds();
  const auto lists = std::get<CandidateLists>(find_negative_kind("heart").draw(context));
  const double used = processor_seconds() - start;
  const std::string part = to_text(context.part);
  Hasher hasher;
  hasher.array(std::span(lists.pairs)).array(std::span(lists.start));
  fmt::print(
      "{{\"dataset\": \"{}\", \"part\": \"{}\", \"positives\": {}, \"pairs\": {}, \"cpu\": {:.3f}, "
      "\"hash\": \"{}\"}}\n",
      args.dataset, part, context.ids().size(), lists.pairs.size(), used, hasher.hex());
  std::fflush(stdout);
  write_array(args.out, part + "-positives", context.positives());
  write_array(args.out, part + "-candidates", lists.pairs);
  write_array(args.out, part + "-start", lists.start);
}

void run(const Arguments& args) {
  const Dataset data = prepare(
      load_dataset(args.dataset,
                   data_folder(args.data.empty() ? std::nullopt : std::optional(args.data))),
      default_preparation(args.dataset));
  SplitScheme scheme;
  scheme.kind = "links";
  scheme.settings["seed"] = std::int64_t{args.seed};
  const PairList links = pairs_of(data.adjacency, false);
  const Split split = make_split(data, links, scheme, 0);
  const Options settings("--count", find_negative_kind("heart").settings,
                         {{"count", std::int64_t{args.count}}, {"zeros", args.zeros}});
  std::vector<Pair> train;
  for (const Index id : split.train) train.push_back(links.pairs[static_cast<std::size_t>(id)]);
  write_array(args.out, "train", train);
  const FeatureEntries features = listed_features(data.features);
  write_array(args.out, "feature-entries", features.places);
  write_array(args.out, "feature-values", features.values);
  for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest})
    draw(args, {data, links, split, part, stream_key("bench hard negatives"), Threads{args.threads},
                settings});
}

}  // namespace

}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("hard negatives of links");
  cupel::bench::Arguments args;
  app.add_option("dataset", args.dataset, "name of a data set")->required();
  app.add_option("--data", args.data, "folder of data sets (else $CUPEL_DATA)");
  app.add_option("--seed", args.seed, "seed of the split");
  app.add_option("--count", args.count, "negatives of each positive");
  app.add_option("--zeros", args.zeros, "what nodes without a score rank as");
  app.add_option("--threads", args.threads, "threads");
  app.add_option("--out", args.out, "folder for links and candidates");
  CLI11_PARSE(app, argc, argv);
  return cupel::bench::exit_code_of([&] { cupel::bench::run(args); });
}
