// The networks of the Open Graph Benchmark's starter code for graphs whose arcs have attributes.
// Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta and Leskovec, "Open graph benchmark: datasets for
// machine learning on graphs", NeurIPS 2020, as run on ogbg-ppa by Li, Cao, Shuai, Miao and Hwang,
// IJCAI 2024.
#include "cupel/learn/layers/atom_encoder.h"
#include "cupel/learn/models/graphs/message_network.h"

namespace cupel {
namespace {

class OgbGnn final : public MessageNetwork {
 public:
  explicit OgbGnn(const Options& o)
      : MessageNetwork(o), encoder_(o.text("encoder")), convolution_(o.text("convolution")) {}

 private:
  Value start(Builder& b, GraphInputs& in) const override {
    if (encoder_ == "atoms") return encode_atoms(b, in, features_, hidden_, l2_);
    if (encoder_ == "linear") return linear(b, in.node_features(features_), "node", hidden_, l2_);
    return matmul(in.node_features("constant:value=1"),
                  b.parameter({.name = "node",
                               .rows = 1,
                               .cols = hidden_,
                               .init = Parameter::Init::kNormal,
                               .l2 = l2_}));
  }
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& number) const override {
    return convolution_ == "gin"
               ? gin_layer(b, in, "ogb-gnn", x, edge_features_, number, l2_)
               : gcn_layer(b, in, "ogb-gnn", x, edge_features_, true, number, l2_);
  }

  std::string encoder_, convolution_;
};

}  // namespace

extern const ModelEntry model_ogb_gnn;
const ModelEntry model_ogb_gnn = {
    .name = "ogb-gnn",
    .title = "GIN or GCN with attributes of arcs",
    .citation = std::string("Hu et al., Open graph benchmark: datasets for machine learning on "
                            "graphs, NeurIPS 2020; ") +
                kLiCitation,
    .equations =
        {"X_0: one learnt row for all nodes, or linear(x), or the learnt rows of an atom",
         "gin: M_i = linear(relu(norm(linear((1 + eps) X_i + sum over neighbours j of relu(X_j + "
         "linear(arc_ij))))))",
         "gcn: Z = linear(X), M_i = sum over neighbours j of (d_i d_j)^-1/2 relu(Z_j + "
         "linear(arc_ij)) + relu(Z_i + root) / d_i, d_i the neighbours of i and i itself",
         "X_l = drop(relu(norm(M))), without relu in the last layer", "logits = linear(pool(X))",
         kLinear},
    .disagreements =
        {{"convolution = \"gin\"",
          "Li et al. 2024 name GIN and GCN; both released settings with attributes of arcs say "
          "gcn, but the one called GIN said nothing, which is gin, when its number was made."}},
    .options = message_network_options(
        {{.name = "convolution",
          .fallback = std::string("gin"),
          .doc = "How messages are summed.",
          .choices = {"gin", "gcn"}},
         {.name = "encoder",
          .fallback = std::string("embedding"),
          .doc = "What a node starts from: one learnt row for all of them, a linear map of its "
                 "features, or learnt rows for the nine attributes of an atom.",
          .choices = {"embedding", "linear", "atoms"}}},
        "attributes", 300, 5, true),
    .unit = Unit::kGraph,
    .trainable = make_trainable<OgbGnn>,
};

}  // namespace cupel
