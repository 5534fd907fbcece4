#include "cupel/data/resolve/apply_decisions.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "cupel/base/random.h"
#include "cupel/data/resolve/merge_groups.h"
#include "data/facts/made_facts.h"
#include "data/resolve/made_resolve.h"

namespace cupel {
namespace {

using made::has;
using made::refusal;
using Told = std::vector<std::string>;

DecidedPair pair_of(Index a, Index b, MergeVerdict verdict, std::uint64_t line,
                    double score = 0.5) {
  return {{a, b, score, score, score, "", verdict}, DecidedBy::kAutomatic, line};
}

DecidedPairs pairs_of(std::vector<DecidedPair> pairs) {
  DecidedPairs out;
  out.file = "d.csv";
  out.pairs = std::move(pairs);
  return out;
}

std::vector<Index> groups_of(const TemporalFacts& facts, std::vector<DecidedPair> pairs) {
  DecidedPairs decided = pairs_of(std::move(pairs));
  return merge_groups(facts, {}, decided);
}

Told told(const TemporalFacts& facts) {
  Told out;
  for (const auto& [s, r, o, t] : quadruples_of(facts))
    out.push_back(facts.entity_name(static_cast<Index>(s)) + " " + std::to_string(r) + " " +
                  facts.entity_name(static_cast<Index>(o)) + " " + std::to_string(t));
  return out;
}

constexpr MergeVerdict kAccept = MergeVerdict::kAccept, kReject = MergeVerdict::kReject;

TEST(MergeGroups, AcceptedPairsChain) {
  const TemporalFacts facts = made_facts(6, 1, {});
  EXPECT_EQ(groups_of(facts, {pair_of(1, 4, kAccept, 2), pair_of(3, 4, kAccept, 0),
                              pair_of(2, 5, MergeVerdict::kOpen, 3)}),
            (std::vector<Index>{0, 1, 2, 1, 1, 5}));
}

TEST(MergeGroups, WhatTheFileRejectsIsNotJoinedByTheFile) {
  const TemporalFacts facts = made_facts(6, 1, {});
  const std::string said = refusal([&] {
    (void)groups_of(
        facts, {pair_of(0, 1, kAccept, 5), pair_of(0, 3, kReject, 9), pair_of(1, 2, kAccept, 3),
                pair_of(1, 4, kAccept, 4), pair_of(2, 3, kAccept, 7), pair_of(4, 5, kReject, 2)});
  });
  EXPECT_EQ(said,
            "d.csv: line 9: keeps '0' and '3' apart, which the pairs accepted on lines 5, 3 and 7 "
            "join; reject one of these, too");
}

TEST(MergeGroups, ProposalsGiveWayToWhatIsRejected) {
  const TemporalFacts facts = made_facts(5, 1, {});
  DecidedPairs decided = pairs_of({pair_of(0, 1, kAccept, 0, 0.7), pair_of(0, 2, kReject, 4),
                                   pair_of(1, 2, kAccept, 0, 0.8), pair_of(2, 3, kAccept, 0, 0.6),
                                   pair_of(3, 4, kReject, 0, 0.9), pair_of(2, 4, kAccept, 6)});
  EXPECT_EQ(merge_groups(facts, {}, decided), (std::vector<Index>{0, 1, 1, 3, 1}));
  EXPECT_EQ(decided.pairs[0].decision.verdict, MergeVerdict::kOpen);  // 1 - 2 scored higher
  EXPECT_EQ(decided.pairs[3].decision.verdict, MergeVerdict::kOpen);  // 4 is with 2
  EXPECT_EQ(decided.counts.at("proposals left open, as they would join a rejected or open pair"),
            2);
  EXPECT_EQ(decided.pairs[0].by, DecidedBy::kPerson) << "whose line is in the way";
  EXPECT_EQ(decided.pairs[2].by, DecidedBy::kAutomatic);
}

// 0 and 1 write p1, 2 writes p2, 3 writes p3. Somebody says that 0 and 2 are one.
TEST(MergeGroups, ProposalsDoNotJoinAuthorsOfOnePaper) {
  const TemporalFacts facts = made_facts(4, 1, {});
  Authorships rows;
  for (const char* paper : {"p1", "p2", "p3"}) rows.papers.add(paper);
  rows.paper = {0, 0, 1, 2}, rows.position = {0, 1, 0, 0}, rows.entity = {0, 1, 2, 3};
  DecidedPairs decided = pairs_of({pair_of(0, 2, kAccept, 2), pair_of(1, 2, kAccept, 0, 0.7),
                                   pair_of(1, 3, kAccept, 0, 0.9), pair_of(2, 3, kAccept, 0, 0.8)});
  EXPECT_EQ(merge_groups(facts, rows, decided), (std::vector<Index>{0, 1, 0, 1}));
  EXPECT_EQ(decided.pairs[1].decision.verdict, MergeVerdict::kOpen);
  EXPECT_EQ(decided.pairs[1].by, DecidedBy::kPerson);
  EXPECT_EQ(decided.pairs[3].decision.verdict, MergeVerdict::kOpen) << "3 is with 1";
  EXPECT_EQ(decided.counts.at("proposals left open, as they would join two authors of one paper"),
            2);
  // Somebody may say so of the authors themselves.
  decided = pairs_of({pair_of(0, 1, kAccept, 2), pair_of(1, 3, kAccept, 0)});
  EXPECT_EQ(merge_groups(facts, rows, decided), (std::vector<Index>{0, 0, 2, 0}));
}

TEST(MergeGroups, ProposalsDoNotJoinWhatTheFileLeavesOpen) {
  const TemporalFacts facts = made_facts(3, 1, {});
  constexpr MergeVerdict kOpen = MergeVerdict::kOpen;
  DecidedPairs decided = pairs_of(
      {pair_of(0, 1, kAccept, 0, 0.7), pair_of(0, 2, kOpen, 2), pair_of(1, 2, kAccept, 0, 0.8)});
  EXPECT_EQ(merge_groups(facts, {}, decided), (std::vector<Index>{0, 1, 1}));
  EXPECT_EQ(decided.pairs[0].decision.verdict, kOpen);
  // A proposal that is open says nothing, and pairs that the file accepts chain.
  EXPECT_EQ(groups_of(facts, {pair_of(0, 1, kAccept, 0), pair_of(0, 2, kOpen, 0),
                              pair_of(1, 2, kAccept, 0)}),
            (std::vector<Index>{0, 0, 0}));
  EXPECT_EQ(groups_of(facts, {pair_of(0, 1, kAccept, 3), pair_of(0, 2, kOpen, 2),
                              pair_of(1, 2, kAccept, 4)}),
            (std::vector<Index>{0, 0, 0}));
}

// Labels are spread until nothing changes; what is rejected is looked at pair by pair.
TEST(MergeGroups, AsBySlowSpreading) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Index n = 40;
    const TemporalFacts facts = made_facts(n, 1, {});
    std::set<std::pair<Index, Index>> used;
    DecidedPairs decided;
    for (std::uint32_t k = 0; k < 60; ++k) {
      const auto bits = philox({seed, 9}, 0, 0, k, 0);
      Index a = static_cast<Index>(bits[0] % n), b = static_cast<Index>(bits[1] % n);
      if (a > b) std::swap(a, b);
      if (a == b || !used.emplace(a, b).second) continue;
      decided.pairs.push_back(pair_of(a, b, bits[2] % 3 == 0 ? kReject : kAccept, 0,
                                      static_cast<double>(bits[3] % 8) / 8));
    }
    std::sort(decided.pairs.begin(), decided.pairs.end(), [](const auto& a, const auto& b) {
      return std::pair(a.decision.first, a.decision.second) <
             std::pair(b.decision.first, b.decision.second);
    });
    // The oracle: pairs by score; each is tried on a copy of the labels.
    std::vector<Index> label(static_cast<std::size_t>(n));
    std::iota(label.begin(), label.end(), 0);
    const auto at = [&](Index k) -> Index& { return label[static_cast<std::size_t>(k)]; };
    for (double score = 1; score >= 0; score -= 0.125) {
      for (const DecidedPair& pair : decided.pairs) {
        if (pair.decision.verdict != kAccept || pair.decision.score != score) continue;
        const std::vector<Index> before = label;
        const Index one = at(pair.decision.first), other = at(pair.decision.second);
        std::replace(label.begin(), label.end(), std::max(one, other), std::min(one, other));
        for (const DecidedPair& no : decided.pairs)
          if (no.decision.verdict == kReject && at(no.decision.first) == at(no.decision.second)) {
            label = before;
            break;
          }
      }
    }
    EXPECT_EQ(merge_groups(facts, {}, decided), label) << seed;
  }
}

