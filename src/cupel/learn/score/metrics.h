// Metrics by name: what they are, and their values.
//
// A name is NAME[:SETTING=VALUE[,...]], or NAME@NUMBER[:...] of a metric whose entry says so:
// "accuracy", "mrr", "mrr:ties=optimistic", "hits@10". Settings at their defaults are not written,
// so that a metric has one name in identities and stores. metric_entry.h says what a metric is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/learn/score/metric_entry.h"

namespace cupel {

struct Metric {
  const MetricEntry* entry = nullptr;
  Options settings;

  std::string name() const;   // as protocols and stores write it: "mrr:ties=optimistic"
  std::string words() const;  // as reports do: "MRR (ties: optimistic)"
  bool is_of(AnswerForm form) const;
  // How many candidates each positive must have: K of "hits@K".
  Offset candidates_needed() const;
};

// Empty where no metric has the name, or not these settings.
[[nodiscard]] std::optional<Metric> find_metric(const std::string& name);

// Throws Error naming what is known where there is no such metric, a setting is wrong, or the
// metric is of none of these forms of answers. `where` begins the message; "" for none.
[[nodiscard]] Metric parse_metric(const std::string& where, const std::string& name,
                                  const std::vector<AnswerForm>& forms);

// Names of the metrics of any of these forms, "hits@K" among those of ranks.
[[nodiscard]] std::vector<std::string> metric_names(const std::vector<AnswerForm>& forms);
// Those that every run keeps, where they are defined, whatever it was selected by.
[[nodiscard]] std::vector<std::string> kept_metric_names(const std::vector<AnswerForm>& forms);
// The metric that ranks by other outputs of a model: "roc-auc-column" is the form "column" of
// "roc-auc". The metric itself where it has no such form.
[[nodiscard]] std::string form_of_metric(const std::string& name, const std::string& form);
// Of a group of examples (group_names.h) that of its metric. Fractions for a name that no metric
// has.
[[nodiscard]] MetricScale scale_of_metric(const std::string& name);
// Whether its value is the share of rows whose class is chosen.
[[nodiscard]] bool counts_hits(const std::string& name);

// Values. Each throws Error for a name that is not of its answers (with those that are), for sizes
// that do not fit, for NaN, and where the metric is not defined. Pure functions.

// Of classes: scores are examples x classes, or one column, that of the second of two classes.
[[nodiscard]] double metric(const std::string& name, const Matrix& scores,
                            std::span<const Index> labels);
// Of several tasks: scores are examples x tasks, of which a score above 0 means yes. `tasks`: 0, 1
// or NaN (not known), of the same shape. A mean over tasks leaves out those whose known answers are
// all of one kind, as the evaluator of the Open Graph Benchmark does (Hu et al. 2020).
[[nodiscard]] double task_metric(const std::string& name, const Matrix& scores,
                                 const Matrix& tasks);
[[nodiscard]] double pool_metric(const std::string& name, const Pool& pool);
// A positive without candidates has rank 1.
[[nodiscard]] double rank_metric(const std::string& name, const Ranks& ranks);

// Whether labels are of two classes, where it needs both; of tasks, whether some answer is known,
// or, of what is a mean over tasks, whether some task has both; of a pool, whether it has both; of
// ranks, whether there are any, with as many candidates as it needs.
[[nodiscard]] bool is_defined(const std::string& name, std::span<const Index> labels);
[[nodiscard]] bool is_defined(const std::string& name, const Matrix& tasks);
[[nodiscard]] bool is_defined(const std::string& name, const Pool& pool);
[[nodiscard]] bool is_defined(const std::string& name, const Ranks& ranks);

// What else scores say beside the metric that they were selected by: every one of
// kept_metric_names() that is defined for them and is not `but`. In their order.
using NamedScores = std::vector<std::pair<std::string, double>>;
[[nodiscard]] NamedScores other_metrics(const std::string& but, const Matrix& scores,
                                        std::span<const Index> labels);
[[nodiscard]] NamedScores other_task_metrics(const std::string& but, const Matrix& scores,
                                             const Matrix& tasks);
[[nodiscard]] NamedScores other_pool_metrics(const std::string& but, const Pool& pool);
[[nodiscard]] NamedScores other_rank_metrics(const std::string& but, const Ranks& ranks);

}  // namespace cupel
