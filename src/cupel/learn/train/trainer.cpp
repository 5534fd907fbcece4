#include "cupel/learn/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "cupel/engine/kernels/loss.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {

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

// Traces a model's logits and holds the constants that its program names.
struct Traced {
  Builder builder;
  GraphInputs inputs;
  Program program;

  template <class Trace>
  Traced(const TaskView& task, Trace&& trace)
      : inputs(builder, task), program(builder.finish(trace(builder, inputs))) {}
};

// One phase of training: its program, compiled and bound to the rows that are read.
class Phase {
 public:
  template <class Trace>
  Phase(const TaskView& task, Trace&& trace)
      : traced_(std::make_unique<Traced>(task, trace)), evaluated_(compile(program(), false)) {}

  const Program& program() const { return traced_->program; }
  Binding binding(std::vector<Index> rows, ParameterSet& values, ParameterSet* gradients,
                  bool prune = true) const {
    return {traced_->inputs.constants(), std::move(rows), prune, &values, gradients};
  }
  BoundProgram bind_training(Binding binding, Threads threads) const {
    return {compile(program(), true), std::move(binding), threads};
  }
  BoundProgram bind_evaluation(const std::vector<Index>& rows, ParameterSet& values,
                               Threads threads) const {
    return {evaluated_, binding(rows, values, nullptr), threads};
  }

  // Bound when training begins, or when first needed.
  std::unique_ptr<BoundProgram> train, valid, first, test;

  std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for (const auto* bound : {&train, &valid, &first, &test})
      if (*bound != nullptr) bytes += (*bound)->memory_bytes();
    return bytes;
  }

 private:
  std::unique_ptr<Traced> traced_;
  Program evaluated_;
};

kernels::LossValue cross_entropy(ConstDenseView logits, const std::vector<Index>& labels,
                                 DenseView grad) {
  return logits.cols == 1 ? kernels::binary_cross_entropy(logits, labels.data(), grad)
                          : kernels::softmax_cross_entropy(logits, labels.data(), grad);
}

Scores copy_of(ConstDenseView view) {
  Scores scores(view.rows, view.cols);
  for (Index r = 0; r < view.rows; ++r) std::copy_n(view.row(r), view.cols, scores.row(r));
  return scores;
}

class GradientTrainer final : public Trainer::Impl {
 public:
  GradientTrainer(TaskView task, const ModelEntry& entry, const Options& config, TrainRule rule,
                  const std::string& metric, Threads threads)
      : task_(std::move(task)),
        rule_(std::move(rule)),
        threads_(threads),
        model_(entry.trainable(config)),
        metric_(model_->metric_form(metric)),
        train_rows_(task_.train, task_.train_labels),
        valid_rows_(task_.valid, task_.valid_labels),
        phases_(trace_phases()),
        values_(parameters()),
        gradients_(parameters()),
        best_(parameters()),
        adam_(parameters(), config.real("lr"), {rule_.epsilon, rule_.optimizer == "adam-torch"}) {
    enter(phases_.front());
  }

