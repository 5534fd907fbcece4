// Statistics of facts: Table 2's counts by hand and by sets, and what the JSON says.
#include "cupel/data/facts/facts_statistics.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <stdexcept>

#include "cupel/data/facts/facts_statistics_json.h"
#include "data/facts/made.h"
#include "data/facts/real_facts.h"
#include "error_of.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;
using Json = nlohmann::ordered_json;

// Scientists 0-3, institution 4, capability 5. Collaborations have no direction.
struct Academia {
  MadeFacts facts;
  std::vector<std::string> relations = {"collaboration", "partnership", "expertise"};
  std::vector<std::string> types = {"scientist", "institution", "capability"};
  std::vector<std::uint8_t> type = {0, 0, 0, 0, 1, 2};
  std::vector<std::uint8_t> undirected = {1, 0, 0};

  Academia() {
    facts.add(0, 0, 1, 2016);
    facts.add(0, 1, 4, 2016);
    facts.add(0, 0, 1, 2018);  // again, in another year
    facts.add(2, 2, 5, 2019);
    facts.add(1, 0, 0, 2020);  // repeated the other way round
    facts.add(1, 1, 4, 2020);  // first time
    facts.add(4, 1, 0, 2020);  // first time: partnership has a direction
    facts.add(2, 2, 5, 2021);  // neither end in training
    facts.add(3, 0, 1, 2021);
    facts.add(0, 2, 5, 2021);
    facts.add(0, 0, 1, 2022);  // after the last cut
  }
  FactsStatistics statistics() const {
    return facts_statistics(facts.columns(), {relations, types, type}, {2018, 2019, 2021},
                            undirected, "academia", {});
  }
};

TEST(FactsStatistics, CountedByHand) {
  EXPECT_EQ(facts_statistics_json(Academia().statistics()), Json::parse(R"({
    "splits": [
      {"part": "train", "from": 2016, "to": 2018, "scientists": 2,
       "institutions": 1, "capabilities": 0, "collaboration": 2, "partnership": 1, "expertise": 0},
      {"part": "valid", "from": 2019, "to": 2019, "scientists": 1,
       "institutions": 0, "capabilities": 1, "collaboration": 0, "partnership": 0, "expertise": 1},
      {"part": "test", "from": 2020, "to": 2021, "scientists": 4,
       "institutions": 1, "capabilities": 1, "collaboration": 2, "partnership": 2, "expertise": 2}],
    "groups": {
      "collaboration": {"repeated": 1, "first_time": 0, "seen_to_unseen": 0, "unseen_to_seen": 1,
                        "unseen_to_unseen": 0},
      "partnership": {"repeated": 0, "first_time": 2, "seen_to_unseen": 0, "unseen_to_seen": 0,
                      "unseen_to_unseen": 0},
      "expertise": {"repeated": 0, "first_time": 0, "seen_to_unseen": 1, "unseen_to_seen": 0,
                    "unseen_to_unseen": 1},
      "all": {"repeated": 1, "first_time": 2, "seen_to_unseen": 1, "unseen_to_seen": 1,
              "unseen_to_unseen": 1}},
    "complexity": {
      "collaboration": {"c_trans": 0.0, "c_trans_share": 0.0, "c_ind": 1.0, "c_ind_share": 0.5},
      "partnership": {"c_trans": null, "c_trans_share": 1.0, "c_ind": 0.0, "c_ind_share": 0.0},
      "expertise": {"c_trans": null, "c_trans_share": null, "c_ind": null, "c_ind_share": 1.0},
      "all": {"c_trans": 2.0, "c_trans_share": 0.6666666666666666, "c_ind": 1.0,
        "c_ind_share": 0.5}},
    "staleness": {
      "collaboration": {"1": 0, "2": 1, "3-5": 0, ">5": 0, "never": 1},
      "partnership": {"1": 0, "2": 1, "3-5": 1, ">5": 0, "never": 0},
      "expertise": {"1": 1, "2": 1, "3-5": 0, ">5": 0, "never": 0},
      "all": {"1": 1, "2": 3, "3-5": 1, ">5": 0, "never": 1}}})"));
}

