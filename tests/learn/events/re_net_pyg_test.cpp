#include "cupel/learn/events/re_net/re_net_pyg.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "cupel/base/checkpoint.h"
#include "cupel/base/error.h"
#include "cupel/learn/events/re_net/re_net_pyg_program.h"
#include "data/facts/made.h"
#include "learn/events/re_net_made.h"
#include "learn/events/re_net_pyg_oracle.h"

namespace cupel {
namespace {

using made::ReNetPygOracle;
using made::re_net::Made;

const StreamKey kKey = stream_key("re-net-pyg test");

HistorySettings tiny() {
  HistorySettings settings{.width = 3, .history = 3, .batch = 7, .dropout = 0};
  settings.logits = 0;  // blocks of four queries
  return settings;
}

void shake(ReNetPyg& model) {
  Stream random(stream_key("shaken"), 2);
  made::re_net::shake(model.values(), random);
}

class ReNetPygOf : public testing::TestWithParam<Index> {};

TEST_P(ReNetPygOf, AnswersAsItsEquationsSay) {
  const Made made(6, GetParam(), 40, 1);
  for (const Offset learnt : {0, 1, 4, 23, 40}) {
    ReNetPyg model(made.world(), tiny(), kKey, {});
    shake(model);
    ReNetPygOracle oracle(model, made.world(), tiny());
    const FactColumns past = made.facts().part(0, learnt);
    model.learn(past);
    oracle.learn(past);
    std::vector<bool> seen(6);
    for (const auto& ends : {past.source, past.target})
      for (const Index entity : ends) seen[static_cast<std::size_t>(entity)] = true;
    for (const std::int64_t later : {0, 1, 40}) {  // facts of the asked time itself, too
      const std::int64_t time = (learnt == 0 ? 1000 : past.time.back()) + later;
      made::expect_answers(model, oracle, made.world(), time, seen,
                           fmt::format("after {}", learnt));
    }
  }
}

TEST_P(ReNetPygOf, LossIsThatOfWhatWasBeforeAndItsGradientEqualsDifferences) {
  const Made made(6, GetParam(), 40, 3);
  for (const bool shared_masks : {false, true}) {
    HistorySettings settings = tiny();
    settings.shared_masks = shared_masks;
    ReNetPyg model(made.world(), settings, kKey, {});
    shake(model);
    model.learn(made.facts());
    // Of several steps, and in several blocks.
    const FactColumns asked = made.facts().part(21, 33);
    ASSERT_GT(asked.time.back(), asked.time.front());
    ReNetPygOracle oracle(model, made.world(), settings);
    oracle.learn(made.facts());
    EXPECT_NEAR(model.loss(asked, 0), oracle.loss(asked), 1e-5);
    made::expect_gradient(model.program(), model.gradients(), oracle.weights,
                          [&] { return oracle.loss(asked); }, {});
  }
}

// Initial values are drawn by place among the parameters: another compiler may not choose it.
TEST(ReNetPyg, ParametersStandInOneOrder) {
  const ReNetPyg model({5, 2, {}, {}}, tiny(), kKey, {});
  std::vector<std::string> expected = {"entities", "relations"};
  for (const std::string end : {"source.", "target."})
    for (const char* of :
         {"gru.received", "gru.bias", "gru.entity", "gru.kind", "gru.state", "gru.state_bias",
          "answer.entity", "answer.state", "answer.kind", "answer.bias"})
      expected.push_back(end + of);
  std::vector<std::string> got;
  for (const Parameter& p : model.program().parameters) got.push_back(p.name);
  EXPECT_EQ(got, expected);
}

// So that nothing is left of a batch before in the parameters of the other end.
TEST(ReNetPyg, WhoIsNotAskedHasNoGradient) {
  Made made(6, 3);
  for (const std::int64_t t : {1, 2, 3, 4})
    for (const Index r : {0, 1}) made.add(0, r, 1, t), made.add(2, r, 1, t);
  ReNetPyg model(made.world(), tiny(), kKey, {});
  shake(model);
  model.learn(made.facts());
  (void)model.loss(made.facts(), 0);
  const FactColumns undirected = made.facts().part(14, 15);
  ASSERT_EQ(undirected.relation_of(0), 1);
  (void)model.loss(undirected, 0);
  for (std::size_t slot = 0; slot < model.program().parameters.size(); ++slot) {
    const std::string& name = model.program().parameters[slot].name;
    const DenseView gradient = model.gradients().view(static_cast<int>(slot));
    const bool none = std::all_of(gradient.data, gradient.data + gradient.rows * gradient.cols,
                                  [](float g) { return g == 0; });
    EXPECT_EQ(none, name.starts_with("target.")) << name;
  }
}

TEST_P(ReNetPygOf, WithMasksLossesDifferAsTheGradientSays) {
  const Made made(30, GetParam(), 300, 6);
  for (const bool shared_masks : {false, true}) {
    SCOPED_TRACE(shared_masks ? "shared masks" : "own masks");
    HistorySettings settings{.width = 20, .history = 4, .dropout = 0.5};
    settings.shared_masks = shared_masks;
    settings.logits = 0;  // blocks of four queries
    ReNetPyg model(made.world(), settings, kKey, {});
    shake(model);
    model.learn(made.facts());
    made::expect_losses_along_gradients(model, made.facts().part(200, 300), 7);
  }
}

TEST_P(ReNetPygOf, FactsMayBeCutAnywhere) {
  const Made made(7, GetParam(), 40, 4);
  const std::int64_t next = made.time.back() + 1;
  const auto after = [&](std::initializer_list<Offset> ends) {
    ReNetPyg model(made.world(), tiny(), kKey, {});
    made::learn_in_pieces(model, made.facts(), ends);
    return made::all_answers(model, made.world(), next);
  };
  const auto whole = after({});
  EXPECT_EQ(whole, after({1}));
  EXPECT_EQ(whole, after({5, 5, 6, 7, 30}));
  ReNetPyg model(made.world(), tiny(), kKey, {});
  for (Offset i = 0; i < made.facts().size(); ++i) {
    model.learn(made.facts().part(i, i + 1));
    (void)made::scores_of(model, made.facts().part(i, i + 1));  // asking changes nothing
  }
  EXPECT_EQ(whole, made::all_answers(model, made.world(), next));
}

TEST_P(ReNetPygOf, ThreadsDoNotChangeBits) {
  const Made made(40, GetParam(), 600, 5);
  std::vector<std::vector<std::vector<float>>> answers;
  for (const int threads : {1, 2, 8}) {
    const HistorySettings settings{
        .width = 20, .history = 4, .batch = 100, .epochs = 2, .drawn_order = true};
    ReNetPyg model(made.world(), settings, kKey, {threads});
    model.fit(made.facts().part(0, 400), made.facts().part(400, 500), {.single_step = false}, {});
    model.learn(made.facts().part(0, 500));
    (void)made::all_answers(model, made.world(), made.time.back() + 1);
    answers.push_back(made::all_answers(model, made.world(), made.time.back() + 2));
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

// A step that was asked about, and did not come to be known, is one without a meeting.
TEST_P(ReNetPygOf, StepsThatAreNotKnownAreEmpty) {
  const Made made(6, GetParam(), 40, 7);
  const std::int64_t now = made.time.back();
  ReNetPyg model(made.world(), tiny(), kKey, {});
  shake(model);
  ReNetPygOracle oracle(model, made.world(), tiny());
  model.learn(made.facts());
  oracle.learn(made.facts());
  std::vector<bool> seen(6, true);
  seen.back() = false;  // Made says so
  for (const bool multi_step : {false, true}) {
    model.tell_multi_step(multi_step);
    std::set<std::int64_t> passed;
    for (const std::int64_t later : {0, 1, 2, 10, 12, 2, 11}) {
      oracle.pass(passed);
      made::expect_answers(model, oracle, made.world(), now + later, seen,
                           multi_step ? "multi-step" : "single-step");
      if (multi_step && later > 0) passed.insert(now + later);
    }
  }
  // They are steps of what comes to be known, or are none.
  Made more(6, GetParam());
  more.add(0, 0, 1, now + 5);
  model.learn(more.facts());
  oracle.learn(more.facts());
  oracle.pass({});
  made::expect_answers(model, oracle, made.world(), now + 11, seen, "after more");
}

// So that what is alike is computed once.
TEST(ReNetPyg, WhatIsAlikeIsThereOnce) {
  Made made(9, 2);
  for (const std::int64_t t : {1, 2, 3, 4, 5, 6}) {
    made.add(0, 0, 1, t);
    if (t > 2) made.add(0, 0, 2, t), made.add(0, 0, 2, t);
    made.add(3, 0, 1, t);
  }
  EventWorld world = made.world();
  world.undirected = {};
  PairHistories past(world);
  past.add(made.facts());
  PairQueryBatch batch(world, 2);
  const Index five = batch.add(past, 5, 0, 0, 0);
  EXPECT_EQ(batch.add(past, 6, 0, 0, 0), five) << "the same was met at the last two steps";
  EXPECT_EQ(batch.add(past, 5, 0, 0, 0), five);
  EXPECT_NE(batch.add(past, 4, 0, 0, 0), five);
  EXPECT_NE(batch.add(past, 6, 0, 0, 1), five) << "a step of which nothing is known";
  EXPECT_NE(batch.add(past, 6, 3, 0, 0), five);
  EXPECT_NE(batch.add(past, 6, 0, 1, 0), five);
  EXPECT_NE(batch.add(past, 6, 1, 2, 0), five);
  EXPECT_EQ(batch.queries().size(), 6u);
  const auto constants = batch.constants();
  const auto of = [&](int end, PairConstants::OfEnd constant) -> const Csr& {
    return *constants[static_cast<std::size_t>(PairConstants::at(end, constant))].sparse;
  };
  // Nothing; {1, 2, 2}; {1}.
  const Csr& contents = of(0, PairConstants::kContentEntities);
  ASSERT_EQ(contents.rows, 3);
  EXPECT_EQ(contents.row_size(0), 0);
  ASSERT_EQ(contents.row_size(1), 2);
  EXPECT_EQ(std::vector<float>(contents.values.begin(), contents.values.begin() + 2),
            (std::vector<float>{1.0f / 3, 2.0f / 3}))
      << "a fact counts as often as it stands";
  EXPECT_EQ(of(0, PairConstants::kGivenEntity).rows, 2);
  EXPECT_EQ(of(0, PairConstants::kHistories).rows, 5);
  EXPECT_EQ(of(1, PairConstants::kHistories).rows, 1);
}

INSTANTIATE_TEST_SUITE_P(Relations, ReNetPygOf, testing::Values(1, 3));

// Each source goes through A, A, B, B, but only in some steps, which nothing tells, by a relation;
// by the other it meets one of them by chance. The last step alone, in half of which it was not
// there, leaves most questions open.
TEST(ReNetPyg, LearnsWhatManyStepsTellAndOneDoesNot) {
  Made made(26, 3);
  Stream random(stream_key("planted"), 1);
  std::vector<int> turn(24);
  for (std::int64_t step = 0; step < 120; ++step)
    for (Index s = 0; s < 24; ++s) {
      if (random.next_below(2) == 0)
        made.add(s, 0, turn[static_cast<std::size_t>(s)]++ % 4 < 2 ? 24 : 25, step);
      if (random.next_below(2) == 0)
        made.add(s, 2, 24 + static_cast<Index>(random.next_below(2)), step);
    }
  const FactColumns facts = made.facts();
  const auto known = std::ranges::lower_bound(made.time, 100) - made.time.begin();
  const auto mean_reciprocal_rank = [&](Index history) {
    HistorySettings settings{.width = 16, .history = history, .batch = 96, .dropout = 0};
    settings.lr = 1e-2, settings.epochs = 30, settings.drawn_order = true;
    ReNetPyg model(made.world(), settings, kKey, {});
    model.fit(facts.part(0, known), {}, {}, {});
    model.learn(facts.part(0, known));
    double sum = 0, count = 0;
    for (Offset i = known; i < facts.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (made.relation[at] == 0) {
        const EventQuery query[] = {{made.source[at], 0, false}};
        made::KeptAnswers answers(26);
        model.rank(made.time[at], query, answers, {});
        const std::vector<float>& row = answers.rows[0];
        const float truth = row[static_cast<std::size_t>(made.target[at])];
        sum += 1.0 / static_cast<double>(1 + std::ranges::count_if(
                                                 row, [&](float score) { return score > truth; }));
        ++count;
      }
      if (i + 1 == facts.size() || made.time[at + 1] != made.time[at])
        model.learn(facts.part(
            std::ranges::lower_bound(made.time, made.time[at]) - made.time.begin(), i + 1));
    }
    return sum / count;
  };
  EXPECT_GT(mean_reciprocal_rank(10), 0.93);
  EXPECT_LT(mean_reciprocal_rank(1), 0.85);
}

TEST(ReNetPyg, RefusesSettings) {
  const EventWorld world{5, 2, {}, {}};
  const auto refused = [&](auto change, const char* words) {
    HistorySettings settings = tiny();
    change(settings);
    try {
      ReNetPyg model(world, settings, kKey, {});
      ADD_FAILURE() << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused([](auto& s) { s.width = 0; }, "re-net-pyg: width is 0; it is from 1 to 1024");
  refused([](auto& s) { s.history = 0; }, "history");
  refused([](auto& s) { s.batch = 0; }, "batch");
  refused([](auto& s) { s.dropout = 1; }, "dropout");
  refused([](auto& s) { s.lr = std::nan(""); }, "lr");
  refused([](auto& s) { s.decay = -1; }, "decay");
  refused([](auto& s) { s.epochs = -1; }, "epochs");
}

TEST(ReNetPyg, SaysThatTrainingDiverged) {
  const Made made(12, 1, 40, 3);
  ReNetPyg model(made.world(), tiny(), kKey, {});
  model.learn(made.facts());
  EXPECT_NO_THROW(model.loss(made.facts(), 0));
  model.values().view(0).data[1] = std::numeric_limits<float>::quiet_NaN();
  try {
    (void)model.loss(made.facts(), 3);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "re-net-pyg: the loss is not finite in step 3 of training; take a smaller lr");
  }
}

TEST(ReNetPyg, StopsWhenAsked) {
  const Made made(12, 1, 100, 3);
  const std::atomic<bool> stop = true;
  RunLimits limits;
  limits.interrupt = &stop;
  ReNetPyg model(made.world(), tiny(), kKey, {});
  EXPECT_THROW(model.fit(made.facts(), {}, {}, limits), Interrupted);
}

// Measures the heap where it is fullest.
class HeapWatch final : public Checkpoint {
 public:
  static std::size_t heap() {
    const auto now = mallinfo2();
    return now.uordblks + now.hblkhd;
  }
  std::string take_up() override { return {}; }
  bool due() const override { return true; }
  void put_down(std::span<const StateBytes>) override { most = std::max(most, heap()); }

  std::size_t most = 0;
};

TEST(ReNetPyg, MemoryIsToldBeforehand) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the heap is another";
#else
  const made::MadeFacts made = made::random_facts(7, 30'000, 2'000, 4, 100);
  const FactColumns facts = made.columns();
  const EventWorld world = {facts.nodes, facts.relations, {}, {}};
  for (const Index width : {4, 40}) {
    HistorySettings settings{.width = width};
    settings.epochs = 1, settings.drawn_order = true, settings.logits = 1 << 20;
    malloc_trim(0);
    const std::size_t before = HeapWatch::heap();
    HeapWatch watch;
    RunLimits limits;
    limits.checkpoint = &watch;
    ReNetPyg model(world, settings, kKey, {1});
    model.fit(facts.part(0, 20'000), facts.part(20'000, 30'000), {}, limits);
    model.learn(facts);
    const std::size_t told = re_net_pyg_bytes(world, settings, facts.size());
    const std::size_t most = std::max(watch.most, HeapWatch::heap()) - before;
    EXPECT_LE(most, told);
    EXPECT_GT(8 * most, told);
  }
#endif
}

}  // namespace
}  // namespace cupel
