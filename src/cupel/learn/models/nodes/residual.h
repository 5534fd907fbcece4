// What the nine baselines of the heterophily paper share. Platonov, Kuznedelev, Diskin, Babenko and
// Prokhorenkova, "A critical look at the evaluation of GNNs under heterophily: are we really making
// progress?", ICLR 2023, section 5 and appendix A, and the code released with it.
//
//   X = gelu(drop(linear(features)))                    drop before the activation, as released
//   a layer: X = X + module(norm(X)), once or twice     every module has a norm of its own
//   logits = linear(norm(X))
//   FF(Y) = drop(linear(gelu(drop(linear(Y)))))         the two-layer MLP
//
// Messages go from the source u of an arc to its target v: row v of an operator names the sources
// of v's incoming arcs. Of directed graphs the paper says only that they are left so; what is done
// with them here is what the released code does.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cupel/learn/layers/operators.h"
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {

class ResidualModel : public TrainableModel {
 public:
  explicit ResidualModel(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        layers_(static_cast<Index>(o.integer("layers"))),
        multiplier_(o.real("multiplier")),
        dropout_(o.real("dropout")) {}

  Value logits(Builder& b, GraphInputs& in) const final {
    Value x = gelu(b.dropout(linear(b, features(in), hidden_, "input"), dropout_));
    for (Index l = 1; l <= layers_; ++l) x = layer(b, in, x, "layer" + std::to_string(l));
    // Of two classes, one logit: that of the second.
    const Index outputs = in.gives_classes() && in.classes() == 2 ? 1 : in.classes();
    return linear(b, {norm(b, x, "output")}, outputs, "output");
  }

 protected:
  // What the first linear map reads, side by side.
  virtual std::vector<Value> features(GraphInputs& in) const { return {in.feature_matrix()}; }
  // One layer, with its residual, since some have two. That of ResNet does not see the graph.
  virtual Value layer(Builder& b, GraphInputs& /*in*/, Value x, const std::string& name) const {
    return x + feed_forward(b, {norm(b, x, name)}, name);
  }

  // Of the parts side by side: [X_1 X_2 ...] W + b. A product for each part, with its rows of W: so
  // parts may be sparse, and nothing is copied.
  static Value linear(Builder& b, const std::vector<Value>& parts, Index width,
                      const std::string& name) {
    Index fan_in = 0;
    for (const Value& part : parts) fan_in += part.shape().cols;
    const auto product = [&](std::size_t i) {
      const std::string number = parts.size() > 1 ? std::to_string(i + 1) : "";
      const Index rows = parts[i].shape().cols;
      return matmul(parts[i], b.uniform(name + ".w" + number, rows, width, fan_in));
    };
    Value sum = product(0);
    for (std::size_t i = 1; i < parts.size(); ++i) sum = sum + product(i);
    return sum + b.uniform(name + ".b", 1, width, fan_in);
  }

  static Value norm(Builder& b, Value x, const std::string& name) {
    const Index width = x.shape().cols;
    const Value gain = b.parameter({.name = name + ".gain",
                                    .rows = 1,
                                    .cols = width,
                                    .init = Parameter::Init::kFill,
                                    .fill = {1.0f}});
    return layer_norm(x, gain, b.zeros(name + ".shift", width));
  }

  // FF of the parts side by side.
  Value feed_forward(Builder& b, const std::vector<Value>& parts, const std::string& name) const {
    const auto width = static_cast<Index>(std::max(1.0, std::floor(hidden_ * multiplier_)));
    const Value h = gelu(b.dropout(linear(b, parts, width, name + ".in"), dropout_));
    return b.dropout(linear(b, {h}, hidden_, name + ".out"), dropout_);
  }

  Index hidden() const { return hidden_; }
  double dropout() const { return dropout_; }

 private:
  Index hidden_, layers_;
  double multiplier_, dropout_;
};

inline constexpr const char* kResidualCitation =
    "Platonov et al., A critical look at the evaluation of GNNs under heterophily: are we really "
    "making progress?, ICLR 2023";
inline constexpr const char* kResidualInput = "X = gelu(drop(features W + b))";
inline constexpr const char* kResidualOutput =
    "logits = norm(X) W' + b', of two classes that of the second; FF(Y) = drop(gelu(drop(Y W1 + "
    "b1)) W2 + b2)";

inline std::vector<OptionSpec> residual_options(const std::vector<OptionSpec>& more = {}) {
  std::vector<OptionSpec> options = {
      {.name = "layers",
       .fallback = std::int64_t{2},
       .doc = "Residual layers; the paper chooses among 1 to 5 on validation nodes.",
       .min = 1,
       .max = 64},
      hidden_option(512),
      {.name = "multiplier",
       .fallback = 1.0,
       .doc = "Width of the hidden layer of FF, in units of hidden.",
       .min = 0.01,
       .max = 64},
      learning_rate_option(3e-5),
      {.name = "dropout",
       .fallback = 0.2,
       .doc = "Probability of dropping a number that a linear map gives.",
       .min = 0,
       .max = 0.99}};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

inline Disagreement appended_loops_disagreement() {
  return {"(no setting)",
          "The released code adds a self-loop to every node, also where there is one already; in "
          "the directed Wikipedia graphs those count twice. The paper does not speak of it."};
}

}  // namespace cupel
