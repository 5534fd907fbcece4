// GIN on atoms, whose messages see no bond: "EGNN" of the code of Li, Cao, Shuai, Miao and Hwang,
// IJCAI 2024, run on Tox21 under the name of GIN; after the starter code of the Open Graph
// Benchmark, Hu et al., NeurIPS 2020.
#include "cupel/learn/atom_encoder.h"
#include "cupel/learn/models/graph_baseline.h"
#include "cupel/learn/models/messages.h"

namespace cupel {
namespace {

class Egnn final : public TrainableModel {
 public:
  explicit Egnn(const Options& o)
      : features_(o.text("features")),
        pooling_(o.text("pooling")),
        hidden_(static_cast<Index>(o.integer("hidden"))),
        layers_(o.integer("layers")),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        edge_features_(o.flag("edge_features")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    Value x = encode_atoms(b, in, features_, hidden_, l2_);
    for (std::int64_t l = 1; l <= layers_; ++l) {
      const std::string number = std::to_string(l);
      x = gin_layer(b, in, "egnn", x, edge_features_, number, l2_);
      if (l < layers_) x = relu(batch_norm(b, x, "norm_" + number, l2_));
      x = b.dropout(x, dropout_);
    }
    Value g = b.dropout(relu(pool(in, x, pooling_)), dropout_);
    g = b.dropout(relu(linear(b, g, "graph", hidden_, l2_)), dropout_);
    return linear(b, g, "out", in.classes(), l2_);
  }

 private:
  std::string features_, pooling_;
  Index hidden_;
  std::int64_t layers_;
  double dropout_, l2_;
  bool edge_features_;
};

}  // namespace

extern const ModelEntry model_egnn;
const ModelEntry model_egnn = {
    .name = "egnn",
    .title = "GIN on atoms",
    .citation = kLiCitation,
    .equations =
        {"X_0: the sum of learnt rows for the nine attributes of an atom",
         "M_i = linear(relu(norm(linear((1 + eps) X_i + sum over neighbours j of relu(X_j)))))",
         "X_l = drop(relu(norm(M))), in the last layer drop(M)",
         "logits = linear(drop(relu(linear(drop(relu(pool(X)))))))", kLinear},
    .disagreements =
        {{"(no setting)",
          "The released code cannot make this model any more; it is read from what it says and "
          "from the versions before. The paper's table calls it GIN."},
         {"edge_features = false",
          "The Open Graph Benchmark's code adds learnt rows for the bond to every message; Li et "
          "al. 2024 leave them out."}},
    .options = {node_features_option("attributes"), hidden_option(256),
                count_option("layers", 4, "Layers."), pooling_option("mean"),
                edge_features_option(false), learning_rate_option(0.001), dropout_option(0.5),
                all_weight_decay_option(0)},
    .examples = Examples::kGraphs,
    .trainable = make_trainable<Egnn>,
};

}  // namespace cupel
