// Embeddings of facts: scores and losses against their formulas, gradients against differences.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <set>

#include "cupel/learn/events/embeddings/fact_objective.h"
#include "cupel/learn/events/embeddings/fact_sample.h"
#include "data/facts/made.h"
#include "learn/events/fact_scorings.h"

namespace cupel {

namespace {

using kernels::Norm;
using made::kScorings;
using made::MadeFacts;

// Of (s, r, o), as the papers have it.
double formula(const FactScoring& scoring, std::span<const float> s, std::span<const float> w,
               std::span<const float> o) {
  const std::size_t n = s.size();
  double sum = 0;
  for (std::size_t k = 0; k < n && scoring.score != FactScore::kComplEx; ++k) {
    const double x = double{s[k]} + w[k] - o[k];
    sum += scoring.score == FactScore::kDistMult ? double{s[k]} * w[k] * o[k]
           : scoring.norm == Norm::kL1           ? -std::abs(x)
                                                 : x * x;
  }
  if (scoring.score == FactScore::kTransE && scoring.norm == Norm::kL2) return -std::sqrt(sum);
  using C = std::complex<double>;
  for (std::size_t k = 0; k < n / 2 && scoring.score == FactScore::kComplEx; ++k)
    sum +=
        (C(s[k], s[k + n / 2]) * C(w[k], w[k + n / 2]) * std::conj(C(o[k], o[k + n / 2]))).real();
  return sum;
}

std::span<const float> row_of(const Matrix& m, Index i) {
  return {m.row(i), static_cast<std::size_t>(m.cols)};
}

double formula(const FactEmbeddings& at, const EventQuery& query, Index answer) {
  const RelationUse use = at.use(query);
  const auto w = row_of(at.relations, use.row), x = row_of(at.entities, query.given),
             y = row_of(at.entities, answer);
  return use.inverse ? formula(at.form.scoring, y, w, x) : formula(at.form.scoring, x, w, y);
}

TEST(Embeddings, ScoreAsTheFormulasRead) {
  for (const FactScoring& scoring : kScorings)
    for (const bool reciprocal : {false, true}) {
      const EventWorld world{9, 3, {}};
      const FactEmbeddings at = draw_embeddings({scoring, reciprocal}, world, 14, {1, 2}, {1});
      ASSERT_EQ(at.relations.rows, reciprocal ? 6 : 3);
      std::vector<EventQuery> queries;
      for (Index e = 0; e < 9; ++e)
        for (Index r = 0; r < 3; ++r)
          for (const bool source : {false, true}) queries.push_back({e, r, source});
      Matrix q(static_cast<Index>(queries.size()), 14), scores(q.rows, 9);
      compose_queries(at, queries, {1}, view(q));
      compare(scoring, {1}, q, at.entities, view(scores));
      std::set<float> different;
      for (Index i = 0; i < q.rows; ++i)
        for (Index e = 0; e < 9; ++e) {
          EXPECT_NEAR(scores(i, e), formula(at, queries[static_cast<std::size_t>(i)], e), 2e-5);
          different.insert(scores(i, e));
        }
      EXPECT_GT(different.size(), 100u);
    }
}

TEST(Embeddings, LossesAreTheirSums) {
  constexpr float kOut = -std::numeric_limits<float>::infinity();
  const std::vector<float> answers = {0.5f, -1.25f, 2.0f}, counts = {1, 4, 2},
                           others = {0.25f, kOut, -3.0f, 1.75f, kOut, 0.0f};
  const double margin = 0.75, stand_for = 20;
  std::map<FactLoss, double> expected;
  double sum = 0, logistic = 0;
  for (const float x : others) {
    if (x == kOut) continue;
    sum += stand_for / 4 * std::exp(x);
    logistic -= std::log(1 / (1 + std::exp(x + margin))) / 4;
  }
  for (const float x : answers) sum += std::exp(x);
  for (std::size_t i = 0; i < 3; ++i) {
    expected[FactLoss::kCrossEntropy] -= counts[i] * std::log(std::exp(answers[i]) / sum);
    expected[FactLoss::kLogistic] +=
        counts[i] * (logistic - std::log(1 / (1 + std::exp(-answers[i] - margin))));
    for (const float x : others)
      if (x != kOut)
        expected[FactLoss::kMargin] += counts[i] / 4 * std::max(0.0, margin - answers[i] + x);
  }
  for (const auto& [loss, value] : expected) {
    auto a = answers, o = others;
    EXPECT_NEAR((RowLoss{loss, margin}(a, counts, o, stand_for)), value, 1e-5);
    EXPECT_EQ(o[1], 0);
    EXPECT_EQ(o[4], 0);
    // With nothing to be wrong about, an answer is only pulled, or among its like.
    a = answers;
    std::vector<float> none = {kOut, kOut};
    const double alone = RowLoss{loss, margin}(a, counts, none, 0);
    EXPECT_TRUE(std::isfinite(alone));
    EXPECT_EQ(none, (std::vector<float>{0, 0}));
  }
}

// --- what is asked ---

const std::vector<std::vector<std::uint8_t>> kDirections = {{}, {0, 1}, {1, 1}};

TEST(Embeddings, QueriesAreThoseOfBothEnds) {
  for (const auto& undirected : kDirections) {
    const MadeFacts facts = made::random_facts(5, 300, 8, 2, 6);
    std::map<std::tuple<Index, Index, bool>, std::map<Index, float>> expected;
    for (std::size_t i = 0; i < facts.time.size(); ++i) {
      const auto [s, r, o] = facts.triple(static_cast<Offset>(i));
      const bool either = is_undirected(undirected, r);
      ++expected[{s, r, false}][o];
      if (!either) ++expected[{o, r, true}][s];
      if (either && s != o) ++expected[{o, r, false}][s];
    }
    const FactQueries queries = fact_queries(facts.columns(), {8, 2, undirected}, {});
    ASSERT_EQ(queries.size(), std::ssize(expected));
    auto it = expected.begin();
    for (std::size_t q = 0; q < queries.query.size(); ++q, ++it) {
      const auto& query = queries.query[q];
      ASSERT_EQ((std::tuple{query.given, query.relation, query.source_asked}), it->first);
      ASSERT_EQ(queries.first[q + 1] - queries.first[q], std::ssize(it->second));
      auto at = static_cast<std::size_t>(queries.first[q]);
      for (const auto& [answer, count] : it->second) {
        EXPECT_EQ(queries.answer[at], answer);
        EXPECT_EQ(queries.count[at++], count);
      }
    }
  }
}

TEST(Embeddings, ASampleOfAllQuestionsIsThePlainMean) {
  for (const auto& undirected : kDirections) {
    const EventWorld world{12, 2, undirected};
    MadeFacts train = made::random_facts(6, 40, 10, 2, 4), valid;
    for (const Index e : {3, 4, 4, 11, 0, 9}) valid.add(e, e % 2, 7, 2000);
    for (const Index e : {3, 7, 4, 2, 0, 9}) valid.add(7, e % 2, e, 2000 + e / 4);
    std::ranges::sort(valid.time);
    const FactQueries queries = fact_queries(train.columns(), world, {});
    std::set<Index> candidates;
    for (const auto& query : queries.query) candidates.insert(query.given);
    ASSERT_FALSE(candidates.contains(11));
    const FactEmbeddings at = draw_embeddings({kScorings[3], true}, world, 8, {3, 3}, {1});
    double sum = 0;
    const auto triple = [&](Offset i) { return valid.triple(i); };
    for (Offset i = 0; i < valid.columns().size(); ++i)
      for (const bool source : {false, true}) {
        const auto [s, r, o] = triple(i);
        const bool either = is_undirected(undirected, r);
        const EventQuery query{source ? o : s, r, source && !either};
        const Index answer = source ? s : o;
        std::set<Index> filter;
        for (Offset j = 0; j < valid.columns().size(); ++j) {
          const auto [s2, r2, o2] = triple(j);
          if (r2 != r ||
              valid.time[static_cast<std::size_t>(i)] != valid.time[static_cast<std::size_t>(j)])
            continue;
          if ((either || !source) && s2 == query.given) filter.insert(o2);
          if ((either || source) && o2 == query.given) filter.insert(s2);
        }
        if (!candidates.contains(answer)) continue;
        double rank = 1;
        for (const Index e : candidates)
          rank += !filter.contains(e) && formula(at, query, e) > formula(at, query, answer);
        sum += 1 / rank;
      }
    const FactSample sample(valid.columns(), world, queries, 1000, {1, 1}, {});
    const double n = 2 * static_cast<double>(valid.columns().size());
    EXPECT_NEAR(sample.mean_reciprocal_rank(at, {1}, {}), sum / n, 1e-12);
    EXPECT_EQ(sample.mean_reciprocal_rank(at, {3}, {}), sample.mean_reciprocal_rank(at, {1}, {}));
  }
}

// --- gradients ---

struct Batch {
  FactEmbeddings at;
  std::vector<Offset> numbers;
  std::vector<Index> candidates;
  RowLoss loss;
  FactPenalty penalty;

