#include "cupel/learn/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cupel/engine/kernels/loss.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {

std::string TrainRule::identity() const {
  return fmt::format("adam,max_epochs={},patience={},stop_on={},ties_improve={},on_divergence={}",
                     max_epochs, patience, stop_on, ties_improve, on_divergence);
}

namespace {

// Nodes in ascending order with their labels: what an executor computes and a loss reads.
struct LabelledRows {
  std::vector<Index> rows, labels;

  LabelledRows(const std::vector<Index>& nodes, const std::vector<Index>& node_labels) {
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return nodes[a] < nodes[b]; });
    for (const std::size_t i : order) {
      rows.push_back(nodes[i]);
      labels.push_back(node_labels[i]);
    }
  }
};

}  // namespace

struct Trainer::Impl {
  virtual ~Impl() = default;
  virtual TrialOutcome run(StreamKey key, std::optional<Clock::time_point> deadline) = 0;
  virtual std::size_t memory_bytes() const = 0;
};

namespace {

class GradientTrainer final : public Trainer::Impl {
 public:
  GradientTrainer(TaskView task, const ModelEntry& entry, const Options& config, TrainRule rule,
                  Threads threads)
      : task_(std::move(task)),
        rule_(std::move(rule)),
        threads_(threads),
        model_(entry.trainable(config)),
        inputs_(builder_, task_),
        program_(builder_.finish(model_->logits(builder_, inputs_))),
        evaluated_(compile(program_, false)),
        train_rows_(task_.train, task_.train_labels),
        valid_rows_(task_.valid, task_.valid_labels),
        values_(program_.parameters),
        gradients_(program_.parameters),
        best_(program_.parameters),
        adam_(program_.parameters, config.real("lr")),
        train_(compile(program_, true), binding(train_rows_.rows, &gradients_, true), threads),
        valid_(evaluated_, binding(valid_rows_.rows, nullptr, true), threads) {}

  TrialOutcome run(StreamKey key, std::optional<Clock::time_point> deadline) override {
    initialise(program_.parameters, key, values_);
    adam_.reset();
    best_.block() = values_.block();
    TrialOutcome outcome;
    double best = rule_.stop_on == "valid-loss" ? std::numeric_limits<double>::infinity() : 0.0;
    bool any_improvement = false;
    int since_best = 0;
    while (outcome.epochs < rule_.max_epochs && since_best < rule_.patience) {
      if (deadline && Clock::now() >= *deadline) {
        outcome.status = TrialStatus::kTimeout;
        outcome.message = fmt::format("out of time after {} epochs", outcome.epochs);
        return outcome;
      }
      const double penalty = train_step(key, outcome.epochs);
      valid_.forward(key, 0);
      const auto loss =
          kernels::softmax_cross_entropy(valid_.output(), valid_rows_.labels.data(), {});
      const double valid_loss = loss.mean_loss + penalty;
      const double accuracy = static_cast<double>(loss.correct) / valid_rows_.rows.size();
      const double now = rule_.stop_on == "valid-loss" ? -valid_loss : accuracy;
      const double before = rule_.stop_on == "valid-loss" ? -best : best;
      const bool better = rule_.ties_improve ? now >= before : now > before;
      // Logits that are not numbers can still hit classes: accuracy alone does not show it.
      if (better && !std::isnan(valid_loss)) {
        best = rule_.stop_on == "valid-loss" ? valid_loss : accuracy;
        any_improvement = true;
        since_best = 0;
        best_.block() = values_.block();
        outcome.best_epoch = outcome.epochs;
        outcome.valid_loss = valid_loss;
        outcome.valid_accuracy = accuracy;
      } else {
        ++since_best;
      }
      ++outcome.epochs;
      // Parameters that are not finite stay so: no later epoch can improve.
      if (!std::isfinite(valid_loss) && has_non_finite(values_)) {
        outcome.status = TrialStatus::kDiverged;
        outcome.message =
            fmt::format("parameters were not finite after epoch {}; {}", outcome.epochs,
                        rule_.on_divergence == "fail" ? "the run has no score"
                                                      : "scored with the best parameters before");
        break;
      }
    }
    if (outcome.status == TrialStatus::kDiverged && rule_.on_divergence == "fail") return outcome;
    values_.block() = best_.block();
    if (!any_improvement) evaluate_initial(outcome);
    outcome.test_scores = test_scores();
    return outcome;
  }

  std::size_t memory_bytes() const override {
    std::size_t bytes =
        train_.memory_bytes() + valid_.memory_bytes() + 5 * values_.block().size() * sizeof(float);
    if (first_ != nullptr) bytes += first_->memory_bytes();
    if (test_ != nullptr) bytes += test_->memory_bytes();
    return bytes;
  }

 private:
  Binding binding(const std::vector<Index>& rows, ParameterSet* gradients, bool prune) {
    return {inputs_.constants(), rows, prune, &values_, gradients};
  }

