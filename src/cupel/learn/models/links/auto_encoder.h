// What the two graph auto-encoders of Kipf and Welling 2016 share.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/graph/graph.h"
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {

[[nodiscard]] inline std::vector<OptionSpec> auto_encoder_options() {
  return {hidden_option(32),
          learning_rate_option(0.01),
          dropout_option(0.0),
          {.name = "features",
           .fallback = true,
           .doc = "Read the features; false: a column of the first weights for each node."}};
}

// Graph convolutions without biases, and without L2.
class AutoEncoderSizes {
 public:
  explicit AutoEncoderSizes(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        dropout_(o.real("dropout")),
        features_(o.flag("features")) {}

  // relu(S drop(X) W1); without features X is the identity.
  Value first_layer(Builder& b, GraphInputs& in) const {
    const Value x = features_ ? in.feature_matrix() : identity(in);
    const Value w = b.glorot("w1", features_ ? in.features() : in.nodes(), hidden_);
    return relu(propagate(in.symmetric_normalised(true), matmul(b.dropout(x, dropout_), w)));
  }
  // S drop(h) W, of the width that is asked of the model.
  Value convolved(Builder& b, GraphInputs& in, Value h, const std::string& name) const {
    const Value w = b.glorot(name, hidden_, in.classes());
    return propagate(in.symmetric_normalised(true), matmul(b.dropout(h, dropout_), w));
  }

 private:
  static Value identity(GraphInputs& in) {
    return in.sparse("identity", [](const Csr& arcs, const Features&) {
      std::vector<Edge> loops;
      for (Index v = 0; v < arcs.rows; ++v) loops.push_back({v, v});
      return from_edges(arcs.rows, loops);
    });
  }

  Index hidden_;
  double dropout_;
  bool features_;
};

}  // namespace cupel
