#include "cupel/data/facts/facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "cupel/base/random.h"
#include "data/facts/made_facts.h"

namespace cupel {
namespace {

std::vector<Quadruple> drawn(int count, std::int64_t times, std::int64_t first, int entities) {
  Stream random({7, static_cast<std::uint32_t>(times)}, 1);
  std::vector<Quadruple> out;
  for (int k = 0; k < count; ++k) {
    const auto below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random.next_below(static_cast<std::uint32_t>(n)));
    };
    out.push_back({below(entities), below(3), below(entities), first + below(times) * 1'000'003});
  }
  return out;
}

TEST(Facts, SortingIsStableAndByTime) {
  for (const std::int64_t times : {1, 2, 60, 1'000'000}) {
    for (const std::int64_t first : {std::int64_t{-40'000'000}, std::int64_t{0}}) {
      std::vector<Quadruple> expected = drawn(5000, times, first, 50);
      TemporalFacts facts = made_facts(50, 3, expected);
      std::stable_sort(expected.begin(), expected.end(),
                       [](const Quadruple& a, const Quadruple& b) { return a[3] < b[3]; });
      sort_by_time(facts);
      EXPECT_EQ(quadruples_of(facts), expected);
      check_invariants(facts);
    }
  }
}

TEST(Facts, TimesMayBeAsFarApartAsNumbersGo) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                         kMost = std::numeric_limits<std::int64_t>::max();
  TemporalFacts facts =
      made_facts(5, 1, {{0, 0, 1, kMost}, {1, 0, 2, 0}, {2, 0, 3, kLeast}, {3, 0, 4, -1}});
  EXPECT_EQ(out_of_order(facts), 2);
  sort_by_time(facts);
  EXPECT_EQ(
      quadruples_of(facts),
      (std::vector<Quadruple>{{2, 0, 3, kLeast}, {3, 0, 4, -1}, {1, 0, 2, 0}, {0, 0, 1, kMost}}));
  EXPECT_EQ(out_of_order(facts), 0);
}

TEST(Facts, RepeatsAreCountedAsAMapCountsThem) {
  TemporalFacts facts = made_facts(6, 3, drawn(3000, 20, 5, 6));
  sort_by_time(facts);
  std::map<Quadruple, int> times;
  for (const Quadruple& one : quadruples_of(facts)) ++times[one];
  std::int64_t more = 0, distinct = 0;
  for (const auto& [one, count] : times) more += count - 1, distinct += count > 1;
  ASSERT_GT(distinct, 100);
  EXPECT_EQ(repeated_facts(facts).facts, more);
  EXPECT_EQ(repeated_facts(facts).distinct, distinct);
}

TEST(Facts, HashTellsWhatCountsAndNotNames) {
  const std::vector<Quadruple> some = {{0, 0, 1, 3}, {1, 1, 2, 4}};
  const std::string hash = content_hash(made_facts(3, 2, some));
  const auto changed = [&](auto change) {
    TemporalFacts facts = made_facts(3, 2, some);
    change(facts);
    return content_hash(facts);
  };
  EXPECT_EQ(hash, changed([](TemporalFacts&) {}));
  EXPECT_EQ(hash, changed([](TemporalFacts& f) {
              f.name = "other", f.types = {"node"}, f.relations[0].name = "x", f.time_unit = "day";
              for (const char* name : {"a", "b", "c"}) f.entity_names.add(name);
            }));
  EXPECT_NE(hash, changed([](TemporalFacts& f) { f.source[0] = 2; }));
  EXPECT_NE(hash, changed([](TemporalFacts& f) { f.target[1] = 0; }));
  EXPECT_NE(hash, changed([](TemporalFacts& f) { f.relation[1] = 0; }));
  EXPECT_NE(hash, changed([](TemporalFacts& f) { f.time[1] = 5; }));
  EXPECT_NE(hash, changed([](TemporalFacts& f) { f.relations[0].undirected = true; }));
  EXPECT_NE(hash, changed([](TemporalFacts& f) { f.entity_types.push_back(0); }));
  EXPECT_NE(hash, changed([](TemporalFacts& f) { f.parts = {{"train", 2, 3, 4}}; }));
}

TEST(Facts, WhatIsBrokenIsABug) {
  const std::vector<Quadruple> some = {{0, 0, 1, 3}, {1, 1, 2, 4}};
  const auto broken = [&](auto change) {
    TemporalFacts facts = made_facts(3, 2, some);
    check_invariants(facts);
    change(facts);
    EXPECT_THROW(check_invariants(facts), std::logic_error);
  };
  broken([](TemporalFacts& f) { f.source[0] = 3; });
  broken([](TemporalFacts& f) { f.relation[0] = 2; });
  broken([](TemporalFacts& f) { f.time[0] = 5; });
  broken([](TemporalFacts& f) { f.time.resize(1); });
  broken([](TemporalFacts& f) { f.entity_types[1] = 1; });
  broken([](TemporalFacts& f) { f.entity_names.add("alone"); });
  broken([](TemporalFacts& f) { f.parts = {{"train", 1, 3, 3}}; });
  broken([](TemporalFacts& f) {
    f.types.push_back("other");
    f.entity_types[2] = 1;
  });
}

TEST(TextIds, NumberTextsByFirstAppearance) {
  TextIds ids;
  std::map<std::string, Index> expected;
  for (int k = 0; k < 20000; ++k) {
    const std::string text = std::to_string(k * 7919 % 5003) + std::string(k % 5003 % 20, 'x');
    const auto found = expected.emplace(text, static_cast<Index>(expected.size())).first;
    ASSERT_EQ(ids.id(text), found->second);
  }
  ASSERT_EQ(ids.size(), static_cast<Index>(expected.size()));
  for (const auto& [text, id] : expected) {
    ASSERT_EQ(ids.texts()[id], text);
    ASSERT_EQ(ids.find(text), id);
  }
  EXPECT_EQ(ids.find("nothing"), -1);
  EXPECT_EQ(ids.find(std::string_view("0\0", 2)), -1);
}

}  // namespace
}  // namespace cupel
