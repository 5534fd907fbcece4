// Deep multisets: a sum over nodes that no edge reaches. Zaheer, Kottur, Ravanbakhsh, Poczos,
// Salakhutdinov and Smola, "Deep sets", NeurIPS 2017, as written for the fair comparison of Errica,
// Podda, Bacciu and Micheli, ICLR 2020, appendix A.1.
#include "cupel/learn/models/graphs/graph_level.h"

namespace cupel {
namespace {

class DeepMultisets final : public TrainableModel {
 public:
  explicit DeepMultisets(const Options& o)
      : features_(node_composition(o)),
        hidden_(static_cast<Index>(o.integer("hidden"))),
        l2_(o.real("l2")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value nodes = relu(linear(b, in.node_features(features_), "node", hidden_, l2_));
    const Value graphs = relu(linear(b, pool(in, nodes, "sum"), "graph", hidden_, l2_));
    return linear(b, graphs, "out", in.classes(), l2_);
  }

 private:
  std::string features_;
  Index hidden_;
  double l2_;
};

}  // namespace

extern const ModelEntry model_deep_multisets;
const ModelEntry model_deep_multisets = {
    .name = "deep-multisets",
    .title = "Deep multisets",
    .citation = std::string("Zaheer et al., Deep sets, NeurIPS 2017; ") + kErricaCitation,
    .equations = {"g = sum over the graph's nodes of relu(linear(x))",
                  "logits = linear(relu(linear(g))), linear(x) = x W + b"},
    .disagreements = {},
    .options = {node_features_option("labels"), hidden_option(64), learning_rate_option(0.001),
                all_weight_decay_option(0)},
    .unit = Unit::kGraph,
    .trainable = make_trainable<DeepMultisets>,
};

}  // namespace cupel
