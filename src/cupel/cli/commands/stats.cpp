// cupel stats: what a data set's graph or graphs, features and labels look like.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "cupel/api/load.h"
#include "cupel/api/statistics.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/parallel.h"
#include "cupel/base/paths.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/cards/facts_card.h"
#include "cupel/cli/cards/published_card.h"
#include "cupel/cli/cards/share_figure.h"
#include "cupel/cli/cards/statistics_card.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/facts/temporal_edges.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string name, seed, svg, split, published;
  DataArgument data;
  FactsMemoryArgument memory;
  int threads = available_processors();
  int splits = 0;      // 0: not given
  double seconds = 0;  // 0: not given
  bool json = false, times = false, drop_outliers = false;
};

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    fail("--seed: '{}' is not a whole number of 0 or more", text);
  return seed;
}

std::string times_text(const Statistics& statistics) {
  std::string out = "seconds:";
  for (const auto& [part, wall, processor] : statistics.seconds)
    out += fmt::format(" {} {:.3f}/{:.3f}", part, wall, processor);
  return out;
}

std::string times_text(const GraphSetStatistics& found) {
  return fmt::format("seconds: properties {:.3f} correlations {:.3f}", found.seconds_properties,
                     found.seconds_correlations);
}

StatisticsRequest request_of(const Arguments& arguments, const std::string& source) {
  StatisticsRequest out;
  out.threads = arguments.threads;
  out.drop_outliers = arguments.drop_outliers;
  out.split = arguments.split, out.splits = arguments.splits;
  out.published = arguments.published, out.source = source;
  if (arguments.seconds > 0) out.seconds = arguments.seconds;
  if (!arguments.seed.empty()) out.seed = parse_seed(arguments.seed);
  return out;
}

std::string text_of(const Dataset& dataset, const Statistics& found) {
  return statistics_text(dataset, found);
}

std::string text_of(const Dataset& dataset, const GraphSetStatistics& found) {
  return graph_set_text(dataset, found);
}

std::string text_of(const Dataset& dataset, const FactsReport& found) {
  std::string out = facts_text(dataset.facts->name, dataset.facts->time_unit, found.statistics);
  if (!found.over_time.empty())
    out += complexity_over_time_text(found.statistics.relations, found.over_time);
  if (found.published) out += published_text(*found.published);
  return out;
}

std::string text_of(const Dataset& dataset, const FactsAccount& found) {
  return labelled("Data set", dataset.facts->name) + facts_account_text(found) + "\n" +
         wrap(
             "Groups, complexity and staleness are of parts: --split 2018,2019,2021 names the "
             "last time of training, validation and test, --split 0.7,0.85 shares of the facts.");
}

void print(const Dataset& dataset, const DatasetStatistics& found, bool json) {
  print_out(json ? json_text(found_json(dataset, found))
                 : std::visit([&](const auto& one) { return text_of(dataset, one); }, found));
}

// Before the long work.
void check_figure(const Arguments& arguments, const Dataset& dataset) {
  constexpr const char* kDraws = "--svg draws how classes meet at the edges of one graph, and";
  if (dataset.graphs) {
    fail("{}: {} this is a set of {} graphs; leave it out", dataset.name, kDraws,
         dataset.graphs->size());
  }
  if (dataset.labels().empty())
    fail("{}: {} its nodes have no labels; leave it out", dataset.name, kDraws);
  check_not_input("stats", arguments.svg, {arguments.name});
  check_writable(arguments.svg);
}

void write_figure(const std::string& path, const Dataset& dataset, const Statistics& found) {
  if (!found.labels || found.labels->shares_with_loops.nodes == 0) {
    fail(
        "{}: --svg draws shares of neighbours, and no node with a label has a neighbour with one; "
        "leave it out",
        dataset.name);
  }
  write_file(path, share_figure(dataset.name, *found.labels));
}