TEST(ApplyMerges, CountsAddUp) {
  // 0 Ann, 1 Bob, 2 Bobby, 3 Cy; 4 Lab, 5 Laboratory.
  const AcademicGraph graph = made::academic({{"p1", 2018, {"Ann", "Bob"}, "Lab"},
                                              {"p2", 2018, {"Bobby", "Ann"}, "Laboratory"},
                                              {"p3", 2019, {"Bob", "Bobby", "Cy"}}});
  const ResolvedFacts found =
      apply_merges(graph.facts, graph.authorships, {},
                   groups_of(graph.facts, {pair_of(1, 2, kAccept, 2), pair_of(4, 5, kAccept, 3)}));
  check_invariants(found.facts);
  // Bob and Bobby have 4 facts each, and "Bob" is smaller; Lab and Laboratory have 2 each.
  EXPECT_EQ(found.entity_of, (std::vector<Index>{0, 1, 1, 2, 3, 3}));
  EXPECT_EQ(told(found.facts),
            (Told{"Ann 0 Bob 2018", "Ann 1 Lab 2018", "Bob 1 Lab 2018", "Bob 0 Cy 2019"}));
  const std::map<std::string, std::int64_t> wanted = {
      {"entities before: scientist", 4},
      {"entities merged into others: scientist", 1},
      {"entities: scientist", 3},
      {"entities before: institution", 2},
      {"entities merged into others: institution", 1},
      {"entities: institution", 1},
      {"entities before: capability", 0},
      {"entities merged into others: capability", 0},
      {"entities: capability", 0},
      {"facts before: collaboration", 5},
      {"facts of one with oneself, left out: collaboration", 1},
      {"facts that became equal, taken once: collaboration", 2},
      {"facts: collaboration", 2},
      {"facts before: partnership", 4},
      {"facts of one with oneself, left out: partnership", 0},
      {"facts that became equal, taken once: partnership", 2},
      {"facts: partnership", 2},
      {"facts before: expertise", 0},
      {"facts of one with oneself, left out: expertise", 0},
      {"facts that became equal, taken once: expertise", 0},
      {"facts: expertise", 0},
      {"authorships", 7},
      {"authorships of one who stands on the paper before, as there were", 0},
      {"authorships of one who stands on the paper before, kept", 1}};
  EXPECT_EQ(found.counts, wanted);
  EXPECT_EQ(found.authorships.entity, (std::vector<Index>{0, 1, 1, 0, 1, 1, 2}));
  EXPECT_EQ(found.authorships.position, graph.authorships.position);
  ASSERT_EQ(found.merged.entities, (std::vector<Index>{1, 3}));
  EXPECT_EQ(found.merged.names[0], "Bobby");
  EXPECT_EQ(found.merged.names[1], "Laboratory");
}

