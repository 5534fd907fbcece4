// The executor of real runs: Trainer for registry models, programs for external ones.
#include "cupel/lab/run/executor.h"

#include <list>
#include <mutex>

#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/lab/isolation/isolation.h"
#include "cupel/lab/run/external.h"
#include "cupel/lab/run/function.h"
#include "cupel/lab/run/group_task.h"
#include "cupel/lab/run/pending.h"
#include "cupel/learn/model.h"
#include "cupel/learn/task_kind.h"
#include "cupel/learn/train/trainer.h"

namespace cupel {
namespace {

// Tasks of the splits at work. Models of a cell share a task, and to draw what they are asked about
// may take longer than they do. Thread-safe.
class Tasks {
 public:
  Task get(const RunGroup& group, Threads threads) {
    const Family& family = *group.family;
    std::string key =
        fmt::format("{} {} {} {} {}", static_cast<const void*>(family.dataset.get()),
                    family.split.identity(), group.split, family.task->name, family.scores_test);
    for (const auto& [name, value] : family.task_settings.all())
      key += fmt::format("\n{}={}", name, to_text(value));
    // Held while making: two threads that want the same task make it once.
    const std::lock_guard lock(mutex_);
    for (const auto& [known, task] : latest_)
      if (known == key) return task;
    Task task = task_of(group, threads);
    latest_.emplace_front(std::move(key), task);
    if (latest_.size() > kKept) latest_.pop_back();
    return task;
  }

 private:
  static constexpr std::size_t kKept = 4;  // runs go split by split
  std::mutex mutex_;
  std::list<std::pair<std::string, Task>> latest_;
};

TaskModel model_of(const Family& family) {
  return {*family.model.entry, family.model.settings, family.rule, family.metric};
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

class TrainedSession : public RunSession {
 public:
  TrainedSession(Task task, const RunGroup& group, Threads threads)
      : view_(task.view),
        answers_(std::move(task.answers)),
        strata_(group.strata),
        trainer_(std::move(task.view), *group.family->model.entry, group.family->model.settings,
                 group.family->rule, group.family->metric, threads) {}

  RunRecord run(int, StreamKey key, const RunLimits& limits) override {
    // A trial of a search: no answer ever comes near it.
    if (answers_ == nullptr) return to_record(trainer_.run(key, limits), trainer_);
    const std::unique_ptr<Marking> marking = answers_->open();
    const TrialOutcome trial = trainer_.run(key, limits, marking.get());
    RunRecord record = to_record(trial, trainer_);
    if (trial.scored) mark(*marking, trial.metric, strata_, *view_, record);
    return record;
  }
  int epochs() const override { return trainer_.epochs(); }

 private:
  std::shared_ptr<const View> view_;
  std::shared_ptr<const SealedAnswers> answers_;
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
      return family.task->memory(*tasks_.get(group, {}).view, model_of(family));
    } catch (const Error&) {
      return 0;  // a split that cannot be made; the runs say so
    }
  }

  std::string refusal(const RunGroup& group) const override {
    const Family& family = *group.family;
    if (family.external) return isolation_refusal(*family.external);
    if (family.model.entry->trainable != nullptr) return "";
    Task task;
    try {
      task = tasks_.get(group, {});
    } catch (const Error&) {
      return "";  // as above
    }
    try {
      family.task->check_size(*task.view, model_of(family));
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::unique_ptr<RunSession> open(const RunGroup& group, Threads threads) const override {
    const Family& family = *group.family;
    Task task = tasks_.get(group, threads);
    if (family.function != nullptr) return open_function(std::move(task), group, threads);
    if (family.external) return open_external(std::move(task), group, threads, hidden_, workers_);
    return std::make_unique<TrainedSession>(std::move(task), group, threads);
  }

  void end_workers(const ExternalCommand& program) const override { workers_->end(program); }

 private:
  std::vector<std::filesystem::path> hidden_;
  std::shared_ptr<WorkerPool> workers_ = std::make_shared<WorkerPool>();
  mutable Tasks tasks_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(std::vector<std::filesystem::path> hidden) {
  return std::make_unique<StandardExecutor>(std::move(hidden));
}

}  // namespace cupel
