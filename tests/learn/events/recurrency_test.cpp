// Recurrency: against the formulas done literally.
#include "cupel/learn/events/recurrency.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "cupel/base/error.h"
#include "learn/events/recurrency_made.h"
#include "learn/events/recurrency_oracle.h"

namespace cupel {
namespace {

using made::all_queries;
using made::facts_with_gaps;
using made::MadeFacts;
using made::RecurrencyOracle;
using made::Rows;
using made::rows_of;

struct Case {
  std::uint32_t seed;
  std::vector<std::uint8_t> undirected;
  std::int64_t window, gap, unit;
  double lambda, alpha;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {{1, {}, 0, 1, 1, 0.37, 0.7},
                                        {2, {0, 1}, 0, 24, 24, 0.11, 0.99999},
                                        {3, {1, 1}, 0, 24, 10, 0.83, 0.5},
                                        {4, {}, 3, 1, 1, 0.37, 0.9},
                                        {5, {1, 0}, 2, 24, 24, 0.0001, 0.99},
                                        {6, {}, 5, 7, 3, 1.0001, 0.001},
                                        {7, {}, 0, 1, 1, 0.21, 1},
                                        {8, {0, 1}, 4, 1, 1, 0.21, 1},
                                        {9, {}, 0, 1, 1, 0.5, 0},
                                        {10, {0, 1}, 1, 1, 1, 0, 0.3}};
  return all;
}

// Compares every pair of entities of every possible question.
void expect_as_formulas(const Case& c, const std::vector<std::vector<float>>& rows,
                        const std::vector<EventQuery>& queries, const RecurrencyOracle& oracle,
                        std::size_t known, std::int64_t time) {
  ASSERT_EQ(rows.size(), queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto slow = oracle.scores(known, queries[q].relation, queries[q].source_asked,
                                    queries[q].given, time, c.lambda, c.alpha);
    for (std::size_t a = 0; a < slow.size(); ++a) {
      float above = 0;
      for (std::size_t b = 0; b < slow.size(); ++b) {
        const bool tie = RecurrencyOracle::same(slow[a], slow[b]);
        ASSERT_EQ(rows[q][a] == rows[q][b], tie) << c.seed << " " << q << " " << a << " " << b;
        if (!tie) {
          ASSERT_EQ(rows[q][a] < rows[q][b], slow[a] < slow[b]) << c.seed << " " << q;
        }
        above += !tie && slow[b] > slow[a] ? 1 : 0;
      }
      ASSERT_EQ(rows[q][a], -above);
    }
  }
}

TEST(Recurrency, RanksAsTheFormulasRead) {
  constexpr Index kEntities = 11;  // two are never seen
  for (const Case& c : cases()) {
    const MadeFacts facts = facts_with_gaps(c.seed, 120, c.gap);
    const RecurrencyOracle oracle{facts, kEntities, c.undirected, c.window, c.unit};
    Recurrency model({kEntities, 2, c.undirected}, {c.lambda, c.alpha, c.window, c.unit});
    const auto queries = all_queries(kEntities, 2);
    const FactColumns columns = facts.columns();
    for (Offset begin = 0, end = 0; begin < columns.size(); begin = end) {
      const std::int64_t time = facts.time[static_cast<std::size_t>(begin)];
      while (end < columns.size() && facts.time[static_cast<std::size_t>(end)] == time) ++end;
      // Asked of a far time before what comes next is learnt, which must not change it.
      for (const std::int64_t ahead : {c.gap, std::int64_t{0}, 5 * c.gap})
        expect_as_formulas(c, rows_of(model, time + ahead, queries, kEntities), queries, oracle,
                           static_cast<std::size_t>(begin), time + ahead);
      if (HasFatalFailure()) return;
      model.learn(columns.part(begin, end));
    }
  }
}

TEST(Recurrency, DoesNotMindHowFactsAreCutOrQuestionsBatched) {
  for (const Case& c : cases()) {
    const MadeFacts facts = facts_with_gaps(c.seed, 200, c.gap);
    const EventWorld world{11, 2, c.undirected};
    const RecurrencySettings settings{c.lambda, c.alpha, c.window, c.unit};
    const auto queries = all_queries(11, 2);
    const std::int64_t time = facts.time.back() + c.gap;
    Recurrency whole(world, settings), cut(world, settings), asked(world, settings);
    whole.learn(facts.columns());
    for (Offset i = 0; i < 200; ++i) {
      cut.learn(facts.columns().part(i, i + 1));
      asked.learn(facts.columns().part(i, i + 1));
      rows_of(asked, facts.time[static_cast<std::size_t>(i)] + i % 3 * c.gap, queries, 11);
    }
    const auto expected = rows_of(whole, time, queries, 11);
    EXPECT_EQ(rows_of(cut, time, queries, 11), expected);
    EXPECT_EQ(rows_of(asked, time, queries, 11), expected);
    std::vector<std::vector<float>> single;
    for (const EventQuery& query : queries)
      single.push_back(rows_of(cut, time, std::span(&query, 1), 11).front());
    EXPECT_EQ(single, expected);

    const FactColumns last = facts.columns().part(150, 200);
    std::vector<float> a(50), b(50);
    whole.score(last, a, {});
    asked.score(last, b, {});
    EXPECT_EQ(a, b);
  }
}

TEST(Recurrency, ScoresAFactByBothOfItsDirections) {
  for (const Case& c : cases()) {
    const MadeFacts facts = facts_with_gaps(c.seed, 150, c.gap);
    const RecurrencyOracle oracle{facts, 11, c.undirected, c.window, c.unit};
    Recurrency model({11, 2, c.undirected}, {c.lambda, c.alpha, c.window, c.unit});
    model.learn(facts.columns().part(0, 100));
    const std::int64_t learnt = facts.time[99];
    MadeFacts asked;
    for (Index s = 0; s < 11; ++s)
      for (Index o = 0; o < 11; ++o) asked.add(s, (s + o) % 2, o, learnt + c.gap * (1 + s / 4));
    std::vector<float> scores(asked.time.size());
    model.score(asked.columns(), scores, {});
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto [s, r, o] = asked.triple(static_cast<Offset>(i));
      const double there = oracle.scores(100, r, false, s, asked.time[i], c.lambda,
                                         c.alpha)[static_cast<std::size_t>(o)];
      const double back = oracle.scores(100, r, true, o, asked.time[i], c.lambda,
                                        c.alpha)[static_cast<std::size_t>(s)];
      EXPECT_NEAR(scores[i], (there + back) / 2, 1e-6 * (there + back)) << i;
    }
  }
}

TEST(Recurrency, IsWhatOneWorksOutByHand) {
  MadeFacts facts;
  facts.add(0, 0, 1, 0), facts.add(0, 0, 2, 1), facts.add(0, 0, 1, 2), facts.add(5, 0, 1, 3);
  Recurrency model({6, 1, {}}, {.lambda = 1, .alpha = 0.5});
  model.learn(facts.columns());
  // At 4: psi(0, 1) = (1/16 + 1/4) / (1/16 + 1/8 + 1/4) = 5/7 both ways, and three of the four
  // targets are 1, as three of the four sources are 0.
  MadeFacts asked;
  asked.add(0, 0, 1, 4), asked.add(5, 0, 2, 4), asked.add(3, 0, 4, 4);
  std::vector<float> scores(3);
  model.score(asked.columns(), scores, {});
  EXPECT_FLOAT_EQ(scores[0], (5.0f / 7 + 0.75f) / 2);
  EXPECT_FLOAT_EQ(scores[1], 0.125f);  // never together; a quarter of xi on either side, halved
  EXPECT_EQ(scores[2], 0);
  // (0, r, ?): 1 before 2 before all others. (5, r, ?): the same by xi.
  const std::vector<EventQuery> queries = {{0, 0, false}, {5, 0, false}, {2, 0, true}};
  const auto rows = rows_of(model, 4, queries, 6);
  EXPECT_EQ(rows[0], (std::vector<float>{-2, 0, -1, -2, -2, -2}));
  EXPECT_EQ(rows[1], rows[0]);
  EXPECT_EQ(rows[2], (std::vector<float>{0, -2, -2, -2, -2, -1}));
}

TEST(Recurrency, KnowsNothingBeforeItHasLearnt) {
  Recurrency model({5, 2, {}}, {});
  model.learn({});
  const auto queries = all_queries(5, 2);
  for (const auto& row : rows_of(model, 3, queries, 5)) EXPECT_EQ(row, std::vector<float>(5, 0));
  MadeFacts one;
  one.add(0, 0, 1, 10);
  model.learn(one.columns());
  const auto rows = rows_of(model, 11, queries, 5);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<float> expected(5, 0);
    if (queries[q].relation == 0) {
      expected.assign(5, -1);
      expected[queries[q].source_asked ? 0 : 1] = 0;
    }
    EXPECT_EQ(rows[q], expected) << q;
  }
  EXPECT_NO_THROW(make_recurrency({0, 0, {}}, {})->fit({}, {}, {}, {}));
}

