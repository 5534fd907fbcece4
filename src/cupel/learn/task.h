// A node-classification task with its test labels sealed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// What training and selection may see. It holds no test label, and no way to reach one.
// Node ids index the adjacency and the features. Immutable; safe to share between threads.
struct TaskView {
  std::shared_ptr<const Csr> adjacency;      // nodes x nodes, prepared
  std::shared_ptr<const Features> features;  // nodes x features
  Index classes = 0;
  std::vector<Index> train, valid, test;            // node ids
  std::vector<Index> train_labels, valid_labels;    // aligned with train and valid

  Index nodes() const { return adjacency->rows; }
};

// Scores of a fixed set of nodes, nodes x classes; larger means more likely.
using Scores = Matrix;

// The other half of the task: the test labels. It can only say how good scores are.
class SealedLabels {
 public:
  explicit SealedLabels(std::vector<Index> labels) : labels_(std::move(labels)) {}
  // Value of `metric` ("accuracy") on scores of the task's test nodes, in their order. Fraction in
  // [0, 1]. Throws Error on a wrong shape, a NaN score or an unknown metric.
  [[nodiscard]] double score(const std::string& metric, const Scores& scores) const;
  std::size_t size() const { return labels_.size(); }

 private:
  std::vector<Index> labels_;
};

struct NodeTask {
  TaskView view;
  SealedLabels test_labels;
};

// Shares the graph and features of `data`; copies only labels and ids.
// Throws Error (check_split) if the split is not one of the data set.
[[nodiscard]] NodeTask make_task(const std::shared_ptr<const Dataset>& data, const Split& split);

}  // namespace cupel