  double value(const FactQueries& queries, RowGradients& entities, RowGradients& relations,
               int threads = 1) {
    FactObjective objective(queries, at.entities.rows, loss, penalty, {threads});
    return objective.add(at, numbers, candidates, entities, relations, {});
  }
};

void expect_gradient(Batch batch, const FactQueries& queries) {
  RowGradients entities(batch.at.entities), relations(batch.at.relations);
  batch.value(queries, entities, relations);
  const auto differences = [&](Matrix& of, const RowGradients& gradients) {
    for (std::size_t i = 0; i < of.values.size(); ++i) {
      const float x = of.values[i];
      constexpr float kStep = 2e-3f;
      double ends[2];
      for (const int side : {0, 1}) {
        RowGradients e(batch.at.entities), r(batch.at.relations);
        of.values[i] = side == 1 ? x + kStep : x - kStep;
        ends[side] = batch.value(queries, e, r);
      }
      const double slope = (ends[1] - ends[0]) / (double{x + kStep} - double{x - kStep});
      of.values[i] = x;
      const double tolerance = 5e-3 * std::max(1.0, std::abs(slope));
      EXPECT_NEAR(gradients.values.values[i], slope, tolerance) << i;
    }
  };
  differences(batch.at.entities, entities);
  differences(batch.at.relations, relations);
}

Batch a_batch(const FactScoring& scoring, bool reciprocal, const EventWorld& world,
              const FactQueries& queries) {
  Batch out{draw_embeddings({scoring, reciprocal}, world, 6, {5, 6}, {1}), {}, {}, {}, {}};
  for (Matrix* m : {&out.at.entities, &out.at.relations})
    for (float& x : m->values) x *= scoring.score == FactScore::kTransE ? 0.3f : 4.0f;
  for (Offset i = 0; i < queries.size(); i += 2) out.numbers.push_back(i);
  return out;
}

TEST(Embeddings, GradientsAreThoseOfTheLoss) {
  const std::vector<std::uint8_t> undirected = {0, 1};
  const EventWorld world{9, 2, undirected};
  const MadeFacts facts = made::random_facts(8, 40, 9, 2, 3);
  const FactQueries queries = fact_queries(facts.columns(), world, {});
  for (const FactScoring& scoring : kScorings)
    for (const FactLoss loss : {FactLoss::kCrossEntropy, FactLoss::kLogistic, FactLoss::kMargin})
      for (const bool reciprocal : {false, true})
        for (const bool all : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << static_cast<int>(scoring.score) << static_cast<int>(scoring.norm)
                       << static_cast<int>(loss) << reciprocal << all);
          Batch batch = a_batch(scoring, reciprocal, world, queries);
          if (!all) batch.candidates = {1, 2, 5, 8};
          batch.loss = {loss, 1.37};
          batch.penalty = {reciprocal ? 0.05 : 0, all ? 3 : 2};
          expect_gradient(batch, queries);
        }
}

TEST(Embeddings, GradientsDoNotMindThreads) {
  const EventWorld world{400, 2, {}};
  const MadeFacts facts = made::random_facts(9, 900, 400, 2, 3);
  const FactQueries queries = fact_queries(facts.columns(), world, {});
  for (const FactScoring& scoring : kScorings) {
    Batch batch = a_batch(scoring, true, world, queries);
    batch.penalty.weight = 0.1;
    RowGradients e1(batch.at.entities), r1(batch.at.relations), e5 = e1, r5 = r1;
    EXPECT_EQ(batch.value(queries, e1, r1), batch.value(queries, e5, r5, 5));
    EXPECT_EQ(e1.values.values, e5.values.values);
    EXPECT_EQ(r1.values.values, r5.values.values);
    EXPECT_EQ(e1.touched, e5.touched);
    e1.clear();
    EXPECT_EQ(std::ranges::count(e1.values.values, 0.0f), std::ssize(e1.values.values));
  }
}

}  // namespace
}  // namespace cupel
