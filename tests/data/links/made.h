// A small graph with features, its links, and a split of them.
#pragma once

#include <algorithm>
#include <numeric>
#include <set>

#include "cupel/base/random.h"
#include "cupel/base/shuffle.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/links/negatives.h"

namespace cupel::made {

struct LinkData {
  Dataset data;
  PairList links;
  Split split;
  // Calls kind.draw with these settings.
  Candidates draw(const std::string& name, LinkPart part,
                  const std::vector<std::string>& settings = {}, int threads = 1,
                  const std::string& key = "key") const {
    const NegativeKind& kind = find_negative_kind(name);
    const Options options = parse_options("negatives", kind.settings, settings);
    return kind.draw({data, links, split, part, stream_key(key), Threads{threads}, options});
  }
  std::set<Pair> part(const std::vector<Index>& ids) const {
    std::set<Pair> out;
    for (const Index id : ids) out.insert(links.pairs[static_cast<std::size_t>(id)]);
    return out;
  }
};

// `arcs` random arcs, loops and repeats left out; 8 features of which half are 0. Three parts of
// the links, in random order: a fifth validation, a fifth test.
inline LinkData link_data(Index nodes, int arcs, std::uint32_t seed, bool directed = false,
                          bool sparse = false) {
  LinkData out;
  out.data.name = "made";
  Stream stream(stream_key("made links"), 0, 0, seed);
  const auto node = [&] {
    return static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(nodes)));
  };
  std::vector<Edge> edges;
  for (int e = 0; e < arcs; ++e) {
    const Edge edge{node(), node()};
    if (edge.source != edge.target) edges.push_back(edge);
  }
  out.data.adjacency = from_edges(nodes, edges);
  if (!directed) out.data.adjacency = symmetrise(out.data.adjacency);
  Matrix features(nodes, 8);
  for (float& value : features.values)
    value = static_cast<float>(stream.next_below(6) < 3 ? 0 : stream.next_below(4));
  out.data.features = features;
  if (sparse) {
    Csr rows;
    rows.rows = nodes;
    rows.cols = 8;
    for (Index i = 0; i < nodes; ++i) {
      for (Index f = 0; f < 8; ++f) {
        if (features(i, f) == 0) continue;
        rows.columns.push_back(f);
        rows.values.push_back(features(i, f));
      }
      rows.row_ptr.push_back(std::ssize(rows.columns));
    }
    out.data.features = rows;
  }
  out.links = pairs_of(out.data.adjacency, directed);
  std::vector<Index> ids(out.links.pairs.size());
  std::iota(ids.begin(), ids.end(), 0);
  shuffle(ids, stream);
  const auto fifth = static_cast<std::ptrdiff_t>(ids.size() / 5);
  out.split.valid.assign(ids.begin(), ids.begin() + fifth);
  out.split.test.assign(ids.begin() + fifth, ids.begin() + 2 * fifth);
  out.split.train.assign(ids.begin() + 2 * fifth, ids.end());
  return out;
}

}  // namespace cupel::made
