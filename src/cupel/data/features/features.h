// Features made from graphs by name, and put together as protocol files say.
//
// A composition is a list of terms, side by side: "labels,degree", "random:seed=1;width=8". A term
// is the name of a kind, then its settings after ':', parted by ';'. One file per kind in kinds/,
// which defines `extern const FeatureKind feature_<file stem>`; the build lists them.
#pragma once

#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/dataset.h"

namespace cupel {

// A data set without its labels: all that features may be made from.
struct FeatureSource {
  const Csr& adjacency;
  const Features& features;
  const GraphSet* graphs;  // null: one graph
};

struct FeatureKind {
  std::string name;  // "degree"
  std::string doc;   // one sentence
  bool of_graphs;    // a row for each graph, else for each node
  std::vector<OptionSpec> settings;
  // Throws Error if the source lacks what it needs. Pure function of its arguments.
  Features (*make)(const FeatureSource& source, const Options& settings);
};

// Sorted by name, those of nodes and those of graphs.
[[nodiscard]] const std::vector<const FeatureKind*>& feature_kinds();

// Every kind takes two settings beside its own:
//   standardise  "graph": each column is centred and scaled within each graph, "all": over all rows
//                (population deviation; a constant column becomes 0.01)
//   shuffle      a seed: each row becomes that of a random node (or graph) of the set, drawn with
//                replacement
// standardise comes after shuffle.

// Throws Error naming the term if one has no such kind or settings, whatever the data.
void check_node_features(const std::string& composition);
void check_graph_features(const std::string& composition);

// Nodes x columns of all terms. Sparse if every term is. Throws Error naming the term.
[[nodiscard]] Features node_features(const FeatureSource& source, const std::string& composition);
// Graphs x columns.
[[nodiscard]] Matrix graph_features(const FeatureSource& source, const std::string& composition);

}  // namespace cupel
