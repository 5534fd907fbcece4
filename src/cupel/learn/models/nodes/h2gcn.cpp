// H2GCN. Zhu, Yan, Zhao, Heimann, Akoglu and Koutra, "Beyond homophily in graph neural networks:
// current limitations and effective designs", NeurIPS 2020, section 3.3 and Algorithm 1.
#include <vector>

#include "cupel/data/graph/graph.h"
#include "cupel/learn/models/nodes/heterophily.h"

namespace cupel {
namespace {

class H2gcn final : public TrainableModel {
 public:
  explicit H2gcn(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        rounds_(o.integer("rounds")),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        features_(o.text("features")),
        node_order_(o.text("node_order")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value one_hop = operator_in_order(
        in, node_order_, "one hop, no self-loops",
        [](const Csr& a) { return symmetric_operator(pattern_of(drop_self_loops(a))); });
    const Value two_hops = operator_in_order(in, node_order_, "two hops", [](const Csr& a) {
      return symmetric_operator(two_hop_pattern(drop_self_loops(a)));
    });
    const Value w0 = b.glorot("w0", in.features(), hidden_, l2_);
    std::vector<Value> rounds = {relu(matmul(features_of(in, features_), w0))};
    for (std::int64_t k = 0; k < rounds_; ++k) {
      const Value r = rounds.back();
      rounds.push_back(concat_columns({propagate(one_hop, r), propagate(two_hops, r)}));
    }
    const Value all = b.dropout(concat_columns(rounds), dropout_);
    return matmul(all, b.glorot("w1", all.shape().cols, in.classes(), l2_));
  }

 private:
  Index hidden_;
  std::int64_t rounds_;
  double dropout_, l2_;
  std::string features_, node_order_;
};

}  // namespace

extern const ModelEntry model_h2gcn;
const ModelEntry model_h2gcn = {
    .name = "h2gcn",
    .title = "H2GCN",
    .citation =
        "Zhu et al., Beyond homophily in graph neural networks: current limitations and "
        "effective designs, NeurIPS 2020",
    .equations = {"R0 = relu(X W0)", "R_k = [S1 R_{k-1} | S2 R_{k-1}]   for k = 1 .. rounds",
                  "logits = drop([R0 | R1 | ... ]) W1",
                  "S_h = D_h^-1/2 A_h D_h^-1/2, A_h the pairs exactly h arcs apart, D_h its row "
                  "sums; no self-loops, no biases; L2 on W0 and W1"},
    .disagreements =
        {{"node_order = \"file\"",
          "The code run by Platonov et al. 2023 numbers the adjacency's nodes by first appearance "
          "in the list of edges, and features and labels by the file (\"first-appearance\"): its "
          "graph has nothing to do with its features but where both orders agree, as on "
          "minesweeper. That form reproduces their table."},
         {"l2", "The authors add w times the sum of squares to the loss: l2 = 2 w."},
         rounding_disagreement("two decimals of a percentage")},
    .options = {hidden_option(64), count_option("rounds", 2, "How often neighbours are collected."),
                learning_rate_option(0.01), dropout_option(0.5), l2_option(0),
                features_option("row-sum"), node_order_option()},
    .exemptions = {node_order_exemption()},
    .trainable = make_trainable<H2gcn>,
};

}  // namespace cupel
