// GT-sep of the heterophily paper (residual_attention.h): a node does not attend to itself, and
// stands beside what it attends to.
#include "cupel/learn/models/nodes/residual_attention.h"

namespace cupel {
namespace {

class ResidualGtSep final : public ResidualAttention {
 public:
  using ResidualAttention::ResidualAttention;

 private:
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& name) const override {
    const Value y = norm(b, x, name);
    const Value attended = dot(b, incoming_arcs(in, false), y, name);
    x = x + b.dropout(linear(b, {y, attended}, hidden(), name + ".attended"), dropout());
    return x + feed_forward(b, {norm(b, x, name + ".mlp")}, name + ".mlp");
  }
};

}  // namespace

extern const ModelEntry model_residual_gt_sep;
const ModelEntry model_residual_gt_sep = {
    .name = "residual-gt-sep",
    .title = "GT-sep (residual)",
    .citation = kResidualCitation,
    .equations = {kResidualInput,
                  "each layer: Y = norm(X), X = X + drop([Y, att(Y)] W + b), then X = X + "
                  "FF(norm(X)), over the arcs of A",
                  kDotHead, kResidualOutput},
    .disagreements = {query_of_source_disagreement()},
    .options = residual_attention_options(),
    .trainable = make_trainable<ResidualGtSep>,
};

}  // namespace cupel