TEST(ApplyMerges, RepeatsAreKeptWhereTheyMeanSomething) {
  const std::vector<made::MadePaper> papers = {{"p1", 2018, {"Ann", "Bob"}, "Lab"},
                                               {"p2", 2018, {"Bobby", "Ann"}, "Lab"},
                                               {"p3", 2018, {"Ann", "Bob"}}};
  const AcademicGraph graph = made::academic(papers, PairRule::kPaper);
  const ResolvedFacts found = apply_merges(graph.facts, graph.authorships, {},
                                           groups_of(graph.facts, {pair_of(1, 2, kAccept, 2)}));
  // Ann - Bob was told twice before, so it is told three times now.
  EXPECT_EQ(found.counts.at("facts: collaboration"), 3);
  const AcademicGraph once = made::academic(papers, PairRule::kYear);
  const ResolvedFacts less = apply_merges(once.facts, once.authorships, {},
                                          groups_of(once.facts, {pair_of(1, 2, kAccept, 2)}));
  EXPECT_EQ(less.counts.at("facts: collaboration"), 1);
  EXPECT_EQ(less.counts.at("facts: partnership"), 2);
}

TEST(ApplyMerges, PairsOfPapersAreKeptWhereNoneWasToldTwice) {
  const AcademicGraph graph =
      made::academic({{"p1", 2018, {"Ann", "Bob"}, "Lab"}, {"p2", 2018, {"Ann", "Bobby"}, "Lab"}},
                     PairRule::kPaper);
  const auto merged = [&](std::optional<PairRule> pairs) {
    return apply_merges(graph.facts, graph.authorships, {},
                        groups_of(graph.facts, {pair_of(1, 2, kAccept, 2)}), pairs)
        .counts;
  };
  EXPECT_EQ(merged(PairRule::kPaper).at("facts: collaboration"), 2);
  EXPECT_EQ(merged(PairRule::kPaper).at("facts: partnership"), 2);
  EXPECT_EQ(merged(PairRule::kYear).at("facts: collaboration"), 1);
  EXPECT_EQ(merged({}).at("facts: collaboration"), 1) << "guessed";
}

