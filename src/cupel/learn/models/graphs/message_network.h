// What the networks of layers with messages share, as the starter code of the Open Graph Benchmark
// has it (messages.h): layers, each normalised, cut off at 0 and dropped from, and a read-out.
#pragma once

#include <string>
#include <vector>

#include "cupel/learn/models/graphs/messages.h"

namespace cupel {

class MessageNetwork : public TrainableModel {
 public:
  explicit MessageNetwork(const Options& o)
      : features_(node_composition(o)),
        pooling_(o.text("pooling")),
        hidden_(static_cast<Index>(o.integer("hidden"))),
        layers_(o.integer("layers")),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        edge_features_(o.flag("edge_features")) {}

  Value logits(Builder& b, GraphInputs& in) const final {
    Value x = start(b, in);
    for (std::int64_t l = 1; l <= layers_; ++l) {
      const std::string number = std::to_string(l);
      const bool last = l == layers_;
      x = layer(b, in, x, number);
      if (!last || norms_last()) x = batch_norm(b, x, "norm_" + number, l2_);
      x = b.dropout(last ? x : relu(x), dropout_);
    }
    return read_out(b, in, x);
  }

 protected:
  // nodes x hidden: what the first layer sees.
  virtual Value start(Builder& b, GraphInputs& in) const = 0;
  virtual Value layer(Builder& b, GraphInputs& in, Value x, const std::string& number) const = 0;
  // Whether the last layer is normalised too.
  virtual bool norms_last() const { return true; }
  virtual Value read_out(Builder& b, GraphInputs& in, Value x) const {
    return linear(b, pool(in, x, pooling_), "out", in.classes(), l2_);
  }

  std::string features_, pooling_;
  Index hidden_;
  std::int64_t layers_;
  double dropout_, l2_;
  bool edge_features_;
};

// After `own`, the model's own settings.
inline std::vector<OptionSpec> message_network_options(std::vector<OptionSpec> own,
                                                       const std::string& features,
                                                       std::int64_t hidden, std::int64_t layers,
                                                       bool edge_features) {
  for (OptionSpec& option :
       std::vector<OptionSpec>{node_features_option(features), hidden_option(hidden),
                               count_option("layers", layers, "Layers."), pooling_option("mean"),
                               edge_features_option(edge_features), learning_rate_option(0.001),
                               dropout_option(0.5), all_weight_decay_option(0)})
    own.push_back(std::move(option));
  return own;
}

}  // namespace cupel
