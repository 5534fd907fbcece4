// From labels to a data set: the steps of wiki-cs after the categories.
#pragma once

#include <memory>
#include <vector>

#include "cupel/data/build/recipe.h"
#include "cupel/data/build/wiki_cs/categories.h"
#include "cupel/data/build/wiki_cs/label_map.h"
#include "cupel/data/build/wiki_cs/nodes.h"

namespace cupel::wiki_cs {

// The nodes: articles of one label that have words, by the ids of their pages, and their links.
struct Nodes {
  std::vector<Article> articles;
  OutLinks links;
};

// Throws Error for a label without articles.
[[nodiscard]] Nodes read_nodes(BuildContext& context, const Sanitised& all, const LabelMap& map);

// Features from the input "vectors"; splits as the settings say.
[[nodiscard]] Dataset data_set(BuildContext& context, Nodes& nodes, const LabelMap& map);

// Splits of classes of fewer than twenty nodes have no training node. They stand in the released
// form's files, where masks are what they are, and are no splits of a data set.
void leave_out_empty_splits(BuildContext& context, Dataset& dataset);

// The files of the released form. They share the nodes.
void add_tables(const std::shared_ptr<const Nodes>& nodes, BuildProduct& product);

// Labels and their numbers of nodes.
[[nodiscard]] BuildListing labels_listing(const Dataset& dataset);

}  // namespace cupel::wiki_cs
