// A task, whatever is asked: what training and selection may see, and the answers, which can only
// say how good scores are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/engine/kernels/views.h"
#include "cupel/learn/visible_graph.h"

namespace cupel {

struct TaskKind;  // tasks/task_kind.h

// What is known of a data set without looking at an answer: what checks go by.
struct TaskFacts {
  std::string dataset;  // name
  bool set_of_graphs = false;
  Index tasks = 0;         // binary tasks of each example; 0: one label
  bool over_time = false;  // it is facts over time
  Index classes = 0;       // of one label each; 0: there are no labels
};

// Takes the scores of a part, some rows at a time, in the part's order; larger means more likely.
class ScoreSink {
 public:
  virtual ~ScoreSink() = default;
  virtual void take(ConstDenseView rows) = 0;
};

// The scores of one run on the test part, as they come, and then what they are worth. Not
// thread-safe. All but take() throw Error if rows are missing or too many, for a score that is not
// a number, and for an unknown metric (score/metrics.h).
class Marking : public ScoreSink {
 public:
  [[nodiscard]] virtual double score(const std::string& metric) const = 0;
  // The same over the examples at `rows` of the test part. Absent where there is none of them, or
  // where the metric is not defined on them.
  [[nodiscard]] virtual std::optional<double> score_on(const std::string& metric,
                                                       std::span<const Index> rows) const = 0;
  // What the other metrics that every run keeps say of the same scores.
  [[nodiscard]] virtual std::vector<std::pair<std::string, double>> other_scores(
      const std::string& but) const = 0;
};

// What may be seen. A view holds no answer of the test part, and no way to one. Immutable; safe to
// share between threads.
class View {
 public:
  virtual ~View() = default;

  // Who trains and judges on it.
  virtual const TaskKind& kind() const = 0;
  virtual TaskFacts facts() const { return {name(), graphs().has_value()}; }
  // Rows and columns of the scores that are asked for.
  virtual std::int64_t valid_rows() const = 0;
  virtual std::int64_t test_rows() const = 0;
  virtual Index outputs() const = 0;
  // For the scores of the validation part, whose answers may be seen.
  virtual std::unique_ptr<Marking> mark_valid() const = 0;

  const VisibleGraph& graph() const { return *graph_; }
  const std::shared_ptr<const VisibleGraph>& shared_graph() const { return graph_; }
  const std::string& name() const { return graph_->name(); }  // of the data set
  const Csr& adjacency() const { return graph_->arcs(); }     // nodes x nodes, prepared
  const Features& features() const { return graph_->features(); }
  const std::optional<GraphSet>& graphs() const { return graph_->set(); }
  FeatureSource feature_source() const { return graph_->feature_source(); }
  Index nodes() const { return graph_->nodes(); }
  // Of whatever models derive from the graph and its features, by name: see VisibleGraph.
  template <class T, class Make>
  std::shared_ptr<const T> derived(const std::string& name, Make&& make) const {
    return graph_->derived<T>(name, std::forward<Make>(make));
  }

 protected:
  View() = default;
  explicit View(std::shared_ptr<const VisibleGraph> graph) : graph_(std::move(graph)) {}

 private:
  std::shared_ptr<const VisibleGraph> graph_;
};

// The other half of a task. Safe to share between threads.
class SealedAnswers {
 public:
  virtual ~SealedAnswers() = default;
  [[nodiscard]] virtual std::unique_ptr<Marking> open() const = 0;
};

struct Task {
  std::shared_ptr<const View> view;
  std::shared_ptr<const SealedAnswers> answers;  // null: nothing is scored on test
};

}  // namespace cupel
