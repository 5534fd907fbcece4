#include "cupel/learn/score/metrics.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cupel/base/error.h"

namespace cupel {
namespace {

void check_shape(const Matrix& scores, std::size_t examples) {
  if (static_cast<std::size_t>(scores.rows) != examples || examples == 0)
    fail("scores have {} rows for {} labelled examples; give one row per example", scores.rows,
         examples);
}

void check_numbers(const Matrix& scores) {
  const auto odd = std::find_if(scores.values.begin(), scores.values.end(),
                                [](float v) { return !std::isfinite(v); });
  if (odd != scores.values.end())
    fail("the score in row {} is {}; a model must give finite scores",
         (odd - scores.values.begin()) / scores.cols,
         std::isnan(*odd) ? "not a number" : "infinite");
}

void check_answers(const Matrix& tasks) {
  const auto odd = std::ranges::find_if(tasks.values,
                                        [](float v) { return v != 0 && v != 1 && !std::isnan(v); });
  if (odd == tasks.values.end()) return;
  const auto place = odd - tasks.values.begin();
  fail("the answer in row {} to task {} is {}; give 0, 1, or NaN where it is not known",
       place / tasks.cols, place % tasks.cols, *odd);
}

// Known answers to some tasks, and the scores that go with them, in one column.
struct OneTask {
  Matrix scores;
  std::vector<Index> labels;

  OneTask(const Matrix& of, const Matrix& tasks, Index first, Index last) {
    for (Index i = 0; i < tasks.rows; ++i) {
      for (Index t = first; t < last; ++t) {
        if (std::isnan(tasks(i, t))) continue;
        labels.push_back(tasks(i, t) == 1);
        scores.values.push_back(of(i, t));
      }
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

bool any_known(const Matrix& tasks) {
  return std::ranges::any_of(tasks.values, [](float v) { return !std::isnan(v); });
}

bool all_answers_are_one_task(const MetricEntry& entry) {
  return entry.over_tasks == OverTasks::kAllAnswers;
}

Offset fewest_candidates(const Ranks& ranks) { return std::ranges::min(ranks.candidates); }

// The kept metrics but one, where `defined` says that they are, by `value`.
template <class Defined, class Value>
NamedScores kept_but(const std::string& but, AnswerForm form, Defined&& defined, Value&& value) {
  NamedScores out;
  for (const std::string& name : kept_metric_names({form}))
    if (name != but && defined(name)) out.emplace_back(name, value(name));
  return out;
}

}  // namespace

double metric(const std::string& name, const Matrix& scores, std::span<const Index> labels) {
  const MetricEntry& entry = *parse_metric("", name, {AnswerForm::kClasses}).entry;
  check_shape(scores, labels.size());
  check_numbers(scores);
  if (entry.two_classes && scores.cols > 2)
    fail("metric '{}' needs two classes and the scores have {}; use accuracy", name, scores.cols);
  return entry.of_classes(scores, labels);
}

double task_metric(const std::string& name, const Matrix& scores, const Matrix& tasks) {
  const MetricEntry& entry = *parse_metric("", name, {AnswerForm::kTasks}).entry;
  check_shape(scores, static_cast<std::size_t>(tasks.rows));
  if (scores.cols != tasks.cols)
    fail("scores have {} columns for {} tasks; give one column per task", scores.cols, tasks.cols);
  check_numbers(scores);
  check_answers(tasks);
  if (!is_defined(name, tasks))
    fail("{} is not defined: of {} examples, {}; use larger parts", name, tasks.rows,
         all_answers_are_one_task(entry) ? "none has a known answer"
                                         : "no task has known answers of both kinds");
  if (all_answers_are_one_task(entry)) {
    const OneTask all(scores, tasks, 0, tasks.cols);
    return entry.of_classes(all.scores, all.labels);
  }
  double sum = 0;
  Index terms = 0;
  for (Index t = 0; t < tasks.cols; ++t) {
    if (!has_both(tasks, t)) continue;
    const OneTask one(scores, tasks, t, t + 1);
    sum += entry.of_classes(one.scores, one.labels);
    ++terms;
  }
  return sum / static_cast<double>(terms);
}

double pool_metric(const std::string& name, const Pool& pool) {
  const Metric metric = parse_metric("", name, {AnswerForm::kPool});
  if (!is_defined(name, pool))
    fail("{} is not defined: there is no {} pair; use larger parts", metric.words(),
         pool.positives.empty() ? "positive" : "negative");
  return metric.entry->of_pool(pool, metric.settings);
}

double rank_metric(const std::string& name, const Ranks& ranks) {
  const Metric metric = parse_metric("", name, {AnswerForm::kRanks});
  if (ranks.ties.size() != ranks.size() || ranks.candidates.size() != ranks.size())
    throw std::logic_error("[ranks] counts must be of one size");
  if (ranks.size() == 0)
    fail("{} is not defined: there is no positive pair; use larger parts", metric.words());
  if (fewest_candidates(ranks) < metric.candidates_needed())
    fail("metric '{}' looks at {} places, and a positive pair has {} candidates; take a smaller K",
         name, metric.candidates_needed(), fewest_candidates(ranks));
  return metric.entry->of_ranks(ranks, metric.settings);
}

bool is_defined(const std::string& name, std::span<const Index> labels) {
  const bool one_class = std::ranges::all_of(labels, [&](Index l) { return l == labels.front(); });
  return !(one_class && parse_metric("", name, {AnswerForm::kClasses}).entry->two_classes);
}

bool is_defined(const std::string& name, const Matrix& tasks) {
  if (all_answers_are_one_task(*parse_metric("", name, {AnswerForm::kTasks}).entry))
    return any_known(tasks);
  for (Index t = 0; t < tasks.cols; ++t)
    if (has_both(tasks, t)) return true;
  return false;
}

bool is_defined(const std::string&, const Pool& pool) {
  return !pool.positives.empty() && !pool.negatives.empty();
}

bool is_defined(const std::string& name, const Ranks& ranks) {
  return !ranks.size() == 0 && fewest_candidates(ranks) >=
                                   parse_metric("", name, {AnswerForm::kRanks}).candidates_needed();
}

NamedScores other_metrics(const std::string& but, const Matrix& scores,
                          std::span<const Index> labels) {
  const auto defined = [&](const std::string& name) {
    return is_defined(name, labels) && !(find_metric(name)->entry->two_classes && scores.cols > 2);
  };
  return kept_but(but, AnswerForm::kClasses, defined,
                  [&](const std::string& name) { return metric(name, scores, labels); });
}

NamedScores other_task_metrics(const std::string& but, const Matrix& scores, const Matrix& tasks) {
  return kept_but(
      but, AnswerForm::kTasks, [&](const std::string& name) { return is_defined(name, tasks); },
      [&](const std::string& name) { return task_metric(name, scores, tasks); });
}

NamedScores other_pool_metrics(const std::string& but, const Pool& pool) {
  return kept_but(
      but, AnswerForm::kPool, [&](const std::string& name) { return is_defined(name, pool); },
      [&](const std::string& name) { return pool_metric(name, pool); });
}

NamedScores other_rank_metrics(const std::string& but, const Ranks& ranks) {
  return kept_but(
      but, AnswerForm::kRanks, [&](const std::string& name) { return is_defined(name, ranks); },
      [&](const std::string& name) { return rank_metric(name, ranks); });
}

}  // namespace cupel
