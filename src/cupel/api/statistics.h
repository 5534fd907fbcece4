// Statistics of whatever data set, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

struct StatisticsRequest {
  int threads = available_processors();  // more than there are gain nothing
  double seconds = StatisticsOptions{}.seconds;
  std::uint64_t seed = 0;
  bool drop_outliers = false;  // of a set of graphs
  // Of facts over time: the last times of their parts, as "2018,2019,2021", or shares of the facts,
  // "0.7,0.85"; empty: the parts of their source.
  std::string split;
  int splits = 0;         // later cuts whose complexity is told; 0: none
  std::string published;  // the graph of EXPERT whose published counts stand beside; empty: none
  std::string source;     // the folder of the facts, which may say what they were built of
};

// As `cupel stats --json` prints it. Throws Error for drop_outliers of what is no set, for what is
// of facts and given with graphs, for facts without parts, and as cuts_of_text() and
// compare_published().
[[nodiscard]] nlohmann::ordered_json statistics_of(const Dataset& dataset,
                                                   const StatisticsRequest& request = {});

// Throws Error if anything is asked that is of facts over time, of which `name` is none.
void refuse_what_is_of_facts(const std::string& name, const StatisticsRequest& request);

}  // namespace cupel
