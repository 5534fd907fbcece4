// Personalised propagation of neural predictions, approximated. Klicpera, Bojchevski and Günnemann,
// "Predict then propagate: graph neural networks meet personalized PageRank", ICLR 2019,
// equation 4.
#include <string>

#include "cupel/data/graph/graph.h"
#include "cupel/learn/layers/operators.h"
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

class Appnp final : public TrainableModel {
 public:
  explicit Appnp(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        steps_(static_cast<int>(o.integer("steps"))),
        alpha_(o.real("alpha")),
        dropout_(o.real("dropout")),
        arc_dropout_(o.real("arc_dropout")),
        l2_(o.real("l2")),
        l2_of_others_(o.text("l2_on") == "all" ? l2_ : 0),
        self_loops_(o.flag("self_loops")),
        bias_(o.flag("bias")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const std::string name = "incoming, symmetric" + std::string(self_loops_ ? ", self-loops" : "");
    const bool loops = self_loops_;
    const Value step = in.sparse(name, [loops](const Csr& a, const Features&) {
      Csr incoming = pattern_of(transpose(a));
      return symmetric_operator(loops ? add_self_loops(incoming) : std::move(incoming));
    });
    const Value x = b.dropout(in.feature_matrix(), dropout_);
    Value h = b.dropout(relu(layer(b, x, "1", hidden_, l2_)), dropout_);
    h = layer(b, h, "2", in.classes(), l2_of_others_);
    const Value teleported = affine(h, alpha_);
    for (int k = 0; k < steps_; ++k)
      h = affine(propagate_dropped(step, h, arc_dropout_), 1 - alpha_) + teleported;
    return h;
  }

 private:
  Value layer(Builder& b, Value x, const std::string& number, Index outputs, double l2) const {
    const Index inputs = x.shape().cols;
    const Value product = matmul(x, b.uniform("w" + number, inputs, outputs, inputs, l2));
    return bias_ ? product + b.uniform("b" + number, 1, outputs, inputs, l2_of_others_) : product;
  }

  Index hidden_;
  int steps_;
  double alpha_, dropout_, arc_dropout_, l2_, l2_of_others_;
  bool self_loops_, bias_;
};

}  // namespace

extern const ModelEntry model_appnp;
const ModelEntry model_appnp = {
    .name = "appnp",
    .title = "Approximate personalised propagation of neural predictions",
    .citation =
        "Klicpera et al., Predict then propagate: graph neural networks meet personalized "
        "PageRank, ICLR 2019",
    .equations = {"H = drop(relu(drop(X) W1)) W2",
                  "Z(0) = H, Z(k + 1) = (1 - alpha) drop'(S) Z(k) + alpha H, logits = Z(steps)",
                  "S = D^-1/2 (A + I) D^-1/2, rows collect from incoming arcs, D the in-degrees of "
                  "all arcs; arcs are dropped anew in every step; L2 on W1",
                  "bias: W1 and W2 have one; l2_on = all: L2 on all of them; start: within 1 / "
                  "sqrt(inputs)"},
    .disagreements =
        {{"bias = false",
          "The equations of the paper leave biases open; the authors' code has none. Code built on "
          "linear layers of PyTorch, that of Wiki-CS among it, has one in both layers, and L2 on "
          "all parameters (l2_on = all)."},
         {"self_loops = true",
          "The paper adds a self-loop to every node. What ran for the table of Wiki-CS took the "
          "arcs as they are (self_loops = false)."}},
    .options =
        {hidden_option(64), count_option("steps", 10, "Steps of propagation."),
         real_option("alpha", 0.1, "Probability of returning to the node's own prediction.", 0, 1),
         learning_rate_option(0.01), dropout_option(0.5),
         real_option("arc_dropout", 0.5, "Probability of dropping an arc in a step.", 0, 0.99),
         l2_option(5e-3), switch_option("self_loops", true, "Propagate along A + I instead of A."),
         switch_option("bias", false, "Whether both layers have a bias."),
         [] {
           OptionSpec on = l2_on_option("w1", "the first weights");
           on.later = false;
           return on;
         }()},
    .trainable = make_trainable<Appnp>,
};

}  // namespace cupel
