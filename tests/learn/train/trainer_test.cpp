#include "cupel/learn/train/trainer.h"

#include <gtest/gtest.h>

#include "learn/train/scripted_model.h"

namespace cupel {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The shape of TaskView is what seals test labels.
template <class T>
constexpr bool kHasTestLabels = requires(T t) {
  t.test_labels;
}
|| requires(T t) { t.labels(); }
|| requires(T t) { t.data(); };
static_assert(!kHasTestLabels<TaskView>);
static_assert(!std::is_constructible_v<Trainer, ClassTask, ModelEntry, Options, TrainRule>);

TEST(EarlyStopping, StopsWhenPatienceIsUsedUpAndRestoresTheBest) {
  Script script{.losses = {0.9, 0.7, 0.8, 0.75, 0.72, 0.71}};
  const TrialOutcome outcome = play(script, {.patience = 3});
  EXPECT_EQ(outcome.status, TrialStatus::kOk);
  EXPECT_EQ(outcome.epochs, 5);  // the best, then three without improvement
  EXPECT_EQ(outcome.best_epoch, 1);
  EXPECT_NEAR(outcome.valid_loss, 0.7, 1e-6);
  EXPECT_NEAR(steps_kept(outcome), 2, 1e-3);
}

TEST(EarlyStopping, AnImprovementStartsTheCountAgain) {
  Script script{.losses = {0.9, 1.0, 1.0, 0.8, 1.0, 1.0, 0.7, 1.0, 1.0, 1.0}};
  const TrialOutcome outcome = play(script, {.patience = 3});
  EXPECT_EQ(outcome.epochs, 10);
  EXPECT_EQ(outcome.best_epoch, 6);
}

TEST(EarlyStopping, TiesImproveOrNotAsTheRuleSays) {
  Script with{.losses = {0.9, 0.7, 0.7, 0.7, 0.8}}, without = with;
  const TrialOutcome ties = play(with, {.patience = 3, .ties_improve = true});
  EXPECT_EQ(ties.best_epoch, 3);
  EXPECT_EQ(ties.epochs, 7);
  EXPECT_NEAR(steps_kept(ties), 4, 1e-3);
  const TrialOutcome strict = play(without, {.patience = 3, .ties_improve = false});
  EXPECT_EQ(strict.best_epoch, 1);
  EXPECT_EQ(strict.epochs, 5);
  EXPECT_NEAR(steps_kept(strict), 2, 1e-3);
}

TEST(EarlyStopping, ALossThatIsNotANumberNeverImproves) {
  Script script{.losses = {kNan, 0.9, kNan, kNan, 0.8, kNan}};
  const TrialOutcome outcome = play(script, {.patience = 3});
  EXPECT_EQ(outcome.status, TrialStatus::kOk);  // the parameters stayed finite
  EXPECT_EQ(outcome.best_epoch, 4);
  EXPECT_EQ(outcome.epochs, 8);
}

TEST(EarlyStopping, WithoutAnyImprovementTheInitialParametersAreScored) {
  Script script{.losses = {kNan}};
  const TrialOutcome outcome = play(script, {.patience = 50});
  EXPECT_EQ(outcome.epochs, 50);
  EXPECT_EQ(outcome.best_epoch, -1);
  EXPECT_EQ(steps_kept(outcome), 0);
}

TEST(EarlyStopping, EndsAtMaxEpochs) {
  Script script{.losses = {0.9, 0.8, 0.7, 0.6, 0.5, 0.4}};
  const TrialOutcome outcome = play(script, {.max_epochs = 4});
  EXPECT_EQ(outcome.epochs, 4);
  EXPECT_EQ(outcome.best_epoch, 3);
  EXPECT_NEAR(steps_kept(outcome), 4, 1e-3);
}

TEST(EarlyStopping, PatienceOfZeroNeverStops) {
  Script script{.losses = {0.9, 0.7, 0.8}};
  const TrialOutcome outcome = play(script, {.max_epochs = 60, .patience = 0});
  EXPECT_EQ(outcome.epochs, 60);
  EXPECT_EQ(outcome.best_epoch, 1);
  EXPECT_NEAR(steps_kept(outcome), 2, 1e-3);
}

// Later ties are kept, yet the count of epochs without improvement goes on.
TEST(Kept, LatestBestIsThatOfTheLastTie) {
  const std::vector<double> losses = {0.9, 0.7, 0.8, 0.7, 0.7, 0.75};
  const TrainRule rule = {.patience = 4, .ties_improve = false, .keep = "latest-best"};
  Script script{.losses = losses};
  const TrialOutcome latest = play(script, rule);
  EXPECT_EQ(latest.best_epoch, 4);
  EXPECT_EQ(latest.epochs, 6);
  EXPECT_NEAR(latest.valid_loss, 0.7, 1e-6);
  EXPECT_NEAR(steps_kept(latest), 5, 1e-3);
  Script again{.losses = losses};
  TrainRule best = rule;
  best.keep = "best";
  const TrialOutcome first = play(again, best);
  EXPECT_EQ(first.best_epoch, 1);
  EXPECT_EQ(first.epochs, 6);
  EXPECT_NEAR(steps_kept(first), 2, 1e-3);
}

TEST(Kept, LastIsWhateverTrainingEndsWith) {
  Script script{.losses = {0.9, 0.7, 0.8, 0.75, 0.72}};
  const TrialOutcome outcome = play(script, {.patience = 3, .keep = "last"});
  EXPECT_EQ(outcome.epochs, 5);  // stopped as ever
  EXPECT_EQ(outcome.best_epoch, 4);
  EXPECT_NEAR(outcome.valid_loss, 0.72, 1e-6);
  EXPECT_NEAR(steps_kept(outcome), 5, 1e-3);
}

// There is no last to keep: what is kept is what was best before.
TEST(Kept, LastOfARunThatDivergesIsTheBestBefore) {
  Script script{.losses = {0.9, 0.7, 0.8, kNan}, .nan_gradient_from = 3};
  const TrialOutcome outcome = play(script, {.patience = 10, .keep = "last"});
  EXPECT_EQ(outcome.status, TrialStatus::kDiverged);
  EXPECT_EQ(outcome.best_epoch, 1);
  EXPECT_NEAR(steps_kept(outcome), 2, 1e-3);
}

// Losses below log 2 put all validation nodes right, those above none.
TEST(EarlyStopping, OnAccuracyLooksAtNothingElse) {
  Script script{.losses = {0.9, 0.5, 0.9, 0.3, 0.9}};
  const TrialOutcome ties = play(script, {.patience = 2, .stop_on = "valid-score"});
  EXPECT_EQ(ties.best_epoch, 3);
  EXPECT_EQ(ties.epochs, 6);
  EXPECT_EQ(ties.valid_score, 1);
  Script again{.losses = {0.9, 0.5, 0.9, 0.3, 0.9}};
  const TrialOutcome strict =
      play(again, {.patience = 2, .stop_on = "valid-score", .ties_improve = false});
  EXPECT_EQ(strict.best_epoch, 1);
  EXPECT_EQ(strict.epochs, 4);
  EXPECT_NEAR(strict.valid_loss, 0.5, 1e-6);
}

// Cross-entropy stays, |w| grows: with its regulariser the loss gets worse from the first epoch on.
TEST(ValidationLoss, ContainsTheRegulariserAtTheNewParameters) {
  Script plain{.losses = {0.7}}, regularised{.losses = {0.7}, .l2 = 0.2};
  EXPECT_EQ(play(plain, {.max_epochs = 20, .patience = 5}).best_epoch, 19);
  const TrialOutcome outcome = play(regularised, {.patience = 5});
  EXPECT_EQ(outcome.best_epoch, 0);
  EXPECT_EQ(outcome.epochs, 6);
  EXPECT_NEAR(outcome.valid_loss, 0.7 + 0.5 * 0.2 * 0.5 * 0.5, 1e-4);
}

// The same two trainings, stopped on what does not grow: parameters are as regularised as before.
TEST(ValidationLoss, LeavesTheRegulariserOutWhereTheRuleSaysSo) {
  Script regularised{.losses = {0.7}, .l2 = 0.2};
  const TrialOutcome outcome =
      play(regularised, {.max_epochs = 20, .patience = 5, .stop_on = "valid-loss"});
  EXPECT_EQ(outcome.best_epoch, 19);
  EXPECT_EQ(outcome.epochs, 20);
  EXPECT_NEAR(outcome.valid_loss, 0.7, 1e-6);
  // Nothing is kept of a run that reaches no number: its loss is that of the initial parameters.
  Script diverges{.losses = {kNan, 0.7}, .nan_gradient_from = 0, .l2 = 0.2};
  const TrialOutcome initial =
      play(diverges, {.max_epochs = 20, .patience = 5, .stop_on = "valid-loss"});
  EXPECT_EQ(initial.best_epoch, -1);
  EXPECT_NEAR(initial.valid_loss, 0.7, 1e-6);
}

TEST(Divergence, EndsTheRunWithTheBestParametersBefore) {
  Script script{.losses = {0.9, 0.7, kNan}, .nan_gradient_from = 2};
  const TrialOutcome outcome = play(script, {.patience = 10});
  EXPECT_EQ(outcome.status, TrialStatus::kDiverged);
  EXPECT_NE(outcome.message.find("epoch 3"), std::string::npos) << outcome.message;
  EXPECT_EQ(outcome.epochs, 3);
  EXPECT_EQ(outcome.best_epoch, 1);
  EXPECT_NEAR(steps_kept(outcome), 2, 1e-3);
}

TEST(Divergence, GivesNoScoreWhereTheRuleSaysFail) {
  Script script{.losses = {0.9, 0.7, kNan}, .nan_gradient_from = 2};
  const TrialOutcome outcome = play(script, {.patience = 10, .on_divergence = "fail"});
  EXPECT_EQ(outcome.status, TrialStatus::kDiverged);
  EXPECT_FALSE(outcome.test_scores.has_value());
}

// Logits that are not numbers all point to class 0, which is right here: that is not accuracy.
TEST(Divergence, IsNoImprovementOfAccuracyEither) {
  Script script{.losses = {0.5, kNan}, .nan_gradient_from = 1};
  const TrialOutcome outcome = play(script, {.patience = 10, .stop_on = "valid-score"});
  EXPECT_EQ(outcome.status, TrialStatus::kDiverged);
  EXPECT_EQ(outcome.best_epoch, 0);
  EXPECT_NEAR(steps_kept(outcome), 1, 1e-3);
}

TEST(Deadline, IsATimeoutWithoutScores) {
  Script script{.losses = {0.9}};
  const TrialOutcome outcome =
      play(script, {}, {.deadline = Clock::now() - std::chrono::seconds(1)});
  EXPECT_EQ(outcome.status, TrialStatus::kTimeout);
  EXPECT_FALSE(outcome.message.empty());
  EXPECT_FALSE(outcome.test_scores.has_value());
}

TEST(Deadline, EndsARunThatWouldNotEnd) {
  Script script{.losses = {0.9}};  // ties improve for ever
  const TrialOutcome outcome =
      play(script, {}, {.deadline = Clock::now() + std::chrono::milliseconds(20)});
  EXPECT_EQ(outcome.status, TrialStatus::kTimeout);
  EXPECT_GT(outcome.epochs, 0);
}

TEST(FirstStep, ComputesAllRowsWhereTheModelWantsIt) {
  Script script{.losses = {0.9}, .all_rows_first = true};
  (void)play(script, {.max_epochs = 3});
  EXPECT_EQ(script.rows_trained, (std::vector<Index>{30, 6, 6}));
  Script pruned{.losses = {0.9}};
  (void)play(pruned, {.max_epochs = 3});
  EXPECT_EQ(pruned.rows_trained, (std::vector<Index>{6, 6, 6}));
}

TEST(Trial, IsAPureFunctionOfItsKey) {
  const ClassTask task = made_task();
  const ModelEntry& gcn = *find_model("gcn");
  const Options options("gcn", gcn.options, {});
  Trainer trainer(task.view, gcn, options, {.max_epochs = 30});
  const auto first = trainer.run(stream_key("a"));
  const auto other = trainer.run(stream_key("b"));
  const auto again = trainer.run(stream_key("a"));
  Trainer fresh(task.view, gcn, options, {.max_epochs = 30});
  const auto alone = fresh.run(stream_key("a"));
  EXPECT_EQ(first.test_scores->values, again.test_scores->values);
  EXPECT_EQ(first.test_scores->values, alone.test_scores->values);
  EXPECT_EQ(first.valid_loss, again.valid_loss);
  EXPECT_EQ(first.epochs, alone.epochs);
  EXPECT_NE(first.test_scores->values, other.test_scores->values);
}

// Scores belong to the nodes in the order of the split, which need not ascend.
TEST(Trial, ScoresFollowTheOrderOfTheSplit) {
  const Dataset data = made_dataset();
  Split split = leading_split(data, 20, 20), turned = split;
  std::reverse(turned.train.begin(), turned.train.end());
  std::reverse(turned.valid.begin(), turned.valid.end());
  const ModelEntry& gcn = *find_model("gcn");
  const auto run = [&](const Split& s) {
    Trainer trainer(task_of(data, s).view, gcn, Options("gcn", gcn.options, {}),
                    {.max_epochs = 20});
    return trainer.run(stream_key("a"));
  };
  const auto a = run(split), b = run(turned);
  EXPECT_EQ(a.test_scores->values, b.test_scores->values);
  EXPECT_EQ(a.valid_score, b.valid_score);
}

TEST(Trial, ReportsTheValidationAccuracyOfWhatItKeeps) {
  const ClassTask task = made_task();
  const ModelEntry& labelprop = *find_model("labelprop");
  const Options options("labelprop", labelprop.options, {});
  Trainer trainer(task.view, labelprop, options, {});
  const auto outcome = trainer.run({});
  const auto direct = labelprop.direct(options)->fit_predict(task.view);
  int right = 0;
  for (Index r = 0; r < direct.valid_scores.rows; ++r) {
    const float* row = direct.valid_scores.row(r);
    right += std::max_element(row, row + 3) - row == task.view.valid_labels[r];
  }
  EXPECT_DOUBLE_EQ(outcome.valid_score, right / 20.0);
  EXPECT_EQ(outcome.test_scores->values, direct.test_scores.values);
}

}  // namespace
}  // namespace cupel
