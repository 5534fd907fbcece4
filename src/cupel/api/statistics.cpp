#include "cupel/api/statistics.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/facts_statistics_json.h"
#include "cupel/data/stats/statistics_json.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Dataset& dataset, const Statistics& found) {
  return statistics_json(dataset, found);
}

Json json_of(const Dataset& dataset, const GraphSetStatistics& found) {
  return statistics_json(dataset, found);
}

Json json_of(const Dataset&, const FactsReport& found) {
  Json out = facts_statistics_json(found.statistics);
  if (!found.over_time.empty())
    out["cuts"] = complexity_over_time_json(found.statistics.relations, found.over_time);
  if (found.published) out["published"] = published_json(*found.published);
  return out;
}

Json json_of(const Dataset&, const FactsAccount& found) {
  Json out = {{"facts", found.facts}, {"steps", found.steps}};
  out.update(over_time_json(found));
  return out;
}

// Throws Error for the first of the options that is given.
void refuse(const std::string& name, const char* of_what, const char* but,
            std::initializer_list<std::pair<const char*, bool>> options) {
  for (const auto& [option, given] : options)
    if (given) fail("{}: {} is about {}, and {}; leave it out", name, option, of_what, but);
}

}  // namespace

void refuse_for_facts(const std::string& name, const StatisticsRequest& request,
                      std::initializer_list<std::pair<const char*, bool>> more) {
  constexpr const char *kGraphs = "graphs", *kFacts = "these are facts over time";
  refuse(name, kGraphs, kFacts,
         {{"--seconds", request.seconds.has_value()},
          {"--seed", request.seed.has_value()},
          {"--drop-outliers", request.drop_outliers}});
  refuse(name, kGraphs, kFacts, more);
}

void refuse_for_set(const std::string& name, const StatisticsRequest& request) {
  refuse(name, "distances within one graph", "this is a set of graphs",
         {{"--seconds", request.seconds.has_value()}, {"--seed", request.seed.has_value()}});
  refuse_what_is_of_facts(name, request);
}

void refuse_for_graph(const std::string& name, const StatisticsRequest& request) {
  refuse(name, "the graphs of a set", "this is one graph",
         {{"--drop-outliers", request.drop_outliers}});
  refuse_what_is_of_facts(name, request);
}

void refuse_what_is_of_facts(const std::string& name, const StatisticsRequest& request,
                             std::initializer_list<std::pair<const char*, bool>> more) {
  constexpr const char *kFacts = "facts over time", *kNone = "this is none";
  refuse(name, kFacts, kNone,
         {{"--split", !request.split.empty()},
          {"--splits", request.splits > 0},
          {"--published", !request.published.empty()}});
  refuse(name, kFacts, kNone, more);
}

StatisticsOptions options_of(const StatisticsRequest& request) {
  const StatisticsOptions usual;
  return {{std::min(request.threads, available_processors())},
          request.seconds.value_or(usual.seconds),
          request.seed.value_or(usual.seed)};
}

bool is_of_parts(const TemporalFacts& facts, const StatisticsRequest& request) {
  return !request.split.empty() || request.splits > 0 || !request.published.empty() ||
         facts.parts.size() == 3;
}

FactsReport facts_report(const TemporalFacts& facts, const StatisticsRequest& request) {
  const Threads threads = options_of(request).threads;
  const TimeCuts cuts = cuts_of_text(facts, cuts_text(request.split), "--split");
  const std::string graph =
      request.published.empty() ? std::string() : published_graph(request.published);
  FactsReport out;
  // It refuses too many cuts at once, and the statistics take long.
  if (request.splits > 0)
    out.over_time = complexity_over_time(columns_of(facts), cuts, request.splits,
                                         undirected_of(facts), facts.name, threads);
  out.statistics = facts_statistics(facts, cuts, threads);
  if (!graph.empty())
    out.published = compare_published(graph, out.statistics, read_build_account(request.source));
  return out;
}

DatasetStatistics statistics_of(const Dataset& dataset, const StatisticsRequest& request) {
  const StatisticsOptions options = options_of(request);
  if (dataset.facts) {
    refuse_for_facts(dataset.name, request);
    if (is_of_parts(*dataset.facts, request)) return facts_report(*dataset.facts, request);
    return account_of(*dataset.facts);
  }
  if (dataset.graphs) {
    refuse_for_set(dataset.name, request);
    return graph_set_statistics(dataset, {options.threads, request.drop_outliers});
  }
  refuse_for_graph(dataset.name, request);
  return statistics(dataset, options);
}

Json found_json(const Dataset& dataset, const DatasetStatistics& found) {
  return std::visit([&](const auto& one) { return json_of(dataset, one); }, found);
}

}  // namespace cupel
