// Statistics of whatever data set.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cupel/api/dataset_account.h"
#include "cupel/api/published_counts.h"
#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/facts_statistics.h"
#include "cupel/data/stats/graph_set_statistics.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

struct StatisticsRequest {
  int threads = available_processors();  // more than there are gain nothing
  // Of one graph: time for distances, and the seed of the nodes sampled for estimates.
  std::optional<double> seconds;
  std::optional<std::uint64_t> seed;
  bool drop_outliers = false;  // of a set of graphs
  // Of facts over time: the last times of their parts, as "2018,2019,2021", or shares of the facts,
  // "0.7,0.85"; empty: the parts of their source, if it had three.
  std::string split;
  int splits = 0;         // later cuts whose complexity is told; 0: none
  std::string published;  // the graph of EXPERT whose published counts stand beside; empty: none
  std::string source;     // the folder of the facts, which may say what they were built of
};

// Whether the statistics are those of three parts: the request names cuts, asks for later cuts or
// for published counts, or the source has three parts. If not, all facts are counted together.
[[nodiscard]] bool is_of_parts(const TemporalFacts& facts, const StatisticsRequest& request);

// What is asked of facts over time in parts.
struct FactsReport {
  FactsStatistics statistics;
  std::vector<CutComplexity> over_time;          // one for each of the request's `splits`
  std::optional<PublishedComparison> published;  // where `published` names a graph
};
// Throws Error as cuts_of_text(), published_graph(), check_later_cuts() and parts_at(). The first
// three are asked before anything is counted.
[[nodiscard]] FactsReport facts_report(const TemporalFacts& facts,
                                       const StatisticsRequest& request);

// By what the data set is: one graph, a set of graphs, facts over time in parts, or facts that are
// counted together.
using DatasetStatistics = std::variant<Statistics, GraphSetStatistics, FactsReport, FactsAccount>;

// Throws Error as the refusals below and as facts_report().
[[nodiscard]] DatasetStatistics statistics_of(const Dataset& dataset,
                                              const StatisticsRequest& request = {});

// As `cupel stats --json` prints what statistics_of() found of the data set.
[[nodiscard]] nlohmann::ordered_json found_json(const Dataset& dataset,
                                                const DatasetStatistics& found);

// Throw Error if something is asked that is of other data than `name` is: facts over time, a set of
// graphs, one graph, and either of these. `more`: further options of graphs, or of facts.
void refuse_for_facts(const std::string& name, const StatisticsRequest& request,
                      std::initializer_list<std::pair<const char*, bool>> more = {});
void refuse_for_set(const std::string& name, const StatisticsRequest& request);
void refuse_for_graph(const std::string& name, const StatisticsRequest& request);
void refuse_what_is_of_facts(const std::string& name, const StatisticsRequest& request,
                             std::initializer_list<std::pair<const char*, bool>> more = {});

// How much is done for one graph.
[[nodiscard]] StatisticsOptions options_of(const StatisticsRequest& request);

}  // namespace cupel
