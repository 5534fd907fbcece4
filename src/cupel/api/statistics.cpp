#include "cupel/api/statistics.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cupel/api/published_counts.h"
#include "cupel/base/error.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/facts_statistics_json.h"
#include "cupel/data/stats/graph_set_statistics.h"
#include "cupel/data/stats/statistics_json.h"

namespace cupel {
namespace {

nlohmann::ordered_json of_facts(const TemporalFacts& facts, const StatisticsRequest& request,
                                Threads threads) {
  const TimeCuts cuts = cuts_of_text(facts, request.split, "--split");
  const FactsStatistics found = facts_statistics(facts, cuts, threads);
  auto out = facts_statistics_json(found);
  if (request.splits > 0)
    out["cuts"] = complexity_over_time_json(
        found.relations, complexity_over_time(columns_of(facts), cuts, request.splits,
                                              undirected_of(facts), facts.name, threads));
  if (!request.published.empty())
    out["published"] = published_json(
        compare_published(request.published, found, read_build_account(request.source)));
  return out;
}

}  // namespace

void refuse_what_is_of_facts(const std::string& name, const StatisticsRequest& request) {
  for (const auto& [option, given] :
       {std::pair{"--split", !request.split.empty()}, std::pair{"--splits", request.splits > 0},
        std::pair{"--published", !request.published.empty()}})
    if (given)
      fail("{}: {} is about facts over time, and this is none; leave it out", name, option);
}

nlohmann::ordered_json statistics_of(const Dataset& dataset, const StatisticsRequest& request) {
  const Threads threads{std::min(request.threads, available_processors())};
  if (request.drop_outliers && !dataset.graphs)
    fail("{}: --drop-outliers is about the graphs of a set, and this is one graph; leave it out",
         dataset.name);
  if (dataset.facts) return of_facts(*dataset.facts, request, threads);
  refuse_what_is_of_facts(dataset.name, request);
  if (dataset.graphs)
    return statistics_json(dataset,
                           graph_set_statistics(dataset, {threads, request.drop_outliers}));
  return statistics_json(dataset, statistics(dataset, {threads, request.seconds, request.seed}));
}

}  // namespace cupel
