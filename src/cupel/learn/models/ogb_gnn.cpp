// The networks of the Open Graph Benchmark's starter code for graphs whose arcs have attributes.
// Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta and Leskovec, "Open graph benchmark: datasets for
// machine learning on graphs", NeurIPS 2020, as run on ogbg-ppa by Li, Cao, Shuai, Miao and Hwang,
// IJCAI 2024.
#include "cupel/learn/atom_encoder.h"
#include "cupel/learn/models/graph_baseline.h"
#include "cupel/learn/models/messages.h"

namespace cupel {
namespace {

class OgbGnn final : public TrainableModel {
 public:
  explicit OgbGnn(const Options& o)
      : encoder_(o.text("encoder")),
        features_(o.text("features")),
        convolution_(o.text("convolution")),
        pooling_(o.text("pooling")),
        hidden_(static_cast<Index>(o.integer("hidden"))),
        layers_(o.integer("layers")),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        edge_features_(o.flag("edge_features")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    Value x = encoded(b, in);
    for (std::int64_t l = 1; l <= layers_; ++l) {
      const std::string number = std::to_string(l);
      x = convolution_ == "gin" ? gin_layer(b, in, "ogb-gnn", x, edge_features_, number, l2_)
                                : gcn_layer(b, in, "ogb-gnn", x, edge_features_, true, number, l2_);
      x = batch_norm(b, x, "norm_" + number, l2_);
      x = b.dropout(l < layers_ ? relu(x) : x, dropout_);
    }
    return linear(b, pool(in, x, pooling_), "out", in.classes(), l2_);
  }

 private:
  Value encoded(Builder& b, GraphInputs& in) const {
    if (encoder_ == "atoms") return encode_atoms(b, in, features_, hidden_, l2_);
    if (encoder_ == "linear") return linear(b, in.node_features(features_), "node", hidden_, l2_);
    return matmul(in.node_features("constant:value=1"),
                  b.parameter({.name = "node",
                               .rows = 1,
                               .cols = hidden_,
                               .init = Parameter::Init::kNormal,
                               .l2 = l2_}));
  }

  std::string encoder_, features_, convolution_, pooling_;
  Index hidden_;
  std::int64_t layers_;
  double dropout_, l2_;
  bool edge_features_;
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
          "gcn, "
          "but the one called GIN said nothing, which is gin, when its number was made."}},
    .options = {{.name = "convolution",
                 .fallback = std::string("gin"),
                 .doc = "How messages are summed.",
                 .choices = {"gin", "gcn"}},
                {.name = "encoder",
                 .fallback = std::string("embedding"),
                 .doc = "What a node starts from: one learnt row for all of them, a linear map of "
                        "its features, or learnt rows for the nine attributes of an atom.",
                 .choices = {"embedding", "linear", "atoms"}},
                node_features_option("attributes"),
                hidden_option(300),
                count_option("layers", 5, "Layers."),
                pooling_option("mean"),
                edge_features_option(true),
                learning_rate_option(0.001),
                dropout_option(0.5),
                all_weight_decay_option(0)},
    .examples = Examples::kGraphs,
    .trainable = make_trainable<OgbGnn>,
};

}  // namespace cupel
