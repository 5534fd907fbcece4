#include "cupel/judge/prediction/features.h"

#include <cmath>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/stats/correlation.h"
#include "cupel/judge/stats/descriptive.h"

namespace cupel {
namespace {

// Columns of GraphProperties.
constexpr std::size_t kNodes = 0, kDegree = 2, kClustering = 3, kFirstCycles = 5, kLastCycles = 8;

double population_sd(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

class Builder {
 public:
  explicit Builder(std::span<const double> labels) : labels_(labels) {}

  void add(std::span<const double> values) {
    add_label(values);
    out_[at_++] = pearson(values, labels_).value_or(0);
  }
  void add_label(std::span<const double> values) {
    out_[at_++] = mean_of(values);
    out_[at_++] = population_sd(values);
  }
  const PredictionFeatures& features() const { return out_; }

 private:
  std::span<const double> labels_;
  PredictionFeatures out_{};
  std::size_t at_ = 0;
};

PredictionFeatures features_of(const GraphProperties& properties, std::span<const Index> graphs,
                               std::span<const double> labels) {
  const auto column = [&](std::size_t property) {
    std::vector<double> out;
    for (const Index g : graphs)
      out.push_back(properties.columns[property][static_cast<std::size_t>(g)]);
    return out;
  };
  const std::vector<double> degree = column(kDegree), nodes = column(kNodes);
  std::vector<double> relative;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    relative.push_back(nodes[i] > 0 ? degree[i] / nodes[i] : 0);
  Builder builder(labels);
  builder.add(degree);
  builder.add(column(kClustering));
  builder.add(relative);
  builder.add(nodes);
  builder.add_label(labels);
  for (std::size_t property = kFirstCycles; property <= kLastCycles; ++property)
    builder.add(column(property));
  return builder.features();
}

}  // namespace

std::array<std::string, kPredictionFeatures> prediction_feature_names() {
  std::array<std::string, kPredictionFeatures> out;
  std::size_t at = 0;
  for (const char* name : {"degree", "clustering", "degree/nodes", "nodes", "label", "cycles_4",
                           "cycles_5", "cycles_6", "cycles_7"}) {
    for (const char* number : {" mean", " sd", " correlation"}) {
      if (name == std::string("label") && number == std::string(" correlation")) continue;
      out[at++] = std::string(name) + number;
    }
  }
  return out;
}

PredictionFeatures prediction_features(const Dataset& dataset, const GraphProperties& properties,
                                       std::span<const Index> graphs) {
  const bool single = !dataset.has_tasks();
  PredictionFeatures sum{};
  int counted = 0;
  for (Index task = 0; task < (single ? 1 : dataset.tasks()); ++task) {
    std::vector<Index> known;
    std::vector<double> labels;
    for (const Index g : graphs) {
      const double label =
          single ? dataset.labels()[static_cast<std::size_t>(g)] : dataset.task_answers()(g, task);
      if (std::isnan(label)) continue;
      known.push_back(g);
      labels.push_back(label);
    }
    if (known.empty()) continue;
    const PredictionFeatures found = features_of(properties, known, labels);
    for (std::size_t f = 0; f < sum.size(); ++f) sum[f] += found[f];
    ++counted;
  }
  if (counted == 0)
    fail("prediction: none of the {} graphs of '{}' has a label; leave the data set out",
         graphs.size(), dataset.name);
  for (double& value : sum) value /= counted;
  return sum;
}

}  // namespace cupel
