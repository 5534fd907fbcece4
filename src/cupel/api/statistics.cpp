#include "cupel/api/statistics.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts_statistics_json.h"
#include "cupel/data/stats/graph_set_statistics.h"
#include "cupel/data/stats/statistics_json.h"

namespace cupel {

nlohmann::ordered_json statistics_of(const Dataset& dataset, const StatisticsRequest& request) {
  const Threads threads{std::min(request.threads, available_processors())};
  if (request.drop_outliers && !dataset.graphs)
    fail("{}: --drop-outliers is about the graphs of a set, and this is one graph; leave it out",
         dataset.name);
  if (dataset.facts)
    return facts_statistics_json(
        facts_statistics(*dataset.facts, cuts_of_parts(*dataset.facts), threads));
  if (dataset.graphs)
    return statistics_json(dataset,
                           graph_set_statistics(dataset, {threads, request.drop_outliers}));
  return statistics_json(dataset, statistics(dataset, {threads, request.seconds, request.seed}));
}

}  // namespace cupel
