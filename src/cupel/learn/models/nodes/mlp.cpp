// Multilayer perceptron with one hidden layer: the baseline that sees no graph.
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

class Mlp final : public TrainableModel {
 public:
  explicit Mlp(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value w1 = b.glorot("w1", in.features(), hidden_, l2_);
    const Value w2 = b.glorot("w2", hidden_, in.classes(), l2_);
    Value h = b.dropout(in.feature_matrix(), dropout_);
    h = b.dropout(relu(matmul(h, w1) + b.zeros("b1", hidden_)), dropout_);
    return matmul(h, w2) + b.zeros("b2", in.classes());
  }

 private:
  Index hidden_;
  double dropout_, l2_;
};

}  // namespace

extern const ModelEntry model_mlp;
const ModelEntry model_mlp = {
    .name = "mlp",
    .title = "Multilayer perceptron",
    .citation = "as in Shchur et al., Pitfalls of graph neural network evaluation, 2018",
    .equations = {"Z = relu(drop(X) W1 + b1)", "logits = drop(Z) W2 + b2", "L2 on W1 and W2"},
    .disagreements = {},
    .options = {hidden_option(64), learning_rate_option(0.005), dropout_option(0.8),
                l2_option(0.01)},
    .trainable = make_trainable<Mlp>,
};

}  // namespace cupel
