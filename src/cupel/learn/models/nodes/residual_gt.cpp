// Graph transformer of the heterophily paper (residual_attention.h). Shi et al., "Masked label
// prediction: unified message passing model for semi-supervised classification", IJCAI 2021.
#include "cupel/learn/models/nodes/residual_attention.h"

namespace cupel {
namespace {

class ResidualGt final : public ResidualAttention {
 public:
  using ResidualAttention::ResidualAttention;

 private:
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& name) const override {
    const Value attended = dot(b, incoming_arcs(in, true), norm(b, x, name), name);
    x = x + b.dropout(linear(b, {attended}, hidden(), name + ".attended"), dropout());
    return x + feed_forward(b, {norm(b, x, name + ".mlp")}, name + ".mlp");
  }
};

}  // namespace

extern const ModelEntry model_residual_gt;
const ModelEntry model_residual_gt = {
    .name = "residual-gt",
    .title = "GT (residual)",
    .citation = kResidualCitation,
    .equations = {kResidualInput,
                  "each layer: X = X + drop(att(norm(X)) W + b), then X = X + FF(norm(X)), over "
                  "the arcs of A + I",
                  kDotHead, kResidualOutput},
    .disagreements = {query_of_source_disagreement(), appended_loops_disagreement()},
    .options = residual_attention_options(),
    .trainable = make_trainable<ResidualGt>,
};

}  // namespace cupel
