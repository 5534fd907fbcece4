// The five groups and complexities: against sets, against real data counted by plain Python.
#include "cupel/data/facts/groups.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "cupel/data/facts/complexity.h"
#include "data/facts/made.h"
#include "data/facts/real_facts.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;

Offset sum(const GroupCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), Offset{0});
}

// As the definition reads, with sets.
FactGroup slow_group(const MadeFacts& made, Offset train_end, Offset fact,
                     const std::vector<std::uint8_t>& undirected) {
  bool from = false, to = false, repeated = false;
  const auto [s, r, o] = made.triple(fact);
  for (Offset i = 0; i < train_end; ++i) {
    const auto [a, b, c] = made.triple(i);
    from = from || a == s || c == s;
    to = to || a == o || c == o;
    if (b != r) continue;
    repeated = repeated || (a == s && c == o);
    if (!undirected.empty() && undirected[static_cast<std::size_t>(r)] != 0)
      repeated = repeated || std::set{a, c} == std::set{s, o};
  }
  if (from && to) return repeated ? FactGroup::repeated : FactGroup::first_time;
  if (from) return FactGroup::seen_to_unseen;
  return to ? FactGroup::unseen_to_seen : FactGroup::unseen_to_unseen;
}

TEST(FactGroups, AreAsTheDefinitionReads) {
  for (const std::vector<std::uint8_t>& undirected :
       {std::vector<std::uint8_t>{}, std::vector<std::uint8_t>{0, 1}})
    for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
      const MadeFacts made = random_facts(seed, 900, 60, 2, 10);
      const TimeParts parts = parts_at(made.columns(), {1994, 1995, 1998}, "made");
      const FactGroups groups = fact_groups(made.columns(), parts, undirected, {});
      ASSERT_EQ(std::ssize(groups.of), parts.test_end - parts.valid_end);
      std::vector<GroupCounts> counted(2);
      for (Offset i = parts.valid_end; i < parts.test_end; ++i) {
        const FactGroup group = groups.of[static_cast<std::size_t>(i - parts.valid_end)];
        ASSERT_EQ(group, slow_group(made, parts.train_end, i, undirected)) << i;
        ++counted[static_cast<std::size_t>(made.relation[static_cast<std::size_t>(i)])]
                 [static_cast<std::size_t>(group)];
      }
      EXPECT_EQ(groups.by_relation, counted);
      EXPECT_EQ(sum(groups.all), parts.test_end - parts.valid_end);
      for (std::size_t g = 0; g < kFactGroups; ++g) {
        EXPECT_EQ(groups.all[g], counted[0][g] + counted[1][g]);
        EXPECT_GT(groups.all[g], 0) << kFactGroupNames[g];  // the example shows every group
      }
    }
}

TEST(FactGroups, AreTheSameOnAnyNumberOfThreads) {
  const MadeFacts made = random_facts(8, 200000, 30000, 3, 30);
  const TimeParts parts = parts_at(made.columns(), {2005, 2008, 2019}, "made");
  const std::vector<std::uint8_t> undirected = {1, 0, 0};
  EXPECT_EQ(fact_groups(made.columns(), parts, undirected, Threads{1}).of,
            fact_groups(made.columns(), parts, undirected, Threads{4}).of);
}

// A scorer that says yes to what training had (EdgeBank without limit) finds all of the repeated
// facts and nothing else.
TEST(FactGroups, RepetitionAnswersTheRepeatedAndNoOther) {
  const MadeFacts made = random_facts(5, 2000, 80, 2, 20);
  const TimeParts parts = parts_at(made.columns(), {2003, 2004, 2009}, "made");
  const FactGroups groups = fact_groups(made.columns(), parts, {}, {});
  std::set<std::tuple<Index, Index, Index>> bank;
  for (Offset i = 0; i < parts.train_end; ++i) bank.insert(made.triple(i));
  GroupCounts found = {};
  for (Offset i = parts.valid_end; i < parts.test_end; ++i)
    if (bank.contains(made.triple(i)))
      ++found[static_cast<std::size_t>(groups.of[static_cast<std::size_t>(i - parts.valid_end)])];
  EXPECT_EQ(found, (GroupCounts{groups.all[0], 0, 0, 0, 0}));
  EXPECT_GT(found[0], 0);
}

TEST(FactGroups, ValidationMakesNothingSeen) {
  MadeFacts made;
  made.add(0, 0, 1, 1);
  made.add(2, 0, 3, 2);  // validation
  made.add(2, 0, 3, 3);
  made.add(1, 0, 0, 3);
  const TimeParts parts = {1, 2, 4};
  EXPECT_EQ(fact_groups(made.columns(), parts, {}, {}).all, (GroupCounts{0, 1, 0, 0, 1}));
  const std::vector<std::uint8_t> both = {1};
  EXPECT_EQ(fact_groups(made.columns(), parts, both, {}).all, (GroupCounts{1, 0, 0, 0, 1}));
}

