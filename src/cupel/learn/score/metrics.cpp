#include "cupel/learn/score/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "cupel/base/error.h"

namespace cupel {

namespace {

std::vector<double> ranking_by(const Matrix& scores, Index column, double sign) {
  std::vector<double> out(static_cast<std::size_t>(scores.rows));
  for (Index i = 0; i < scores.rows; ++i) out[i] = sign * scores(i, column);
  return out;
}

double roc_auc_of(const std::string& name, const Matrix& scores, std::span<const Index> labels) {
  if (scores.cols > 2)
    fail("metric '{}' needs two classes and the scores have {}; use accuracy", name, scores.cols);
  if (scores.cols == 1) return roc_auc(ranking_by(scores, 0, 1), labels);
  std::vector<double> second = ranking_by(scores, 1, 1);
  if (name == "roc-auc-column") return roc_auc(second, labels);
  // Class 0 as the positive class, ranked by its own column: the same as ranking by its negative.
  if (name == "roc-auc-columns")
    return (roc_auc(second, labels) + roc_auc(ranking_by(scores, 0, -1), labels)) / 2;
  for (Index i = 0; i < scores.rows; ++i) second[i] -= scores(i, 0);
  return roc_auc(second, labels);
}

void check_shape(const Matrix& scores, std::size_t examples) {
  if (static_cast<std::size_t>(scores.rows) != examples || examples == 0)
    fail("scores have {} rows for {} labelled nodes; give one row per node", scores.rows, examples);
}

void check_numbers(const Matrix& scores) {
  const auto nan = std::find_if(scores.values.begin(), scores.values.end(),
                                [](float v) { return std::isnan(v); });
  if (nan != scores.values.end())
    fail("the score in row {} is not a number; a model must give finite scores",
         (nan - scores.values.begin()) / scores.cols);
}

// Known answers to one task, and the scores of the examples that have them, in one column.
struct OneTask {
  Matrix scores;
  std::vector<Index> labels;

  OneTask(const Matrix& of, const Matrix& tasks, Index task) {
    for (Index i = 0; i < tasks.rows; ++i) {
      if (std::isnan(tasks(i, task))) continue;
      labels.push_back(tasks(i, task) == 1);
      scores.values.push_back(of(i, task));
    }
    scores.rows = static_cast<Index>(labels.size());
    scores.cols = 1;
  }
};

bool has_both(const Matrix& tasks, Index task) {
  bool no = false, yes = false;
  for (Index i = 0; i < tasks.rows; ++i) {
    no = no || tasks(i, task) == 0;
    yes = yes || tasks(i, task) == 1;
  }
  return no && yes;
}

// Ties go to the lowest class.
Index chosen_class(const Matrix& scores, Index row) {
  const float* of = scores.row(row);
  return scores.cols == 1 ? Index{of[0] > 0}
                          : static_cast<Index>(std::max_element(of, of + scores.cols) - of);
}

double balanced_accuracy(const Matrix& scores, std::span<const Index> labels) {
  std::map<Index, std::pair<int, int>> hits_of;  // hits and rows of each class
  for (Index i = 0; i < scores.rows; ++i) {
    auto& [hits, rows] = hits_of[labels[i]];
    hits += chosen_class(scores, i) == labels[i];
    ++rows;
  }
  double sum = 0;
  for (const auto& [label, of] : hits_of) sum += static_cast<double>(of.first) / of.second;
  return sum / static_cast<double>(hits_of.size());
}

double macro_f1(const Matrix& scores, std::span<const Index> labels) {
  struct Counts {
    int hits = 0, rows = 0, chosen = 0;
  };
  std::map<Index, Counts> counts_of;  // of each class that has a row or is chosen
  for (Index i = 0; i < scores.rows; ++i) {
    const Index choice = chosen_class(scores, i);
    counts_of[labels[i]].hits += choice == labels[i];
    ++counts_of[labels[i]].rows;
    ++counts_of[choice].chosen;
  }
  double sum = 0;
  for (const auto& [label, of] : counts_of) sum += 2.0 * of.hits / (of.rows + of.chosen);
  return sum / static_cast<double>(counts_of.size());
}

}  // namespace

double accuracy(const Matrix& scores, std::span<const Index> labels) {
  Index hits = 0;
  for (Index i = 0; i < scores.rows; ++i) hits += chosen_class(scores, i) == labels[i];
  return static_cast<double>(hits) / static_cast<double>(scores.rows);
}

double roc_auc(std::span<const double> ranking, std::span<const Index> labels) {
  std::vector<std::size_t> order(ranking.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ranking[a] < ranking[b]; });
  // Twice the number of (positive, negative) pairs in the right order: whole numbers, so exact.
  std::int64_t twice = 0, below = 0, positives = 0;
  for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
    std::int64_t tied_positives = 0;
    for (end = begin; end < order.size() && ranking[order[end]] == ranking[order[begin]]; ++end)
      tied_positives += labels[order[end]] == 1;
    const std::int64_t tied_negatives = static_cast<std::int64_t>(end - begin) - tied_positives;
    twice += tied_positives * (2 * below + tied_negatives);
    below += tied_negatives;
    positives += tied_positives;
  }
  if (positives == 0 || below == 0)
    fail("ROC AUC is not defined: none of {} nodes is of class {}; use larger or stratified splits",
         labels.size(), positives == 0 ? 1 : 0);
  return static_cast<double>(twice) /
         (2.0 * static_cast<double>(positives) * static_cast<double>(below));
}

