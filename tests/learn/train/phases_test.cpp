// Selection by a metric, and training in two phases: a model of one logit whose scores of the
// validation nodes are written down beforehand and whose two parameters count steps.
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/engine/program/op.h"
#include "cupel/learn/train/trainer.h"
#include "learn/made_task.h"

namespace cupel {
namespace {

constexpr Index kTrain = 6, kValid = 4;
constexpr double kRate = 0.5;

struct Play {
  std::vector<std::vector<float>> valid;  // scores of the validation nodes by epoch; the last lasts
  std::optional<int> second_from = std::nullopt;
  std::string ranking = "";        // empty: the metric as it is asked for
  std::optional<float> sets = {};  // what a parameter becomes between phases
  std::string set_parameter = "w2";
  Index set_rows = 1;
  // What was seen.
  int evaluations = 0;
  std::vector<float> scores_at_change = {};
};

// Rows of training and test nodes: w. Of the validation nodes: the play's scores.
class PlayedOp final : public Op {
 public:
  explicit PlayedOp(Play* play) : play_(play) {}
  std::string_view name() const override { return "played"; }
  Shape shape(std::span<const Shape> in) const override {
    return {Layout::kDense, in[0].space, 0, 1};
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  void forward(const OpRun& run) const override {
    const DenseView& out = run.out.value;
    const bool validating = run.out.rows->ids[0] == kTrain;
    for (Index r = 0; r < out.rows; ++r) *out.row(r) = run.in[1].value.data[0];
    if (!validating) return;
    const auto epoch = static_cast<std::size_t>(play_->evaluations++);
    const auto& scores = play_->valid[std::min(epoch, play_->valid.size() - 1)];
    for (Index r = 0; r < out.rows; ++r) *out.row(r) = scores[static_cast<std::size_t>(r)];
  }
  void backward(const OpRun& run) const override { run.in[1].grad.data[0] = -1.0f; }

 private:
  Play* play_;
};

// Registry entries are made from plain functions, so the play in force is a global of the tests.
Play* playing = nullptr;

// The first phase trains w1 alone, the second w2 alone.
class PlayedModel final : public TrainableModel {
 public:
  explicit PlayedModel(const Options&) {}
  Value logits(Builder& b, GraphInputs& in) const override { return trace(b, in, 0); }
  Schedule schedule() const override {
    Schedule out = TrainableModel::schedule();
    out.ranking = playing->ranking;
    if (playing->second_from)
      out.phases.push_back(
          {.from = *playing->second_from,
           .logits = [](Builder& b, GraphInputs& in) { return trace(b, in, 1); },
           .start = [](const TaskView&, ConstDenseView scores) { return start(scores); }});
    return out;
  }

