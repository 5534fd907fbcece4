// Directed graphs that grow as citations do: every node refers to earlier ones, most to one. None
// is made by copying a node.
#pragma once

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/dataset.h"
#include "cupel/data/graph/graph.h"

namespace cupel::made {

enum class Citing {
  kUniform,    // any earlier node
  kPopular,    // earlier nodes by how often they are cited, mostly of one's class
  kTriads,     // and then what these cite
  kReferences  // one popular node and, mostly, what it cites
};

inline Dataset citations(Citing kind, Index nodes, std::uint32_t seed) {
  const Index classes = 5;
  Stream random(stream_key("tests/citations"), static_cast<std::uint32_t>(kind), 0, seed);
  const auto pick = [&](const std::vector<Index>& from) {
    return from[random.next_below(static_cast<std::uint32_t>(from.size()))];
  };
  Dataset out;
  out.name = "citations";
  std::vector<std::vector<Index>> cites(static_cast<std::size_t>(nodes));
  std::vector<std::vector<Index>> of_class(classes);  // by popularity
  std::vector<Index> all;
  std::vector<Edge> edges;
  for (Index i = 0; i < nodes; ++i) {
    const auto c = static_cast<Index>(random.next_below(classes));
    out.labels().push_back(c);
    const double x = random.next_unit();
    const std::size_t wanted = i == 0 || x > 0.97 ? 0
                               : x < 0.55         ? 1
                               : x < 0.75         ? 2
                               : x < 0.87         ? 3
                                                  : 4 + random.next_below(5);
    std::set<Index> chosen;
    Index first = -1;
    for (int tries = 0; tries < 50 && chosen.size() < wanted; ++tries) {
      const auto& own = of_class[static_cast<std::size_t>(c)];
      Index j = kind == Citing::kUniform
                    ? static_cast<Index>(random.next_below(static_cast<std::uint32_t>(i)))
                : !own.empty() && random.next_unit() < 0.8 ? pick(own)
                                                           : pick(all);
      const Index via = kind == Citing::kTriads && !chosen.empty()
                            ? pick({chosen.begin(), chosen.end()})
                        : kind == Citing::kReferences ? first
                                                      : -1;
      if (via >= 0 && random.next_unit() < 0.8 && !cites[static_cast<std::size_t>(via)].empty())
        j = pick(cites[static_cast<std::size_t>(via)]);
      if (first < 0) first = j;
      chosen.insert(j);
    }
    cites[static_cast<std::size_t>(i)] = {chosen.begin(), chosen.end()};
    for (const Index j : chosen) {
      edges.push_back({i, j});
      of_class[static_cast<std::size_t>(out.labels()[static_cast<std::size_t>(j)])].push_back(j);
      all.push_back(j);
    }
    of_class[static_cast<std::size_t>(c)].push_back(i);
    all.push_back(i);
  }
  // Ids say nothing of who was first.
  std::vector<Index> id(static_cast<std::size_t>(nodes)), labels(out.labels());
  std::iota(id.begin(), id.end(), 0);
  for (Index i = nodes - 1; i > 0; --i)
    std::swap(id[static_cast<std::size_t>(i)],
              id[random.next_below(static_cast<std::uint32_t>(i) + 1)]);
  for (Index i = 0; i < nodes; ++i)
    out.labels()[static_cast<std::size_t>(id[static_cast<std::size_t>(i)])] =
        labels[static_cast<std::size_t>(i)];
  for (Edge& edge : edges)
    edge = {id[static_cast<std::size_t>(edge.source)], id[static_cast<std::size_t>(edge.target)]};
  out.adjacency = from_edges(nodes, edges);
  for (Index c = 0; c < classes; ++c) out.class_names().push_back(std::to_string(c));
  Matrix features(nodes, 6);
  for (float& v : features.values) v = static_cast<float>(0.001 + random.next_unit());
  out.features = std::move(features);
  return out;
}

// With `count` nodes more, each with the class and the out-neighbours of an entered node that has
// at least `least` of them; nothing enters them. Features are their own.
inline Dataset with_copies(const Dataset& data, Index count, Offset least, std::uint32_t seed) {
  Stream random(stream_key("tests/copies"), 1, 0, seed);
  const Csr reversed = transpose(data.adjacency);
  std::vector<Index> originals;
  for (Index i = 0; i < data.nodes(); ++i) {
    if (data.adjacency.row_size(i) >= least && reversed.row_size(i) > 0) originals.push_back(i);
  }
  Dataset out = data;
  std::vector<Edge> edges;
  for (Index i = 0; i < data.nodes(); ++i) {
    for (const Index j : data.adjacency.row_columns(i)) edges.push_back({i, j});
  }
  Matrix features(data.nodes() + count, 6);
  std::copy_n(std::get<Matrix>(data.features).values.begin(), data.nodes() * 6,
              features.values.begin());
  for (Index k = 0; k < count; ++k) {
    const Index i = originals[random.next_below(static_cast<std::uint32_t>(originals.size()))];
    for (const Index j : data.adjacency.row_columns(i)) edges.push_back({data.nodes() + k, j});
    out.labels().push_back(data.labels()[static_cast<std::size_t>(i)]);
    for (Index c = 0; c < 6; ++c)
      features(data.nodes() + k, c) = static_cast<float>(0.001 + random.next_unit());
  }
  out.adjacency = from_edges(data.nodes() + count, edges);
  out.features = std::move(features);
  return out;
}

}  // namespace cupel::made
