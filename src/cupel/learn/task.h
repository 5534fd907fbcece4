// A classification task with its test labels sealed. Its examples are the nodes of a graph, or the
// graphs of a set.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/features/features.h"

namespace cupel {

// Makes a matrix from a graph and its features.
using DerivedMatrix = std::function<Csr(const Csr& adjacency, const Features& features)>;

// A prepared data set as tasks share it: the data, and the matrices that models derive from it
// (normalised adjacencies and the like), each made once, on first use. Thread-safe.
class TaskData {
 public:
  explicit TaskData(std::shared_ptr<const Dataset> data) : data_(std::move(data)) {}
  const Dataset& data() const { return *data_; }
  const std::shared_ptr<const Dataset>& shared() const { return data_; }
  // The T called `name`, made by `make` if nobody asked for it before. `make` may ask for others.
  template <class T, class Make>
  std::shared_ptr<const T> derived(const std::string& name, Make&& make) const {
    // Held while making: two threads that want the same thing make it once.
    const std::lock_guard lock(mutex_);
    auto& slot = derived_[{name, typeid(T)}];
    if (slot == nullptr) slot = std::make_shared<const T>(make());
    return std::static_pointer_cast<const T>(slot);
  }

 private:
  std::shared_ptr<const Dataset> data_;
  mutable std::recursive_mutex mutex_;
  mutable std::map<std::pair<std::string, std::type_index>, std::shared_ptr<const void>> derived_;
};

// What training and selection may see. It holds no test label, and no way to reach one.
// Immutable; safe to share between threads.
class TaskView {
 public:
  std::vector<Index> train, valid, test;          // ids of examples
  std::vector<Index> train_labels, valid_labels;  // aligned with train and valid; of several
                                                  // tasks empty, and instead:
  Matrix train_tasks, valid_tasks;  // rows of Dataset::tasks, 0, 1 or NaN; else without columns

  const std::string& name() const { return data_->data().name; }    // of the data set
  const Csr& adjacency() const { return data_->data().adjacency; }  // nodes x nodes, prepared
  const Features& features() const { return data_->data().features; }
  const std::optional<GraphSet>& graphs() const { return data_->data().graphs; }
  FeatureSource feature_source() const {
    return {adjacency(), features(), graphs() ? &*graphs() : nullptr};
  }
  Index nodes() const { return adjacency().rows; }
  Index examples() const { return data_->data().examples(); }
  Index tasks() const { return data_->data().tasks.cols; }  // 0: each example has one label
  // What a model gives a score to: classes, or tasks.
  Index classes() const { return tasks() > 0 ? tasks() : data_->data().classes(); }
  std::shared_ptr<const Csr> derived(const std::string& name, const DerivedMatrix& make) const {
    return derived<Csr>(name, [&] { return make(adjacency(), features()); });
  }
  // Of whatever else models derive from the graphs and their features, by name: see TaskData.
  template <class T, class Make>
  std::shared_ptr<const T> derived(const std::string& name, Make&& make) const {
    return data_->derived<T>(name, std::forward<Make>(make));
  }

 private:
  friend struct NodeTask make_task(const std::shared_ptr<const TaskData>&, const Split&);
  std::shared_ptr<const TaskData> data_;  // private: it holds every label
};

// Scores of a fixed set of examples, examples x classes, or examples x tasks; larger means more
// likely.
using Scores = Matrix;

// The other half of the task: the test labels. It can only say how good scores are.
class SealedLabels {
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
  std::size_t size() const {
    return tasks_.cols > 0 ? static_cast<std::size_t>(tasks_.rows) : labels_.size();
  }

 private:
  std::vector<Index> labels_;
  Matrix tasks_;  // without columns where there is one label
};

struct NodeTask {
  TaskView view;
  SealedLabels test_labels;
};

// Shares the graph and features of `data`; copies only labels and ids.
// Throws Error (check_split) if the split is not one of the data set.
[[nodiscard]] NodeTask make_task(const std::shared_ptr<const TaskData>& data, const Split& split);

}  // namespace cupel
