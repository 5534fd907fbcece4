#include "cupel/learn/events/tgn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>

#include "cupel/base/error.h"
#include "error_of.h"
#include "learn/events/asked_model.h"
#include "learn/events/tgn_oracle.h"

namespace cupel {
namespace {

using Made = made::MadeMeetings;
using made::TgnOracle;

const StreamKey kKey = stream_key("tgn test");
TgnSettings tiny(TgnForm form = TgnForm::kReleased, Index layers = 1) {
  return {.width = 4,
          .layers = layers,
          .neighbours = 3,
          .batch = 3,
          .dropout = 0,
          .lr = 1e-3,
          .trained_times = true,
          .form = form};
}

void shake(Tgn& model) { made::shake(model, model.programs().logits.parameters); }

// How many relations there are, how many facts are asked before any of them is known, what an
// embedding is, and how many layers it has.
class TgnOf : public testing::TestWithParam<std::tuple<Index, Offset, TgnForm, Index>> {
 protected:
  TgnForm form() const { return std::get<2>(GetParam()); }
  Index layers() const { return std::get<3>(GetParam()); }
  TgnSettings tiny() const { return cupel::tiny(form(), layers()); }
  Index relations() const { return std::get<0>(GetParam()); }
  EventRules rules() const { return {true, std::get<1>(GetParam())}; }
};

TEST_P(TgnOf, ScoresAsItsEquationsSay) {
  const Made made(6, relations(), 23, 1);
  for (const Offset learnt : {1, 2, 5, 23}) {
    Tgn model(made.world(), tiny(), kKey, {});
    model.follow(rules());
    shake(model);
    const FactColumns past = made.facts().part(0, learnt);
    model.learn(past);
    for (const std::int64_t later : {0, 1, 40}) {  // facts of the asked time itself, too
      const std::int64_t time = past.time.back() + later;
      const made::AllFacts all(made.world(), time);
      const std::vector<float> scores = made::scores_of(model, all.columns());
      TgnOracle oracle(model, made.world(), tiny());
      oracle.learn_until(rules(), past, time);
      for (Index e = 0; e < made.entities; ++e) {
        const std::vector<float> got = model.state(e);
        for (std::size_t i = 0; i < got.size(); ++i)
          ASSERT_NEAR(got[i], oracle.state(e)[i], 1e-5) << e << " after " << learnt;
      }
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const Index s = all.source[i], r = all.relation[i], o = all.target[i];
        double expected = oracle.logit(s, r, o, time);
        if (is_undirected(made.world().undirected, r))
          expected = (expected + oracle.logit(o, r, s, time)) / 2;
        ASSERT_NEAR(scores[i], expected, 1e-5 * std::max(1.0, std::abs(expected)) + 2e-5)
            << s << " " << r << " " << o << " at " << time;
      }
    }
  }
}

TEST_P(TgnOf, RanksAsItScores) {
  const Made made(6, relations(), 17, 2);
  Tgn model(made.world(), tiny(), kKey, {});
  shake(model);
  made::expect_rank_is_score(model, made.world(), 5);  // nothing was learnt
  model.learn(made.facts());
  made::expect_rank_is_score(model, made.world(), made.time.back() + 2);
}

TEST_P(TgnOf, LossIsThatOfWhatWasKnownAndItsGradientEqualsDifferences) {
  const Made made(6, relations(), 20, 3);
  Tgn model(made.world(), tiny(), kKey, {});
  shake(model);
  model.follow(rules());
  model.learn(made.facts().part(0, 13));
  const FactColumns asked = made.facts().part(13, 15);
  ASSERT_LT(asked.time[0], asked.time[1]);
  const std::vector<Index> others = {2, 5};
  model.meet(asked);
  TgnOracle oracle(model, made.world(), tiny());
  oracle.learn_until(rules(), made.facts().part(0, 13), asked.time.front());
  if (rules().all_before()) oracle.meet(asked);
  EXPECT_NEAR(model.loss(asked, others, 0), made::loss_of(oracle, asked, others), 1e-5);
  // States stay, and messages that wait go into them again: differences of the equations.
  if (layers() < 3)
    made::expect_gradients(model, model.programs().logits.parameters, oracle, asked, others);
}

TEST_P(TgnOf, FactsMayBeCutAnywhere) {
  const Made made(7, relations(), 40, 4);
  const auto after = [&](std::initializer_list<Offset> ends) {
    Tgn model(made.world(), tiny(), kKey, {});
    model.follow(rules());
    made::learn_in_pieces(model, made.facts(), ends);
    const made::AllFacts all(made.world(), made.time.back() + 1);
    return made::scores_of(model, all.columns());
  };
  const std::vector<float> whole = after({});
  EXPECT_EQ(whole, after({1}));
  EXPECT_EQ(whole, after({5, 5, 6, 7, 30}));
  std::vector<float> single;
  {
    Tgn model(made.world(), tiny(), kKey, {});
    model.follow(rules());
    for (Offset i = 0; i < made.facts().size(); ++i) {
      model.learn(made.facts().part(i, i + 1));
      (void)model.state(static_cast<Index>(i % 7));  // asking changes nothing
    }
    const made::AllFacts all(made.world(), made.time.back() + 1);
    single = made::scores_of(model, all.columns());
  }
  EXPECT_EQ(whole, single);
}

TEST_P(TgnOf, ThreadsDoNotChangeBits) {
  const Made made(40, relations(), 600, 5);
  std::vector<std::vector<float>> scores;
  for (const int threads : {1, 2, 8}) {
    const TgnSettings settings{.width = 20,
                               .layers = layers(),
                               .neighbours = layers() == 1 ? 10 : 4,
                               .batch = 50,
                               .lr = 1e-3,
                               .form = form(),
                               .epochs = 2};
    Tgn model(made.world(), settings, kKey, {threads});
    model.fit(made.facts().part(0, 400), made.facts().part(400, 500), rules(), {});
    model.learn(made.facts().part(0, 500));
    scores.push_back(made::scores_of(model, made.facts().part(500, 600)));
  }
  EXPECT_EQ(scores[0], scores[1]);
  EXPECT_EQ(scores[0], scores[2]);
}

// A block that is asked at once knows what its facts would know when asked one after the other.
TEST_P(TgnOf, ABlockMayBeAskedAtOnce) {
  const Made made(7, relations(), 40, 6);
  const FactColumns past = made.facts().part(0, 31), rest = made.facts().part(31, 40);
  TgnSettings settings = tiny();
  settings.batch = 40;  // so that no block ends in between
  Tgn at_once(made.world(), settings, kKey, {}), one_by_one(made.world(), settings, kKey, {});
  for (Tgn* model : {&at_once, &one_by_one})
    model->follow(rules()), shake(*model), model->learn(past);
  at_once.meet(rest);
  const std::vector<float> got = made::scores_of(at_once, rest);
  int changed = 0;
  for (Offset i = 0; i < rest.size();) {
    Offset end = i;
    while (end < rest.size() &&
           rest.time[static_cast<std::size_t>(end)] == rest.time[static_cast<std::size_t>(i)])
      ++end;
    const std::vector<float> expected = made::scores_of(one_by_one, rest.part(i, end));
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_NEAR(got[static_cast<std::size_t>(i) + k], expected[k], 1e-6);
    if (rules().all_before()) one_by_one.learn(rest.part(i, end));
    i = end, ++changed;
  }
  EXPECT_GT(changed, 4);
}

// With one target there is nothing to draw: the other target of a fact is its own. With a rate of
// next to nothing parameters stay, so that an epoch's loss is that of the blocks, each by the facts
// before it.
TEST_P(TgnOf, ABatchIsScoredByWhatWasBeforeIt) {
  const EventRules rules = this->rules();
  Made made(6, 1, 40, 9);
  std::ranges::fill(made.target, 4);
  TgnSettings settings = tiny();
  settings.lr = 1e-12;
  Tgn model(made.world(), settings, kKey, {});
  model.follow(rules);
  shake(model);
  const DenseView out = model.values().view(model.programs().scorer.out);  // so that states tell
  for (Index i = 0; i < out.rows; ++i) *out.row(i) *= 20;
  const FactColumns facts = made.facts();
  double expected = 0, leaked = 0;
  for (Offset begin = 0; begin < facts.size();) {
    Offset end = begin;
    while (end < facts.size() &&
           (end - begin < 3 || facts.time[static_cast<std::size_t>(end)] ==
                                   facts.time[static_cast<std::size_t>(end - 1)]))
      ++end;
    TgnOracle before(model, made.world(), settings), after(model, made.world(), settings);
    if (begin > 0) before.learn(facts.part(0, begin));
    if (rules.all_before()) before.meet(facts.part(begin, end));
    after.learn(facts.part(0, end));
    for (Offset i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double x = before.logit(facts.source[at], 0, 4, facts.time[at]);
      const double y = after.logit(facts.source[at], 0, 4, facts.time[at]);
      expected += std::log1p(std::exp(-x)) + std::log1p(std::exp(x));
      leaked += std::log1p(std::exp(-y)) + std::log1p(std::exp(y));
    }
    begin = end;
  }
  EXPECT_NEAR(model.train_epoch(facts, 0, {}), expected / 40, 1e-4);
  EXPECT_GT(std::abs(expected - leaked) / 40, 1e-3) << "the test tells nothing";
}

INSTANTIATE_TEST_SUITE_P(Relations, TgnOf,
                         testing::Combine(testing::Values(1, 3), testing::Values(0, 3),
                                          testing::Values(TgnForm::kReleased, TgnForm::kPyg),
                                          testing::Values(1)));
INSTANTIATE_TEST_SUITE_P(Layers, TgnOf,
                         testing::Combine(testing::Values(1, 3), testing::Values(0, 3),
                                          testing::Values(TgnForm::kReleased),
                                          testing::Values(2, 3)));

// 1 met 2, and then 2 or somebody else met 3. Whom 2 met is a part of what 1 is after both, and
// would be none if 2 were looked at as of the meeting.
TEST(Tgn, NeighboursOfNeighboursAreThoseBeforeTheAskedTime) {
  const auto embedding_of_1 = [](Index layers, Index later) {
    Made made(6, 1, 0, 0);
    made.source = {1, later}, made.target = {2, 3};
    made.relation = {0, 0}, made.time = {10, 20};
    Tgn model(made.world(), tiny(TgnForm::kReleased, layers), kKey, {});
    model.follow({true, 0});  // messages wait, so that meetings alone tell
    shake(model);
    model.learn(made.facts());
    const TimedEntity root[] = {{1, 30}};
    return model.embeddings(root).values;
  };
  EXPECT_EQ(embedding_of_1(1, 2), embedding_of_1(1, 4)) << "one layer sees no further than 2";
  EXPECT_NE(embedding_of_1(2, 2), embedding_of_1(2, 4));
}

TEST(Tgn, APygEmbeddingKnowsNothingOfWhatIsAsked) {
  const Made made(7, 1, 40, 6);
  const FactColumns past = made.facts().part(0, 31), rest = made.facts().part(31, 40);
  Tgn model(made.world(), tiny(TgnForm::kPyg), kKey, {});
  model.follow({true, 0});
  shake(model);
  model.learn(past);
  const std::int64_t now = past.time.back() + 1;
  const std::vector<TimedEntity> soon = {{0, now}, {3, now}, {0, now}},
                                 late = {{0, now + 900}, {3, now + 9}, {0, now}};
  const Matrix first = model.embeddings(soon);
  EXPECT_EQ(first.values, model.embeddings(late).values);
  model.meet(rest);
  EXPECT_EQ(first.values, model.embeddings(soon).values);
  model.learn(rest);
  EXPECT_NE(first.values, model.embeddings(soon).values);
}

// Neighbours and states are of one moment, as they are in training: where one moves within a block,
// gaps from a meeting to the last message of who was met are negative.
TEST(Tgn, APygEmbeddingKnowsNothingOfABlockThatIsNotOver) {
  Made made(7, 1, 40, 6);
  std::iota(made.time.begin(), made.time.end(), std::int64_t{1000});  // a step has one fact
  const FactColumns facts = made.facts();
  TgnSettings settings = tiny(TgnForm::kPyg);
  settings.batch = 9;
  Tgn model(made.world(), settings, kKey, {});
  model.follow({true, 0});
  shake(model);
  std::vector<TimedEntity> roots;
  for (Index e = 0; e < made.entities; ++e) roots.push_back({e, 2000});
  model.learn(facts.part(0, 19));
  const Matrix begun = model.embeddings(roots);
  model.learn(facts.part(19, 27));
  EXPECT_EQ(begun.values, model.embeddings(roots).values);
  model.learn(facts.part(27, 28));
  EXPECT_NE(begun.values, model.embeddings(roots).values);
}

// Sources meet one of two targets in turn: the one that was not met last is due.
TEST(Tgn, LearnsWhatIsPeriodic) {
  Made made(24, 1, 0, 0);
  for (std::int64_t step = 0; step < 60; ++step)
    for (Index s = 0; s < 8; ++s) {
      made.source.push_back(s), made.relation.push_back(0), made.time.push_back(100 * step);
      made.target.push_back(8 + 2 * s + static_cast<Index>((step + s) % 2));
    }
  TgnSettings settings{.width = 16, .neighbours = 4, .batch = 8, .lr = 3e-3, .epochs = 15};
  Tgn model(made.world(), settings, kKey, {});
  const FactColumns facts = made.facts();
  const auto right = [&] {
    int right = 0, asked = 0;
    model.forget();
    model.learn(facts.part(0, 8 * 50));
    for (Offset begin = 8 * 50; begin < facts.size(); begin += 8) {
      const FactColumns due = facts.part(begin, begin + 8);
      FactColumns undue = due;
      std::vector<Index> other;
      for (const Index o : due.target) other.push_back(8 + ((o - 8) ^ 1));
      undue.target = other;
      const auto a = made::scores_of(model, due), b = made::scores_of(model, undue);
      for (std::size_t i = 0; i < a.size(); ++i) right += a[i] > b[i], ++asked;
      model.learn(due);
    }
    return static_cast<double>(right) / asked;
  };
  EXPECT_LT(right(), 0.9);
  model.fit(facts.part(0, 8 * 42), facts.part(8 * 42, 8 * 50), {}, {});
  EXPECT_GT(right(), 0.95);
}

TEST(Tgn, FitsWithoutValidationAndWithoutFacts) {
  const Made made(5, 1, 12, 8);
  TgnSettings settings = tiny();
  settings.epochs = 2;
  Tgn model(made.world(), settings, kKey, {});
  model.fit(made.facts(), made.facts().part(0, 0), {}, {});
  model.fit(made.facts().part(0, 0), made.facts(), {}, {});
  model.learn(made.facts().part(0, 0));
  EXPECT_TRUE(std::isfinite(made::scores_of(model, made.facts()).front()));
}

// Validation is the first to show it where an epoch is one step.
TEST(Tgn, SaysThatTrainingDiverged) {
  const Made made(6, 1, 23, 8);
  for (const auto& [form, name] :
       {std::pair(TgnForm::kReleased, "tgn"), std::pair(TgnForm::kPyg, "tgn-pyg")}) {
    Tgn model(made.world(), tiny(form), kKey, {});
    model.learn(made.facts().part(0, 13));
    std::ranges::fill(model.values().block(), std::numeric_limits<float>::quiet_NaN());
    model.parameters_changed();
    EXPECT_EQ(error_of([&] { (void)model.validate(made.facts().part(13, 23), {}); }),
              std::string(name) + ": scores of validation are not finite; take a smaller lr");
  }
}

TEST(Tgn, SettingsOutOfRange) {
  const Made made(5, 1, 1, 8);
  TgnSettings settings;
  settings.width = 0;
  EXPECT_THROW(Tgn(made.world(), settings, kKey, {}), Error);
  settings = {};
  settings.dropout = 1;
  EXPECT_THROW(Tgn(made.world(), settings, kKey, {}), Error);
  settings = tiny(TgnForm::kReleased, 4);
  EXPECT_EQ(error_of([&] { Tgn(made.world(), settings, kKey, {}); }),
            "tgn: layers is 4; it is from 1 to 3");
  settings = {.layers = 2, .neighbours = 200};
  EXPECT_EQ(error_of([&] { Tgn(made.world(), settings, kKey, {}); }),
            "tgn: neighbours is 200; with 2 layers it is from 1 to 100");
  settings = tiny(TgnForm::kPyg, 2);
  EXPECT_THROW(Tgn(made.world(), settings, kKey, {}), Error);
  settings = {.width = 5};
  EXPECT_NO_THROW(Tgn(made.world(), settings, kKey, {}));
  settings.form = TgnForm::kPyg;
  EXPECT_EQ(error_of([&] { Tgn(made.world(), settings, kKey, {}); }),
            "tgn-pyg: width is 5; it is even, as two heads share it");
}

}  // namespace
}  // namespace cupel