TEST(ApplyMerges, TheNameIsThatOfMostFacts) {
  const AcademicGraph graph = made::academic({{"p1", 2018, {"Zoe", "Ann"}},
                                              {"p2", 2018, {"Z. Z", "Bob", "Cy"}},
                                              {"p3", 2019, {"Zoo", "Dan", "Eve"}}});
  // Zoe 0: 1 fact; Z. Z 2: 2; Zoo 5: 2.
  const ResolvedFacts found =
      apply_merges(graph.facts, graph.authorships, {},
                   groups_of(graph.facts, {pair_of(0, 2, kAccept, 2), pair_of(0, 5, kAccept, 3)}));
  EXPECT_EQ(found.facts.entity_name(0), "Z. Z");
  EXPECT_EQ(found.facts.entity_name(1), "Ann");
}

TEST(ApplyMerges, ANameThatOneHasAgainIsNoFormerOne) {
  const AcademicGraph graph =
      made::academic({{"p1", 2018, {"Y. Liu", "Bob"}}, {"p2", 2019, {"Yang Liu", "Bob", "Cy"}}});
  MergedNames merged;
  merged.add("Yang Liu", 0), merged.add("Liu", 0);
  const ResolvedFacts found = apply_merges(graph.facts, graph.authorships, merged,
                                           groups_of(graph.facts, {pair_of(0, 2, kAccept, 2)}));
  EXPECT_EQ(found.facts.entity_name(0), "Yang Liu");
  EXPECT_EQ(merged_csv(found.merged, found.facts),
            "type,former_name,entity\n\"scientist\",\"Liu\",0\n\"scientist\",\"Y. Liu\",0\n");
}

TEST(ApplyMerges, WithoutMergesNothingChanges) {
  const AcademicGraph graph =
      made::academic({{"p1", 2018, {"Ann", "Bob"}, "Lab"}, {"p2", 2019, {"Cy", "Ann"}}});
  const ResolvedFacts found =
      apply_merges(graph.facts, graph.authorships, {}, groups_of(graph.facts, {}));
  EXPECT_EQ(content_hash(found.facts), content_hash(graph.facts));
  EXPECT_EQ(told(found.facts), told(graph.facts));
  EXPECT_TRUE(found.merged.empty());
}