double metric(const std::string& name, const Matrix& scores, std::span<const Index> labels) {
  check_shape(scores, labels.size());
  check_numbers(scores);
  if (name == "accuracy") return accuracy(scores, labels);
  if (name == "balanced-accuracy") return balanced_accuracy(scores, labels);
  if (name == "macro-f1") return macro_f1(scores, labels);
  if (name == "roc-auc" || name == "roc-auc-column" || name == "roc-auc-columns")
    return roc_auc_of(name, scores, labels);
  fail("no metric is called '{}'; known are: {}", name, fmt::join(metric_names(), ", "));
}

std::vector<std::string> kept_metric_names() {
  return {"accuracy", "balanced-accuracy", "macro-f1", "roc-auc"};
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names = kept_metric_names();
  names.insert(names.end(), {"roc-auc-column", "roc-auc-columns"});
  return names;
}

std::vector<std::string> task_metric_names() { return kept_metric_names(); }

std::vector<std::pair<std::string, double>> other_metrics(const std::string& but,
                                                          const Matrix& scores,
                                                          std::span<const Index> labels) {
  std::vector<std::pair<std::string, double>> out;
  const bool both = std::ranges::count(labels, 0) > 0 && std::ranges::count(labels, 1) > 0;
  for (const std::string& name : kept_metric_names()) {
    if (name == but || (name == "roc-auc" && (scores.cols > 2 || !both))) continue;
    out.emplace_back(name, metric(name, scores, labels));
  }
  return out;
}

bool is_defined(const std::string& name, const Matrix& tasks) {
  if (name == "accuracy")
    return std::ranges::any_of(tasks.values, [](float v) { return !std::isnan(v); });
  for (Index t = 0; t < tasks.cols; ++t)
    if (has_both(tasks, t)) return true;
  return false;
}

double task_metric(const std::string& name, const Matrix& scores, const Matrix& tasks) {
  check_shape(scores, static_cast<std::size_t>(tasks.rows));
  if (scores.cols != tasks.cols)
    fail("scores have {} columns for {} tasks; give one column per task", scores.cols, tasks.cols);
  check_numbers(scores);
  const std::vector<std::string> known = task_metric_names();
  if (!std::ranges::count(known, name))
    fail("metric '{}' is not one of several tasks; take one of: {}", name, fmt::join(known, ", "));
  if (!is_defined(name, tasks))
    fail(
        "{} is not defined: of {} examples, {}; use larger parts", name, tasks.rows,
        name == "accuracy" ? "none has a known answer" : "no task has known answers of both kinds");
  double sum = 0;
  Index terms = 0;
  for (Index t = 0; t < tasks.cols; ++t) {
    if (name != "accuracy" && !has_both(tasks, t)) continue;
    const OneTask one(scores, tasks, t);
    if (one.labels.empty()) continue;
    if (name == "accuracy") {
      for (Index i = 0; i < one.scores.rows; ++i)
        sum += chosen_class(one.scores, i) == one.labels[static_cast<std::size_t>(i)];
      terms += one.scores.rows;
    } else {
      sum += metric(name, one.scores, one.labels);
      ++terms;
    }
  }
  return sum / static_cast<double>(terms);
}

std::vector<std::pair<std::string, double>> other_task_metrics(const std::string& but,
                                                               const Matrix& scores,
                                                               const Matrix& tasks) {
  std::vector<std::pair<std::string, double>> out;
  for (const std::string& name : task_metric_names())
    if (name != but && is_defined(name, tasks))
      out.emplace_back(name, task_metric(name, scores, tasks));
  return out;
}

}  // namespace cupel