// Facts over time: a folder of `cupel build expert`, RE-Net's text, a temporal list of edges.
int perform_on_facts(const Arguments& arguments, const fs::path& place) {
  StatisticsRequest request = request_of(arguments, place.string());
  refuse_for_facts(place.string(), request,
                   {{"--svg", !arguments.svg.empty()}, {"--times", arguments.times}});
  arguments.memory.hold_against(place);
  const Dataset dataset = load_any(arguments.name, arguments.data.folder());
  const TemporalFacts& facts = *dataset.facts;
  // Three numbers in a line may be an edge with its weight.
  if (!is_of_parts(facts, request) && is_temporal_edges(place))
    fail(
        "{}: holds facts over time (source, target, time) in no parts; name the last time of each, "
        "--split 2018,2019,2021, or shares of the facts, --split 0.7,0.85; of edges without a time "
        "keep the columns of the nodes",
        place.string());
  // JSON has the same keys for all facts in parts, unless more is asked for.
  if (!arguments.json && is_of_parts(facts, request) && request.published.empty())
    request.published = published_graph_of(read_build_account(place));
  print(dataset, statistics_of(dataset, request), arguments.json);
  return kDone;
}

bool is_graph(const Arguments& arguments) {
  StatisticsRequest request;
  request.threads = arguments.threads;
  try {
    (void)load_graph(arguments.name, arguments.data.folder(), ReadMode::kForUse,
                     options_of(request).threads);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// What is neither a graph nor facts is said to be no facts, with the line.
void refuse_options_of_facts(const Arguments& arguments) {
  try {
    refuse_what_is_of_facts(arguments.name, request_of(arguments, ""),
                            {{"--memory", !arguments.memory.given.empty()}});
  } catch (const Error&) {
    if (find_recipe(arguments.name) == nullptr && !is_graph(arguments))
      (void)read_facts(arguments.name);
    throw;
  }
}

int perform(const Arguments& arguments) {
  if (const auto place = place_of_facts(arguments.name, arguments.data.folder()))
    return perform_on_facts(arguments, *place);
  refuse_options_of_facts(arguments);
  const StatisticsRequest request = request_of(arguments, "");
  const Dataset dataset = load_graph(arguments.name, arguments.data.folder(), ReadMode::kForUse,
                                     options_of(request).threads);
  if (!arguments.svg.empty()) check_figure(arguments, dataset);
  const DatasetStatistics found = statistics_of(dataset, request);
  const auto* const of_graph = std::get_if<Statistics>(&found);
  if (!arguments.svg.empty()) write_figure(arguments.svg, dataset, *of_graph);
  print(dataset, found, arguments.json);
  if (arguments.times)
    print_note(of_graph != nullptr ? times_text(*of_graph)
                                   : times_text(std::get<GraphSetStatistics>(found)));
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required(
      "NAME", arguments->name,
      "A data set of the catalog, a generator, or a path to\ndata in a known format or to an "
      "edge list (two node\nnumbers per line)");
  syntax.count("--threads", arguments->threads, "Threads (default: one per processor)");
  syntax.seconds("--seconds", arguments->seconds,
                 "Time for diameter and shortest paths (default: 10);\nwhere it is not enough, "
                 "bounds and estimates are given");
  syntax.text("--seed", "N", arguments->seed,
              "Seed of the nodes sampled for estimates (default: 0)");
  syntax.flag("--times", arguments->times,
              "Tell on standard error how long each part took: wall\nand processor seconds");
  syntax.flag("--drop-outliers", arguments->drop_outliers,
              "Sets of graphs: leave out graphs that are more than\n3 deviations off in a "
              "property or in the label");
  syntax.text("--split", "A,B,C", arguments->split,
              "Facts over time: train to time A, valid to B, test to C;\nor shares of the facts, "
              "0.7,0.85; or the cuts of a\ngraph of EXPERT, iclr\n(default: the three "
              "parts that the source has, or\ncounts of all facts)");
  syntax.count("--splits", arguments->splits,
               "Facts over time: complexity of so many cuts, each a step\nof time after the one "
               "before");
  syntax.text(
      "--published", "GRAPH", arguments->published,
      fmt::format("Facts over time: the graph of EXPERT whose published\ncounts stand beside "
                  "ours, one of\n{}\n(default: the one whose records they were built of)",
                  fmt::join(published_graphs(), ", ")));
  syntax.text("--svg", "FILE", arguments->svg,
              "Draw nodes by their share of same-class neighbours into\nFILE");
  add_facts_memory(syntax, arguments->memory);
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_stats;
const Command command_stats = {Topic::kDataSets, "stats",
                               "Statistics of a data set's graph, features and labels", declare};

}  // namespace cupel::cli
