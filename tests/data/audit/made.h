// A data set without fault, to be spoilt one fault at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cupel/data/audit/audit.h"
#include "cupel/data/graph/graph.h"

namespace cupel::made {

// A ring of 12,000 nodes with chords, three equal classes in turn, random features, and three
// splits of 50/25/25 that are stratified and whose test parts cover what an interval needs.
inline Dataset clean_dataset(Index nodes = 12000) {
  Dataset out;
  out.name = "clean";
  std::mt19937 random(3);
  std::vector<Edge> edges;
  for (Index i = 0; i < nodes; ++i) {
    if (i + 1 < nodes) edges.push_back({i, i + 1});
    const auto j = static_cast<Index>(random() % static_cast<unsigned>(nodes));
    if (j != i) edges.push_back({std::min(i, j), std::max(i, j)});
  }
  out.adjacency = from_edges(nodes, edges);
  Matrix features(nodes, 4);
  for (float& v : features.values) v = static_cast<float>(random() % 1000000) / 1e6f + 0.001f;
  out.features = std::move(features);
  for (Index i = 0; i < nodes; ++i) out.labels().push_back(i % 3);
  out.class_names() = {"0", "1", "2"};
  // Blocks of twelve keep every part stratified; splits differ in which four blocks are in test.
  for (Index s = 0; s < 3; ++s) {
    Split split;
    for (Index i = 0; i < nodes; ++i) {
      const Index turn = (i / 3 + s) % 4;
      (turn < 2 ? split.train : turn == 2 ? split.valid : split.test).push_back(i);
    }
    out.stored_splits.push_back(std::move(split));
  }
  return out;
}

inline std::vector<Finding> audit_of(const Dataset& dataset,
                                     std::vector<std::string> preparation = {}) {
  return audit(AuditSubject(dataset, std::move(preparation)));
}

// The finding with this id; fails the test if there is none.
inline Finding find(const std::vector<Finding>& findings, const std::string& id) {
  for (const Finding& finding : findings) {
    if (finding.id == id) return finding;
  }
  ADD_FAILURE() << "no finding " << id;
  return {};
}

inline bool has(const std::vector<Finding>& findings, const std::string& id) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.id == id; });
}

}  // namespace cupel::made
