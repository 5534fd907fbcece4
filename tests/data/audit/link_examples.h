// A split of links without fault, to be spoilt one fault at a time.
#pragma once

#include <numeric>

#include "cupel/data/audit/link_audit.h"
#include "cupel/data/graph/graph.h"
#include "data/links/made.h"

namespace cupel::made {

// 1,500 random links between 400 nodes, a fifth each for validation and test, with as many even
// negatives; features say nothing.
struct LinkExample {
  LinkData made;
  LinkSubject subject;

  explicit LinkExample(bool directed = false)
      : made(link_data(400, 1500, 1, directed)), subject{.data = made.data} {
    subject.directed = directed;
    fill();
  }
  LinkExample(const LinkExample&) = delete;

  void fill() {
    const std::vector<Index>* ids[] = {&made.split.train, &made.split.valid, &made.split.test};
    for (std::size_t part = 0; part < 3; ++part) {
      for (const Index id : *ids[part]) subject.parts[part].push_back(made.links.pairs[id]);
    }
    const Csr train = arcs_of(subject.parts[0], made.links.nodes, subject.directed);
    subject.messages = {train, train};
    subject.candidates = {made.draw("uniform", LinkPart::kValid),
                          made.draw("uniform", LinkPart::kTest)};
    subject.ks = {10};
  }
  CandidatePool& pool(std::size_t asked) {
    return std::get<CandidatePool>(*subject.candidates[asked]);
  }
  void add_negative(std::size_t asked, Pair pair) {
    auto& pairs = pool(asked).pairs;
    pairs.insert(std::lower_bound(pairs.begin(), pairs.end(), pair), pair);
  }
  void add_messages(std::size_t asked, std::vector<Pair> pairs) {
    pairs.insert(pairs.end(), subject.parts[0].begin(), subject.parts[0].end());
    subject.messages[asked] = arcs_of(pairs, made.links.nodes, subject.directed);
  }
};

// Findings of spoilt splits that together have every id.
inline std::vector<std::vector<Finding>> faulty_link_audits() {
  std::vector<std::vector<Finding>> out;
  for (const bool directed : {false, true}) {
    LinkExample one(directed);
    auto& [train, valid, test] = one.subject.parts;
    train.push_back({test[0].target, test[0].source});
    valid.push_back(test[1]);
    one.add_messages(1, {test[2]});
    one.add_negative(1, one.subject.same_way(train[0]));
    one.subject.left_out[1] = {1, 0};
    one.subject.ks = {10'000};
    out.push_back(audit_links(one.subject));
  }
  // A star of hubs: every link has one, and negatives do not.
  LinkExample hubs;
  std::vector<Edge> edges;
  Matrix features(400, 2);
  for (Index i = 0; i < 400; ++i) {
    features(i, i % 2) = 1;
    if (i >= 2) edges.push_back({i % 2, i});
  }
  hubs.made.data.adjacency = symmetrise(from_edges(400, edges));
  hubs.made.data.features = features;
  hubs.made.links = pairs_of(hubs.made.data.adjacency, false);
  std::vector<Index> ids(hubs.made.links.pairs.size());
  std::iota(ids.begin(), ids.end(), 0);
  hubs.made.split = {
      {ids.begin(), ids.begin() + 300}, {ids[300], ids[301]}, {ids.begin() + 302, ids.end()}};
  for (auto& part : hubs.subject.parts) part.clear();
  hubs.fill();
  // Negatives of unlike leaves.
  CandidatePool pool;
  for (Index i = 2; i < 200; i += 2) pool.pairs.push_back({i, i + 1});
  hubs.subject.candidates[1] = pool;
  out.push_back(audit_links(hubs.subject));
  return out;
}

}  // namespace cupel::made
