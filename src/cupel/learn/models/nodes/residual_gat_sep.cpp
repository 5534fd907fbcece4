// GAT-sep of the heterophily paper (residual_attention.h): a node does not attend to itself, and
// stands beside what it attends to.
#include "cupel/learn/models/nodes/residual_attention.h"

namespace cupel {
namespace {

class ResidualGatSep final : public ResidualAttention {
 public:
  using ResidualAttention::ResidualAttention;

 private:
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& name) const override {
    const Value z = linear(b, {norm(b, x, name)}, hidden(), name + ".z");
    return x + feed_forward(b, {z, additive(b, incoming_arcs(in, false), z, name)}, name);
  }
};

}  // namespace

extern const ModelEntry model_residual_gat_sep;
const ModelEntry model_residual_gat_sep = {
    .name = "residual-gat-sep",
    .title = "GAT-sep (residual)",
    .citation = kResidualCitation,
    .equations = {kResidualInput,
                  "each layer: Z = norm(X) W + b, X = X + FF([Z, att(Z)]), over the arcs of A",
                  kAdditiveHead, kResidualOutput},
    .disagreements = {whole_width_disagreement()},
    .options = residual_attention_options(),
    .trainable = make_trainable<ResidualGatSep>,
};

}  // namespace cupel
