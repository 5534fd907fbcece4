// Data sets that between them have every fault that the checks know, for tests that go over all
// findings.
#pragma once

#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "data/audit/made.h"
#include "data/audit/made_citations.h"
#include "data/made_graph_sets.h"

namespace cupel::made {

// A graph with faults of edges, classes, features and splits at once.
inline Dataset faulty_graph() {
  Dataset out = clean_dataset(600);
  std::vector<Edge> edges = {{5, 5}, {9, 8}, {0, 2}, {100, 101}, {101, 102}};
  for (Index i = 0; i < 560; ++i) {
    for (const Index j : out.adjacency.row_columns(i)) {
      if (j < 560 && i != 300 && j != 300) edges.push_back({i, j});
    }
  }
  edges.push_back({570, 571});
  out.adjacency = from_edges(600, edges);
  out.adjacency.values.assign(out.adjacency.columns.size(), 1.0f);
  out.adjacency.values[3] = 2;
  out.repeated_arcs = 1;
  // Classes 0, 1, 2, one of a single node, one of five, one of a node that no split uses.
  out.class_names() = {"0", "1", "2", "5", "9", "12"};
  for (Index i = 0; i < 500; ++i) out.labels()[i] = 0;
  out.labels()[501] = 3;
  for (Index i = 502; i < 507; ++i) out.labels()[i] = 4;
  out.labels()[510] = 5;
  auto& x = std::get<Matrix>(out.features);
  for (Index i = 0; i < 600; ++i) {
    x(i, 0) = 1;
    x(i, 2) = x(i, 1);
  }
  Matrix wide(600, 6);
  for (Index i = 0; i < 600; ++i) {
    for (Index c = 0; c < 4; ++c) wide(i, c) = i < 20 ? 0 : x(i, c);
    wide(i, 4) = static_cast<float>(out.labels()[i]);
    wide(i, 5) = out.labels()[i] == 0 && i % 2 == 0 ? 1 : 0;
  }
  std::copy_n(wide.row(30), 6, wide.row(31));
  out.features = std::move(wide);
  for (Split& split : out.stored_splits) {
    for (auto* part : {&split.train, &split.valid, &split.test}) std::erase(*part, 510);
  }
  out.stored_splits[0].train.push_back(out.stored_splits[0].test[0]);
  out.stored_splits[1].valid.clear();
  out.stored_splits.push_back(out.stored_splits[2]);
  return out;
}

inline test::MadeGraph path(Index nodes, Index label) {
  test::MadeGraph out{nodes, {}, label};
  for (Index v = 0; v + 1 < nodes; ++v) out.edges.emplace_back(v, v + 1);
  return out;
}

// A set of graphs, the larger of class 1, with equal, empty and unconnected ones.
inline Dataset faulty_set() {
  std::vector<test::MadeGraph> graphs;
  for (std::uint32_t g = 0; g < 200; ++g) {
    const auto c = static_cast<Index>(g % 5 == 0);
    test::MadeGraph one = test::random_graph(c ? 16 : 11, 0.3, g, c);
    for (Index v = 0; v + 1 < one.nodes; ++v) one.edges.emplace_back(v, v + 1);
    graphs.push_back(std::move(one));
  }
  graphs[7] = graphs[8];
  graphs[9] = graphs[7];  // of equal labels as well
  graphs[20] = {0, {}, 1};
  graphs[21] = {2, {}, 0};
  graphs[22].nodes += 1;
  graphs[23].nodes += 2;
  graphs[23].edges.emplace_back(graphs[23].nodes - 1, graphs[23].nodes - 2);
  Dataset out = test::made_set(graphs);
  Csr labels;
  labels.rows = out.nodes();
  labels.cols = 2;
  for (Index i = 0; i < out.nodes(); ++i) {
    labels.columns.push_back(i % 2);
    labels.row_ptr.push_back(i + 1);
  }
  out.features = std::move(labels);
  out.graphs->node_attributes = Matrix(out.nodes(), 2);
  for (Index i = 0; i < out.nodes(); ++i)
    out.graphs->node_attributes(i, 1) = static_cast<float>(i % 7);
  out.repeated_arcs = 3;
  out.graphs->dropped_loops = 1;
  return out;
}

inline std::vector<Dataset> faulty_datasets() {
  std::vector<Dataset> out = {faulty_graph(), faulty_set(), clean_dataset(60),
                              with_copies(citations(Citing::kPopular, 1000, 1), 40, 4, 1),
                              citations(Citing::kTriads, 500, 2)};
  out.push_back(clean_dataset(60));  // undirected, with identities for features
  Csr identity;
  identity.rows = identity.cols = 60;
  identity.columns.resize(60);
  std::iota(identity.columns.begin(), identity.columns.end(), 0);
  for (Index i = 0; i < 60; ++i) identity.row_ptr.push_back(i + 1);
  out.back().features = std::move(identity);
  out.push_back(clean_dataset(60));  // without features, of one class
  out.back().features = Matrix(60, 0);
  out.back().labels().assign(60, 0);
  out.back().class_names() = {"0"};
  out.push_back(clean_dataset(600));  // training has nothing of the third class
  for (Split& split : out.back().stored_splits) {
    split = {};
    for (Index i = 0; i < 600; ++i)
      (i % 3 == 2 || i % 5 == 0 ? split.test : i % 2 ? split.train : split.valid).push_back(i);
  }
  out.push_back(clean_dataset());  // weights, and a telling word
  out.back().adjacency.values.assign(out.back().adjacency.columns.size(), 0.5f);
  for (Index i = 0; i < 12000; ++i)
    std::get<Matrix>(out.back().features)(i, 2) = i % 24 == 1 ? 1.0f : 0.0f;
  out.push_back(clean_dataset(60));  // a node without a label, in splits all the same
  out.back().labels()[4] = -1;
  out.push_back(clean_dataset(60));  // no edge at all
  out.back().adjacency = from_edges(60, std::vector<Edge>{});
  // Sets: of tasks, of one size without labels, without edges.
  std::vector<test::MadeGraph> graphs;
  for (std::uint32_t g = 0; g < 60; ++g) graphs.push_back(path(9, static_cast<Index>(g % 2)));
  out.push_back(test::made_set(graphs));
  Dataset tasks = test::made_set(graphs);
  tasks.target = BinaryTasks{Matrix(60, 2)};
  for (Index g = 0; g < 60; ++g) {
    tasks.task_answers()(g, 0) = g < 6 ? 1.0f : 0.0f;
    tasks.task_answers()(g, 1) = g % 2 ? std::numeric_limits<float>::quiet_NaN() : 0.0f;
  }
  out.push_back(std::move(tasks));
  out.push_back(test::made_set({{1, {}, 0}, {2, {}, 1}, {3, {}, 0}}));
  return out;
}

}  // namespace cupel::made
