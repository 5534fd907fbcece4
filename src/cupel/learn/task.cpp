#include "cupel/learn/task.h"

#include "cupel/data/split/split.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/task_kind.h"

namespace cupel {

namespace {

Matrix rows_of(const Matrix& from, std::span<const Index> rows) {
  Matrix out(static_cast<Index>(rows.size()), from.cols);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(from.row(rows[i]), from.cols, out.row(static_cast<Index>(i)));
  return out;
}

// Rows as they come, then all at once.
class LabelMarking final : public Marking {
 public:
  explicit LabelMarking(std::shared_ptr<const SealedLabels> labels) : labels_(std::move(labels)) {}
  void take(ConstDenseView rows) override {
    scores_.cols = rows.cols;
    scores_.rows += rows.rows;
    for (Index r = 0; r < rows.rows; ++r)
      scores_.values.insert(scores_.values.end(), rows.row(r), rows.row(r) + rows.cols);
  }
  double score(const std::string& metric) const override { return labels_->score(metric, scores_); }
  std::optional<double> score_on(const std::string& metric,
                                 std::span<const Index> rows) const override {
    return labels_->score_on(metric, scores_, rows);
  }
  std::vector<std::pair<std::string, double>> other_scores(const std::string& but) const override {
    return labels_->other_scores(but, scores_);
  }

 private:
  std::shared_ptr<const SealedLabels> labels_;
  Scores scores_;
};

}  // namespace

double SealedLabels::score(const std::string& metric_name, const Scores& scores) const {
  return tasks_.cols > 0 ? task_metric(metric_name, scores, tasks_)
                         : metric(metric_name, scores, labels_);
}

std::optional<double> SealedLabels::score_on(const std::string& metric_name, const Scores& scores,
                                             std::span<const Index> rows) const {
  if (rows.empty()) return {};
  const Scores part = rows_of(scores, rows);
  if (tasks_.cols > 0) {
    const Matrix tasks = rows_of(tasks_, rows);
    if (!is_defined(metric_name, tasks)) return {};
    return task_metric(metric_name, part, tasks);
  }
  std::vector<Index> labels;
  for (const Index row : rows) labels.push_back(labels_.at(static_cast<std::size_t>(row)));
  if (!is_defined(metric_name, labels)) return {};
  return metric(metric_name, part, labels);
}

std::vector<std::pair<std::string, double>> SealedLabels::other_scores(const std::string& but,
                                                                       const Scores& scores) const {
  return tasks_.cols > 0 ? other_task_metrics(but, scores, tasks_)
                         : other_metrics(but, scores, labels_);
}

const TaskKind& TaskView::kind() const {
  return *find_task_kind(graphs() ? "graph-classification" : "node-classification");
}

std::unique_ptr<Marking> TaskView::mark_valid() const {
  return std::make_unique<LabelMarking>(tasks_ > 0
                                            ? std::make_shared<const SealedLabels>(valid_tasks)
                                            : std::make_shared<const SealedLabels>(valid_labels));
}

std::unique_ptr<Marking> SealedLabels::open() const {
  return std::make_unique<LabelMarking>(std::make_shared<const SealedLabels>(*this));
}

ClassTask make_task(const std::shared_ptr<const TaskData>& data, const Split& split) {
  const Dataset& dataset = data->data();
  check_split(dataset, split, dataset.name);
  TaskView view(*data);
  view.train = split.train;
  view.valid = split.valid;
  view.test = split.test;
  view.stopping = split.stopping;
  if (dataset.has_tasks()) {
    const Matrix& answers = dataset.task_answers();
    view.train_tasks = rows_of(answers, split.train);
    view.valid_tasks = rows_of(answers, split.valid);
    view.stopping_tasks = rows_of(answers, split.stopping);
    return {std::move(view), SealedLabels(rows_of(answers, split.test))};
  }
  const auto labels_of = [&](const std::vector<Index>& examples) {
    std::vector<Index> labels;
    labels.reserve(examples.size());
    for (const Index example : examples) labels.push_back(dataset.labels()[example]);
    return labels;
  };
  view.train_labels = labels_of(split.train);
  view.valid_labels = labels_of(split.valid);
  view.stopping_labels = labels_of(split.stopping);
  return {std::move(view), SealedLabels(labels_of(split.test))};
}

}  // namespace cupel
