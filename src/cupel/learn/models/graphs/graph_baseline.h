// What the baselines of sets of graphs share: a perceptron on one row for each graph. Li, Cao,
// Shuai, Miao and Hwang, "Rethinking the effectiveness of graph classification datasets in
// benchmarks for assessing GNNs", IJCAI 2024, section 3, and the code released with it.
#pragma once

#include <string>
#include <vector>

#include "cupel/learn/models/graphs/graph_level.h"

namespace cupel {

class GraphBaseline : public TrainableModel {
 public:
  explicit GraphBaseline(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        norm_(o.flag("norm")),
        output_relu_(o.flag("output_relu")) {}

  Value logits(Builder& b, GraphInputs& in) const final {
    Value x = graphs(in);
    if (norm_) x = batch_norm(b, x, "norm", l2_);
    const Value h = b.dropout(relu(linear(b, x, "1", hidden_, l2_)), dropout_);
    const Value out = linear(b, h, "2", in.classes(), l2_);
    return output_relu_ ? relu(out) : out;
  }

 protected:
  virtual Value graphs(GraphInputs& in) const = 0;

 private:
  Index hidden_;
  double dropout_, l2_;
  bool norm_, output_relu_;
};

inline constexpr const char* kBaselineEquation =
    "logits = linear(drop(relu(linear(norm(g))))), g one row for each graph";

inline Disagreement output_relu_disagreement() {
  return {
      "output_relu = false",
      "The released code puts a relu behind the logits, too (as Errica et al. 2020 did), so that "
      "no logit is below 0, and a class whose logits all are 0 learns no more: trainings often "
      "end with one class for all graphs. The tables of both papers were made so "
      "(output_relu = true)."};
}

inline Exemption output_relu_exemption() {
  return {Requirement::kCapacity, "output_relu", true,
          "Where all logits of a graph are 0 behind the relu, it passes no gradient."};
}

inline std::vector<OptionSpec> baseline_options(OptionSpec features) {
  return {std::move(features),
          hidden_option(300),
          switch_option("norm", true, "Whether g is batch-normalised first."),
          switch_option("output_relu", false, "Whether, as released, a relu follows the logits."),
          learning_rate_option(0.001),
          dropout_option(0.5),
          all_weight_decay_option(0)};
}

}  // namespace cupel
