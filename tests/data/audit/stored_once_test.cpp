// Undirected graphs whose files hold each edge once, told from directed ones.
#include <gtest/gtest.h>

#include "data/audit/made.h"

namespace cupel {
namespace {

using made::audit_of;
using made::clean_dataset;
using made::find;
using made::has;

// Each pair once and in order, but for a few: no direction is in that, though both occur.
TEST(StoredOnce, AnUndirectedGraphStoredOnceIsCalledSo) {
  Dataset data = clean_dataset();
  const Offset pairs = data.adjacency.entries();
  for (const bool down : {false, true}) {
    if (down) data.adjacency = transpose(data.adjacency);
    std::vector<Edge> edges;
    Index turned = 0;
    for (Index i = 0; i < data.nodes(); ++i) {
      for (const Index j : data.adjacency.row_columns(i))
        edges.push_back(i % 1000 == 1 && ++turned > 0 ? Edge{j, i} : Edge{i, j});
    }
    Dataset mixed = data;
    mixed.adjacency = from_edges(data.nodes(), edges);
    ASSERT_GT(turned, 5);
    const auto findings = audit_of(mixed);
    const Finding once = find(findings, "stored-once");
    EXPECT_EQ(once.severity, Severity::kWarning);
    EXPECT_EQ(once.count, pairs);
    EXPECT_EQ(once.details[down ? "to_larger_id" : "to_smaller_id"], turned);
    EXPECT_NE(once.advice.find("symmetrise"), std::string::npos);
    EXPECT_FALSE(has(findings, "directed"));
    EXPECT_EQ(find(audit_of(mixed, {"symmetrise"}), "stored-once").severity, Severity::kInfo);
  }
  // One reciprocal pair among arcs of both sides, or sides in equal parts: directed.
  std::vector<Edge> edges;
  for (Index i = 0; i + 1 < data.nodes(); ++i)
    edges.push_back(i % 2 ? Edge{i, i + 1} : Edge{i + 1, i});
  data.adjacency = from_edges(data.nodes(), edges);
  EXPECT_FALSE(has(audit_of(data), "stored-once"));
  EXPECT_NE(find(audit_of(data), "directed").advice.find("symmetrise"), std::string::npos);
}

}  // namespace
}  // namespace cupel
