// GPR-GNN. Chien, Peng, Li and Milenkovic, "Adaptive universal generalized PageRank graph neural
// network", ICLR 2021, equation 1.
#include <cmath>
#include <vector>

#include "cupel/data/graph/graph.h"
#include "cupel/learn/models/nodes/heterophily.h"

namespace cupel {
namespace {

class GprGnn final : public TrainableModel {
 public:
  explicit GprGnn(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        hops_(static_cast<Index>(o.integer("hops"))),
        alpha_(o.real("alpha")),
        dropout_(o.real("dropout")),
        propagation_dropout_(o.real("propagation_dropout")),
        l2_(o.real("l2")),
        features_(o.text("features")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value step =
        in.sparse("incoming, self-loops, symmetric", [](const Csr& a, const Features&) {
          return symmetric_operator(add_self_loops(transpose(pattern_of(a))));
        });
    const Value x = b.dropout(features_of(in, features_), dropout_);
    Value h = b.dropout(relu(linear(b, x, "1", hidden_, l2_)), dropout_);
    h = b.dropout(linear(b, h, "2", in.classes(), l2_), propagation_dropout_);
    std::vector<Value> powers = {h};
    for (Index k = 0; k < hops_; ++k) powers.push_back(propagate(step, powers.back()));
    return weighted_sum(powers, b.parameter({.name = "gamma",
                                             .rows = hops_ + 1,
                                             .cols = 1,
                                             .init = Parameter::Init::kFill,
                                             .fill = personalised_pagerank()}));
  }

 private:
  // alpha (1 - alpha)^k, the rest on the last power.
  std::vector<float> personalised_pagerank() const {
    std::vector<float> out;
    for (Index k = 0; k < hops_; ++k)
      out.push_back(static_cast<float>(alpha_ * std::pow(1 - alpha_, k)));
    out.push_back(static_cast<float>(std::pow(1 - alpha_, hops_)));
    return out;
  }

  Index hidden_, hops_;
  double alpha_, dropout_, propagation_dropout_, l2_;
  std::string features_;
};

}  // namespace

extern const ModelEntry model_gpr_gnn;
const ModelEntry model_gpr_gnn = {
    .name = "gpr-gnn",
    .title = "Generalized PageRank graph neural network",
    .citation =
        "Chien et al., Adaptive universal generalized PageRank graph neural network, ICLR "
        "2021",
    .equations =
        {"H = drop'(drop(relu(drop(X) W1 + b1)) W2 + b2)",
         "logits = sum over k = 0 .. hops of gamma_k S^k H",
         "gamma starts as alpha (1 - alpha)^k, the rest (1 - alpha)^hops on the last",
         "S = D^-1/2 (A + I) D^-1/2, rows collect from incoming arcs, D the in-degrees; L2 "
         "on all but gamma"},
    .disagreements =
        {{"features = \"raw\"",
          "The authors divide feature rows by their sums (\"row-sum\"); Platonov et "
          "al. 2023 ran it on features as they are, and only so is it in their "
          "table."},
         {"alpha",
          "The authors choose alpha, rate and dropouts on each data set, over random "
          "splits of 60, 20 and 20 %; Platonov et al. 2023 took over those of squirrel "
          "and chameleon and searched rate and decay."},
         {"(no setting)",
          "The released code keeps gamma in double precision; here it is single, as "
          "all parameters are."}},
    .options = {hidden_option(64), count_option("hops", 10, "The largest power."),
                real_option("alpha", 0, "Return probability of the initial coefficients.", 0, 1),
                learning_rate_option(0.05), dropout_option(0.5),
                real_option("propagation_dropout", 0.7,
                            "Probability of dropping an element of H before it is propagated.", 0,
                            0.99),
                weight_decay_option(0, "weights and biases"), features_option("raw")},
    .trainable = make_trainable<GprGnn>,
};

}  // namespace cupel
