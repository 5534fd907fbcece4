#include "cupel/data/split/link_split.h"

#include <algorithm>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/base/words.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

// Entries whose way back is not there.
Offset count_one_way(const Csr& graph) {
  Offset out = 0;
  for (Index i = 0; i < graph.rows; ++i)
    for (const Index j : graph.row_columns(i)) out += j != i && !has_arc(graph, {j, i});
  return out;
}

// `way` words how the scheme is told the direction.
PairList checked_pairs(const Dataset& dataset, bool directed, const std::string& way) {
  if (dataset.graphs)
    fail("{}: links are split of one graph, and this is a set of {}", dataset.name,
         counted(dataset.graphs->size(), "graph"));
  const Offset one_way = count_one_way(dataset.adjacency);
  if (!directed && one_way > 0)
    fail(
        "{}: {} without a way back, and the split is of links without direction; prepare the data "
        "with \"symmetrise\", or set {} = true",
        dataset.name, counted(one_way, "arc"), way);
  PairList out = pairs_of(dataset.adjacency, directed);
  if (directed && one_way == 0 && out.size() > 0)
    fail(
        "{}: every arc has its way back, which would tell of a tested arc where it is trained on; "
        "set {} = false",
        dataset.name, way);
  return out;
}

PairList demand_links(const Dataset& dataset, PairList links) {
  if (links.size() == 0)
    fail("{}: has no link between two nodes, so that there is nothing to split", dataset.name);
  return links;
}

}  // namespace

PairList links_of(const Dataset& dataset, const SplitFile& file) {
  PairList out =
      checked_pairs(dataset, file.directed, fmt::format("in {} \"directed\"", file.path));
  if (!file.new_links) return demand_links(dataset, std::move(out));
  for (const PairSplit& split : file.pair_splits)
    for (const auto* part : {&split.train, &split.valid, &split.test})
      out.pairs.insert(out.pairs.end(), part->begin(), part->end());
  sort_unique(out.pairs);
  return out;
}

PairList links_of(const Dataset& dataset, const SplitScheme& scheme) {
  if (split_unit(scheme, dataset) != Unit::kPair)
    throw std::logic_error("split scheme '" + scheme.kind + "' does not split pairs");
  if (scheme.members) return links_of(dataset, *scheme.members);
  return demand_links(dataset,
                      checked_pairs(dataset, scheme.options().flag("directed"), "directed"));
}

bool valid_carries_messages(const SplitScheme& scheme) {
  return scheme.options().text("message") == "train+valid";
}

std::vector<Pair> pairs_at(const PairList& links, const std::vector<Index>& ids) {
  std::vector<Pair> out;
  out.reserve(ids.size());
  for (const Index id : ids) out.push_back(links.pairs[static_cast<std::size_t>(id)]);
  return out;
}

std::vector<Split> ids_of(const SplitFile& file, const Dataset& dataset, const PairList& links) {
  std::vector<Split> out;
  for (std::size_t s = 0; s < file.pair_splits.size(); ++s) {
    const auto id_of = [&](const Pair& pair) {
      for (const Index node : {pair.source, pair.target})
        if (node >= dataset.nodes())
          fail(
              "{}: split {} names node {}, but data set '{}' has {} nodes; was it prepared in a "
              "way that drops some? the file is for all of them",
              file.path, s, node, dataset.name, dataset.nodes());
      const auto at = std::ranges::lower_bound(links.pairs, pair);
      if (at == links.pairs.end() || *at != pair)
        fail(
            "{}: split {} names [{}, {}], which is no link of data set '{}'; take it out, or set "
            "\"new_links\" to true if the graph lacks links of the file",
            file.path, s, pair.source, pair.target, dataset.name);
      return static_cast<Index>(at - links.pairs.begin());
    };
    const auto ids = [&](const std::vector<Pair>& pairs) {
      std::vector<Index> part(pairs.size());
      std::ranges::transform(pairs, part.begin(), id_of);
      return part;
    };
    const PairSplit& split = file.pair_splits[s];
    out.push_back({ids(split.train), ids(split.valid), ids(split.test)});
  }
  return out;
}

}  // namespace cupel
