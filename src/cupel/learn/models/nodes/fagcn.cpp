// FAGCN. Bo, Wang, Shi and Shen, "Beyond low-frequency information in graph convolutional
// networks", AAAI 2021, equations 7 to 9.
#include <algorithm>
#include <cmath>
#include <string>

#include "cupel/data/graph/graph.h"
#include "cupel/learn/models/nodes/heterophily.h"

namespace cupel {
namespace {

class Fagcn final : public TrainableModel {
 public:
  explicit Fagcn(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        layers_(o.integer("layers")),
        epsilon_(o.real("epsilon")),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        features_(o.text("features")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value graph = in.sparse("undirected, no self-loops", [](const Csr& a, const Features&) {
      return drop_self_loops(symmetrise(a));
    });
    const Value scale = in.entry_constant("undirected degrees", graph, inverse_roots_of_degrees);
    const Value x = b.dropout(features_of(in, features_), dropout_);
    const Value raw = b.dropout(relu(xavier(b, x, "in", hidden_)), dropout_);
    Value h = raw;
    for (std::int64_t layer = 0; layer < layers_; ++layer) {
      // g [h_v | h_u] + b: one product gives both halves.
      const std::string name = "gate" + std::to_string(layer);
      const Value gates = matmul(h, b.parameter({.name = name,
                                                 .rows = hidden_,
                                                 .cols = 2,
                                                 .init = Parameter::Init::kGlorotNormal,
                                                 .l2 = l2_,
                                                 .fan = 2 * hidden_ + 1,
                                                 .gain = kGain}));
      const Value receiver = columns(gates, 0, 1) + b.uniform("b_" + name, 1, 1, 2 * hidden_, l2_);
      Value weight = tanh(edge_add(graph, receiver, columns(gates, 1, 1))) * scale;
      weight = b.dropout(weight, dropout_);
      h = affine(raw, epsilon_) + edge_gather(graph, weight, h, false);
    }
    return xavier(b, h, "out", in.classes());
  }

 private:
  static constexpr double kGain = 1.414;

  Value xavier(Builder& b, Value x, const std::string& name, Index outputs) const {
    const Index inputs = x.shape().cols;
    const Value product = matmul(x, b.parameter({.name = "w_" + name,
                                                 .rows = inputs,
                                                 .cols = outputs,
                                                 .init = Parameter::Init::kGlorotNormal,
                                                 .l2 = l2_,
                                                 .gain = kGain}));
    return product + b.uniform("b_" + name, 1, outputs, inputs, l2_);
  }

  static Matrix inverse_roots_of_degrees(const Csr& graph) {
    Matrix out(static_cast<Index>(graph.entries()), 1);
    const auto scale = [&](Index i) {
      return 1.0 / std::sqrt(static_cast<double>(std::max<Offset>(graph.row_size(i), 1)));
    };
    for (Index i = 0; i < graph.rows; ++i)
      for (Offset e = graph.row_ptr[i]; e < graph.row_ptr[i + 1]; ++e)
        *out.row(static_cast<Index>(e)) = static_cast<float>(scale(i) * scale(graph.columns[e]));
    return out;
  }

  Index hidden_;
  std::int64_t layers_;
  double epsilon_, dropout_, l2_;
  std::string features_;
};

}  // namespace

extern const ModelEntry model_fagcn;
const ModelEntry model_fagcn = {
    .name = "fagcn",
    .title = "Frequency adaptation graph convolutional network",
    .citation =
        "Bo et al., Beyond low-frequency information in graph convolutional networks, AAAI "
        "2021",
    .equations = {"H0 = drop(relu(drop(X) W1 + b1))",
                  "e_vu = drop(tanh(g [h_v | h_u] + b) / sqrt(d_v d_u))   for neighbours v, u",
                  "h_v <- epsilon h0_v + sum over u of e_vu h_u   for each layer, with its own g",
                  "logits = H W2 + b2",
                  "the graph is made undirected, without self-loops; L2 on every parameter"},
    .disagreements = {{"(no setting)",
                       "The graph is undirected also where the data are directed, in the authors' "
                       "code and in that of Platonov et al. 2023, whose text says otherwise."}},
    .options = {hidden_option(32),
                count_option("layers", 2, "How often neighbours are collected.", 0),
                real_option("epsilon", 0.3, "Share of the first hidden values in every layer.", 0,
                            1),
                learning_rate_option(0.01), dropout_option(0.5),
                weight_decay_option(0, "all parameters"), features_option("raw")},
    .trainable = make_trainable<Fagcn>,
};

}  // namespace cupel
