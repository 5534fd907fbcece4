// Multinomial logistic regression on a node's own features.
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

class LogReg final : public TrainableModel {
 public:
  explicit LogReg(const Options& o) : l2_(o.real("l2")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value w = b.glorot("w", in.features(), in.classes(), l2_);
    return matmul(in.feature_matrix(), w) + b.zeros("b", in.classes());
  }

 private:
  double l2_;
};

}  // namespace

extern const ModelEntry model_logreg;
const ModelEntry model_logreg = {
    .name = "logreg",
    .title = "Logistic regression",
    .citation = "as in Shchur et al., Pitfalls of graph neural network evaluation, 2018",
    .equations = {"logits = X W + b", "L2 on W"},
    .disagreements =
        {{"lr = 0.1",
          "The stated search space of Shchur et al. 2018 ends at 0.01; Table 4 and the "
          "released code have 0.1."}},
    .options = {learning_rate_option(0.1), l2_option(5e-4)},
    .trainable = make_trainable<LogReg>,
};

}  // namespace cupel
