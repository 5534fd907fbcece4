// Simple graph convolution. Wu, Zhang, de Souza, Fifty, Yu and Weinberger, "Simplifying graph
// convolutional networks", ICML 2019, equations 7 and 8.
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

class Sgc final : public TrainableModel {
 public:
  explicit Sgc(const Options& o) : hops_(o.integer("hops")), l2_(o.real("l2")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value w = b.glorot("w", in.features(), in.classes(), l2_);
    Value x = in.feature_matrix();
    for (std::int64_t hop = 0; hop < hops_; ++hop) x = propagate(in.symmetric_normalised(true), x);
    return matmul(x, w) + b.zeros("b", in.classes());
  }

 private:
  std::int64_t hops_;
  double l2_;
};

}  // namespace

extern const ModelEntry model_sgc;
const ModelEntry model_sgc = {
    .name = "sgc",
    .title = "Simple graph convolution",
    .citation = "Wu et al., Simplifying graph convolutional networks, ICML 2019",
    .equations = {"logits = S^K X W + b",
                  "S = D^-1/2 (A + I) D^-1/2, D the row sums of A + I; "
                  "L2 on W; K = hops"},
    .disagreements =
        {{"(no setting)",
          "The authors train for 100 epochs with rate 0.2 on row-normalised features and tune the "
          "weight decay, of W and b, for each data set. Here SGC is trained as every other model "
          "is: early stopping, features as the protocol prepares them, L2 on W, and the rate and "
          "L2 that logistic regression has in Shchur et al. 2018."}},
    .options = {{.name = "hops",
                 .fallback = std::int64_t{2},
                 .doc = "K: how often features are averaged over neighbours.",
                 .min = 0,
                 .max = 64},
                learning_rate_option(0.1),
                l2_option(5e-4)},
    .trainable = make_trainable<Sgc>,
};

}  // namespace cupel
