// GraphSAGE on sets of graphs. Hamilton, Ying and Leskovec, "Inductive representation learning on
// large graphs", NeurIPS 2017, as written for the fair comparison of Errica, Podda, Bacciu and
// Micheli, ICLR 2020, with the convolution of PyTorch Geometric 1.4.2.
#include <string>
#include <vector>

#include "cupel/learn/models/graphs/graph_level.h"

namespace cupel {
namespace {

class GraphLevelSage final : public TrainableModel {
 public:
  explicit GraphLevelSage(const Options& o)
      : features_(node_composition(o)),
        aggregation_(o.text("aggregation")),
        hidden_(static_cast<Index>(o.integer("hidden"))),
        layers_(o.integer("layers")),
        l2_(o.real("l2")),
        layer_relu_(o.flag("layer_relu")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const bool max = aggregation_ == "max";
    Value x = in.node_features(features_);
    std::vector<Value> all;
    Value w_max, b_max;  // of every layer
    for (std::int64_t l = 1; l <= layers_; ++l) {
      x = linear(b, aggregate(in, x), std::to_string(l), hidden_, l2_);
      if (max && l == 1) {
        w_max = b.uniform("w_max", hidden_, hidden_, hidden_, l2_);
        b_max = b.uniform("b_max", 1, hidden_, hidden_, l2_);
      }
      if (max)
        x = relu(matmul(x, w_max) + b_max);
      else if (layer_relu_)
        x = relu(x);
      all.push_back(x);
    }
    const Value graphs = pool(in, concat_columns(all), "max");
    return linear(b, relu(linear(b, graphs, "graph", hidden_, l2_)), "out", in.classes(), l2_);
  }

 private:
  // Over the neighbours and the node itself.
  Value aggregate(GraphInputs& in, Value x) const {
    if (aggregation_ == "mean") return propagate(in.row_normalised(true), x);
    if (aggregation_ == "sum") return propagate(in.adjacency(true), x);
    return neighbour_max(in.adjacency(true), dense(in, x), -1);
  }

  std::string features_, aggregation_;
  Index hidden_;
  std::int64_t layers_;
  double l2_;
  bool layer_relu_;
};

}  // namespace

extern const ModelEntry model_graph_sage;
const ModelEntry model_graph_sage = {
    .name = "graph-sage",
    .title = "GraphSAGE (sets of graphs)",
    .citation = std::string("Hamilton et al., Inductive representation learning on large graphs, "
                            "NeurIPS 2017; ") +
                kErricaCitation,
    .equations = {"X_l = agg(X_(l-1)) W_l + b_l, agg the mean, sum or maximum over A + I; "
                  "of the maximum, then X_l = relu(X_l F + f), F and f those of every layer",
                  "g = maximum over the graph's nodes of [X_1 | X_2 | ...]",
                  "logits = linear(relu(linear(g))), linear(x) = x W + b"},
    .disagreements =
        {{"layer_relu = false",
          "Hamilton et al. 2017 have a non-linear function behind every layer. The code of Errica "
          "et al. 2020 has one with the maximum only: layers of means or sums are linear up to the "
          "read-out. Their tables were made so."},
         {"aggregation = \"mean\"",
          "Hamilton et al. 2017 put a node's own row beside the mean of its neighbours and divide "
          "rows by their norm; the code of Errica et al. 2020 does neither, and counts the node "
          "among its neighbours. The aggregation is chosen on validation graphs, the sum among "
          "them, of which the paper does not speak."}},
    .options = {node_features_option("labels"),
                {.name = "aggregation",
                 .fallback = std::string("mean"),
                 .doc = "How a node and its neighbours become one row.",
                 .choices = {"mean", "sum", "max"}},
                hidden_option(64),
                count_option("layers", 3, "Layers; Errica et al. 2020 choose 3 or 5."),
                switch_option("layer_relu", false, "Whether a relu follows every layer."),
                learning_rate_option(0.001),
                all_weight_decay_option(0)},
    .unit = Unit::kGraph,
    .trainable = make_trainable<GraphLevelSage>,
};

}  // namespace cupel