  TrialOutcome run(StreamKey key, std::optional<Clock::time_point> deadline) override {
    initialise(parameters(), key, values_);
    forget_gradients();
    adam_.reset();
    best_.block() = values_.block();
    phase_ = kept_phase_ = 0;
    const bool by_loss = rule_.stop_on == "valid-loss";
    TrialOutcome outcome;
    outcome.metric = metric_;
    double best = by_loss ? -std::numeric_limits<double>::infinity() : 0.0;
    bool any_kept = false;
    int since_best = 0;
    while (outcome.epochs < rule_.max_epochs &&
           (rule_.patience == 0 || since_best < rule_.patience)) {
      if (deadline && Clock::now() >= *deadline) {
        outcome.status = TrialStatus::kTimeout;
        outcome.message = fmt::format("out of time after {} epochs", outcome.epochs);
        return outcome;
      }
      if (model_->second_phase_from() == outcome.epochs) begin_second_phase();
      const double penalty = train_step(key, outcome.epochs);
      const Evaluation now = evaluate(penalty);
      const double value = by_loss ? -now.loss : now.score;
      // Logits that are not numbers can still hit classes: the score alone does not show it.
      const bool number = !std::isnan(now.loss);
      const bool better = number && (rule_.ties_improve ? value >= best : value > best);
      if (better || (number && rule_.keep == "latest-best" && value == best)) {
        keep(outcome, now);
        any_kept = true;
      }
      if (better) best = value;
      since_best = better ? 0 : since_best + 1;
      ++outcome.epochs;
      // Parameters that are not finite stay so: no later epoch can improve.
      if (!std::isfinite(now.loss) && has_non_finite(values_)) {
        outcome.status = TrialStatus::kDiverged;
        outcome.message =
            fmt::format("parameters were not finite after epoch {}; {}", outcome.epochs,
                        rule_.on_divergence == "fail" ? "the run has no score"
                                                      : "scored with the best parameters before");
        break;
      }
      last_ = now;
    }
    if (outcome.status == TrialStatus::kDiverged && rule_.on_divergence == "fail") return outcome;
    if (rule_.keep == "last" && outcome.status == TrialStatus::kOk && outcome.epochs > 0) {
      --outcome.epochs;  // keep() notes the epoch that has just been trained
      keep(outcome, last_);
      ++outcome.epochs;
      any_kept = true;
    }
    values_.block() = best_.block();
    phase_ = kept_phase_;
    if (!any_kept) {
      const Evaluation initial = evaluate(regulariser(parameters(), values_));
      outcome.valid_loss = initial.loss;
      outcome.valid_score = initial.score;
    }
    outcome.test_scores = test_scores();
    return outcome;
  }

  std::size_t memory_bytes() const override {
    std::size_t bytes = 5 * values_.block().size() * sizeof(float);
    for (const Phase& phase : phases_) bytes += phase.memory_bytes();
    return bytes;
  }

 private:
  struct Evaluation {
    double loss = 0, score = 0;
  };

  std::vector<Phase> trace_phases() {
    std::vector<Phase> phases;
    phases.emplace_back(task_, [&](Builder& b, GraphInputs& in) { return model_->logits(b, in); });
    if (model_->second_phase_from())
      phases.emplace_back(
          task_, [&](Builder& b, GraphInputs& in) { return model_->second_logits(b, in); });
    return phases;
  }

  const std::vector<Parameter>& parameters() const { return phases_.front().program().parameters; }

  void enter(Phase& phase) {
    if (phase.train != nullptr) return;
    phase.train = std::make_unique<BoundProgram>(
        phase.bind_training(phase.binding(train_rows_.rows, values_, &gradients_), threads_));
    phase.valid =
        std::make_unique<BoundProgram>(phase.bind_evaluation(valid_rows_.rows, values_, threads_));
  }

  void begin_second_phase() {
    std::vector<Index> all(static_cast<std::size_t>(task_.nodes()));
    std::iota(all.begin(), all.end(), 0);
    BoundProgram first = phases_[0].bind_evaluation(all, values_, threads_);
    first.forward({}, 0);
    model_->begin_second_phase({task_, first.output(), [&](const std::string& name) {
                                  for (std::size_t slot = 0; slot < parameters().size(); ++slot)
                                    if (parameters()[slot].name == name)
                                      return values_.view(static_cast<int>(slot));
                                  throw std::logic_error("[trainer] no parameter " + name);
                                }});
    phase_ = 1;
    enter(phases_[1]);
    forget_gradients();
  }

  // A phase writes the gradients of its own parameters only: those of others must not linger.
  void forget_gradients() { std::fill(gradients_.block().begin(), gradients_.block().end(), 0.0f); }

  // Returns the regulariser at the new parameters.
  double train_step(StreamKey key, int epoch) {
    Phase& phase = phases_[phase_];
    BoundProgram* executor = phase.train.get();
    if (epoch == 0 && model_->first_step_on_all_rows()) {
      if (phase.first == nullptr)
        phase.first = std::make_unique<BoundProgram>(phase.bind_training(
            phase.binding(train_rows_.rows, values_, &gradients_, false), threads_));
      executor = phase.first.get();
    }
    executor->forward(key, static_cast<std::uint32_t>(epoch));
    cross_entropy(executor->output(), train_rows_.labels, executor->output_gradient());
    executor->backward();
    return adam_.step(values_, gradients_, threads_);
  }

