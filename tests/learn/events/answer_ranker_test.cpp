// Places of true answers: against a literal reading, and what is drawn against chance.
#include "cupel/learn/events/answer_ranker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include "cupel/base/shuffle.h"
#include "error_of.h"

namespace cupel {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

// A query, its answer in the form `all`, and what it is asked among.
struct Case {
  std::vector<float> scores;
  std::vector<EntityScore> named;  // the same in the other form
  float rest = 0;
  std::vector<std::uint8_t> types;  // empty: all are alike
  std::uint8_t type = 0;
  std::vector<Index> filter, truths;
  std::vector<Offset> questions;
};

Case make_case(std::uint32_t seed, Index entities, bool typed, std::size_t truths) {
  Stream draw(StreamKey{seed, 5}, 1);
  Case out;
  const float levels[] = {kNothing, -1, 0, 0.25f, 0.5f, 3};
  out.rest = levels[draw.next_below(6)];
  out.scores.assign(static_cast<std::size_t>(entities), out.rest);
  std::vector<Index> order(static_cast<std::size_t>(entities));
  std::iota(order.begin(), order.end(), Index{0});
  shuffle(order, draw);
  order.resize(draw.next_below(static_cast<std::uint32_t>(entities + 1)));
  for (const Index e : order) {
    const float score = levels[draw.next_below(6)];
    out.named.push_back({e, score}), out.scores[static_cast<std::size_t>(e)] = score;
  }
  out.type = 1;
  if (typed)
    for (Index e = 0; e < entities; ++e)
      out.types.push_back(static_cast<std::uint8_t>(draw.next_below(3)));
  if (typed) out.types[draw.next_below(static_cast<std::uint32_t>(entities))] = 1;
  const auto fits = [&](Index e) {
    return !typed || out.types[static_cast<std::size_t>(e)] == out.type;
  };
  // The filter may hold what is no candidate; truths repeat, and are or are not in the filter.
  for (Index e = 0; e < entities; ++e)
    if (draw.next_below(4) == 0) out.filter.push_back(e);
  while (out.truths.size() < truths) {
    const auto e = static_cast<Index>(draw.next_below(static_cast<std::uint32_t>(entities)));
    if (!fits(e)) continue;
    out.questions.push_back(static_cast<Offset>(1000 * seed + out.truths.size()));
    out.truths.push_back(e);
  }
  return out;
}

RankedAmong among(const Case& asked, Offset sampled = 0) {
  RankedAmong out;
  out.types = asked.types, out.type = asked.type;
  out.candidates = static_cast<Index>(
      asked.types.empty() ? std::ssize(asked.scores) : std::ranges::count(asked.types, asked.type));
  out.filter = asked.filter;
  out.sampled = sampled, out.key = stream_key("drawn");
  return out;
}

// Everyone a truth is ranked against: of the type, not in the filter, not the truth.
std::vector<Index> rivals(const Case& asked, Index truth) {
  std::vector<Index> out;
  for (Index e = 0; e < std::ssize(asked.scores); ++e) {
    if (e == truth) continue;
    if (!asked.types.empty() && asked.types[static_cast<std::size_t>(e)] != asked.type) continue;
    if (std::ranges::find(asked.filter, e) == asked.filter.end()) out.push_back(e);
  }
  return out;
}

std::vector<PlaceCounts> places(AnswerRanker& ranker, const Case& asked, Offset sampled = 0) {
  std::vector<PlaceCounts> out(asked.truths.size());
  ranker.places(among(asked, sampled), asked.truths, asked.questions, out);
  return out;
}

void expect_right(const Case& asked, const std::vector<PlaceCounts>& got) {
  for (std::size_t i = 0; i < asked.truths.size(); ++i) {
    const float mine = asked.scores[static_cast<std::size_t>(asked.truths[i])];
    Offset above = 0, ties = 0, all = 0;
    for (const Index e : rivals(asked, asked.truths[i])) {
      const float other = asked.scores[static_cast<std::size_t>(e)];
      above += other > mine, ties += other == mine, ++all;
    }
    ASSERT_EQ(got[i].above, above) << i;
    ASSERT_EQ(got[i].ties, ties) << i;
    ASSERT_EQ(got[i].candidates, all) << i;
    ASSERT_EQ(got[i].known, mine != kNothing) << i;
  }
}

TEST(AnswerRanker, CountsWhatTheDefinitionCounts) {
  for (const Index entities : {1, 2, 13, 60}) {
    AnswerRanker ranker(entities);  // one for all: what a query leaves behind is of no use
    for (std::uint32_t seed = 0; seed < 60; ++seed)
      for (const bool typed : {false, true})
        for (const std::size_t truths : {1, 7, 8, 30}) {
          SCOPED_TRACE(fmt::format("{} entities, seed {}, typed {}, {} truths", entities, seed,
                                   typed, truths));
          const Case asked = make_case(seed, entities, typed, truths);
          const bool other_first = seed % 2 == 0;
          if (other_first) ranker.set(asked.named, asked.rest);
          if (other_first) expect_right(asked, places(ranker, asked));
          ranker.set(asked.scores);
          expect_right(asked, places(ranker, asked));
          if (other_first) continue;
          ranker.set(asked.named, asked.rest);
          expect_right(asked, places(ranker, asked));
        }
  }
}

TEST(AnswerRanker, WhatIsDrawnIsSoManyOfTheRivals) {
  for (std::uint32_t seed = 0; seed < 30; ++seed)
    for (const bool typed : {false, true}) {
      // Scores that tell everyone apart: places among the drawn say who was drawn.
      Case asked = make_case(seed, 40, typed, 9);
      for (std::size_t e = 0; e < asked.scores.size(); ++e) asked.scores[e] = static_cast<float>(e);
      AnswerRanker ranker(40);
      ranker.set(asked.scores);
      for (const Offset sampled : {1, 3, 17, 39, 500}) {
        const auto got = places(ranker, asked, sampled);
        for (std::size_t i = 0; i < got.size(); ++i) {
          const auto all = rivals(asked, asked.truths[i]);
          EXPECT_EQ(got[i].candidates, std::min(sampled, static_cast<Offset>(all.size())));
          const auto above =
              std::ranges::count_if(all, [&](Index e) { return e > asked.truths[i]; });
          EXPECT_LE(got[i].above, above);
          EXPECT_LE(got[i].candidates - got[i].above, std::ssize(all) - above);
          EXPECT_EQ(got[i].ties, 0);
        }
      }
    }
}

// Who is drawn for a truth: scores put one entity above, all others below.
std::vector<int> times_drawn(Case asked, Offset sampled, int questions) {
  std::vector<int> out(asked.scores.size());
  AnswerRanker ranker(static_cast<Index>(asked.scores.size()));
  for (std::size_t e = 0; e < asked.scores.size(); ++e) {
    std::ranges::fill(asked.scores, 0.0f);
    asked.scores[e] = 1;
    if (static_cast<Index>(e) == asked.truths[0]) continue;
    ranker.set(asked.scores);
    for (Offset q = 0; q < questions; ++q) {
      asked.questions = {q};
      out[e] += static_cast<int>(places(ranker, asked, sampled)[0].above);
    }
  }
  return out;
}

// Chi-square of equal chances. The quantile 0.9999 of chi-square with 13 degrees of freedom (14
// rivals of 24, scipy.stats.chi2.ppf) is 40.9. Each question draws without replacement, which makes
// the statistic smaller by the share that is not drawn.
TEST(AnswerRanker, DrawsAreEven) {
  Case asked;
  asked.scores.resize(24);
  asked.types = std::vector<std::uint8_t>(24, 1), asked.type = 1;
  for (const std::size_t e : {2, 9, 23}) asked.types[e] = 0;
  asked.filter = {0, 2, 4, 6, 8, 10, 12};
  asked.truths = {4}, asked.questions = {0};
  const auto all = rivals(asked, 4);
  ASSERT_EQ(all.size(), 15u);
  constexpr int kQuestions = 4000;
  for (const Offset sampled : {1, 5, 12}) {  // few, and more than half
    const auto drawn = times_drawn(asked, sampled, kQuestions);
    const double expected = static_cast<double>(kQuestions) * static_cast<double>(sampled) / 15;
    double chi_square = 0;
    for (Index e = 0; e < 24; ++e) {
      const auto at = static_cast<std::size_t>(e);
      if (std::ranges::find(all, e) == all.end())
        EXPECT_EQ(drawn[at], 0) << e;
      else
        chi_square += std::pow(drawn[at] - expected, 2) / expected;
    }
    EXPECT_EQ(std::accumulate(drawn.begin(), drawn.end(), 0), kQuestions * sampled);
    EXPECT_LT(chi_square, 42.6) << sampled;
    EXPECT_GT(chi_square, 1e-9) << sampled << ": more even than chance";
  }
}

TEST(AnswerRanker, WhatIsDrawnDependsOnTheQuestionAlone) {
  const Case asked = make_case(3, 50, false, 9);
  AnswerRanker ranker(50);
  ranker.set(asked.scores);
  const auto together = places(ranker, asked, 6);
  ranker.set(asked.named, asked.rest);
  for (std::size_t i = asked.truths.size(); i-- > 0;) {
    Case alone = asked;
    alone.truths = {asked.truths[i]}, alone.questions = {asked.questions[i]};
    const PlaceCounts one = places(ranker, alone, 6)[0];
    EXPECT_EQ(one.above, together[i].above);
    EXPECT_EQ(one.ties, together[i].ties);
    alone.questions = {asked.questions[i] + (Offset{1} << 32)};  // its high half counts, too
    (void)places(ranker, alone, 6);
  }
  // Other questions and other keys draw others.
  const auto of = [&](Offset question, const char* key) {
    std::vector<Offset> out;
    Case alone = make_case(3, 50, false, 1);
    for (std::size_t e = 0; e < 50; ++e) alone.scores[e] = static_cast<float>((7 * e) % 50);
    AnswerRanker other(50);
    other.set(alone.scores);
    for (Offset q = 0; q < 20; ++q) {
      RankedAmong asked_among = among(alone, 6);
      asked_among.key = stream_key(key);
      std::vector<PlaceCounts> got(1);
      const Offset number = question + q;
      other.places(asked_among, alone.truths, {&number, 1}, got);
      out.push_back(got[0].above);
    }
    return out;
  };
  EXPECT_EQ(of(0, "a"), of(0, "a"));
  EXPECT_NE(of(0, "a"), of(0, "b"));
  EXPECT_NE(of(0, "a"), of(Offset{1} << 32, "a"));
}

TEST(AnswerRanker, RefusesWhatIsNoAnswer) {
  AnswerRanker ranker(3);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> bad = {0, nan, 1}, few = {0, 1}, many = {0, 1, 2, 3};
  EXPECT_EQ(error_of([&] { ranker.set(bad); }), "a score of an entity is not a number");
  EXPECT_EQ(error_of([&] {
              ranker.set(std::vector<EntityScore>{{1, nan}}, 0);
            }),
            "a score of an entity is not a number");
  EXPECT_EQ(error_of([&] { ranker.set(std::vector<EntityScore>{}, nan); }),
            "a score of an entity is not a number");
  EXPECT_THROW(ranker.set(few), std::logic_error);
  EXPECT_THROW(ranker.set(many), std::logic_error);
  for (const std::vector<EntityScore>& named :
       {std::vector<EntityScore>{{1, 0}, {1, 0}}, {{3, 0}}, {{-1, 0}}})
    EXPECT_THROW(ranker.set(named, 0), std::logic_error);
  // What was refused leaves nothing behind.
  ranker.set(std::vector<EntityScore>{{1, 2}}, 0);
  Case asked;
  asked.scores = {0, 2, 0}, asked.truths = {0, 1}, asked.questions = {0, 1};
  expect_right(asked, places(ranker, asked));
}

}  // namespace
}  // namespace cupel
