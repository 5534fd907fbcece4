#include "cupel/learn/events/tgat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cupel/base/error.h"
#include "learn/events/asked_model.h"
#include "learn/events/temporal_oracle.h"

namespace cupel {
namespace {

using Made = made::MadeMeetings;
using made::joined;
using made::Numbers;

const StreamKey kKey = stream_key("tgat test");

TgatSettings tiny() {
  return {.width = 4, .neighbours = 2, .batch = 3, .dropout = 0, .lr = 1e-3, .trained_times = true};
}

void shake(Tgat& model) { made::shake(model, model.programs().logits.parameters); }

// The recursion as it is written, with the last neighbours or the first ones.
class Oracle {
 public:
  Oracle(Tgat& model, const EventWorld& world, const TgatSettings& settings)
      : world_(world), settings_(settings), weights_(model, model.programs().logits.parameters) {}

  void know(const FactColumns& facts) {
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Index s = facts.source[at], o = facts.target[at], r = facts.relation_of(i);
      const Index back = is_undirected(world_.undirected, r) ? 2 * r : 2 * r + 1;
      met_[s].push_back({facts.time[at], o, 2 * r});
      if (s != o) met_[o].push_back({facts.time[at], s, back});
    }
  }
  Numbers embedding(Index layer, Index entity, std::int64_t time) const {
    if (layer == 0) return {};
    std::vector<Meeting> met;
    if (met_.contains(entity)) met = met_.at(entity);
    std::erase_if(met, [&](const Meeting& m) { return m.time >= time; });
    while (std::ssize(met) > settings_.neighbours)
      met.erase(settings_.sample == MeetingSample::kEarliest ? met.end() - 1 : met.begin());
    std::vector<Numbers> senders;
    for (const Meeting& m : met)
      senders.push_back(
          joined({embedding(layer - 1, m.with, m.time),
                  world_.relations > 1 ? weights_.row("kinds", static_cast<std::size_t>(m.kind))
                                       : Numbers(),
                  weights_.phi(static_cast<double>(time - m.time))}));
    return weights_.attended("layer" + std::to_string(layer) + ".",
                             embedding(layer - 1, entity, time), senders);
  }
  double logit(Index s, Index r, Index o, std::int64_t time) const {
    return weights_.logit(embedding(settings_.layers, s, time),
                          embedding(settings_.layers, o, time), r);
  }
  made::TemporalWeights& weights() { return weights_; }

