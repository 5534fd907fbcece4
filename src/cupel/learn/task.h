// A classification task with its test labels sealed. Its examples are the nodes of a graph, or the
// graphs of a set.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/unit.h"
#include "cupel/learn/view.h"

namespace cupel {

// A prepared data set as tasks share it: the data, and the part of it that models may see.
class TaskData {
 public:
  explicit TaskData(std::shared_ptr<const Dataset> data)
      : data_(std::move(data)), visible_(std::make_shared<const VisibleGraph>(data_)) {}
  const Dataset& data() const { return *data_; }
  const std::shared_ptr<const Dataset>& shared() const { return data_; }
  const std::shared_ptr<const VisibleGraph>& visible() const { return visible_; }

 private:
  std::shared_ptr<const Dataset> data_;
  std::shared_ptr<const VisibleGraph> visible_;
};

class TaskView final : public View {
 public:
  std::vector<Index> train, valid, test;  // ids of examples
  std::vector<Index> stopping;            // none: `valid` stops training too
  // Aligned with these parts; of several tasks empty, and instead:
  std::vector<Index> train_labels, valid_labels, stopping_labels;
  // rows of Dataset::tasks, 0, 1 or NaN; else without columns.
  Matrix train_tasks, valid_tasks, stopping_tasks;

  const TaskKind& kind() const override;
  TaskFacts facts() const override {
    return {name(), graphs().has_value(), tasks_, false, classes_};
  }
  std::int64_t valid_rows() const override { return std::ssize(valid); }
  std::int64_t test_rows() const override { return std::ssize(test); }
  Index outputs() const override { return classes(); }
  std::unique_ptr<Marking> mark_valid() const override;
  Unit unit() const { return graphs() ? Unit::kGraph : Unit::kNode; }
  Index examples() const { return graphs() ? graphs()->size() : nodes(); }
  Index tasks() const { return tasks_; }  // 0: each example has one label
  // What a model gives a score to: classes, or tasks.
  Index classes() const { return tasks_ > 0 ? tasks_ : classes_; }

 private:
  friend struct ClassTask make_task(const std::shared_ptr<const TaskData>&, const Split&);
  explicit TaskView(const TaskData& data)
      : View(data.visible()), tasks_(data.data().tasks()), classes_(data.data().classes()) {}
  Index tasks_ = 0, classes_ = 0;
};

// Scores of a fixed set of examples, examples x classes, or examples x tasks; larger means more
// likely.
using Scores = Matrix;

// The other half of the task: the test labels.
class SealedLabels final : public SealedAnswers {
 public:
  explicit SealedLabels(std::vector<Index> labels) : labels_(std::move(labels)) {}
  explicit SealedLabels(Matrix tasks) : tasks_(std::move(tasks)) {}  // as TaskView::train_tasks
  // Value of `metric` (metrics.h) on scores of the task's test part, in its order. Fraction in
  // [0, 1]. Throws Error on a wrong shape, a NaN score or an unknown metric.
  [[nodiscard]] double score(const std::string& metric, const Scores& scores) const;
  // The same over the examples at `rows` of the test part. Absent where there is none of them, or
  // where the metric needs two classes and they are of one.
  [[nodiscard]] std::optional<double> score_on(const std::string& metric, const Scores& scores,
                                               std::span<const Index> rows) const;
  // What the other metrics say of the same scores: see other_metrics().
  [[nodiscard]] std::vector<std::pair<std::string, double>> other_scores(
      const std::string& but, const Scores& scores) const;
  [[nodiscard]] std::unique_ptr<Marking> open() const override;
  std::size_t size() const {
    return tasks_.cols > 0 ? static_cast<std::size_t>(tasks_.rows) : labels_.size();
  }

 private:
  std::vector<Index> labels_;
  Matrix tasks_;  // without columns where there is one label
};

struct ClassTask {
  TaskView view;
  SealedLabels test_labels;
};

// Shares the graph and features of `data`; copies only labels and ids.
// Throws Error (check_split) if the split is not one of the data set.
[[nodiscard]] ClassTask make_task(const std::shared_ptr<const TaskData>& data, const Split& split);

}  // namespace cupel
