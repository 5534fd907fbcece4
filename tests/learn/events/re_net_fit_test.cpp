// How RE-Net is trained.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "learn/events/re_net_made.h"

namespace cupel {
namespace {

using made::re_net::kKey;
using made::re_net::kUndirected;
using made::re_net::Made;
using made::re_net::shake;
using made::re_net::tiny;

// Each source goes through A, A, B, B, but only in some steps, which nothing tells. By its last
// step alone, whoever else is in it, half of the questions are open; by the last two, none is.
TEST(ReNet, LearnsWhatTwoStepsTellAndOneDoesNot) {
  Made made(26, 1);
  Stream random(stream_key("planted"), 1);
  std::vector<int> turn(24);
  for (std::int64_t step = 0; step < 120; ++step)
    for (Index s = 0; s < 24; ++s)
      if (random.next_below(2) == 0)
        made.add(s, 0, turn[static_cast<std::size_t>(s)]++ % 4 < 2 ? 24 : 25, step);
  const FactColumns facts = made.facts();
  const auto known = std::ranges::lower_bound(made.time, 100) - made.time.begin();
  const auto mean_reciprocal_rank = [&](Index history) {
    ReNetSettings settings{
        {.width = 16, .history = history, .batch = 96, .dropout = 0, .lr = 1e-2}};
    settings.epochs = 30, settings.global_epochs = 1;
    ReNet model(made.world(), settings, kKey, {});
    model.fit(facts.part(0, known), {}, {}, {});
    model.learn(facts.part(0, known));
    double sum = 0;
    for (Offset i = known; i < facts.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const EventQuery query[] = {{made.source[at], 0, false}};
      made::KeptAnswers answers(26);
      model.rank(made.time[at], query, answers, {});
      const std::vector<float>& row = answers.rows[0];
      sum +=
          1.0 / static_cast<double>(1 + std::ranges::count_if(row, [&](float score) {
                                      return score > row[static_cast<std::size_t>(made.target[at])];
                                    }));
      if (i + 1 == facts.size() || made.time[at + 1] != made.time[at])
        model.learn(facts.part(
            std::ranges::lower_bound(made.time, made.time[at]) - made.time.begin(), i + 1));
    }
    return sum / static_cast<double>(facts.size() - known);
  };
  EXPECT_GT(mean_reciprocal_rank(4), 0.95);
  EXPECT_LT(mean_reciprocal_rank(1), 0.85);
}

// By the ranks that rank() gives, with the time filter.
TEST(ReNet, ChoosesByMeanReciprocalRank) {
  const Made made(9, 3, 90, 8);
  ReNetSettings settings = tiny();
  settings.valid_facts = 1000;
  ReNet model(made.world(), settings, kKey, {}), other(made.world(), settings, kKey, {});
  for (ReNet* m : {&model, &other}) shake(*m), m->learn(made.facts().part(0, 50));
  const FactColumns valid = made.facts().part(50, made.facts().size());
  double sum = 0, count = 0;
  for (Offset begin = 0; begin < valid.size();) {
    Offset end = begin;
    while (end < valid.size() &&
           valid.time[static_cast<std::size_t>(end)] == valid.time[static_cast<std::size_t>(begin)])
      ++end;
    for (Offset i = begin; i < end; ++i)
      for (const bool source_asked : {false, true}) {
        const auto ends = [&](Offset f) {
          const auto at = static_cast<std::size_t>(f);
          return source_asked ? std::pair(valid.target[at], valid.source[at])
                              : std::pair(valid.source[at], valid.target[at]);
        };
        const Index r = valid.relation_of(i);
        const std::vector<EventQuery> query = {{ends(i).first, r, source_asked}};
        made::KeptAnswers answers(9);
        other.rank(valid.time[static_cast<std::size_t>(i)], query, answers, {});
        std::set<Index> truths;
        for (Offset j = begin; j < end; ++j) {
          if (valid.relation_of(j) != r) continue;
          if (ends(j).first == ends(i).first) truths.insert(ends(j).second);
          if (is_undirected(kUndirected, r) && ends(j).second == ends(i).first)
            truths.insert(ends(j).first);
        }
        const auto& row = answers.rows[0];
        const auto truth = static_cast<std::size_t>(ends(i).second);
        double above = 0;
        for (Index e = 0; e < 9; ++e)
          if (!truths.contains(e)) {
            const float score = row[static_cast<std::size_t>(e)];
            above += score > row[truth] ? 1.0 : score == row[truth] ? 0.5 : 0.0;
          }
        sum += 1 / (1 + above), ++count;
      }
    other.learn(valid.part(begin, end));
    begin = end;
  }
  EXPECT_NEAR(model.validate(valid, {}), sum / count, 1e-9);
}

// Steps too small to be seen leave the mean loss of an epoch, which does not depend on who shares a
// batch, so that it tells whether each fact came once. Batches of everything are alike in any
// order.
TEST(ReNet, ADrawnOrderTakesEachFactOnce) {
  const Made made(9, 3, 90, 8);
  const auto of = [&](bool drawn, Index batch, double lr) {
    ReNetSettings settings = tiny();
    settings.drawn_order = drawn, settings.batch = batch, settings.lr = lr;
    ReNet model(made.world(), settings, kKey, {});
    shake(model);
    std::vector<double> losses;
    for (int epoch = 0; epoch < 3; ++epoch) losses.push_back(model.train_epoch(made.facts(), {}));
    return losses;
  };
  const std::vector<double> by_time = of(false, 7, 1e-12), drawn = of(true, 7, 1e-12);
  for (int epoch = 0; epoch < 3; ++epoch)
    EXPECT_NEAR(drawn[static_cast<std::size_t>(epoch)], by_time[static_cast<std::size_t>(epoch)],
                1e-5);
  EXPECT_EQ(of(true, 1000, 1e-2), of(false, 1000, 1e-2));
  EXPECT_NE(of(true, 7, 1e-2), of(false, 7, 1e-2));
}

TEST(ReNet, RefusesSettings) {
  const EventWorld world{5, 2, {}, {}};
  const auto refused = [&](auto change, const char* word) {
    ReNetSettings settings = tiny();
    change(settings);
    try {
      ReNet model(world, settings, kKey, {});
      ADD_FAILURE() << word;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused([](auto& s) { s.width = 7; }, "even");
  refused([](auto& s) { s.width = 0; }, "width");
  refused([](auto& s) { s.history = 0; }, "history");
  refused([](auto& s) { s.batch = 0; }, "batch");
  refused([](auto& s) { s.dropout = 1; }, "dropout");
  refused([](auto& s) { s.lr = std::nan(""); }, "lr");
  refused([](auto& s) { s.decay = -1; }, "decay");
  refused([](auto& s) { s.epochs = -1; }, "epochs");
  refused([](auto& s) { s.global_batch = 0; }, "global_batch");
  refused([](auto& s) { s.foretold = 20000; }, "foretold");
}

TEST(ReNet, SaysThatTrainingDiverged) {
  const Made made(12, 1, 40, 3);
  ReNet model(made.world(), tiny(), kKey, {});
  model.learn(made.facts());
  EXPECT_NO_THROW(model.loss(made.facts(), 0));
  model.values().view(3).data[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(model.loss(made.facts(), 0), Error);
}

TEST(ReNet, StopsWhenAsked) {
  const Made made(12, 1, 100, 3);
  const std::atomic<bool> stop = true;
  RunLimits limits;
  limits.interrupt = &stop;
  ReNet model(made.world(), tiny(), kKey, {});
  EXPECT_THROW(model.fit(made.facts(), {}, {}, limits), Interrupted);
}

}  // namespace
}  // namespace cupel