TEST(FactsStatistics, CountWhatSetsCount) {
  const MadeFacts made = random_facts(11, 3000, 300, 4, 30);
  std::vector<std::uint8_t> type;
  for (Index node = 0; node < 300; ++node) type.push_back(static_cast<std::uint8_t>(node % 3));
  const std::vector<std::string> types = {"a", "b", "c"};
  const FactsStatistics s = facts_statistics(made.columns(), {{}, types, type}, {2005, 2009, 2015},
                                             {}, "made", Threads{2});
  ASSERT_EQ(s.parts.size(), 3u);
  EXPECT_EQ(s.relations, (std::vector<std::string>{"0", "1", "2", "3"}));
  const std::int64_t ends[] = {std::numeric_limits<std::int64_t>::min(), 2005, 2009, 2015};
  for (std::size_t p = 0; p < 3; ++p) {
    std::set<Index> nodes;
    std::vector<Offset> by_relation(4), by_type(3);
    for (std::size_t i = 0; i < made.time.size(); ++i)
      if (made.time[i] > ends[p] && made.time[i] <= ends[p + 1]) {
        nodes.insert({made.source[i], made.target[i]});
        ++by_relation[static_cast<std::size_t>(made.relation[i])];
      }
    for (const Index node : nodes) ++by_type[static_cast<std::size_t>(node % 3)];
    EXPECT_EQ(s.parts[p].nodes, std::ssize(nodes));
    EXPECT_EQ(s.parts[p].by_type, by_type);
    EXPECT_EQ(s.parts[p].by_relation, by_relation);
    EXPECT_EQ(s.parts[p].facts, std::accumulate(by_relation.begin(), by_relation.end(), Offset{0}));
  }
  EXPECT_EQ(std::accumulate(s.groups.all.begin(), s.groups.all.end(), Offset{0}), s.parts[2].facts);
  EXPECT_EQ(std::accumulate(s.staleness.all.begin(), s.staleness.all.end(), Offset{0}),
            s.parts[2].facts);
}

TEST(FactsStatistics, NamesFromOutsideHideNothing) {
  MadeFacts made;
  for (Index r = 0; r < 5; ++r)
    for (const std::int64_t t : {0, 1, 2}) made.add(0, r, 1, t);
  made = made::sorted(made);
  const std::vector<std::string> relations = {"all", "part", "twice", "twice", ""};
  const std::vector<std::string> types = {"fact"};
  const std::vector<std::uint8_t> type(2, 0);
  const Json json = facts_statistics_json(
      facts_statistics(made.columns(), {relations, types, type}, {0, 1, 2}, {}, "made", {}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.at("groups").items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"all#0", "part", "twice", "twice#3", "4", "all"}));
  keys.clear();
  for (const auto& [key, value] : json.at("splits")[0].items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"part", "from", "to", "facts", "all#0",
                                            "part (relation)", "twice", "twice#3", "4"}));
}

TEST(FactsStatistics, ColumnsThatAreNoFactsAreABug) {
  const auto made = [] { return random_facts(1, 60, 9, 2, 10); };
  const auto check = [](const MadeFacts& facts) {
    (void)facts_statistics(facts.columns(), {}, {1993, 1995, 1998}, {}, "made", {});
  };
  EXPECT_NO_THROW(check(made()));
  MadeFacts wrong = made();
  wrong.target[7] = 9;
  EXPECT_THROW(check(wrong), std::logic_error);
  wrong = made();
  wrong.relation[7] = -1;
  EXPECT_THROW(check(wrong), std::logic_error);
  wrong = made();
  wrong.time[7] = 2000;
  EXPECT_THROW(check(wrong), std::logic_error);
  wrong = made();
  wrong.target.pop_back();
  EXPECT_THROW(check(wrong), std::logic_error);
}

TEST(ComplexityOverTime, IsThatOfEachCut) {
  const MadeFacts made = random_facts(12, 4000, 500, 2, 20);
  const auto rows = complexity_over_time(made.columns(), {1998, 1999, 2000}, 10, {}, "made", {});
  ASSERT_EQ(rows.size(), 10u);
  for (Offset k = 0; k < 10; ++k) {
    const TimeCuts cuts = {1998 + k, 1999 + k, 2000 + k};
    const auto& row = rows[static_cast<std::size_t>(k)];
    EXPECT_EQ(row.cuts, cuts);
    const FactGroups groups =
        fact_groups(made.columns(), parts_at(made.columns(), cuts, "made"), {}, {});
    EXPECT_EQ(row.all, groups.all);
    EXPECT_EQ(row.by_relation, groups.by_relation);
  }
  EXPECT_NE(error_of([&] {
              (void)complexity_over_time(made.columns(), {1998, 1999, 2000}, 11, {}, "made", {});
            }).find("11 splits by time are asked for, as with test up to 2000 there are 10;"),
            std::string::npos);
}

// By sets of ends in plain Python, over the files' own parts.
TEST(FactsStatistics, OfYago) {
  MadeFacts made;
  for (const char* part : {"train", "valid", "test"})
    if (!made::read_real(std::string("YAGO/") + part + ".txt", true, made))
      GTEST_SKIP() << "needs CUPEL_DATA with temporal/YAGO";
  const FactsStatistics s =
      facts_statistics(made.columns(), {}, {177, 182, 188}, {}, "YAGO", Threads{2});
  EXPECT_EQ(s.parts[0].nodes, 9736);
  EXPECT_EQ(s.parts[1].nodes, 4635);
  EXPECT_EQ(s.parts[2].nodes, 4558);
  EXPECT_EQ(s.parts[0].facts, 161540);
  EXPECT_EQ(s.parts[1].from, 178);
  EXPECT_EQ(s.parts[2].to, 188);
  EXPECT_DOUBLE_EQ(*s.complexity_all.trans, 5205. / 13212);
  EXPECT_DOUBLE_EQ(*s.complexity_all.ind, 1609. / 18417);
}

}  // namespace
}  // namespace cupel