 private:
  EventWorld world_;
  TgatSettings settings_;
  made::TemporalWeights weights_;
  std::map<Index, std::vector<Meeting>> met_;
};

// Relations, layers, whether as released, and which neighbours.
class TgatOf : public testing::TestWithParam<std::tuple<Index, Index, bool, MeetingSample>> {
 protected:
  Index relations() const { return std::get<0>(GetParam()); }
  TgatSettings settings() const {
    TgatSettings out = tiny();
    out.layers = std::get<1>(GetParam()), out.residual = std::get<2>(GetParam());
    out.sample = std::get<3>(GetParam());
    return out;
  }
};

TEST_P(TgatOf, ScoresAsItsEquationsSay) {
  const Made made(6, relations(), 23, 1);
  for (const Offset learnt : {0, 1, 5, 23}) {
    Tgat model(made.world(), settings(), kKey, {});
    shake(model);
    Oracle oracle(model, made.world(), settings());
    model.learn(made.facts().part(0, learnt)), oracle.know(made.facts().part(0, learnt));
    for (const std::int64_t later : {0, 1, 40}) {  // facts of the asked time itself, too
      const std::int64_t time =
          made.time[static_cast<std::size_t>(std::max(learnt, Offset{1}) - 1)] + later;
      const made::AllFacts all(made.world(), time);
      const std::vector<float> scores = made::scores_of(model, all.columns());
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

TEST_P(TgatOf, LossIsThatOfWhatWasKnownAndItsGradientEqualsDifferences) {
  const Made made(6, relations(), 20, 3);
  for (const Offset together : {0, 2}) {
    Tgat model(made.world(), settings(), kKey, {});
    shake(model);
    model.follow({true, together});
    model.learn(made.facts().part(0, 13));
    const FactColumns asked = made.facts().part(13, 15);
    ASSERT_LT(asked.time[0], asked.time[1]);
    const std::vector<Index> others = {2, 4};
    model.meet(asked);
    Oracle oracle(model, made.world(), settings());
    oracle.know(made.facts().part(0, 13));
    if (together == 0) oracle.know(asked);
    EXPECT_NEAR(model.loss(asked, others, 0), made::loss_of(oracle, asked, others), 1e-5);
    if (together == 0 && settings().layers < 3)
      made::expect_gradients(model, model.programs().logits.parameters, oracle, asked, others);
  }
}

TEST_P(TgatOf, RanksAsItScoresHoweverFactsAreCut) {
  const Made made(6, relations(), 17, 2);
  Tgat model(made.world(), settings(), kKey, {}), pieces(made.world(), settings(), kKey, {});
  shake(model), shake(pieces);
  made::expect_rank_is_score(model, made.world(), 5);  // nothing was learnt
  model.learn(made.facts());
  made::learn_in_pieces(pieces, made.facts(), {1, 5, 5, 12});
  made::expect_rank_is_score(model, made.world(), made.time.back() + 2);
  const made::AllFacts all(made.world(), made.time.back() + 1);
  EXPECT_EQ(made::scores_of(model, all.columns()), made::scores_of(pieces, all.columns()));
}

INSTANTIATE_TEST_SUITE_P(Forms, TgatOf,
                         testing::Combine(testing::Values(1, 3), testing::Values(1, 2, 3),
                                          testing::Bool(),
                                          testing::Values(MeetingSample::kRecent)));
INSTANTIATE_TEST_SUITE_P(Earliest, TgatOf,
                         testing::Combine(testing::Values(1, 3), testing::Values(1, 2),
                                          testing::Values(true),
                                          testing::Values(MeetingSample::kEarliest)));

TEST(Tgat, ThreadsDoNotChangeBits) {
  const Made made(40, 3, 600, 5);
  for (const MeetingSample sample : {MeetingSample::kRecent, MeetingSample::kUniform}) {
    std::vector<std::vector<float>> scores;
    for (const int threads : {1, 2, 8}) {
      TgatSettings settings{
          .width = 12, .neighbours = 5, .sample = sample, .batch = 50, .lr = 1e-3, .epochs = 2};
      Tgat model(made.world(), settings, kKey, {threads});
      model.fit(made.facts().part(0, 400), made.facts().part(400, 500), {}, {});
      model.learn(made.facts().part(0, 500));
      scores.push_back(made::scores_of(model, made.facts().part(500, 600)));
    }
    EXPECT_EQ(scores[0], scores[1]);
    EXPECT_EQ(scores[0], scores[2]);
  }
}

// Facts of the asked time and later ones change no bit, learnt or of the same block; one before it
// does.
TEST(Tgat, ScoresKnowOnlyWhatWasBefore) {
  const Made made(8, 1, 60, 9);
  const auto same_time = [&](Offset i) {
    return made.time[static_cast<std::size_t>(i)] == made.time[static_cast<std::size_t>(i - 1)];
  };
  Offset first = 30;  // of a time with several facts
  while (same_time(first) || !same_time(first + 1)) ++first;
  for (const MeetingSample sample : {MeetingSample::kRecent, MeetingSample::kUniform}) {
    TgatSettings settings = tiny();
    settings.neighbours = 40, settings.sample = sample;
    const made::AllFacts all(made.world(), made.time[static_cast<std::size_t>(first)]);
    const auto scores = [&](Offset learnt, Offset met) {
      Tgat model(made.world(), settings, kKey, {});
      shake(model);
      model.follow({true, 0});
      model.learn(made.facts().part(0, learnt));
      if (met > learnt) model.meet(made.facts().part(learnt, met));
      return made::scores_of(model, all.columns());
    };
    const std::vector<float> sound = scores(first, first);
    EXPECT_EQ(scores(60, 60), sound);
    EXPECT_EQ(scores(first, 60), sound);
    EXPECT_EQ(scores(20, 60), sound);
    EXPECT_NE(scores(first - 1, first - 1), sound) << "the test tells nothing";
  }
}

// Adam's first steps are as long as its rate, whatever the gradient: what was slower than that is
// not any more.
TEST(Tgat, TrainedFrequenciesLoseTheirSpread) {
  Made made(10, 1, 40, 4);
  for (std::size_t i = 0; i < made.time.size(); ++i)
    made.time[i] = 100'000 * static_cast<std::int64_t>(i);
  for (const bool trained : {false, true}) {
    TgatSettings settings{.width = 10, .neighbours = 5, .batch = 10};
    settings.trained_times = settings.residual = trained;
    Tgat model(made.world(), settings, kKey, {});
    const auto slow = [&] {
      const made::TemporalWeights weights(model, model.programs().logits.parameters);
      const Numbers& all = weights.row("time.w");
      return std::ranges::count_if(all, [](double w) { return std::abs(w) < 5e-6; });
    };
    EXPECT_EQ(slow(), 4);  // 1e-9, 1e-8, 1e-7, 1e-6
    model.follow({true, 0});
    model.train_epoch(made.facts(), 0, {});
    if (trained)
      EXPECT_LT(slow(), 2);
    else
      EXPECT_EQ(slow(), 4);
  }
}

// Who was active a moment ago is due, and nobody else: times of meetings alone tell.
TEST(Tgat, LearnsFromTimes) {
  Made made(20, 1, 0, 0);
  Stream random(stream_key("bursts"), 0);
  std::int64_t now = 0;
  for (int burst = 0; burst < 150; ++burst) {
    now += 5000;
    const auto who = static_cast<Index>(random.next_below(10));
    for (int i = 0; i < 4; ++i) {
      made.source.push_back(10 + static_cast<Index>(random.next_below(10)));
      made.target.push_back(who), made.relation.push_back(0), made.time.push_back(now += 3);
    }
  }
  TgatSettings settings{.width = 16, .neighbours = 4, .batch = 20, .lr = 3e-3, .epochs = 10};
  Tgat model(made.world(), settings, kKey, {});
  const FactColumns facts = made.facts();
  model.fit(facts.part(0, 400), facts.part(400, 500), {}, {});
  model.learn(facts.part(0, 500));
  int right = 0, asked = 0;
  for (Offset i = 500; i < facts.size(); ++i) {
    const FactColumns due = facts.part(i, i + 1);
    FactColumns undue = due;
    const std::vector<Index> other = {(due.target[0] + 1 + static_cast<Index>(i) % 9) % 10};
    undue.target = other;
    if (i % 4 != 0)  // the first of a burst cannot be known
      right += made::scores_of(model, due)[0] > made::scores_of(model, undue)[0], ++asked;
    model.learn(due);
  }
  EXPECT_GT(right, 0.95 * asked) << right << " of " << asked;
}

TEST(Tgat, SettingsOutOfRange) {
  const Made made(5, 1, 1, 8);
  const auto wrong = [&](auto change) {
    TgatSettings settings;
    change(settings);
    EXPECT_THROW(Tgat(made.world(), settings, kKey, {}), Error);
  };
  wrong([](TgatSettings& s) { s.width = 0; });
  wrong([](TgatSettings& s) { s.layers = 4; });
  wrong([](TgatSettings& s) { s.neighbours = 0; });
  wrong([](TgatSettings& s) { s.dropout = 1; });
}

TEST(MeetingHistory, SamplesAreSubsetsAndAnyIsAsLikely) {
  MeetingHistory history(3);
  BlockMeetings block;
  for (int i = 0; i < 4; ++i) history.add(1, {i, 2, i});
  for (int i = 4; i < 8; ++i) block.add(1, {i, 2, i});
  block.add(0, {5, 2, 0});
  block.finish();
  std::map<std::set<Index>, int> seen;
  constexpr std::uint32_t kDraws = 20000;
  for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
    std::vector<Meeting> out;
    sample_meetings(history, block, {1, 6}, 3, MeetingSample::kUniform, {kKey, 1, draw}, out);
    ASSERT_EQ(out.size(), 3u);
    ASSERT_TRUE(std::ranges::is_sorted(out, {}, &Meeting::time));
    ASSERT_LT(out.back().time, 6);
    std::set<Index> ids;
    for (const Meeting& m : out) ids.insert(m.kind);
    ASSERT_EQ(ids.size(), 3u);
    ++seen[ids];
  }
  EXPECT_EQ(seen.size(), 20u);  // 6 choose 3
  for (const auto& [ids, times] : seen)
    EXPECT_NEAR(times, kDraws / 20, 5 * std::sqrt(kDraws / 20.0));
  std::vector<Meeting> earliest, recent, all;
  sample_meetings(history, block, {1, 6}, 5, MeetingSample::kEarliest, {kKey, 1}, earliest);
  EXPECT_EQ(earliest,
            (std::vector<Meeting>{{0, 2, 0}, {1, 2, 1}, {2, 2, 2}, {3, 2, 3}, {4, 2, 4}}));
  sample_meetings(history, block, {1, 6}, 3, MeetingSample::kRecent, {kKey, 1}, recent);
  EXPECT_EQ(recent, (std::vector<Meeting>{{3, 2, 3}, {4, 2, 4}, {5, 2, 5}}));
  sample_meetings(history, block, {1, 6}, 6, MeetingSample::kUniform, {kKey, 1}, all);
  EXPECT_EQ(all.size(), 6u);
}

}  // namespace
}  // namespace cupel
