// GraphSAGE of the heterophily paper (residual.h). Hamilton, Ying and Leskovec, "Inductive
// representation learning on large graphs", NeurIPS 2017.
#include "cupel/learn/models/nodes/residual.h"

namespace cupel {
namespace {

class ResidualSage final : public ResidualModel {
 public:
  using ResidualModel::ResidualModel;

 private:
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& name) const override {
    // A row without incoming arcs is empty: its mean is 0.
    const Value mean = in.sparse("mean over incoming arcs", [](const Csr& a, const Features&) {
      return mean_operator(pattern_of(transpose(a)));
    });
    const Value y = norm(b, x, name);
    return x + feed_forward(b, {y, propagate(mean, y)}, name);
  }
};

}  // namespace

extern const ModelEntry model_residual_sage;
const ModelEntry model_residual_sage = {
    .name = "residual-sage",
    .title = "SAGE (residual)",
    .citation = kResidualCitation,
    .equations = {kResidualInput, "each layer: Y = norm(X), X = X + FF([Y, M Y])",
                  "(M Y)_v = mean of Y_u over u -> v in A, 0 where there is none", kResidualOutput},
    .disagreements = {},
    .options = residual_options(),
    .trainable = make_trainable<ResidualSage>,
};

}  // namespace cupel
