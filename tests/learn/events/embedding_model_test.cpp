// Embeddings of facts: what is learnt on facts made for it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

#include "cupel/base/error.h"
#include "cupel/learn/events/embeddings/embedding_model.h"
#include "cupel/learn/model.h"
#include "data/facts/made.h"
#include "learn/events/asked_model.h"
#include "learn/events/fact_scorings.h"

namespace cupel {

extern const ModelEntry model_complex, model_distmult, model_transe;

namespace {

using made::kScorings;
using made::MadeFacts;

EmbeddingSettings small(const FactScoring& scoring) {
  EmbeddingSettings out;
  out.form = {scoring, scoring.score != FactScore::kTransE};
  out.dimension = 32, out.epochs = 150, out.batch = 32, out.negatives = 0;
  out.rate = 0.2, out.penalty.weight = 0;
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

TEST(EmbeddingModel, LearnASmallGraphByHeart) {
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
TEST(EmbeddingModel, LearnAGridByHeart) {
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
TEST(EmbeddingModel, TellDirectionsApartIfTheirScoresCan) {
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

TEST(EmbeddingModel, FactsWithoutDirectionScoreAlikeBothWays) {
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

TEST(EmbeddingModel, AFactScoresAsTheMeanOfBothItsQuestions) {
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

TEST(EmbeddingModel, BitsDependOnTheKeyAndNotOnThreads) {
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

TEST(EmbeddingModel, KnowNothingOfEntitiesThatWereNeverSeen) {
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

TEST(EmbeddingModel, EndWithTheBestLookAtValidation) {
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

TEST(EmbeddingModel, StopWhenAsked) {
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

TEST(EmbeddingModel, TakeWhatIsEmpty) {
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

TEST(EmbeddingModel, ModelsAreMadeBySettings) {
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
