// Runs that are given up: how soon, and that nothing of them stays behind.
#include <gtest/gtest.h>

#include "cupel/learn/graph_kernels/subgraph_matching.h"
#include "cupel/learn/models/nodes/labelprop.h"
#include "cupel/learn/train/trainer.h"
#include "learn/graph_kernels/made_graphs.h"
#include "learn/made_task.h"
#include "learn/models/traced_model.h"
#include "learn/train/bell.h"
#include "learn/train/rings_and_stars.h"

namespace cupel {
namespace {

Trainer ringing_trainer(const ClassTask& task, const TrainRule& rule) {
  const ModelEntry entry = ringing_entry(task.view.graphs() ? Unit::kGraph : Unit::kNode);
  return Trainer(task.view, entry, configure(entry), rule);
}

void expect_same(const TrialOutcome& a, const TrialOutcome& b) {
  EXPECT_EQ(a.test_scores->values, b.test_scores->values);
  EXPECT_EQ(a.valid_loss, b.valid_loss);
  EXPECT_EQ(a.epochs, b.epochs);
}

TEST(Interrupt, TrainingEndsWithTheEpoch) {
  const ClassTask task = made_task();
  const TrainRule rule = {.max_epochs = 40, .patience = 0};
  bell.set(0);
  const TrialOutcome whole = ringing_trainer(task, rule).run(stream_key("a"));
  EXPECT_EQ(bell.passes, 2 * 40 + 1);  // an epoch trains and validates; then the test

  Trainer trainer = ringing_trainer(task, rule);
  for (const int pass : {1, 2, 31, 32, 78}) {
    bell.set(pass);
    EXPECT_THROW((void)trainer.run(stream_key("a"), {{}, &bell.rung}), Interrupted);
    EXPECT_EQ(bell.passes, pass + pass % 2) << "more than the epoch of pass " << pass;
  }
  // With the last epoch the run is done, and so it is kept.
  for (const int pass : {0, 80}) {
    bell.set(pass);
    expect_same(trainer.run(stream_key("a"), {{}, &bell.rung}), whole);
  }
}

TEST(Interrupt, TrainingOnGraphsEndsWithTheBatch) {
  const ClassTask task = rings_and_stars_task(60);
  ASSERT_EQ(task.view.train.size(), 36u);
  const TrainRule rule = {.max_epochs = 6, .patience = 0, .batch_size = 8};  // 5 batches
  bell.set(0);
  const TrialOutcome whole = ringing_trainer(task, rule).run(stream_key("a"));
  EXPECT_EQ(bell.passes, 6 * (5 + 1) + 1);

  Trainer trainer = ringing_trainer(task, rule);
  for (const int pass : {1, 3, 6, 14}) {
    bell.set(pass);
    EXPECT_THROW((void)trainer.run(stream_key("a"), {{}, &bell.rung}), Interrupted);
    EXPECT_EQ(bell.passes, pass) << "more than the batch";
  }
  bell.set(0);
  expect_same(trainer.run(stream_key("a"), {{}, &bell.rung}), whole);
}

TEST(Interrupt, ComesBeforeADeadlineThatHasPassed) {
  bell.set(1);
  Trainer trainer = ringing_trainer(made_task(), {.max_epochs = 5});
  bell.rung = true;
  EXPECT_THROW((void)trainer.run(stream_key("a"), {Clock::now(), &bell.rung}), Interrupted);
  EXPECT_EQ(bell.passes, 0);
}

TEST(Interrupt, LabelPropagationEndsWithTheIteration) {
  const ClassTask task = made_task();
  std::atomic<bool> interrupt = false;
  int steps = 0;
  PropagationStop stop(configure(*find_model("labelprop")));
  const auto step = [&](const Matrix& f, Matrix& next) {
    next = f;
    interrupt = ++steps == 7;
  };
  EXPECT_THROW(
      (void)propagate_labels(task.view, {{}, &interrupt}, stop, one_hot_train(task.view), step),
      Interrupted);
  EXPECT_EQ(steps, 7);
}

TEST(Interrupt, AModelWithoutGradientsIsGivenUpAndCanBeRunAgain) {
  const std::atomic<bool> interrupt = true;
  for (const char* name : {"labelprop", "labelprop-nl", "sm-svm", "sp-svm", "wl-svm"}) {
    const ModelEntry& entry = *find_model(name);
    const auto fresh = [&] {
      return entry.unit == Unit::kGraph ? rings_and_stars_task(60) : made_task();
    };
    const ClassTask task = fresh();
    Trainer trainer(task.view, entry, configure(entry), {});
    EXPECT_THROW((void)trainer.run({}, {{}, &interrupt}), Interrupted) << name;
    expect_same(trainer.run({}), Trainer(fresh().view, entry, configure(entry), {}).run({}));
  }
}

TEST(Interrupt, ReachesTheThreadsOfAKernel) {
  const std::atomic<bool> interrupt = true;
  const MadeLabelledGraphs made = union_of(std::vector<MadeGraph>(40, cycle(8)));
  EXPECT_THROW((void)sm_histograms(made.plain(), 4, {4}, {{}, &interrupt}), Interrupted);
  EXPECT_THROW((void)inner_products(sm_histograms(made.plain(), 4, {4}), {4}, {{}, &interrupt}),
               Interrupted);
}

}  // namespace
}  // namespace cupel
