// What is told of memory beforehand, against what the kernel counts.
#include "cupel/data/resolve/resolve_memory.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/resolve/decisions_file.h"
#include "cupel/data/resolve/merge_groups.h"
#include "data/resolve/made_resolve.h"
#include "peak_memory.h"

namespace cupel {
namespace {

// Papers of up to `authors` people with names that are seldom alike, some at an institution.
AcademicGraph made_papers(int papers, int people, int places, unsigned authors) {
  std::mt19937 bits(11);
  const auto word = [&](int letters) {
    std::string out;
    for (int k = 0; k < letters; ++k) out += static_cast<char>('a' + bits() % 26);
    return out;
  };
  std::vector<std::string> names, institutions;
  for (int k = 0; k < people; ++k) names.push_back(word(6) + " " + word(8));
  for (int k = 0; k < places; ++k) institutions.push_back(word(7) + " College of " + word(8));
  std::vector<made::MadePaper> all;
  for (int k = 0; k < papers; ++k) {
    made::MadePaper paper{"p" + std::to_string(k), 1990 + k % 30, {}, {}};
    for (std::size_t n = 1 + bits() % authors; n > 0; --n)
      paper.names.push_back(names[bits() % names.size()]);
    if (places > 0) paper.affiliation = institutions[bits() % institutions.size()];
    all.push_back(std::move(paper));
  }
  return made::academic(all);
}

// Names of which many are one but for a dot or a second name, each on papers of its own.
AcademicGraph made_alike(int people, int ways) {
  std::mt19937 bits(5);
  std::vector<made::MadePaper> all;
  for (int k = 0; k < people; ++k) {
    std::string first = "A", last = "B";
    for (int n = 0; n < 6; ++n) first += static_cast<char>('a' + bits() % 26);
    for (int n = 0; n < 7; ++n) last += static_cast<char>('a' + bits() % 26);
    for (int way = 0; way < ways; ++way) {
      const std::string name =
          way == 0 ? first + " " + last : first + " " + static_cast<char>('A' + way) + " " + last;
      all.push_back(
          {fmt::format("p{}.{}", k, way), 2000, {name, fmt::format("Z{} Q{}", k, k)}, {}});
    }
  }
  return made::academic(all);
}

// Holds what is taken against what is told, and ends the process: 0 where all is within bounds.
[[noreturn, maybe_unused]] void compare_and_exit() {
  struct Shape {
    const char* name;
    AcademicGraph graph;
    std::size_t least_pairs;
  };
  Shape shapes[] = {{"people", made_papers(30'000, 30'000, 0, 5), 0},
                    {"places", made_papers(20'000, 10'000, 10'000, 4), 0},
                    {"large papers", made_papers(1'000, 10'000, 0, 60), 0},
                    {"alike", made_alike(6'000, 5), 20'000}};
  for (const auto& [name, graph, least_pairs] : shapes) {
    const ProposeSettings settings;
    std::int64_t expected = 0;
    std::size_t pairs = 0;
    const auto taken = peak_of([&] {
      Proposer proposer(graph.facts, graph.authorships, settings, {1});
      expected = proposer.expected();
      pairs = std::move(proposer).propose().decisions.size();
    });
    const auto told = static_cast<double>(propose_memory(graph.facts, graph.authorships, settings) +
                                          proposed_memory(expected));
    EXPECT_GE(pairs, least_pairs) << name;
    EXPECT_LT(taken.value(), 1.4 * told) << name << ", " << pairs << " pairs";
    EXPECT_GT(taken.value(), 0.6 * told) << name << ", " << pairs << " pairs";
  }
  exit_with_result();
}

TEST(ResolveMemory, IsToldBeforehand) {
  if (const std::string why = needs_peaks(); !why.empty()) GTEST_SKIP() << why;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(compare_and_exit(), testing::ExitedWithCode(0), "");
}

// Pairs with the table of them.
[[noreturn, maybe_unused]] void decide_and_exit() {
  const AcademicGraph graph = made_alike(12'000, 5);
  Proposals proposals = propose_merges(graph.facts, graph.authorships, {}, {1});
  const auto pairs = std::ssize(proposals.decisions);
  EXPECT_GT(pairs, 40'000);
  // What was proposed is among what is told, and is held already.
  const auto taken = peak_of([&] {
    DecidedPairs decided = decided_pairs(std::move(proposals.decisions), {});
    const auto groups = merge_groups(graph.facts, graph.authorships, decided);
    const std::string table = decisions_csv(graph.facts, graph.authorships, decided.pairs);
    EXPECT_GT(table.size(), groups.size());
  });
  const double told = static_cast<double>(decided_memory(pairs) - proposed_memory(pairs) / 2);
  EXPECT_LT(taken.value(), 1.4 * told);
  EXPECT_GT(taken.value(), 0.6 * told);
  exit_with_result();
}

TEST(ResolveMemory, OfDecidedPairsIsToldBeforehand) {
  if (const std::string why = needs_peaks(); !why.empty()) GTEST_SKIP() << why;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(decide_and_exit(), testing::ExitedWithCode(0), "");
}

TEST(ResolveMemory, ExpectedPairsAreThoseThatAreProposed) {
  // Of few names each is looked at; of many, a sample.
  for (const auto& [people, sampled] : {std::pair{700, false}, std::pair{8'000, true}}) {
    const AcademicGraph graph = made_alike(people, 3);
    const ProposeSettings settings;
    Proposer proposer(graph.facts, graph.authorships, settings, {1});
    const std::int64_t expected = proposer.expected();
    EXPECT_EQ(Proposer(graph.facts, graph.authorships, settings, {3}).expected(), expected);
    const auto pairs = std::ssize(std::move(proposer).propose().decisions);
    EXPECT_GE(pairs, people);
    if (!sampled) {
      EXPECT_EQ(expected, pairs);
    }
    EXPECT_NEAR(static_cast<double>(expected), static_cast<double>(pairs),
                0.1 * static_cast<double>(pairs));
  }
  const TemporalFacts nobody;
  EXPECT_EQ(Proposer(nobody, {}, {}, {1}).expected(), 0);
}

TEST(ResolveMemory, CountsWhatIsCompared) {
  const AcademicGraph graph = made::academic(
      {{"a", 2000, {"Ann Lee", "Bob Ray"}, "X"}, {"b", 2001, {"Ann Lee", "Cy Poe"}, "Y"}});
  const TemporalFacts& facts = graph.facts;
  ASSERT_EQ(facts.entities(), 5);
  const std::size_t both = propose_memory(facts, graph.authorships, {});
  ProposeSettings some;
  some.institutions = false;
  EXPECT_EQ(both - propose_memory(facts, graph.authorships, some), 2 * 700u);
  some.scientists = false, some.institutions = true;
  EXPECT_EQ(both - propose_memory(facts, graph.authorships, some), 3 * 350u);
  // 20 bytes a fact, 1 and 8 an entity, 12 an authorship, 8 a paper; and the texts.
  const std::size_t texts = std::string("Ann LeeBob RayCy PoeXYab").size();
  EXPECT_EQ(held_memory(facts, graph.authorships),
            20 * static_cast<std::size_t>(facts.facts()) + 9 * 5 + 12 * 4 + 8 * 2 + texts);
  TemporalFacts bare;
  bare.types = {"scientist"}, bare.entity_types = {0, 0};
  EXPECT_EQ(propose_memory(bare, {}, {}), 0u) << "without names nothing is compared";
}

}  // namespace
}  // namespace cupel
