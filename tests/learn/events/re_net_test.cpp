#include "cupel/learn/events/re_net/re_net.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cupel/engine/program/pointwise_op.h"
#include "learn/events/re_net_made.h"

namespace cupel {
namespace {

using made::expect_gradient;
using made::ReNetOracle;
using made::re_net::kKey;
using made::re_net::Made;
using made::re_net::shake;
using made::re_net::tiny;

class ReNetOf : public testing::TestWithParam<Index> {};

TEST_P(ReNetOf, AnswersAsItsEquationsSay) {
  const Made made(6, GetParam(), 40, 1);
  for (const Offset learnt : {0, 1, 4, 23, 40}) {
    ReNet model(made.world(), tiny(), kKey, {});
    shake(model);
    ReNetOracle oracle(model, made.world(), tiny());
    const FactColumns past = made.facts().part(0, learnt);
    model.learn(past);
    oracle.learn(past);
    std::vector<bool> seen(6);
    for (Offset i = 0; i < learnt; ++i)
      seen[static_cast<std::size_t>(past.source[static_cast<std::size_t>(i)])] = true,
      seen[static_cast<std::size_t>(past.target[static_cast<std::size_t>(i)])] = true;
    for (const std::int64_t later : {0, 1, 40}) {  // facts of the asked time itself, too
      const std::int64_t time = (learnt == 0 ? 1000 : past.time.back()) + later;
      made::expect_answers(model, oracle, made.world(), time, seen,
                           fmt::format("after {}", learnt));
    }
  }
}

TEST_P(ReNetOf, LossIsThatOfWhatWasBeforeAndItsGradientEqualsDifferences) {
  const Made made(6, GetParam(), 30, 3);
  for (const bool shared_masks : {false, true}) {
    ReNetSettings settings = tiny();
    settings.shared_masks = shared_masks;
    ReNet model(made.world(), settings, kKey, {});
    shake(model);
    model.learn(made.facts());
    // Of several steps, and in several blocks.
    const FactColumns asked = made.facts().part(21, 27);
    ASSERT_GT(asked.time.back(), asked.time.front());
    ReNetOracle oracle(model, made.world(), settings);
    oracle.learn(made.facts());
    oracle.keep_global_states();
    EXPECT_NEAR(model.loss(asked, 0), oracle.loss(asked), 1e-5);
    std::set<std::string> without;
    if (GetParam() == 1)  // there is nothing to choose
      without = {"relation.entity",       "relation.state",          "relation.bias",
                 "relation_gru.state",    "relation_gru.state_bias", "relation_gru.bias",
                 "relation_gru.received", "relation_gru.entity",     "relation_gru.global"};
    expect_gradient(
        model.program(), model.gradients(), oracle.local, [&] { return oracle.loss(asked); },
        without);
  }
}

TEST_P(ReNetOf, WithMasksLossesDifferAsTheGradientSays) {
  const Made made(30, GetParam(), 300, 6);
  const FactColumns asked = made.facts().part(200, 300);
  for (const bool shared_masks : {false, true}) {
    ReNetSettings settings{{.width = 20, .history = 4, .dropout = 0.5}};
    settings.shared_masks = shared_masks;
    settings.logits = 0;  // blocks of four queries
    ReNet model(made.world(), settings, kKey, {});
    SCOPED_TRACE(shared_masks ? "shared masks" : "own masks");
    shake(model);
    model.learn(made.facts());
    made::expect_losses_along_gradients(model, asked, 7);
  }
}

// Masks are drawn by their number in the program: another compiler may not choose it. By what is
// multiplied with what is dropped.
TEST(ReNet, MasksOfTheirOwnStandInOneOrder) {
  ReNetSettings settings = tiny();
  settings.dropout = 0.5, settings.shared_masks = false;
  const ReNet model({5, 2, {}, {}}, settings, kKey, {});
  const Program& program = model.program();
  std::map<std::uint32_t, std::string> got;
  for (const Node& node : program.nodes) {
    if (node.inputs.size() != 2) continue;
    const auto input = [&](std::size_t i) -> const Node& {
      return program.nodes[static_cast<std::size_t>(node.inputs[i])];
    };
    const auto* dropped = dynamic_cast<const Pointwise*>(input(0).op.get());
    if (dropped == nullptr || dropped->spec().drop == 0) continue;
    if (input(1).kind != Node::Kind::kParameter) continue;
    got[dropped->spec().purpose] = program.parameters[static_cast<std::size_t>(input(1).slot)].name;
  }
  std::vector<std::string> names;
  for (const auto& [purpose, name] : got) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"gru.global", "gru.received", "gru.kind", "gru.entity",
                                             "relation_gru.global", "relation_gru.received",
                                             "relation_gru.entity"}));
}