// Real counts: by sets of triples and of nodes in plain Python, over the files' own parts.
TEST(FactGroups, OfIcews18) {
  MadeFacts made;
  for (const char* part : {"train", "valid", "test"})
    if (!made::read_real(std::string("ICEWS18/") + part + ".txt", true, made))
      GTEST_SKIP() << "needs CUPEL_DATA with temporal/ICEWS18";
  const TimeParts parts = parts_at(made.columns(), {5736, 6456, 7272}, "ICEWS18");
  EXPECT_EQ(parts, (TimeParts{373018, 419013, 468558}));
  const FactGroups groups = fact_groups(made.columns(), parts, {}, Threads{2});
  EXPECT_EQ(groups.all, (GroupCounts{20865, 26732, 898, 973, 77}));
  EXPECT_EQ(groups.by_relation[0], (GroupCounts{4361, 3906, 197, 266, 34}));
  EXPECT_EQ(groups.by_relation[1], (GroupCounts{1191, 1531, 46, 45, 4}));
  EXPECT_EQ(groups.by_relation[5], (GroupCounts{1510, 569, 59, 20, 1}));
  const std::vector<std::uint8_t> both(static_cast<std::size_t>(made.relations), 1);
  EXPECT_EQ(fact_groups(made.columns(), parts, both, {}).all,
            (GroupCounts{22037, 25560, 898, 973, 77}));
  EXPECT_EQ(NodeSet(parts.train(made.columns()), {}).size(), 21085);
}

TEST(FactGroups, OfYago) {
  MadeFacts made;
  for (const char* part : {"train", "valid", "test"})
    if (!made::read_real(std::string("YAGO/") + part + ".txt", true, made))
      GTEST_SKIP() << "needs CUPEL_DATA with temporal/YAGO";
  const TimeParts parts = parts_at(made.columns(), {177, 182, 188}, "YAGO");
  const FactGroups groups = fact_groups(made.columns(), parts, {}, {});
  EXPECT_EQ(groups.all, (GroupCounts{13212, 5205, 736, 507, 366}));
  EXPECT_EQ(groups.by_relation[1], (GroupCounts{891, 37, 52, 19, 13}));
  EXPECT_EQ(groups.by_relation[5], (GroupCounts{1560, 26, 16, 89, 205}));
}

// Quantiles by numpy.quantile of the seconds at 0.7 and 0.85, t <= quantile.
TEST(FactGroups, OfCollegeMessagesAtQuantiles) {
  MadeFacts read;
  if (!made::read_real("CollegeMsg/CollegeMsg.txt", false, read))
    GTEST_SKIP() << "needs CUPEL_DATA with temporal/CollegeMsg";
  const MadeFacts made = made::sorted(read);
  const TimeParts parts =
      parts_at(made.columns(), quantile_cuts(made.time, 0.7, 0.85, "CollegeMsg"), "CollegeMsg");
  EXPECT_EQ(parts, (TimeParts{41884, 50859, 59835}));
  EXPECT_EQ(fact_groups(made.columns(), parts, {}, {}).all,
            (GroupCounts{966, 3134, 1928, 2080, 868}));
  const std::vector<std::uint8_t> both = {1};
  EXPECT_EQ(fact_groups(made.columns(), parts, both, {}).all,
            (GroupCounts{1190, 2910, 1928, 2080, 868}));
}

TEST(Complexity, RatiosAndShares) {
  const Complexity c = complexity({20, 30, 10, 25, 15});
  EXPECT_DOUBLE_EQ(*c.trans, 1.5);
  EXPECT_DOUBLE_EQ(*c.trans_share, 0.6);
  EXPECT_DOUBLE_EQ(*c.ind, 1.0);
  EXPECT_DOUBLE_EQ(*c.ind_share, 0.5);
}

TEST(Complexity, IsUndefinedWhereItDividesByNothing) {
  const Complexity none = complexity({0, 0, 0, 0, 0});
  EXPECT_FALSE(none.trans || none.trans_share || none.ind || none.ind_share);
  const Complexity unseen = complexity({0, 0, 0, 0, 7});
  EXPECT_FALSE(unseen.trans || unseen.trans_share || unseen.ind);
  EXPECT_EQ(unseen.ind_share, 1.0);
  const Complexity first = complexity({0, 5, 0, 0, 0});
  EXPECT_FALSE(first.trans);
  EXPECT_EQ(first.trans_share, 1.0);
  EXPECT_EQ(first.ind, 0.0);
}

}  // namespace
}  // namespace cupel
