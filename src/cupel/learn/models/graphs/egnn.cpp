// GIN on atoms, whose messages see no bond: "EGNN" of the code of Li, Cao, Shuai, Miao and Hwang,
// IJCAI 2024, run on Tox21 under the name of GIN; after the starter code of the Open Graph
// Benchmark, Hu et al., NeurIPS 2020.
#include "cupel/learn/layers/atom_encoder.h"
#include "cupel/learn/models/graphs/message_network.h"

namespace cupel {
namespace {

class Egnn final : public MessageNetwork {
 public:
  using MessageNetwork::MessageNetwork;

 private:
  Value start(Builder& b, GraphInputs& in) const override {
    return encode_atoms(b, in, features_, hidden_, l2_);
  }
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& number) const override {
    return gin_layer(b, in, "egnn", x, edge_features_, number, l2_);
  }
  bool norms_last() const override { return false; }
  Value read_out(Builder& b, GraphInputs& in, Value x) const override {
    Value g = b.dropout(relu(pool(in, x, pooling_)), dropout_);
    g = b.dropout(relu(linear(b, g, "graph", hidden_, l2_)), dropout_);
    return linear(b, g, "out", in.classes(), l2_);
  }
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
          "al. 2024 leave them out."},
         {"(no setting)",
          "The released code cuts gradients down to norm 1 before a step. Here they stay as they "
          "are."},
         tox21_disagreement()},
    .options = message_network_options({}, "attributes", 256, 4, false),
    .unit = Unit::kGraph,
    .trainable = make_trainable<Egnn>,
};

}  // namespace cupel