// Where queries share masks, they are lucky or unlucky together: most so with a relation alone.
TEST(ReNet, MasksOfTheirOwnMakeTheLossOfABatchVaryLess) {
  const Made made(30, 1, 300, 6);
  const FactColumns asked = made.facts().part(200, 300);
  std::vector<double> deviations;
  for (const bool shared_masks : {false, true}) {
    ReNetSettings settings{{.width = 20, .history = 4, .dropout = 0.5}};
    settings.shared_masks = shared_masks;
    ReNet model(made.world(), settings, kKey, {});
    shake(model);
    model.learn(made.facts());
    constexpr std::uint32_t kDraws = 400;
    double mean = 0, squares = 0;
    for (std::uint32_t step = 0; step < kDraws; ++step) {
      const double loss = model.loss(asked, step);
      mean += loss / kDraws, squares += loss * loss / kDraws;
    }
    deviations.push_back(std::sqrt(squares - mean * mean));
  }
  // Of so many draws, each has an error of 4 %.
  EXPECT_LT(deviations[0], 0.85 * deviations[1]) << deviations[0] / deviations[1];
}

TEST_P(ReNetOf, GlobalLossAndItsGradient) {
  const Made made(6, GetParam(), 30, 4);
  for (const bool released : {false, true}) {
    ReNetSettings settings = tiny();
    settings.released = released;
    ReNet model(made.world(), settings, kKey, {});
    shake(model);
    model.learn(made.facts());
    ReNetOracle oracle(model, made.world(), settings);
    oracle.learn(made.facts());
    EXPECT_NEAR(model.global().loss(model.past(), 2, 6, 0), oracle.global_loss(2, 6, released),
                1e-5);
    std::set<std::string> without;
    if (released) without = {"target", "target.bias"};
    expect_gradient(
        model.global().program(), model.global().gradients(), oracle.global,
        [&] { return oracle.global_loss(2, 6, released); }, without);
  }
}

TEST_P(ReNetOf, FactsMayBeCutAnywhere) {
  const Made made(7, GetParam(), 40, 4);
  const auto after = [&](std::initializer_list<Offset> ends) {
    ReNet model(made.world(), tiny(), kKey, {});
    made::learn_in_pieces(model, made.facts(), ends);
    return made::all_answers(model, made.world(), made.time.back() + 1);
  };
  const auto whole = after({});
  EXPECT_EQ(whole, after({1}));
  EXPECT_EQ(whole, after({5, 5, 6, 7, 30}));
  ReNet model(made.world(), tiny(), kKey, {});
  for (Offset i = 0; i < made.facts().size(); ++i) {
    model.learn(made.facts().part(i, i + 1));
    // Asking changes nothing.
    const FactColumns next = made.facts().part(i, i + 1);
    (void)made::scores_of(model, next);
  }
  EXPECT_EQ(whole, made::all_answers(model, made.world(), made.time.back() + 1));
}

// Whichever steps are needed, and however few at once.
TEST_P(ReNetOf, StatesOfTheGraphDoNotDependOnWhatElseIsComputed) {
  const Made made(9, GetParam(), 60, 7);
  const auto learnt = [&](Index batch) {
    ReNetSettings settings = tiny();
    settings.global_batch = batch;
    auto model = std::make_unique<ReNet>(made.world(), settings, kKey, Threads{});
    shake(*model);
    model->learn(made.facts());
    return model;
  };
  const auto whole = learnt(1000);
  const Index steps = whole->past().steps();
  const Matrix expected = whole->global().states(whole->past(), steps);
  ASSERT_EQ(expected.rows, steps);
  for (const Index batch : {1, 2, 3, 5}) {
    const auto model = learnt(batch);
    EXPECT_EQ(model->global().known(), 0);
    for (const Index needed : {Index{1}, Index{4}, steps - 1}) {
      const Matrix& states = model->global().states(model->past(), needed);
      EXPECT_GE(model->global().known(), needed);
      EXPECT_LT(model->global().known(), steps) << "the last step is not needed";
      for (Index i = 0; i < needed; ++i)
        for (Index j = 0; j < states.cols; ++j) ASSERT_EQ(states(i, j), expected(i, j)) << i;
    }
    EXPECT_EQ(model->global().states(model->past(), steps).values, expected.values);
  }
}

// Facts of a step that is asked about batch by batch are learnt meanwhile; no history has them.
TEST_P(ReNetOf, TheStateOfAStepThatIsAskedAboutIsNotComputed) {
  Made made(9, GetParam(), 60, 7);
  for (Offset i = 40; i < made.facts().size(); ++i)
    made.time[static_cast<std::size_t>(i)] = made.time[40];
  ReNet learning(made.world(), tiny(), kKey, {}), waiting(made.world(), tiny(), kKey, {});
  for (ReNet* model : {&learning, &waiting}) shake(*model), model->learn(made.facts().part(0, 40));
  const FactColumns last = made.facts().part(40, made.facts().size());
  for (Offset i = 0; i < last.size(); ++i) {
    const FactColumns asked = last.part(i, i + 1);
    const float expected = made::scores_of(waiting, asked)[0],
                score = made::scores_of(learning, asked)[0];
    if (expected != std::numeric_limits<float>::lowest()) {  // both ends were seen before the step
      ASSERT_EQ(score, expected) << i;
    }
    if (i > 0) {
      ASSERT_LT(learning.global().known(), learning.past().steps());
    }
    learning.learn(asked);
  }
}

