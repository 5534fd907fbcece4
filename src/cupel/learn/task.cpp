#include "cupel/learn/task.h"

#include "cupel/data/split/split.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {

double SealedLabels::score(const std::string& metric_name, const Scores& scores) const {
  return metric(metric_name, scores, labels_);
}

std::optional<double> SealedLabels::score_on(const std::string& metric_name, const Scores& scores,
                                             std::span<const Index> rows) const {
  if (rows.empty()) return {};
  Scores part(static_cast<Index>(rows.size()), scores.cols);
  std::vector<Index> labels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(scores.row(rows[i]), scores.cols, part.row(static_cast<Index>(i)));
    labels.push_back(labels_.at(static_cast<std::size_t>(rows[i])));
  }
  const bool one_class =
      std::all_of(labels.begin(), labels.end(), [&](Index label) { return label == labels[0]; });
  if (one_class && metric_name.starts_with("roc-auc")) return {};
  return metric(metric_name, part, labels);
}

std::vector<std::pair<std::string, double>> SealedLabels::other_scores(const std::string& but,
                                                                       const Scores& scores) const {
  return other_metrics(but, scores, labels_);
}

NodeTask make_task(const std::shared_ptr<const TaskData>& data, const Split& split) {
  const Dataset& dataset = data->data();
  check_split(dataset, split, dataset.name);
  TaskView view;
  view.data_ = data;
  view.train = split.train;
  view.valid = split.valid;
  view.test = split.test;
  const auto labels_of = [&](const std::vector<Index>& examples) {
    std::vector<Index> labels;
    labels.reserve(examples.size());
    for (const Index example : examples) labels.push_back(dataset.labels[example]);
    return labels;
  };
  view.train_labels = labels_of(split.train);
  view.valid_labels = labels_of(split.valid);
  return {std::move(view), SealedLabels(labels_of(split.test))};
}

}  // namespace cupel
