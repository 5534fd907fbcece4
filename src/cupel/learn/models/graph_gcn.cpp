// GCN on sets of graphs. Kipf and Welling, "Semi-supervised classification with graph convolutional
// networks", ICLR 2017, as the starter code of the Open Graph Benchmark has it and Li, Cao, Shuai,
// Miao and Hwang, IJCAI 2024, ran it.
#include "cupel/learn/models/graph_baseline.h"
#include "cupel/learn/models/messages.h"

namespace cupel {
namespace {

class GraphGcn final : public TrainableModel {
 public:
  explicit GraphGcn(const Options& o)
      : features_(o.text("features")),
        pooling_(o.text("pooling")),
        hidden_(static_cast<Index>(o.integer("hidden"))),
        layers_(o.integer("layers")),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        edge_features_(o.flag("edge_features")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    Value x = relu(linear(b, in.node_features(features_), "node", hidden_, l2_));
    for (std::int64_t l = 1; l <= layers_; ++l) {
      const std::string number = std::to_string(l);
      x = gcn_layer(b, in, "graph-gcn", x, edge_features_, false, number, l2_);
      x = batch_norm(b, x, "norm_" + number, l2_);
      x = b.dropout(l < layers_ ? relu(x) : x, dropout_);
    }
    return linear(b, pool(in, x, pooling_), "out", in.classes(), l2_);
  }

 private:
  std::string features_, pooling_;
  Index hidden_;
  std::int64_t layers_;
  double dropout_, l2_;
  bool edge_features_;
};

}  // namespace

extern const ModelEntry model_graph_gcn;
const ModelEntry model_graph_gcn = {
    .name = "graph-gcn",
    .title = "GCN (sets of graphs)",
    .citation = std::string("Kipf and Welling, Semi-supervised classification with graph "
                            "convolutional networks, ICLR 2017; ") +
                kLiCitation,
    .equations =
        {"X_0 = relu(linear(x)), Z_l = linear(X_(l-1)), d_i the neighbours of i and i itself",
         "M_i = sum over neighbours j of (d_i d_j)^-1/2 relu(Z_j + linear(arc_ij)) + relu(Z_i) / "
         "d_i; the arc only with edge_features",
         "X_l = drop(relu(norm(M))), without relu in the last layer", "logits = linear(pool(X))",
         kLinear},
    .disagreements =
        {{"(no setting)",
          "Kipf and Welling 2017 sum Z and cut off at 0 afterwards; here each message is cut off "
          "before it is summed, as in the Open Graph Benchmark's code."},
         {"layers = 4",
          "Li et al. 2024 have 4 on attributes and choose among 2, 3 and 4 on degrees."}},
    .options = {node_features_option("labels"), hidden_option(300),
                count_option("layers", 4, "Layers."), pooling_option("mean"),
                edge_features_option(false), learning_rate_option(0.001), dropout_option(0.5),
                all_weight_decay_option(0)},
    .examples = Examples::kGraphs,
    .trainable = make_trainable<GraphGcn>,
};

}  // namespace cupel
