// A part of its own stops training; the validation part then only says how good the outcome is.
#include <gtest/gtest.h>

#include "cupel/learn/train/trainer.h"
#include "learn/made_task.h"
#include "learn/train/rings_and_stars.h"

namespace cupel {
namespace {

TrialOutcome trained(const std::shared_ptr<const TaskData>& data, const Split& split,
                     const std::string& model, const TrainRule& rule) {
  const ModelEntry& entry = *find_model(model);
  Trainer trainer(make_task(data, split).view, entry, Options(entry.name, entry.options, {}), rule);
  return trainer.run(stream_key("stopping part"));
}

// Stopped by S and chosen by V is: trained as if S were validation, then scored on V.
void check(const Dataset& made, const Split& four, const std::string& model,
           const TrainRule& rule) {
  const auto data = std::make_shared<const TaskData>(std::make_shared<const Dataset>(made));
  const TrialOutcome both = trained(data, four, model, rule);
  const TrialOutcome by_stopping =
      trained(data, {four.train, four.stopping, four.test}, model, rule);
  EXPECT_EQ(both.epochs, by_stopping.epochs) << model;
  EXPECT_EQ(both.best_epoch, by_stopping.best_epoch);
  EXPECT_EQ(both.test_scores->values, by_stopping.test_scores->values);
  // The validation part in the place of test: the same parameters score it.
  const ClassTask swapped = make_task(data, {four.train, four.stopping, four.valid});
  const ModelEntry& entry = *find_model(model);
  Trainer trainer(swapped.view, entry, Options(entry.name, entry.options, {}), rule);
  const TrialOutcome on_valid = trainer.run(stream_key("stopping part"));
  EXPECT_DOUBLE_EQ(both.valid_score, swapped.test_labels.score("accuracy", *on_valid.test_scores));
  EXPECT_NE(both.valid_loss, by_stopping.valid_loss);
}

TEST(StoppingPart, StopsTrainingOnAGraph) {
  const Dataset data = made_dataset({.nodes = 80});
  Split four = leading_split(data, 20, 20);
  four.stopping.assign(four.test.begin(), four.test.begin() + 20);
  four.test.erase(four.test.begin(), four.test.begin() + 20);
  for (const char* stop_on : {"valid-objective", "valid-loss", "valid-score"})
    for (const char* model : {"gcn", "mlp"})
      check(data, four, model, {.max_epochs = 200, .patience = 10, .stop_on = stop_on});
}

TEST(StoppingPart, StopsTrainingOnASetOfGraphs) {
  const Dataset data = rings_and_stars(60);
  Split four;
  for (Index g = 0; g < 60; ++g) four.parts()[static_cast<std::size_t>(g % 4)]->push_back(g);
  check(data, four, "gin", {.max_epochs = 30, .patience = 5, .batch_size = 8});
}

TEST(StoppingPart, IsPartOfTheDataAndOfTheEstimate) {
  Dataset data = made_dataset({.nodes = 80});
  Split three = leading_split(data, 20, 20), four = three;
  four.stopping = {79};
  four.test.pop_back();
  const auto shared = std::make_shared<const TaskData>(std::make_shared<const Dataset>(data));
  const ModelEntry& gcn = *find_model("gcn");
  const auto bytes = [&](const Split& split) {
    return estimate_memory(make_task(shared, split).view, gcn, Options("gcn", gcn.options, {}), {});
  };
  EXPECT_GT(bytes(four), bytes(three));
  data.stored_splits = {three};
  const std::string before = content_hash(data);
  data.stored_splits.front().stopping = {79};
  EXPECT_NE(content_hash(data), before);
}

}  // namespace
}  // namespace cupel
