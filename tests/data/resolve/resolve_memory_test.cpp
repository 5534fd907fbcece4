// What is told of memory beforehand, against what the kernel counts.
#include "cupel/data/resolve/resolve_memory.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <string>

#include "cupel/base/error.h"
#include "data/resolve/made_resolve.h"

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

// Bytes that the process holds at the most while `work` is done, beyond what it held before.
// Nothing where the kernel does not begin to count anew.
template <class Work>
std::optional<double> peak_of(const Work& work) {
  const auto kilobytes = [](const std::string& name) {
    std::ifstream in("/proc/self/status");
    double value = 0;
    for (std::string word; in >> word;)
      if (word == name) in >> value;
    return value;
  };
  malloc_trim(0);
  {
    std::ofstream reset("/proc/self/clear_refs");
    if (!(reset << "5" << std::flush)) return {};
  }
  const double before = kilobytes("VmRSS:");
  work();
  return 1024 * (kilobytes("VmHWM:") - before);
}

// Holds what is taken against what is told, and ends the process: 0 where all is within bounds.
[[noreturn, maybe_unused]] void compare_and_exit() {
  struct Shape {
    const char* name;
    int papers, people, places;
    unsigned authors;
  };
  for (const auto& [name, papers, people, places, authors] :
       {Shape{"people", 30'000, 30'000, 0, 5}, Shape{"places", 20'000, 10'000, 10'000, 4},
        Shape{"large papers", 1'000, 10'000, 0, 60}}) {
    const AcademicGraph graph = made_papers(papers, people, places, authors);
    const ProposeSettings settings;
    const auto told = static_cast<double>(propose_memory(graph.facts, graph.authorships, settings));
    std::size_t pairs = 0;
    const auto taken = peak_of([&] {
      pairs = propose_merges(graph.facts, graph.authorships, settings, {1}).decisions.size();
    });
    EXPECT_LT(pairs, 2'000u) << name << ": they are not told";
    EXPECT_LT(taken.value(), 1.4 * told) << name;
    EXPECT_GT(taken.value(), 0.6 * told) << name;
  }
  std::exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST(ResolveMemory, IsToldBeforehand) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the heap is another";
#else
  if (!peak_of([] {})) GTEST_SKIP() << "the kernel does not count anew";
  // In a process of its own: what other tests have left in the heap moves the peak by megabytes.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(compare_and_exit(), testing::ExitedWithCode(0), "");
#endif
}

TEST(ResolveMemory, CountsWhatIsCompared) {
  const AcademicGraph graph = made::academic(
      {{"a", 2000, {"Ann Lee", "Bob Ray"}, "X"}, {"b", 2001, {"Ann Lee", "Cy Poe"}, "Y"}});
  const TemporalFacts& facts = graph.facts;
  ASSERT_EQ(facts.entities(), 5);
  const std::size_t both = propose_memory(facts, graph.authorships, {});
  ProposeSettings some;
  some.institutions = false;
  EXPECT_EQ(both - propose_memory(facts, graph.authorships, some), 2 * 350u);
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
