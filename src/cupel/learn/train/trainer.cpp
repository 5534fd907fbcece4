#include "cupel/learn/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "cupel/base/checkpoint.h"
#include "cupel/base/error.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/task_kind.h"
#include "cupel/learn/train/feed.h"

namespace cupel {

struct Trainer::Impl {
  virtual ~Impl() = default;
  virtual TrialOutcome run(StreamKey key, const RunLimits& limits, ScoreSink& test) = 0;
  virtual std::size_t memory_bytes() const = 0;

  std::atomic<int> epochs = -1;  // for who watches; nothing is decided by it
};

namespace {

class GradientTrainer final : public Trainer::Impl {
 public:
  GradientTrainer(const std::shared_ptr<const View>& view, const ModelEntry& entry,
                  const Options& config, TrainRule rule, const std::string& metric, Threads threads)
      : rule_(std::move(rule)),
        model_(entry.trainable(config)),
        schedule_(model_->schedule()),
        metric_(form_of_metric(metric, schedule_.ranking)),
        feed_(view->kind().feed(view, schedule_, {entry, config, rule_, metric_, threads})),
        adam_(feed_->parameters(), config.real("lr"),
              {rule_.epsilon, rule_.optimizer == "adam-torch"}),
        learning_rate_(config.real("lr")) {
    adam_.clip(rule_.clip_norm);
  }

  TrialOutcome run(StreamKey key, const RunLimits& limits, ScoreSink& test) override {
    feed_->restart(key);
    feed_->obey(limits);
    adam_.reset();
    const bool by_loss = rule_.stop_on != "valid-score";
    const bool larger_is_better = scale_of_metric(metric_).larger_is_better;
    TrialOutcome outcome;
    outcome.metric = metric_;
    // Runs were kept that began from a score of 0, which is then no improvement.
    double best = !by_loss && larger_is_better ? 0.0 : -std::numeric_limits<double>::infinity();
    bool any_kept = false;
    int since_best = 0;
    State state;
    for (int* one : {&outcome.epochs, &outcome.best_epoch, &since_best}) state.add(*one);
    for (double* one :
         {&outcome.valid_loss, &outcome.valid_score, &best, &last_.loss, &last_.score})
      state.add(*one);
    state.add(any_kept);
    feed_->add_to(state);
    adam_.add_to(state);
    if (state.take_up(limits.checkpoint)) feed_->taken_up();
    epochs = outcome.epochs;
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
      const Feed::Evaluation now = with_penalty(feed_->watch(key, outcome.epochs), penalty);
      const double value = by_loss ? -now.loss : larger_is_better ? now.score : -now.score;
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
      state.put_down(limits.checkpoint);
    }
    if (outcome.status == TrialStatus::kDiverged && rule_.on_divergence == "fail") return outcome;
    if (rule_.keep == "last" && outcome.status == TrialStatus::kOk && outcome.epochs > 0) {
      --outcome.epochs;  // keep() notes the epoch that has just been trained
      keep(outcome, last_);
      ++outcome.epochs;
      any_kept = true;
    }
    feed_->recall();
    if (!any_kept || feed_->has_stopping_part()) {
      const Feed::Evaluation kept = with_penalty(feed_->validate(key, outcome.epochs),
                                                 regulariser(feed_->parameters(), feed_->values()));
      outcome.valid_loss = kept.loss;
      outcome.valid_score = kept.score;
    }
    feed_->test(key, test);
    outcome.scored = true;
    return outcome;
  }

  std::size_t memory_bytes() const override { return feed_->memory_bytes(); }

 private:
  double learning_rate_at(int epoch) const {
    return rule_.decay_every == 0
               ? learning_rate_
               : learning_rate_ * std::pow(rule_.decay, epoch / rule_.decay_every);
  }

  Feed::Evaluation with_penalty(Feed::Evaluation now, double penalty) const {
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
  Schedule schedule_;
  std::string metric_;
  std::unique_ptr<Feed> feed_;
  Adam adam_;
  double learning_rate_;
  Feed::Evaluation last_;
};

class DirectTrainer final : public Trainer::Impl {
 public:
  DirectTrainer(const std::shared_ptr<const View>& view, const TaskModel& model)
      : trial_(view->kind().direct(view, model)), metric_(model.metric) {}

  TrialOutcome run(StreamKey key, const RunLimits& limits, ScoreSink& test) override {
    TrialOutcome outcome;
    try {
      outcome = trial_->run(key, limits, test);
      outcome.scored = true;
    } catch (const TimedOut& late) {
      outcome.status = TrialStatus::kTimeout;
      outcome.message = late.what();
      return outcome;
    }
    outcome.metric = metric_;
    return outcome;
  }

  std::size_t memory_bytes() const override { return trial_->memory_bytes(); }

 private:
  std::unique_ptr<DirectTrial> trial_;
  std::string metric_;
};

// Rows that nobody else takes.
class Kept final : public ScoreSink {
 public:
  void take(ConstDenseView rows) override {
    Matrix& all = scores.emplace_back(rows.rows, rows.cols);
    for (Index r = 0; r < rows.rows; ++r) std::copy_n(rows.row(r), rows.cols, all.row(r));
  }
  Matrix whole() && {
    if (scores.size() == 1) return std::move(scores.front());
    Matrix out;
    for (Matrix& part : scores) {
      out.rows += part.rows;
      out.cols = part.cols;
      out.values.insert(out.values.end(), part.values.begin(), part.values.end());
    }
    return out;
  }

 private:
  std::vector<Matrix> scores;
};

}  // namespace

Trainer::Trainer(std::shared_ptr<const View> view, const ModelEntry& model, Options config,
                 TrainRule rule, const std::string& metric, Threads threads)
    : view_(std::move(view)) {
  view_->kind().check(fmt::format("model '{}'", model.name), view_->facts(), &model, rule, metric);
  if (model.trainable != nullptr)
    impl_ =
        std::make_unique<GradientTrainer>(view_, model, config, std::move(rule), metric, threads);
  else
    impl_ = std::make_unique<DirectTrainer>(view_, TaskModel{model, config, rule, metric, threads});
}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;

TrialOutcome Trainer::run(StreamKey key, const RunLimits& limits, ScoreSink* test) {
  if (test != nullptr) return impl_->run(key, limits, *test);
  Kept kept;
  TrialOutcome outcome = impl_->run(key, limits, kept);
  if (outcome.scored) outcome.test_scores = std::move(kept).whole();
  return outcome;
}

int Trainer::epochs() const { return impl_->epochs.load(std::memory_order_relaxed); }

std::size_t Trainer::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace cupel