  // Returns the regulariser at the new parameters.
  double train_step(StreamKey key, int epoch) {
    BoundProgram* executor = &train_;
    if (epoch == 0 && model_->first_step_on_all_rows()) {
      if (first_ == nullptr)
        first_ = std::make_unique<BoundProgram>(
            compile(program_, true), binding(train_rows_.rows, &gradients_, false), threads_);
      executor = first_.get();
    }
    executor->forward(key, static_cast<std::uint32_t>(epoch));
    kernels::softmax_cross_entropy(executor->output(), train_rows_.labels.data(),
                                   executor->output_gradient());
    executor->backward();
    return adam_.step(values_, gradients_);
  }

  void evaluate_initial(TrialOutcome& outcome) {
    valid_.forward({}, 0);
    const auto loss =
        kernels::softmax_cross_entropy(valid_.output(), valid_rows_.labels.data(), {});
    outcome.valid_loss = loss.mean_loss + regulariser(program_.parameters, values_);
    outcome.valid_accuracy = static_cast<double>(loss.correct) / valid_rows_.rows.size();
  }

  Scores test_scores() {
    if (test_ == nullptr)
      test_ =
          std::make_unique<BoundProgram>(evaluated_, binding(task_.test, nullptr, true), threads_);
    test_->forward({}, 0);
    const ConstDenseView out = test_->output();
    Scores scores(out.rows, out.cols);
    for (Index r = 0; r < out.rows; ++r) std::copy_n(out.row(r), out.cols, scores.row(r));
    return scores;
  }

  TaskView task_;
  TrainRule rule_;
  Threads threads_;
  std::unique_ptr<TrainableModel> model_;
  Builder builder_;
  GraphInputs inputs_;
  Program program_, evaluated_;
  LabelledRows train_rows_, valid_rows_;
  ParameterSet values_, gradients_, best_;
  Adam adam_;
  BoundProgram train_, valid_;
  std::unique_ptr<BoundProgram> first_, test_;  // made when first needed
};

class DirectTrainer final : public Trainer::Impl {
 public:
  DirectTrainer(TaskView task, const ModelEntry& entry, const Options& config)
      : task_(std::move(task)), model_(entry.direct(config)) {}

  TrialOutcome run(StreamKey, std::optional<Clock::time_point>) override {
    DirectModel::Result result = model_->fit_predict(task_);
    TrialOutcome outcome;
    outcome.epochs = result.iterations;
    outcome.best_epoch = result.iterations - 1;
    outcome.valid_accuracy = accuracy(result.valid_scores, task_.valid_labels);
    outcome.valid_loss =
        kernels::softmax_cross_entropy(result.valid_scores, task_.valid_labels.data(), {})
            .mean_loss;
    outcome.test_scores = std::move(result.test_scores);
    return outcome;
  }

  std::size_t memory_bytes() const override {
    return 4 * static_cast<std::size_t>(task_.nodes()) * task_.classes() * sizeof(float);
  }

 private:
  TaskView task_;
  std::unique_ptr<DirectModel> model_;
};

}  // namespace

Trainer::Trainer(TaskView task, const ModelEntry& model, Options config, TrainRule rule,
                 Threads threads) {
  if (model.trainable != nullptr)
    impl_ =
        std::make_unique<GradientTrainer>(std::move(task), model, config, std::move(rule), threads);
  else
    impl_ = std::make_unique<DirectTrainer>(std::move(task), model, config);
}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;

TrialOutcome Trainer::run(StreamKey key, std::optional<Clock::time_point> deadline) {
  return impl_->run(key, deadline);
}

std::size_t Trainer::memory_bytes() const { return impl_->memory_bytes(); }

std::size_t estimate_memory(const TaskView& task, const ModelEntry& model, const Options& config) {
  std::size_t floats = 4 * static_cast<std::size_t>(task.nodes()) * task.classes();
  if (model.trainable != nullptr) {
    Builder builder;
    GraphInputs inputs(builder, task);
    const Program program = builder.finish(model.trainable(config)->logits(builder, inputs));
    const auto rows_of = [&](const Shape& shape) -> std::size_t {
      if (shape.space == kStaticSpace) return static_cast<std::size_t>(shape.rows);
      const bool entries = program.spaces[shape.space].entries_of >= 0;
      return entries ? static_cast<std::size_t>(task.adjacency().entries() + task.nodes())
                     : static_cast<std::size_t>(task.nodes());
    };
    // Every value and gradient on all rows, once for training and once for evaluation.
    for (const Node& node : program.nodes)
      if (node.kind == Node::Kind::kOp && node.shape.layout == Layout::kDense)
        floats += 3 * rows_of(node.shape) * static_cast<std::size_t>(node.shape.cols);
    for (const Parameter& p : program.parameters)
      floats += 5 * static_cast<std::size_t>(p.rows) * p.cols;
    floats += 4 * static_cast<std::size_t>(feature_entries(task.features()));
  }
  return floats * sizeof(float);
}

}  // namespace cupel
