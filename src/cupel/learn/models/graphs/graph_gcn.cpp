// GCN on sets of graphs. Kipf and Welling, "Semi-supervised classification with graph convolutional
// networks", ICLR 2017, as the starter code of the Open Graph Benchmark has it and Li, Cao, Shuai,
// Miao and Hwang, IJCAI 2024, ran it.
#include "cupel/learn/models/graphs/message_network.h"

namespace cupel {
namespace {

class GraphGcn final : public MessageNetwork {
 public:
  using MessageNetwork::MessageNetwork;

 private:
  Value start(Builder& b, GraphInputs& in) const override {
    return relu(linear(b, in.node_features(features_), "node", hidden_, l2_));
  }
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& number) const override {
    return gcn_layer(b, in, "graph-gcn", x, edge_features_, false, number, l2_);
  }
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
          "Li et al. 2024 have 4 on attributes and choose among 2, 3 and 4 on degrees."},
         tox21_disagreement()},
    .options = message_network_options({}, "labels", 300, 4, false),
    .unit = Unit::kGraph,
    .trainable = make_trainable<GraphGcn>,
};

}  // namespace cupel
