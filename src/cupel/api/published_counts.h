// Counts of facts over time beside the published ones (Horawalavithana et al. 2022, Table 2).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/facts/facts_statistics.h"
#include "cupel/data/formats/build_account.h"

namespace cupel {

// Names of the graphs that there are published counts of: acl, icml, ...
[[nodiscard]] std::vector<std::string> published_graphs();

// The graph that a folder is a version of, by what it was built of; empty if that is not known.
[[nodiscard]] std::string published_graph_of(const BuildAccount& account);

// A count of ours beside the published one.
struct ComparedCount {
  std::string part, what;  // "train", "scientists"
  Offset published = 0, ours = 0;
};

struct PublishedComparison {
  std::string graph;
  bool same_cuts = false;  // else nothing is compared
  TimeCuts cuts;           // the published ones
  std::vector<ComparedCount> counts;
  std::vector<std::string> reasons;  // sentences: why counts differ, and what cannot be met
};

// The published cuts of the graph that is called so, as "2018,2019,2021"; of any other text the
// text itself.
[[nodiscard]] std::string cuts_text(const std::string& split);

// The graph that is called so, in whatever case. Throws Error if there are no published counts.
[[nodiscard]] std::string published_graph(const std::string& name);
// Throws Error as published_graph().
[[nodiscard]] PublishedComparison compare_published(const std::string& graph,
                                                    const FactsStatistics& ours,
                                                    const BuildAccount& account);
[[nodiscard]] nlohmann::ordered_json published_json(const PublishedComparison& comparison);

}  // namespace cupel
