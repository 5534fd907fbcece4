#include "cupel/learn/task.h"

#include "cupel/data/split/split.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {

std::shared_ptr<const Csr> TaskData::derived(const std::string& name,
                                             const DerivedMatrix& make) const {
  // Held while making: two threads that want the same matrix make it once.
  const std::lock_guard lock(mutex_);
  auto& slot = derived_[name];
  if (slot == nullptr) slot = std::make_shared<const Csr>(make(data_->adjacency, data_->features));
  return slot;
}

double SealedLabels::score(const std::string& metric_name, const Scores& scores) const {
  return metric(metric_name, scores, labels_);
}

NodeTask make_task(const std::shared_ptr<const TaskData>& data, const Split& split) {
  const Dataset& dataset = data->data();
  check_split(dataset, split, dataset.name);
  TaskView view;
  view.data_ = data;
  view.train = split.train;
  view.valid = split.valid;
  view.test = split.test;
  const auto labels_of = [&](const std::vector<Index>& nodes) {
    std::vector<Index> labels;
    labels.reserve(nodes.size());
    for (const Index node : nodes) labels.push_back(dataset.labels[node]);
    return labels;
  };
  view.train_labels = labels_of(split.train);
  view.valid_labels = labels_of(split.valid);
  return {std::move(view), SealedLabels(labels_of(split.test))};
}

}  // namespace cupel
