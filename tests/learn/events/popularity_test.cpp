// Popularity and preferential attachment against counts by hand and by sets.
#include "cupel/learn/events/popularity.h"

#include <gtest/gtest.h>

#include <set>

#include "cupel/learn/events/preferential_attachment.h"
#include "data/facts/made.h"
#include "error_of.h"
#include "learn/events/asked_model.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::scores_of;

const std::vector<std::vector<std::uint8_t>> kDirections = {{}, {0, 1, 0}, {1, 1, 1}};

// Facts of r at `entity`, as its target (or source; or either end, if r has no direction), among
// those whose time is one of the last `steps` of `times`.
int count_facts(const FactColumns& facts, const std::set<std::int64_t>& times,
                Undirected undirected, Offset steps, bool as_source, Index r, Index entity) {
  int count = 0;
  for (std::size_t i = 0; i < facts.time.size(); ++i) {
    const auto later = std::distance(times.upper_bound(facts.time[i]), times.end());
    if (facts.relation[i] != r || (steps > 0 && later >= steps)) continue;
    const bool starts = facts.source[i] == entity, ends = facts.target[i] == entity;
    if (is_undirected(undirected, r)) {
      count += starts || ends;
    } else {
      count += as_source ? starts : ends;
    }
  }
  return count;
}

TEST(Popularity, CountsFactsOfTheLastStepsHoweverItLearns) {
  for (const Offset steps : {0, 1, 4, 100})
    for (const auto& undirected : kDirections) {
      const MadeFacts made = made::random_facts(7, 200, 12, 3, 17, -9, 5);
      const FactColumns facts = made.columns();
      const EventWorld world = {12, 3, undirected};
      const auto whole = make_popularity(world, {steps}), cut = make_popularity(world, {steps});
      const made::AllFacts asked(world, 500);
      Offset before = 0;
      for (const Offset known : {Offset{0}, Offset{1}, Offset{83}, Offset{200}}) {
        whole->learn(facts.part(before, known));
        for (Offset i = before; i < known; ++i) cut->learn(facts.part(i, i + 1));
        before = known;
        const FactColumns past = facts.part(0, known);
        const std::set<std::int64_t> times(past.time.begin(), past.time.end());
        const auto scores = scores_of(*whole, asked.columns());
        ASSERT_EQ(scores, scores_of(*cut, asked.columns()));
        for (std::size_t i = 0; i < scores.size(); ++i) {
          const Index r = asked.relation[i];
          int want = count_facts(past, times, undirected, steps, false, r, asked.target[i]);
          if (is_undirected(undirected, r))
            want += count_facts(past, times, undirected, steps, true, r, asked.source[i]);
          ASSERT_EQ(scores[i], static_cast<float>(want)) << steps << " " << i;
        }
        made::expect_rank_is_score(*whole, world, 500, false);
        // Sources are ranked by what starts at them.
        const auto rows = made::all_answers(*whole, world, 500);
        for (Index given = 0; given < 12; ++given)
          for (Index r = 0; r < 3; ++r)
            for (Index s = 0; s < 12; ++s) {
              int want = count_facts(past, times, undirected, steps, true, r, s);
              if (is_undirected(undirected, r))
                want += count_facts(past, times, undirected, steps, true, r, given);
              ASSERT_EQ(
                  rows[static_cast<std::size_t>((12 + given) * 3 + r)][static_cast<std::size_t>(s)],
                  static_cast<float>(want));
            }
      }
    }
}

TEST(Popularity, RefusesNegativeSteps) {
  EXPECT_NE(error_of([] {
              (void)make_popularity({3, 1, {}}, {-2});
            }).find("steps is -2"),
            std::string::npos);
}

// Different entities at the other end of facts of `r` (-1: any, in either direction).
float degree(const FactColumns& facts, Undirected undirected, bool as_source, Index r,
             Index entity) {
  std::set<Index> others;
  for (std::size_t i = 0; i < facts.time.size(); ++i) {
    if ((r >= 0 && facts.relation[i] != r) || facts.source[i] == facts.target[i]) continue;
    const bool either = r < 0 || is_undirected(undirected, r);
    if (facts.source[i] == entity && (either || as_source)) others.insert(facts.target[i]);
    if (facts.target[i] == entity && (either || !as_source)) others.insert(facts.source[i]);
  }
  return static_cast<float>(others.size());
}

TEST(PreferentialAttachment, MultipliesNumbersOfDifferentNeighbours) {
  for (const bool typed : {false, true})
    for (const auto& undirected : kDirections) {
      const MadeFacts made = made::random_facts(9, 90, 14, 3, 12);
      const FactColumns facts = made.columns();
      const EventWorld world = {15, 3, undirected};  // the last is never seen
      const auto model = make_preferential_attachment(world, {typed});
      made::learn_in_pieces(*model, facts, {0, 30, 31});
      const made::AllFacts asked(world, 2100);
      const auto scores = scores_of(*model, asked.columns());
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const Index r = typed ? asked.relation[i] : -1;
        ASSERT_EQ(scores[i], degree(facts, undirected, true, r, asked.source[i]) *
                                 degree(facts, undirected, false, r, asked.target[i]));
      }
      made::expect_rank_is_score(*model, world, 2100);
    }
}

}  // namespace
}  // namespace cupel
