#include "cupel/learn/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/engine/kernels/loss.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/train/feed.h"

namespace cupel {

struct Trainer::Impl {
  virtual ~Impl() = default;
  virtual TrialOutcome run(StreamKey key, const RunLimits& limits) = 0;
  virtual std::size_t memory_bytes() const = 0;

  std::atomic<int> epochs = -1;  // for who watches; nothing is decided by it
};

namespace {

class GradientTrainer final : public Trainer::Impl {
 public:
  GradientTrainer(TaskView task, const ModelEntry& entry, const Options& config, TrainRule rule,
                  const std::string& metric, Threads threads)
      : rule_(std::move(rule)),
        model_(entry.trainable(config)),
        metric_(model_->metric_form(metric)),
        feed_(task.graphs() ? make_graph_feed(task, *model_, rule_, metric_, threads)
                            : make_node_feed(task, *model_, metric_, threads)),
        adam_(feed_->parameters(), config.real("lr"),
              {rule_.epsilon, rule_.optimizer == "adam-torch"}),
        learning_rate_(config.real("lr")) {}

  TrialOutcome run(StreamKey key, const RunLimits& limits) override {
    feed_->restart(key);
    feed_->obey(limits);
    adam_.reset();
    const bool by_loss = rule_.stop_on != "valid-score";
    TrialOutcome outcome;
    outcome.metric = metric_;
    epochs = 0;
    double best = by_loss ? -std::numeric_limits<double>::infinity() : 0.0;
    bool any_kept = false;
    int since_best = 0;
    while (outcome.epochs < rule_.max_epochs &&
           (rule_.patience == 0 || since_best < rule_.patience)) {
      limits.throw_if_interrupted();
      if (limits.deadline && Clock::now() >= *limits.deadline) {
        outcome.status = TrialStatus::kTimeout;
        outcome.message = fmt::format("out of time after {} epochs", outcome.epochs);
        return outcome;
      }
      adam_.set_learning_rate(learning_rate_at(outcome.epochs));
      const double penalty = feed_->train(key, outcome.epochs, adam_);
      const Feed::Evaluation now = validate(key, outcome.epochs, penalty);
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
      epochs.store(outcome.epochs, std::memory_order_relaxed);
      // Parameters that are not finite stay so: no later epoch can improve.
      if (!std::isfinite(now.loss) && has_non_finite(feed_->values())) {
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
    feed_->recall();
    if (!any_kept) {
      const Feed::Evaluation initial =
          validate(key, outcome.epochs, regulariser(feed_->parameters(), feed_->values()));
      outcome.valid_loss = initial.loss;
      outcome.valid_score = initial.score;
    }
    outcome.test_scores = feed_->test(key);
    return outcome;
  }

  std::size_t memory_bytes() const override { return feed_->memory_bytes(); }

 private:
  double learning_rate_at(int epoch) const {
    return rule_.decay_every == 0
               ? learning_rate_
               : learning_rate_ * std::pow(rule_.decay, epoch / rule_.decay_every);
  }

  Feed::Evaluation validate(StreamKey key, int epoch, double penalty) {
    Feed::Evaluation now = feed_->validate(key, epoch);
    if (rule_.stop_on != "valid-loss") now.loss += penalty;
    return now;
  }

  void keep(TrialOutcome& outcome, const Feed::Evaluation& now) {
    feed_->keep();
    outcome.best_epoch = outcome.epochs;
    outcome.valid_loss = now.loss;
    outcome.valid_score = now.score;
  }

  TrainRule rule_;
  std::unique_ptr<TrainableModel> model_;
  std::string metric_;
  std::unique_ptr<Feed> feed_;
  Adam adam_;
  double learning_rate_;
  Feed::Evaluation last_;
};

class DirectTrainer final : public Trainer::Impl {
 public:
  DirectTrainer(TaskView task, const ModelEntry& entry, const Options& config, std::string metric)
      : task_(std::move(task)), model_(entry.direct(config)), metric_(std::move(metric)) {}

  TrialOutcome run(StreamKey, const RunLimits& limits) override {
    TrialOutcome outcome;
    DirectModel::Result result;
    try {
      result = model_->fit_predict(task_, limits);
    } catch (const TimedOut& late) {
      outcome.status = TrialStatus::kTimeout;
      outcome.message = late.what();
      return outcome;
    }
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
    return 4 * static_cast<std::size_t>(task_.examples()) * task_.classes() * sizeof(float);
  }

 private:
  TaskView task_;
  std::unique_ptr<DirectModel> model_;
  std::string metric_;
};

}  // namespace

Trainer::Trainer(TaskView task, const ModelEntry& model, Options config, TrainRule rule,
                 const std::string& metric, Threads threads) {
  check_examples(model, task);
  if (!task.graphs() && rule.loss == "binary-cross-entropy")
    fail("loss \"binary-cross-entropy\" is for sets of graphs, and data set '{}' is one graph",
         task.name());
  if (model.trainable != nullptr)
    impl_ = std::make_unique<GradientTrainer>(std::move(task), model, config, std::move(rule),
                                              metric, threads);
  else
    impl_ = std::make_unique<DirectTrainer>(std::move(task), model, config, metric);
}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;

TrialOutcome Trainer::run(StreamKey key, const RunLimits& limits) {
  return impl_->run(key, limits);
}

int Trainer::epochs() const { return impl_->epochs.load(std::memory_order_relaxed); }

std::size_t Trainer::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace cupel
