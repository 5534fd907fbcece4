// From facts as they are kept to what is counted of them.
#include "cupel/data/facts/columns_of.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace cupel {
namespace {

TemporalFacts small() {
  TemporalFacts facts;
  facts.name = "small";
  facts.types = {"person", "place"};
  facts.entity_types = {0, 0, 1};
  facts.relations = {{"meets", 0, 0, true}, {"visits", 0, 1, false}};
  facts.push(0, 0, 1, 3);
  facts.push(0, 1, 2, 3);
  facts.push(1, 1, 2, 4);
  facts.push(1, 0, 0, 5);
  facts.parts = {{"train", 2, 3, 3}, {"valid", 1, 4, 4}, {"test", 1, 5, 5}};
  return facts;
}

TEST(ColumnsOf, AreTheFacts) {
  const TemporalFacts facts = small();
  const FactColumns columns = columns_of(facts);
  ASSERT_EQ(columns.size(), 4);
  EXPECT_EQ(columns.nodes, 3);
  EXPECT_EQ(columns.relations, 2);
  EXPECT_EQ(columns.target[1], 2);
  EXPECT_EQ(columns.time[3], 5);
  EXPECT_EQ(undirected_of(facts), (std::vector<std::uint8_t>{1, 0}));
}

TEST(ColumnsOf, StatisticsHaveNamesAndDirections) {
  const TemporalFacts facts = small();
  EXPECT_EQ(cuts_of_parts(facts), (TimeCuts{3, 4, 5}));
  const FactsStatistics s = facts_statistics(facts, cuts_of_parts(facts), {});
  EXPECT_EQ(s.relations, (std::vector<std::string>{"meets", "visits"}));
  EXPECT_EQ(s.parts[0].by_type, (std::vector<Offset>{2, 1}));
  EXPECT_EQ(s.groups.all, (GroupCounts{1, 0, 0, 0, 0}));
  TemporalFacts directed = small();
  directed.relations[0].undirected = false;
  EXPECT_EQ(facts_statistics(directed, {3, 4, 5}, {}).groups.all, (GroupCounts{0, 1, 0, 0, 0}));
}

TEST(ColumnsOf, ThreeNumbersAreTimesAndTwoAreShares) {
  const TemporalFacts facts = small();
  EXPECT_EQ(cuts_of_text(facts, "3,4,5", "--split"), (TimeCuts{3, 4, 5}));
  EXPECT_NE(error_of([&] {
              (void)cuts_of_text(facts, "3,4,4.5", "--split");
            }).find("is not three whole numbers"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)cuts_of_text(facts, "0.7", "--split"); }).find("0.7,0.85"),
            std::string::npos);
}

TEST(ColumnsOf, PartsThatAreNoCutsAreRefused) {
  TemporalFacts facts = small();
  facts.parts[1].first = 3;
  EXPECT_EQ(error_of([&] { (void)cuts_of_parts(facts); }),
            "small: its part train goes to time 3 and its part valid begins at 3, so that they "
            "overlap in time; name the last time of each part instead");
  facts.parts[1].facts = 0;
  EXPECT_EQ(error_of([&] { (void)cuts_of_parts(facts); }),
            "small: its part valid has no fact; name the last time of each part instead, as "
            "2018,2019,2021, or cut at quantiles, as 0.7,0.85");
  facts.parts.clear();
  EXPECT_NE(error_of([&] { (void)cuts_of_parts(facts); }).find("did not come in parts"),
            std::string::npos);
}

}  // namespace
}  // namespace cupel