 private:
  static std::map<std::string, Matrix> start(ConstDenseView scores) {
    playing->scores_at_change.clear();
    for (Index r = 0; r < scores.rows; ++r) playing->scores_at_change.push_back(*scores.row(r));
    std::map<std::string, Matrix> values;
    if (!playing->sets) return values;
    Matrix& w = values[playing->set_parameter] = Matrix(playing->set_rows, 1);
    std::ranges::fill(w.values, *playing->sets);
    return values;
  }
  static Value trace(Builder& b, GraphInputs& in, int phase) {
    Value w[2];
    for (int i = 0; i < 2; ++i)
      w[i] = b.parameter({.name = "w" + std::to_string(i + 1),
                          .rows = 1,
                          .cols = 1,
                          .init = Parameter::Init::kFill,
                          .fill = {0.0f}});
    return b.add_node(std::make_shared<PlayedOp>(playing), {in.feature_matrix(), w[phase]});
  }
};

const ModelEntry kPlayedEntry = {
    .name = "played",
    .title = "Played",
    .citation = "none",
    .equations = {},
    .disagreements = {},
    .options = {{.name = "lr", .fallback = kRate, .doc = "Rate."}},
    .trainable = [](const Options& o) -> std::unique_ptr<TrainableModel> {
      return std::make_unique<PlayedModel>(o);
    },
};

// Validation nodes are of classes 0, 0, 1, 1.
Trainer trainer_of(Play& play, const TrainRule& rule, const std::string& metric = "roc-auc") {
  playing = &play;
  Dataset data = made_dataset({.nodes = 30, .classes = 2});
  for (Index i = 0; i < kValid; ++i) data.labels()[kTrain + i] = i / 2;
  const Split split = leading_split(data, kTrain, kValid);
  return Trainer(task_of(std::move(data), split).view, kPlayedEntry,
                 Options("played", kPlayedEntry.options, {}), rule, metric);
}

TrialOutcome run(Play& play, const TrainRule& rule, const std::string& metric = "roc-auc") {
  return trainer_of(play, rule, metric).run(stream_key("played"));
}

double test_score(const TrialOutcome& outcome) { return (*outcome.test_scores)(0, 0); }

const std::vector<float> kWorst = {3, 4, 1, 2}, kHalf = {1, 4, 2, 3}, kBetter = {1, 3, 2, 4},
                         kBest = {1, 2, 3, 4};

// Epoch 2 has the better area, epoch 4 the better loss and accuracy.
TEST(Selection, IsByTheMetricAndNothingElse) {
  Play play{.valid = {kWorst, kHalf, {5, 6, 7, 8}, kHalf, {-9, 5, 4, 9}, kHalf}};
  const TrainRule rule = {.max_epochs = 8,
                          .patience = 0,
                          .stop_on = "valid-score",
                          .ties_improve = false,
                          .optimizer = "adam-torch"};
  const TrialOutcome outcome = run(play, rule);
  EXPECT_EQ(outcome.metric, "roc-auc");
  EXPECT_EQ(outcome.epochs, 8);
  EXPECT_EQ(outcome.best_epoch, 2);
  EXPECT_EQ(outcome.valid_score, 1);
  EXPECT_NEAR(test_score(outcome), 3 * kRate, 1e-4);
  // The mean binary cross-entropy of the logits kept.
  const double loss = (5 + 6 + std::log1p(std::exp(-5.0)) + std::log1p(std::exp(-6.0)) +
                       std::log1p(std::exp(-7.0)) + std::log1p(std::exp(-8.0))) /
                      4;
  EXPECT_NEAR(outcome.valid_loss, loss, 1e-6);
  Play again{.valid = play.valid};
  EXPECT_EQ(run(again, rule, "accuracy").best_epoch, 4);
}

TEST(Selection, TheEarliestBestWinsUnlessTiesImproveOrAreKept) {
  const std::vector<std::vector<float>> valid = {kHalf, kBetter, kHalf, kBetter, kWorst};
  const auto best_epoch = [&](bool ties, const std::string& keep) {
    Play play{.valid = valid};
    return run(play, {.max_epochs = 5,
                      .patience = 0,
                      .stop_on = "valid-score",
                      .ties_improve = ties,
                      .keep = keep})
        .best_epoch;
  };
  EXPECT_EQ(best_epoch(false, "best"), 1);
  EXPECT_EQ(best_epoch(true, "best"), 3);
  EXPECT_EQ(best_epoch(false, "latest-best"), 3);
  EXPECT_EQ(best_epoch(false, "last"), 4);
}

// The best so far starts at 0, so that a score of 0 is no improvement where ties are none.
TEST(Selection, AScoreOfZeroIsNotKept) {
  Play play{.valid = {kWorst}};
  const TrainRule rule = {
      .max_epochs = 5, .patience = 0, .stop_on = "valid-score", .ties_improve = false};
  const TrialOutcome outcome = run(play, rule);
  EXPECT_EQ(outcome.best_epoch, -1);
  EXPECT_EQ(outcome.epochs, 5);
  EXPECT_EQ(test_score(outcome), 0);
}

TEST(Selection, IsByTheFormOfTheMetricThatTheModelNames) {
  Play play{.valid = {kBest}, .ranking = "column"};
  EXPECT_EQ(run(play, {.max_epochs = 2}).metric, "roc-auc-column");
}

// Adam of a gradient of -1 from step `first` on, and of 0 before; in double.
double moved(int first, int steps) {
  double w = 0, m = 0, v = 0;
  for (int t = 1; t <= steps; ++t) {
    const double g = t >= first ? 1 : 0;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    if (t >= first)
      w += kRate * (m / (1 - std::pow(0.9, t))) / std::sqrt(v / (1 - std::pow(0.999, t)));
  }
  return w;
}

TEST(TwoPhases, TheSecondTrainsItsOwnParametersAndTheOptimiserGoesOn) {
  Play play{.valid = {kBest}, .second_from = 3};
  const TrialOutcome outcome = run(play, {.max_epochs = 5, .keep = "last"});
  EXPECT_EQ(outcome.epochs, 5);
  // All nodes, as the first phase scores them after its three steps.
  ASSERT_EQ(play.scores_at_change.size(), 30u);
  for (const float score : play.scores_at_change) EXPECT_NEAR(score, 3 * kRate, 1e-4);
  EXPECT_NEAR(test_score(outcome), moved(4, 5), 1e-4);
  EXPECT_GT(std::abs(moved(4, 5) - 2 * kRate), 0.1) << "a fresh optimiser could not be told apart";
}

TEST(TwoPhases, TheChangeSetsParameters) {
  Play play{.valid = {kBest}, .second_from = 3, .sets = 50.0f};
  EXPECT_NEAR(test_score(run(play, {.max_epochs = 5, .keep = "last"})), 50 + moved(4, 5), 1e-3);
}

// What is best may be of either phase, and is scored by the program of its own.
TEST(TwoPhases, ScoresWithThePhaseOfWhatIsKept) {
  const TrainRule rule = {
      .max_epochs = 6, .patience = 0, .stop_on = "valid-score", .ties_improve = false};
  Play early{.valid = {kHalf, kBest, kHalf}, .second_from = 3, .sets = 50.0f};
  const TrialOutcome first = run(early, rule);
  EXPECT_EQ(first.best_epoch, 1);
  EXPECT_EQ(first.epochs, 6);
  EXPECT_NEAR(test_score(first), 2 * kRate, 1e-4);
  // The evaluation of all nodes between the phases begins with a training node: it is none of the
  // validation's.
  Play late{.valid = {kHalf, kHalf, kHalf, kHalf, kBest, kHalf}, .second_from = 3, .sets = 50.0f};
  const TrialOutcome second = run(late, rule);
  EXPECT_EQ(second.best_epoch, 4);
  EXPECT_NEAR(test_score(second), 50 + moved(4, 5), 1e-3);
}

// Gradients of the parameters that a phase does not read are nobody's to write.
TEST(TwoPhases, AnotherRunStartsAfresh) {
  const TrainRule rule = {.max_epochs = 6, .keep = "last"};
  Play play{.valid = {kBest}, .second_from = 3};
  Trainer trainer = trainer_of(play, rule);
  const TrialOutcome first = trainer.run(stream_key("played"));
  const TrialOutcome again = trainer.run(stream_key("played"));
  EXPECT_NEAR(test_score(first), moved(4, 6), 1e-4);
  EXPECT_EQ(test_score(again), test_score(first));
}

TEST(TwoPhases, OnlyParametersThatExistAreSetAndPhasesAscend) {
  const TrainRule rule = {.max_epochs = 5};
  Play unknown{.valid = {kBest}, .second_from = 3, .sets = 1.0f, .set_parameter = "w3"};
  EXPECT_THROW(run(unknown, rule), std::logic_error);
  Play larger{.valid = {kBest}, .second_from = 3, .sets = 1.0f, .set_rows = 2};
  EXPECT_THROW(run(larger, rule), std::logic_error);
  Play at_once{.valid = {kBest}, .second_from = 0};
  EXPECT_THROW(run(at_once, rule), std::logic_error);
}

TEST(TwoPhases, WithoutASecondThereIsOne) {
  Play play{.valid = {kBest}, .second_from = 30};
  EXPECT_NEAR(test_score(run(play, {.max_epochs = 4, .keep = "last"})), 4 * kRate, 1e-4);
  EXPECT_TRUE(play.scores_at_change.empty());
}

}  // namespace
}  // namespace cupel
