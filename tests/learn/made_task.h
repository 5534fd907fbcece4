// Made graphs with words and classes, and tasks on them.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "csr_of.h"
#include "cupel/base/random.h"
#include "cupel/data/graph/graph.h"
#include "cupel/learn/task.h"

namespace cupel {

struct MadeSize {
  Index nodes = 60, words = 40, classes = 3;
  Index words_per_node = 6;  // at most; at least one
};

// A connected graph (a ring, random edges, and node 5 as a hub) whose words are random.
inline Dataset made_dataset(MadeSize size = {}) {
  Stream random(stream_key("made data set"), 0);
  const auto below = [&](Index bound) {
    return static_cast<Index>(random.next_below(static_cast<std::uint32_t>(bound)));
  };
  std::vector<Edge> edges;
  for (Index i = 0; i < size.nodes; ++i) {
    edges.push_back({i, (i + 1) % size.nodes});
    edges.push_back({below(size.nodes), below(size.nodes)});
    if (i % 6 == 0) edges.push_back({5, i});
  }
  Dataset data;
  data.name = "made";
  data.adjacency = drop_self_loops(symmetrise(from_edges(size.nodes, edges)));
  std::vector<std::vector<Index>> words(static_cast<std::size_t>(size.nodes));
  for (std::vector<Index>& own : words) {
    own.resize(static_cast<std::size_t>(1 + below(size.words_per_node)));
    for (Index& word : own) word = below(size.words);
  }
  data.features = test::csr_of(std::move(words), size.words);
  for (Index i = 0; i < size.nodes; ++i) data.labels().push_back(below(size.classes));
  for (Index c = 0; c < size.classes; ++c) {
    data.labels()[static_cast<std::size_t>(c)] = c;  // none is empty
    data.class_names().push_back(std::to_string(c));
  }
  return data;
}

// Nodes [0, train) train, the next `valid` validate, the rest test.
inline Split leading_split(const Dataset& data, Index train, Index valid) {
  const auto range = [](Index from, Index to) {
    std::vector<Index> nodes(static_cast<std::size_t>(to - from));
    std::iota(nodes.begin(), nodes.end(), from);
    return nodes;
  };
  return {range(0, train), range(train, train + valid), range(train + valid, data.nodes())};
}

inline ClassTask task_of(Dataset data, const Split& split) {
  const auto shared = std::make_shared<const Dataset>(std::move(data));
  return make_task(std::make_shared<const TaskData>(shared), split);
}

inline ClassTask made_task(MadeSize size = {}, Index train = 20, Index valid = 20) {
  Dataset data = made_dataset(size);
  const Split split = leading_split(data, train, valid);
  return task_of(std::move(data), split);
}

// The same data with node i called places[i].
inline Dataset renumbered(const Dataset& data, const std::vector<Index>& places) {
  Dataset out = data;
  std::vector<Edge> edges;
  for (Index i = 0; i < data.nodes(); ++i)
    for (const Index j : data.adjacency.row_columns(i)) edges.push_back({places[i], places[j]});
  out.adjacency = from_edges(data.nodes(), edges);
  std::vector<Index> node_at(places.size());
  for (Index i = 0; i < data.nodes(); ++i) node_at[static_cast<std::size_t>(places[i])] = i;
  const Csr& from = std::get<Csr>(data.features);
  std::vector<std::vector<Index>> words;
  for (std::size_t at = 0; at < node_at.size(); ++at) {
    const auto row = from.row_columns(node_at[at]);
    words.emplace_back(row.begin(), row.end());
    out.labels()[at] = data.labels()[static_cast<std::size_t>(node_at[at])];
  }
  out.features = test::csr_of(std::move(words), from.cols);
  return out;
}

}  // namespace cupel