TEST(ApplyMerges, DirectedFactsOfOneWithOneselfAreKept) {
  TemporalFacts facts = made_facts(3, 2, {{0, 0, 1, 5}, {0, 1, 1, 5}, {2, 1, 2, 6}, {1, 0, 2, 7}});
  facts.relations[1].undirected = true;
  facts.parts = {{"train", 3, 5, 6}, {"test", 1, 7, 7}};
  const ResolvedFacts found =
      apply_merges(facts, {}, {}, groups_of(facts, {pair_of(0, 1, kAccept, 2)}));
  // 0 - 0 in a direction, 2 - 2 as it was; without direction 0 - 1 has gone.
  EXPECT_EQ(quadruples_of(found.facts),
            (std::vector<Quadruple>{{0, 0, 0, 5}, {1, 1, 1, 6}, {0, 0, 1, 7}}));
  EXPECT_EQ(found.counts.at("facts of one with oneself, kept: r0"), 1);
  EXPECT_EQ(found.facts.parts, (std::vector<FactPart>{{"train", 2, 5, 6}, {"test", 1, 7, 7}}));
  EXPECT_EQ(found.facts.entity_name(1), "2");  // numbers are names, and stay so
  facts.parts = {{"train", 2, 5, 6}, {"test", 2, 5, 7}};
  EXPECT_TRUE(has(refusal([&] {
                    (void)apply_merges(facts, {}, {}, std::vector<Index>{0, 0, 2});
                  }),
                  "part 'train' overlaps another in time"));
}

// Against sets: facts as (relation, ends, time) under the new numbers, without their order.
TEST(ApplyMerges, AsBySets) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Index n = 12;
    TemporalFacts facts = made_facts(n, 3, {});
    facts.relations[1].undirected = true;
    std::set<Quadruple> there;
    bool repeats = false;  // of relation 2: else nothing tells that they mean something
    for (std::uint32_t k = 0; k < 150; ++k) {
      const auto bits = philox({seed, 5}, 0, 0, k, 0);
      const std::int64_t s = bits[0] % n, o = bits[1] % n, r = bits[2] % 3, t = 1 + k / 30;
      // Relation 2 repeats; of relation 1 both orders are one fact.
      const Quadruple fact = {r == 1 ? std::min(s, o) : s, r, r == 1 ? std::max(s, o) : o, t};
      const bool is_new = there.insert(fact).second;
      repeats = repeats || (!is_new && r == 2);
      if (is_new || r == 2) {
        facts.push(static_cast<Index>(s), static_cast<Index>(r), static_cast<Index>(o), t);
      }
    }
    std::vector<Index> groups(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) groups[static_cast<std::size_t>(k)] = k % 4 == 3 ? k - 2 : k;
    const ResolvedFacts found = apply_merges(facts, {}, {}, groups);
    check_invariants(found.facts);
    std::multiset<Quadruple> wanted;
    for (const auto& [s0, r, o0, t] : quadruples_of(facts)) {
      std::int64_t s = found.entity_of[static_cast<std::size_t>(s0)];
      std::int64_t o = found.entity_of[static_cast<std::size_t>(o0)];
      if (r == 1 && s == o && s0 != o0) continue;
      if (r == 1 && o < s) std::swap(s, o);
      if ((r == 2 && repeats) || !wanted.contains({s, r, o, t})) wanted.insert({s, r, o, t});
    }
    std::multiset<Quadruple> got;
    for (auto [s, r, o, t] : quadruples_of(found.facts)) {
      if (r == 1 && o < s) std::swap(s, o);
      got.insert({s, r, o, t});
    }
    EXPECT_EQ(got, wanted) << seed;
  }
}

}  // namespace
}  // namespace cupel