  // On the validation nodes, at the current parameters.
  Evaluation evaluate(double penalty) {
    BoundProgram& valid = *phases_[phase_].valid;
    valid.forward({}, 0);
    const auto loss = cross_entropy(valid.output(), valid_rows_.labels, {});
    const double score =
        metric_ == "accuracy" ? static_cast<double>(loss.correct) / valid_rows_.rows.size()
        : loss.finite         ? metric(metric_, copy_of(valid.output()), valid_rows_.labels)
                              : 0.0;
    return {loss.mean_loss + penalty, score};
  }

  void keep(TrialOutcome& outcome, const Evaluation& now) {
    best_.block() = values_.block();
    kept_phase_ = phase_;
    outcome.best_epoch = outcome.epochs;
    outcome.valid_loss = now.loss;
    outcome.valid_score = now.score;
  }

  Scores test_scores() {
    Phase& phase = phases_[phase_];
    if (phase.test == nullptr)
      phase.test =
          std::make_unique<BoundProgram>(phase.bind_evaluation(task_.test, values_, threads_));
    phase.test->forward({}, 0);
    return copy_of(phase.test->output());
  }

  TaskView task_;
  TrainRule rule_;
  Threads threads_;
  std::unique_ptr<TrainableModel> model_;
  std::string metric_;
  LabelledRows train_rows_, valid_rows_;
  std::vector<Phase> phases_;
  ParameterSet values_, gradients_, best_;
  Adam adam_;
  int phase_ = 0, kept_phase_ = 0;
  Evaluation last_;
};

class DirectTrainer final : public Trainer::Impl {
 public:
  DirectTrainer(TaskView task, const ModelEntry& entry, const Options& config, std::string metric)
      : task_(std::move(task)), model_(entry.direct(config)), metric_(std::move(metric)) {}

  TrialOutcome run(StreamKey, std::optional<Clock::time_point>) override {
    DirectModel::Result result = model_->fit_predict(task_);
    TrialOutcome outcome;
    outcome.epochs = result.iterations;
    outcome.best_epoch = result.iterations - 1;
    outcome.metric = metric_;
    outcome.valid_score = metric(metric_, result.valid_scores, task_.valid_labels);
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
  std::string metric_;
};

}  // namespace

Trainer::Trainer(TaskView task, const ModelEntry& model, Options config, TrainRule rule,
                 const std::string& metric, Threads threads) {
  if (model.trainable != nullptr)
    impl_ = std::make_unique<GradientTrainer>(std::move(task), model, config, std::move(rule),
                                              metric, threads);
  else
    impl_ = std::make_unique<DirectTrainer>(std::move(task), model, config, metric);
}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;

TrialOutcome Trainer::run(StreamKey key, std::optional<Clock::time_point> deadline) {
  return impl_->run(key, deadline);
}

std::size_t Trainer::memory_bytes() const { return impl_->memory_bytes(); }

namespace {

bool reads_graph(const Program& program, const Node& node) {
  for (const int input : node.inputs)
    if (program.nodes[input].kind == Node::Kind::kConstant &&
        program.nodes[input].shape.layout == Layout::kSparse)
      return true;
  return false;
}

}  // namespace

std::size_t estimate_memory(const TaskView& task, const ModelEntry& model, const Options& config) {
  std::size_t floats = 4 * static_cast<std::size_t>(task.nodes()) * task.classes();
  if (model.trainable != nullptr) {
    const Traced traced(
        task, [&](Builder& b, GraphInputs& in) { return model.trainable(config)->logits(b, in); });
    const Program& program = traced.program;
    const auto rows_of = [&](const Shape& shape) -> std::size_t {
      if (shape.space == kStaticSpace) return static_cast<std::size_t>(shape.rows);
      const bool entries = program.spaces[shape.space].entries_of >= 0;
      return entries ? static_cast<std::size_t>(task.adjacency().entries() + task.nodes())
                     : static_cast<std::size_t>(task.nodes());
    };
    // Every value and gradient on all rows, once for training and once for evaluation; and the
    // graph for every op that reads it, since each may read other rows: pattern and values, for
    // training also transposed, with the places of its entries.
    const std::size_t cut = static_cast<std::size_t>(task.adjacency().entries() + 4 * task.nodes());
    for (const Node& node : program.nodes)
      if (node.kind == Node::Kind::kOp && reads_graph(program, node)) floats += (6 + 2 + 2) * cut;
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