// Where lambda, times or both are extreme, scores are numbers and old facts still count by xi.
TEST(Recurrency, StaysFiniteAtTheEndsOfTime) {
  constexpr auto kEarliest = std::numeric_limits<std::int64_t>::min();
  constexpr auto kLatest = std::numeric_limits<std::int64_t>::max();
  MadeFacts facts;
  facts.add(0, 0, 1, kEarliest), facts.add(0, 0, 2, 0), facts.add(0, 0, 3, kLatest - 1);
  for (const double lambda : {0.0, 0.0001, 1.0001, 100.0})
    for (const std::int64_t window : {std::int64_t{0}, std::int64_t{5}, kLatest}) {
      Recurrency model({5, 1, {}}, {.lambda = lambda, .alpha = 0.9, .window = window, .unit = 3});
      model.learn(facts.columns());
      std::vector<float> scores(3);
      MadeFacts asked = facts;
      asked.time.assign(3, kLatest);
      model.score(asked.columns(), scores, {});
      for (const float score : scores) EXPECT_TRUE(std::isfinite(score));
      const std::vector<EventQuery> query = {{0, 0, false}};
      const auto row = rows_of(model, kLatest, query, 5).front();
      EXPECT_EQ(row[3], lambda == 0 && window != 5 ? row[2] : 0);
      EXPECT_LT(row[4], row[3]);
      EXPECT_EQ(row[1] == row[4], window > 0);  // not even int64's largest reaches back so far
    }
}

TEST(Recurrency, SaysWhatIsWrongWithSettings) {
  const auto make = [](const RecurrencySettings& settings) {
    return make_recurrency({3, 1, {}}, settings);
  };
  EXPECT_THROW(make({.lambda = -0.1}), Error);
  EXPECT_THROW(make({.lambda = std::nan("")}), Error);
  EXPECT_THROW(make({.alpha = 1.5}), Error);
  EXPECT_THROW(make({.window = -2}), Error);
  EXPECT_THROW(make({.unit = -1}), Error);
}

TEST(Recurrency, StopsWhenAsked) {
  const MadeFacts facts = facts_with_gaps(31, 130, 1);
  const FactColumns all = facts.columns();
  const std::atomic<bool> stop = true;
  Recurrency model({9, 2, {}}, {});
  EXPECT_THROW(model.fit(all.part(0, 90), all.part(90, 130), {}, {{}, &stop}), Interrupted);
  Rows rows(9);
  const auto queries = all_queries(9, 2);
  EXPECT_THROW(model.rank(100, queries, rows, {{}, &stop}), Interrupted);
  model.learn(all);
  EXPECT_THROW(model.fit(all, {}, {}, {}), std::logic_error);
}

}  // namespace
}  // namespace cupel
