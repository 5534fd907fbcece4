// Multilayer perceptron with one hidden layer: the baseline that sees no graph.
#include <string>

#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

class Mlp final : public TrainableModel {
 public:
  explicit Mlp(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        l2_of_biases_(o.text("l2_on") == "all" ? l2_ : 0),
        drop_features_(o.flag("drop_features")),
        activated_(o.text("activation") == "relu"),
        as_pytorch_(o.text("start") == "pytorch") {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value w1 = weights(b, "w1", in.features(), hidden_);
    const Value w2 = weights(b, "w2", hidden_, in.classes());
    Value h = b.dropout(in.feature_matrix(), drop_features_ ? dropout_ : 0);
    h = matmul(h, w1) + bias(b, "b1", hidden_, in.features());
    h = b.dropout(activated_ ? relu(h) : h, dropout_);
    return matmul(h, w2) + bias(b, "b2", in.classes(), hidden_);
  }

 private:
  Value weights(Builder& b, const std::string& name, Index inputs, Index outputs) const {
    return as_pytorch_ ? b.uniform(name, inputs, outputs, inputs, l2_)
                       : b.glorot(name, inputs, outputs, l2_);
  }
  Value bias(Builder& b, const std::string& name, Index outputs, Index inputs) const {
    return as_pytorch_ ? b.uniform(name, 1, outputs, inputs, l2_of_biases_)
                       : zero_bias(b, name, outputs, l2_of_biases_);
  }

  Index hidden_;
  double dropout_, l2_, l2_of_biases_;
  bool drop_features_, activated_, as_pytorch_;
};

}  // namespace

extern const ModelEntry model_mlp;
const ModelEntry model_mlp = {
    .name = "mlp",
    .title = "Multilayer perceptron",
    .citation = "as in Shchur et al., Pitfalls of graph neural network evaluation, 2018",
    .equations = {"Z = relu(drop(X) W1 + b1)", "logits = drop(Z) W2 + b2", "L2 on W1 and W2",
                  "activation = none: Z = drop(X) W1 + b1, a linear model of rank `hidden`",
                  "start = pytorch: weights and biases within 1 / sqrt(inputs)",
                  "drop_features = false: X is not dropped; l2_on = all: L2 on b1 and b2 too"},
    .disagreements =
        {{"activation = relu",
          "What ran for the table of Wiki-CS has neither relu nor dropout between its two layers, "
          "as its code puts them behind further hidden layers only (activation = none, dropout = "
          "0)."}},
    .options = {hidden_option(64),
                learning_rate_option(0.005),
                dropout_option(0.8),
                l2_option(0.01),
                drop_features_option(),
                {.name = "activation",
                 .fallback = std::string("relu"),
                 .doc = "Of the hidden layer.",
                 .choices = {"relu", "none"},
                 .later = true},
                {.name = "start",
                 .fallback = std::string("glorot"),
                 .doc =
                     "Initial values: Glorot's with biases of zero, or those of PyTorch's linear "
                     "layers.",
                 .choices = {"glorot", "pytorch"},
                 .later = true},
                l2_on_option("weights", "the weights")},
    .trainable = make_trainable<Mlp>,
};

}  // namespace cupel