TEST_P(ReNetOf, ThreadsDoNotChangeBits) {
  const Made made(40, GetParam(), 600, 5);
  std::vector<std::vector<std::vector<float>>> answers;
  for (const int threads : {1, 2, 8}) {
    ReNetSettings settings{{.width = 20, .history = 4, .batch = 100, .epochs = 2}};
    settings.global_epochs = 2;
    ReNet model(made.world(), settings, kKey, {threads});
    model.fit(made.facts().part(0, 400), made.facts().part(400, 500), {.single_step = false}, {});
    model.learn(made.facts().part(0, 500));
    (void)made::all_answers(model, made.world(), made.time.back() + 1);
    answers.push_back(made::all_answers(model, made.world(), made.time.back() + 2));  // predicted
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

// All facts there are, the most likely of each side, by the equations.
TEST_P(ReNetOf, ForetellsTheMostLikelyFacts) {
  const Made made(6, GetParam(), 40, 6);
  ReNetSettings settings = tiny();
  settings.foretold = 60;  // draws of 6 subjects: each comes
  ReNet model(made.world(), settings, kKey, {});
  shake(model);
  model.learn(made.facts());
  ReNetOracle oracle(model, made.world(), settings);
  oracle.learn(made.facts());
  const std::int64_t time = made.time.back() + 1;
  std::set<std::tuple<Index, Index, Index>> expected, got;
  for (const bool targets : {false, true}) {
    std::vector<std::tuple<double, Index, Index, Index>> all;
    const auto subjects = oracle.next(made.time.back(), targets);
    for (Index given = 0; given < 6; ++given) {
      const auto relations =
          oracle.softmax(oracle.logits(given, targets ? made.relations : 0, time, true));
      for (Index r = 0; r < made.relations; ++r) {
        const auto p = oracle.softmax(oracle.logits(given, oracle.kind_of(r, targets), time));
        for (Index e = 0; e < 6; ++e)
          all.emplace_back(-subjects[static_cast<std::size_t>(given)] *
                               relations[static_cast<std::size_t>(r)] *
                               p[static_cast<std::size_t>(e)],
                           targets ? e : given, r, targets ? given : e);
      }
    }
    std::ranges::sort(all);
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 60); ++i)
      expected.insert({std::get<1>(all[i]), std::get<2>(all[i]), std::get<3>(all[i])});
  }
  const FactColumns foretold = model.foretell(time, {});
  for (std::size_t i = 0; i < foretold.source.size(); ++i) {
    EXPECT_EQ(foretold.time[i], time);
    EXPECT_TRUE(got.insert({foretold.source[i], foretold.relation[i], foretold.target[i]}).second);
  }
  EXPECT_EQ(got, expected);

  // As released, what was drawn twice takes the places of others.
  settings.released = true;
  ReNet released(made.world(), settings, kKey, {});
  shake(released);
  released.learn(made.facts());
  EXPECT_LT(released.foretell(time, {}).size(), foretold.size());
}

TEST_P(ReNetOf, WhatIsForetoldIsHistoryUntilMoreIsKnown) {
  const Made made(6, GetParam(), 40, 7);
  const std::int64_t now = made.time.back();
  const auto shaken = [&](Index foretold) {
    ReNetSettings settings = tiny();
    settings.foretold = foretold;
    auto model = std::make_unique<ReNet>(made.world(), settings, kKey, Threads{});
    shake(*model);
    model->learn(made.facts());
    return model;
  };
  const auto answers = [&](ReNet& model, std::int64_t time) {
    return made::all_answers(model, made.world(), time);
  };
  const auto goes_on = shaken(40), told = shaken(40), stays = shaken(0);
  for (ReNet* model : {goes_on.get(), stays.get()}) model->tell_multi_step(true);
  const auto first = answers(*goes_on, now + 1);
  EXPECT_EQ(first, answers(*told, now + 1));
  const auto second = answers(*goes_on, now + 2);
  EXPECT_EQ(second, answers(*goes_on, now + 2));
  EXPECT_NE(second, answers(*told, now + 2)) << "nothing was predicted";
  told->learn(told->foretell(now + 1, {}));
  auto expected = answers(*told, now + 2);
  for (std::size_t row = 0; row < expected.size(); ++row)  // who was predicted was not seen
    for (std::size_t e = 0; e < 6; ++e)
      if (std::isinf(second[row][e])) expected[row][e] = second[row][e];
  EXPECT_EQ(second, expected);
  // Without predicting histories end with what is known.
  EXPECT_EQ(answers(*stays, now + 1), first);
  EXPECT_EQ(answers(*stays, now + 5), first);
  // Then something comes to be known.
  Made more(6, GetParam());
  more.add(0, 0, 1, now + 1);
  const auto plain = shaken(40);
  for (ReNet* model : {goes_on.get(), plain.get()}) model->learn(more.facts());
  EXPECT_EQ(answers(*goes_on, now + 3), answers(*plain, now + 3));
}

INSTANTIATE_TEST_SUITE_P(Relations, ReNetOf, testing::Values(1, 3));

}  // namespace
}  // namespace cupel
