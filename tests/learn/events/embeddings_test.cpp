// Embeddings of facts: scores and losses against their formulas, gradients against differences,
// and what is learnt on facts made for it.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <set>

#include "cupel/learn/events/embeddings/embedding_model.h"
#include "cupel/learn/events/embeddings/fact_sample.h"
#include "cupel/learn/model.h"
#include "data/facts/made.h"
#include "error_of.h"
#include "learn/events/asked_model.h"

namespace cupel {

extern const ModelEntry model_complex, model_distmult, model_transe;

namespace {

using kernels::Norm;
using made::MadeFacts;

const std::vector<FactScoring> kScorings = {{FactScore::kTransE, Norm::kL1},
                                            {FactScore::kTransE, Norm::kL2},
                                            {FactScore::kDistMult, Norm::kL1},
                                            {FactScore::kComplEx, Norm::kL1}};

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

// --- what is learnt ---

EmbeddingSettings small(const FactScoring& scoring) {
  EmbeddingSettings out;
  out.form = {scoring, scoring.score != FactScore::kTransE};
  out.dimension = 32, out.epochs = 150, out.batch = 32, out.negatives = 0;
  out.rate = 0.2;
  return out;
}

// Mean reciprocal rank of facts both ways, all of them known to be true.
double mrr_on(EventModel& model, const EventWorld& world, const MadeFacts& facts) {
  const auto rows = made::all_answers(model, world, 5000);
  const auto row = [&](bool source, Index given, Index r) -> const std::vector<float>& {
    return rows[static_cast<std::size_t>(((source ? world.entities : 0) + given) * world.relations +
                                         r)];
  };
  std::set<std::tuple<Index, Index, Index>> truths;
  for (Offset i = 0; i < facts.columns().size(); ++i) truths.insert(facts.triple(i));
  double sum = 0;
  for (const auto& [s, r, o] : truths)
    for (const bool source : {false, true}) {
      const auto& scores = row(source, source ? o : s, r);
      const float x = scores[static_cast<std::size_t>(source ? s : o)];
      double rank = 1;
      for (Index e = 0; e < world.entities; ++e)
        rank += !truths.contains(source ? std::tuple{e, r, o} : std::tuple{s, r, e}) &&
                scores[static_cast<std::size_t>(e)] >= x;
      sum += 1 / rank;
    }
  return sum / (2.0 * static_cast<double>(truths.size()));
}

std::unique_ptr<EventModel> fitted(const EventWorld& world, const EmbeddingSettings& settings,
                                   const MadeFacts& facts, int threads = 1,
                                   StreamKey key = {4, 4}) {
  auto model = make_embedding_model(world, settings, key, {threads});
  model->fit(facts.columns(), {}, {}, {});
  model->learn(facts.columns());
  return model;
}

TEST(Embeddings, LearnASmallGraphByHeart) {
  const EventWorld world{20, 3, {}};
  const MadeFacts facts = made::random_facts(12, 60, 20, 3, 5);
  for (const FactLoss loss : {FactLoss::kCrossEntropy, FactLoss::kLogistic, FactLoss::kMargin}) {
    for (const std::size_t i : {2u, 3u}) {
      EmbeddingSettings settings = small(kScorings[i]);
      settings.loss = {loss, loss == FactLoss::kMargin ? 1.0 : 0.0};
      // No asymmetric relation fits DistMult wholly.
      const double least = kScorings[i].score == FactScore::kDistMult ? 0.85 : 0.97;
      EXPECT_GT(mrr_on(*fitted(world, settings, facts), world, facts), least)
          << i << static_cast<int>(loss);
    }
  }
}

// One relation goes right and one goes down: translations, which DistMult has not.
TEST(Embeddings, LearnAGridByHeart) {
  const EventWorld world{25, 2, {}};
  MadeFacts facts;
  for (Index i = 0; i < 25; ++i) {
    if (i % 5 < 4) facts.add(i, 0, i + 1, 0);
    if (i < 20) facts.add(i, 1, i + 5, 0);
  }
  for (const std::size_t i : {0u, 1u, 3u})
    for (const FactLoss loss : {FactLoss::kCrossEntropy, FactLoss::kLogistic, FactLoss::kMargin}) {
      EmbeddingSettings settings = small(kScorings[i]);
      settings.loss = {loss, loss == FactLoss::kCrossEntropy || i == 3 ? 1.0 : 4.0};
      EXPECT_GT(mrr_on(*fitted(world, settings, facts), world, facts), 0.95)
          << i << static_cast<int>(loss);
    }
}

// A relation that never goes both ways: who is before whom.
TEST(Embeddings, TellDirectionsApartIfTheirScoresCan) {
  MadeFacts facts;
  for (Index s = 0; s < 16; ++s)
    for (Index o = s + 1; o < 16; o += 2) facts.add(s, 0, o, 0);
  const EventWorld world{16, 1, {}};
  MadeFacts back = facts;
  std::swap(back.source, back.target);
  for (const FactScoring& scoring : kScorings)
    for (const bool reciprocal : {false, true}) {
      EmbeddingSettings settings = small(scoring);
      settings.form.reciprocal = reciprocal;
      const auto model = fitted(world, settings, facts);
      const auto there = made::scores_of(*model, facts.columns()),
                 other = made::scores_of(*model, back.columns());
      double right = 0;
      for (std::size_t i = 0; i < there.size(); ++i) {
        if (scoring.score == FactScore::kDistMult) {
          ASSERT_NEAR(there[i], other[i], 1e-4 * (1 + std::abs(there[i])));
        }
        right += there[i] > other[i];
      }
      if (scoring.score != FactScore::kDistMult) {
        EXPECT_GT(right, 0.95 * static_cast<double>(there.size()));
      }
    }
}

TEST(Embeddings, FactsWithoutDirectionScoreAlikeBothWays) {
  const std::vector<std::uint8_t> undirected = {1};
  const EventWorld world{16, 1, undirected};
  MadeFacts facts;
  for (Index s = 0; s < 16; ++s) facts.add(s, 0, (s + 5) % 16, 0);
  for (const FactScoring& scoring : kScorings) {
    const auto model = fitted(world, small(scoring), facts);
    const made::AllFacts all(world, 9);
    const auto scores = made::scores_of(*model, all.columns());
    const auto rows = made::all_answers(*model, world, 9);
    double right = 0;
    for (std::size_t s = 0; s < 16; ++s) {
      EXPECT_EQ(rows[s], rows[16 + s]);
      for (std::size_t o = 0; o < 16; ++o) EXPECT_EQ(scores[s * 16 + o], scores[o * 16 + s]);
    }
    // Each order was trained, although facts have one.
    for (const auto& [a, b] : {std::pair{facts.source, facts.target}, {facts.target, facts.source}})
      for (std::size_t i = 0; i < a.size(); ++i) {
        const auto& row = rows[static_cast<std::size_t>(a[i])];
        const float x = row[static_cast<std::size_t>(b[i])];
        right += std::ranges::count_if(row, [&](float y) { return y > x; }) < 2;
      }
    if (scoring.score != FactScore::kTransE) {
      EXPECT_GE(right, 31);
    }
  }
}

TEST(Embeddings, AFactScoresAsTheMeanOfBothItsQuestions) {
  const std::vector<std::uint8_t> undirected = {0, 1};
  const EventWorld world{12, 2, undirected};
  MadeFacts facts = made::random_facts(13, 80, 12, 2, 5);
  for (Index e = 0; e < 12; ++e) facts.add(e, 0, e, 3000);
  for (const FactScoring& scoring : kScorings)
    for (const bool reciprocal : {false, true}) {
      EmbeddingSettings settings = small(scoring);
      settings.epochs = 3, settings.form.reciprocal = reciprocal;
      const auto model = fitted(world, settings, facts);
      const made::AllFacts all(world, 9);
      const auto scores = made::scores_of(*model, all.columns());
      const auto rows = made::all_answers(*model, world, 9);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const auto s = static_cast<std::size_t>(all.source[i]),
                   r = static_cast<std::size_t>(all.relation[i]),
                   o = static_cast<std::size_t>(all.target[i]);
        ASSERT_EQ(scores[i], (rows[s * 2 + r][o] + rows[(12 + o) * 2 + r][s]) / 2);
      }
    }
}

TEST(Embeddings, BitsDependOnTheKeyAndNotOnThreads) {
  const EventWorld world{150, 2, {}};
  const MadeFacts facts = made::random_facts(14, 900, 150, 2, 5);
  for (const FactScoring& scoring : kScorings) {
    EmbeddingSettings settings = small(scoring);
    settings.epochs = 3, settings.batch = 100, settings.negatives = 40;
    const auto answers = [&](int threads, StreamKey key) {
      const auto model = fitted(world, settings, facts, threads, key);
      auto out = made::all_answers(*model, world, 9);
      out.push_back(made::scores_of(*model, facts.columns()));
      return out;
    };
    const auto once = answers(1, {4, 4});
    EXPECT_EQ(once, answers(2, {4, 4}));
    EXPECT_EQ(once, answers(5, {4, 4}));
    EXPECT_NE(once, answers(1, {4, 5}));
  }
}

TEST(Embeddings, KnowNothingOfEntitiesThatWereNeverSeen) {
  const EventWorld world{14, 2, {}};
  MadeFacts facts = made::random_facts(15, 60, 12, 2, 5);
  for (Index e = 0; e < 12; ++e) facts.add(e, 0, e, 3000);
  EmbeddingSettings settings = small(kScorings[2]);
  settings.epochs = 2;
  const auto model = fitted(world, settings, facts);
  const std::vector<EventQuery> query = {{3, 1, false}};
  const auto row = [&] {
    made::KeptAnswers answers(14);
    model->rank(9, query, answers, {});
    return answers.rows.front();
  };
  const auto before = row();
  for (std::size_t e = 0; e < 14; ++e) EXPECT_EQ(std::isfinite(before[e]), e < 12);
  MadeFacts asked;
  asked.add(3, 1, 13, 9), asked.add(13, 1, 3, 9), asked.add(3, 1, 4, 9);
  const auto scores = made::scores_of(*model, asked.columns());
  EXPECT_EQ(scores[0], std::numeric_limits<float>::lowest());
  EXPECT_EQ(scores[1], std::numeric_limits<float>::lowest());
  EXPECT_GT(scores[2], scores[0]);
  model->learn(asked.columns());
  const auto after = row();
  EXPECT_TRUE(std::isfinite(after[13]));
  EXPECT_FALSE(std::isfinite(after[12]));
  for (std::size_t e = 0; e < 12; ++e) EXPECT_EQ(before[e], after[e]);  // nothing else is learnt
}

TEST(Embeddings, EndWithTheBestLookAtValidation) {
  const EventWorld world{40, 2, {}};
  const MadeFacts facts = made::random_facts(16, 400, 40, 2, 10);
  const FactColumns all = facts.columns();
  EmbeddingSettings settings = small(kScorings[3]);
  settings.epochs = 40, settings.check_every = 3, settings.patience = 2;
  settings.valid_questions = 50;
  const FactColumns train = all.part(0, 320), valid = all.part(320, 400);
  const auto out = train_embeddings(train, valid, world, settings, {1, 1}, {1}, {});
  const auto best = std::ranges::max_element(out.looks);
  EXPECT_EQ(*best, out.valid_mrr);
  EXPECT_EQ((best - out.looks.begin() + 1) * 3, out.epochs);
  EXPECT_EQ(out.looks.end() - best, 3);  // facts at random are soon overfitted
  EXPECT_EQ(std::ssize(out.losses), std::ssize(out.looks) * 3);
  EXPECT_LT(out.losses.back(), out.losses.front());
  // The same epochs without looks end in the same place.
  EmbeddingSettings blind = settings;
  blind.epochs = out.epochs, blind.valid_questions = 0;
  const auto again = train_embeddings(train, valid, world, blind, {1, 1}, {1}, {});
  EXPECT_EQ(again.embeddings.entities.values, out.embeddings.entities.values);
  EXPECT_EQ(again.embeddings.relations.values, out.embeddings.relations.values);
}

TEST(Embeddings, StopWhenAsked) {
  const EventWorld world{12, 2, {}};
  const MadeFacts facts = made::random_facts(17, 80, 12, 2, 5);
  const std::atomic<bool> stop = true;
  const RunLimits stopped{{}, &stop}, late{std::chrono::steady_clock::now(), nullptr};
  EmbeddingSettings settings = small(kScorings[2]);
  const auto model = make_embedding_model(world, settings, {1, 1}, {1});
  const FactColumns all = facts.columns();
  EXPECT_THROW(model->fit(all, {}, {}, stopped), Interrupted);
  EXPECT_THROW(model->fit(all, {}, {}, late), TimedOut);
  // In the midst of training, too.
  settings.epochs = 1'000'000'000;
  const RunLimits soon{std::chrono::steady_clock::now() + std::chrono::milliseconds(200), nullptr};
  EXPECT_THROW((void)train_embeddings(all, {}, world, settings, {1, 1}, {1}, soon), TimedOut);
  made::KeptAnswers answers(12);
  const std::vector<EventQuery> query = {{3, 1, false}};
  std::vector<float> scores(80);
  EXPECT_THROW(model->rank(9, query, answers, stopped), Interrupted);
  EXPECT_THROW(model->score(all, scores, late), TimedOut);
}

TEST(Embeddings, TakeWhatIsEmpty) {
  const EventWorld world{3, 1, {}};
  const auto model = make_embedding_model(world, small(kScorings[3]), {1, 1}, {1});
  EXPECT_NO_THROW(model->fit({}, {}, {}, {}));
  MadeFacts one;
  one.add(1, 0, 1, 0);
  model->fit(one.columns(), one.columns(), {}, {});
  model->learn(one.columns());
  EXPECT_EQ(made::all_answers(*model, world, 1).size(), 6u);
  const EventWorld nobody{0, 0, {}};
  EXPECT_NO_THROW(
      make_embedding_model(nobody, small(kScorings[3]), {1, 1}, {1})->fit({}, {}, {}, {}));
}

TEST(Embeddings, ModelsAreMadeBySettings) {
  const EventWorld world{5, 1, {}};
  for (const ModelEntry* entry : {&model_complex, &model_distmult, &model_transe}) {
    const Options usual(entry->name, entry->options, {});
    EXPECT_TRUE(entry->draws);
    EXPECT_NE(entry->events(world, usual, {1, 1}, {1}), nullptr);
    const Options wide(entry->name, entry->options, {{"dimension", std::int64_t{512}}});
    EXPECT_GT(entry->event_bytes(world, wide, 100), entry->event_bytes(world, usual, 100));
    const Options odd(entry->name, entry->options, {{"dimension", std::int64_t{7}}});
    const auto make = [&] { (void)entry->events(world, odd, {1, 1}, {1}); };
    if (entry == &model_complex) {
      EXPECT_THROW(make(), Error);
    } else {
      EXPECT_NO_THROW(make());
    }
  }
  EmbeddingSettings wild = small(kScorings[2]);
  wild.rate = 1e6, wild.dimension = 0;
  EXPECT_THROW(make_embedding_model(world, wild, {1, 1}, {1}), Error);
}

}  // namespace
}  // namespace cupel
