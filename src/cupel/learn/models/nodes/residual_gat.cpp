// GAT of the heterophily paper (residual_attention.h). Veličković et al., "Graph attention
// networks", ICLR 2018.
#include "cupel/learn/models/nodes/residual_attention.h"

namespace cupel {
namespace {

class ResidualGat final : public ResidualAttention {
 public:
  using ResidualAttention::ResidualAttention;

 private:
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& name) const override {
    const Value z = linear(b, {norm(b, x, name)}, hidden(), name + ".z");
    return x + feed_forward(b, {additive(b, incoming_arcs(in, true), z, name)}, name);
  }
};

}  // namespace

extern const ModelEntry model_residual_gat;
const ModelEntry model_residual_gat = {
    .name = "residual-gat",
    .title = "GAT (residual)",
    .citation = kResidualCitation,
    .equations = {kResidualInput,
                  "each layer: Z = norm(X) W + b, X = X + FF(att(Z)), over the arcs of A + I",
                  kAdditiveHead, kResidualOutput},
    .disagreements = {whole_width_disagreement(), appended_loops_disagreement()},
    .options = residual_attention_options(),
    .trainable = make_trainable<ResidualGat>,
};

}  // namespace cupel
