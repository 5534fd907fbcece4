// The executor of real runs: Trainer for registry models, programs for external ones.
#include "cupel/lab/run/executor.h"

#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/split/split.h"
#include "cupel/lab/run/external.h"
#include "cupel/lab/run/isolation.h"
#include "cupel/learn/models/model.h"
#include "cupel/learn/task.h"
#include "cupel/learn/train/trainer.h"

namespace cupel {
namespace {

NodeTask task_of(const RunGroup& group) {
  const Family& family = *group.family;
  SplitScheme scheme = family.split;
  scheme.first = 0;
  scheme.count = group.split + 1;
  const auto& data = family.dataset->data;
  return make_task(data, make_split(data->data(), scheme, group.split));
}

RunRecord to_record(const TrialOutcome& trial, const Trainer& trainer) {
  RunRecord out;
  switch (trial.status) {
    case TrialStatus::kOk:
      out.status = RunStatus::kOk;
      break;
    case TrialStatus::kDiverged:
      out.status = RunStatus::kDiverged;
      break;
    case TrialStatus::kTimeout:
      out.status = RunStatus::kTimeout;
      break;
  }
  out.message = trial.message;
  out.epochs = trial.epochs;
  out.best_epoch = trial.best_epoch;
  out.valid_loss = trial.valid_loss;
  if (out.status != RunStatus::kTimeout) out.valid_score = trial.valid_score;
  out.memory_bytes = static_cast<std::int64_t>(trainer.memory_bytes());
  return out;
}

// A trial of a search: no test label ever comes near it.
class TrialSession : public RunSession {
 public:
  TrialSession(TaskView view, const Family& family, Threads threads)
      : trainer_(std::move(view), *family.model.entry, family.model.settings, family.rule,
                 family.metric, threads) {}

  RunRecord run(int, StreamKey key, const RunLimits& limits) override {
    return to_record(trainer_.run(key, limits), trainer_);
  }
  int epochs() const override { return trainer_.epochs(); }

 private:
  Trainer trainer_;
};

class AssessedSession : public RunSession {
 public:
  AssessedSession(NodeTask task, const RunGroup& group, Threads threads)
      : labels_(std::move(task.test_labels)),
        test_(task.view.test),
        strata_(group.strata),
        trainer_(std::move(task.view), *group.family->model.entry, group.family->model.settings,
                 group.family->rule, group.family->metric, threads) {}

  RunRecord run(int, StreamKey key, const RunLimits& limits) override {
    const TrialOutcome trial = trainer_.run(key, limits);
    RunRecord record = to_record(trial, trainer_);
    if (trial.test_scores && record.status != RunStatus::kTimeout) {
      record.test_score = labels_.score(trial.metric, *trial.test_scores);
      record.other_scores = labels_.other_scores(trial.metric, *trial.test_scores);
      record.strata = score_strata(strata_, labels_, trial.metric, *trial.test_scores, test_);
    }
    return record;
  }
  int epochs() const override { return trainer_.epochs(); }

 private:
  SealedLabels labels_;
  std::vector<Index> test_;
  std::vector<std::shared_ptr<const Stratum>> strata_;
  Trainer trainer_;
};

class StandardExecutor : public Executor {
 public:
  explicit StandardExecutor(std::vector<std::filesystem::path> hidden)
      : hidden_(std::move(hidden)) {
    hidden_.push_back(data_folder(std::nullopt));
  }

  std::size_t estimate_memory(const RunGroup& group) const override {
    const Family& family = *group.family;
    if (family.external) return static_cast<std::size_t>(family.external->memory_mb) << 20;
    try {
      return cupel::estimate_memory(task_of(group).view, *family.model.entry, family.model.settings,
                                    family.rule);
    } catch (const Error&) {
      return 0;  // a split that cannot be made; the runs say so
    }
  }

  std::string refusal(const RunGroup& group) const override {
    const Family& family = *group.family;
    if (family.external) return isolation_refusal(*family.external);
    if (family.model.entry->direct == nullptr) return "";
    std::optional<NodeTask> task;
    try {
      task = task_of(group);
    } catch (const Error&) {
      return "";  // as above
    }
    try {
      family.model.entry->direct(family.model.settings)->check(task->view);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::unique_ptr<RunSession> open(const RunGroup& group, Threads threads) const override {
    const Family& family = *group.family;
    NodeTask task = task_of(group);
    if (family.external) return open_external(std::move(task), group, threads, hidden_);
    if (family.scores_test)
      return std::make_unique<AssessedSession>(std::move(task), group, threads);
    task.view.test.clear();
    return std::make_unique<TrialSession>(std::move(task.view), family, threads);
  }

 private:
  std::vector<std::filesystem::path> hidden_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(std::vector<std::filesystem::path> hidden) {
  return std::make_unique<StandardExecutor>(std::move(hidden));
}

}  // namespace cupel
