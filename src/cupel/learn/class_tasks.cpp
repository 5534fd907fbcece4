#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/engine/kernels/loss.h"
#include "cupel/learn/class_tasks.h"
#include "cupel/learn/model.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

// Of what is held of every example.
std::size_t score_bytes(const TaskView& task) {
  return 4 * sizeof(float) * static_cast<std::size_t>(task.examples()) * task.classes();
}

class ClassTrial final : public DirectTrial {
 public:
  ClassTrial(TaskView view, std::unique_ptr<DirectModel> model, std::string metric)
      : view_(std::move(view)), model_(std::move(model)), metric_(std::move(metric)) {}

  TrialOutcome run(StreamKey, const RunLimits& limits, ScoreSink& test) override {
    const DirectModel::Result result = model_->fit_predict(view_, limits);
    TrialOutcome outcome;
    outcome.epochs = result.iterations;
    outcome.best_epoch = result.iterations - 1;
    outcome.valid_score = metric(metric_, result.valid_scores, view_.valid_labels);
    outcome.valid_loss =
        kernels::softmax_cross_entropy(result.valid_scores, view_.valid_labels.data(), {})
            .mean_loss;
    test.take(result.test_scores);
    return outcome;
  }

  std::size_t memory_bytes() const override { return score_bytes(view_); }

 private:
  TaskView view_;
  std::unique_ptr<DirectModel> model_;
  std::string metric_;
};

// "gat, gcn, gin"
std::string models_of(Unit unit) {
  std::vector<std::string> names;
  for (const ModelEntry* entry : models())
    if (entry->unit == unit) names.push_back(entry->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void check_classification(Unit unit, const std::string& where, const TaskFacts& facts,
                          const ModelEntry* model, const std::string& metric) {
  const auto words = [](Unit of) {
    return of == Unit::kGraph  ? "graphs"
           : of == Unit::kPair ? "pairs of nodes"
           : of == Unit::kFact ? "facts over time"
                               : "nodes";
  };
  if (facts.over_time)
    fail("{}: the task is about {}, and data set '{}' is facts over time", where, words(unit),
         facts.dataset);
  if (facts.set_of_graphs != (unit == Unit::kGraph))
    fail("{}: the task is about {}, and data set '{}' is {}", where, words(unit), facts.dataset,
         facts.set_of_graphs ? "a set of graphs" : "one graph");
  // One column of scores is that of the second of two classes (score/classes.h).
  if (facts.tasks == 0 && facts.classes == 1)
    fail(
        "{}: all {} of data set '{}' that have a label are of one class, and classes are told "
        "apart; take data with two or more",
        where, words(unit), facts.dataset);
  if (model != nullptr && model->unit != unit)
    fail("{}: model '{}' {} {}, and data set '{}' is {}; take one of {}", where, model->name,
         model->unit == Unit::kPair || model->unit == Unit::kFact ? "scores" : "classifies",
         words(model->unit), facts.dataset, facts.set_of_graphs ? "a set of graphs" : "one graph",
         models_of(unit));
  if (!metric.empty())
    (void)parse_metric(where, metric,
                       {facts.tasks == 0 ? AnswerForm::kClasses : AnswerForm::kTasks});
  if (facts.tasks == 0) return;
  if (model != nullptr && model->trainable == nullptr)
    fail(
        "{}: model '{}' learns one label, and data set '{}' has {} binary tasks; take a model that "
        "is trained by gradients",
        where, model->name, facts.dataset, facts.tasks);
}

Task make_class_task(const TaskRequest& request) {
  ClassTask task = make_task(request.data, request.split);
  if (!request.scored) task.view.test.clear();
  Task out{std::make_shared<const TaskView>(std::move(task.view)), nullptr};
  if (request.scored)
    out.answers = std::make_shared<const SealedLabels>(std::move(task.test_labels));
  return out;
}

std::unique_ptr<DirectTrial> make_class_trial(const std::shared_ptr<const View>& view,
                                              const TaskModel& model) {
  return std::make_unique<ClassTrial>(class_view(*view), model.entry.direct(model.settings),
                                      model.metric);
}

void check_class_size(const View& view, const TaskModel& model) {
  if (model.entry.direct != nullptr) model.entry.direct(model.settings)->check(class_view(view));
}

void add_rows(NpyMembers& members, const std::string& name, const Matrix& rows) {
  members.emplace_back(name, make_npy(std::span<const float>(rows.values), {rows.rows, rows.cols}));
}

ProgramTask class_program(const View& view) {
  const TaskView& task = class_view(view);
  ProgramTask out;
  const auto add_answers = [&](const char* name, const std::vector<Index>& labels,
                               const Matrix& answers) {
    if (task.tasks() > 0)
      add_rows(out.arrays, name, answers);
    else
      add_ids(out.arrays, name, labels);
  };
  add_ids(out.arrays, "idx_train", task.train);
  add_ids(out.arrays, "idx_valid", task.valid);
  add_ids(out.arrays, "idx_test", task.test);
  add_answers("y_train", task.train_labels, task.train_tasks);
  add_answers("y_valid", task.valid_labels, task.valid_tasks);
  if (!task.stopping.empty()) {
    add_ids(out.arrays, "idx_stopping", task.stopping);
    add_answers("y_stopping", task.stopping_labels, task.stopping_tasks);
  }
  out.facts = {{task.tasks() > 0 ? "tasks" : "classes", std::int64_t{task.classes()}}};
  return out;
}

const TaskView& class_view(const View& view) { return dynamic_cast<const TaskView&>(view); }

std::size_t class_task_bytes(const View& view, const TaskModel& model,
                             std::size_t (*feed_bytes)(const TaskView&, const Schedule&,
                                                       const TrainRule&)) {
  const TaskView& task = class_view(view);
  if (model.entry.trainable == nullptr)
    return score_bytes(task) + model.entry.direct(model.settings)->memory_bytes(task);
  const auto trained = model.entry.trainable(model.settings);
  return score_bytes(task) + feed_bytes(task, trained->schedule(), model.rule);
}

}  // namespace cupel
