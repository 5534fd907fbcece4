// GCN of the heterophily paper (residual.h). Kipf and Welling, "Semi-supervised classification with
// graph convolutional networks", ICLR 2017.
#include "cupel/learn/models/nodes/residual.h"

namespace cupel {
namespace {

class ResidualGcn final : public ResidualModel {
 public:
  using ResidualModel::ResidualModel;

 private:
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& name) const override {
    // Out-degrees at both ends, and then the arcs turned: a node sums over its incoming ones.
    const Value s = in.sparse(
        "incoming arcs with appended self-loops, by out-degree", [](const Csr& a, const Features&) {
          return transpose(symmetric_operator(one_more_self_loop(pattern_of(a))));
        });
    return x + feed_forward(b, {propagate(s, norm(b, x, name))}, name);
  }
};

}  // namespace

extern const ModelEntry model_residual_gcn;
const ModelEntry model_residual_gcn = {
    .name = "residual-gcn",
    .title = "GCN (residual)",
    .citation = kResidualCitation,
    .equations = {kResidualInput, "each layer: X = X + FF(S norm(X))",
                  "S_vu = 1 / sqrt(o(u) o(v)) for u -> v in A + I, o the outgoing arcs of A + I",
                  kResidualOutput},
    .disagreements = {{"(no setting)",
                       "In directed graphs the released code normalises by the number of outgoing "
                       "arcs at both ends, though a node sums over its incoming ones. The paper "
                       "does not speak of it."},
                      appended_loops_disagreement()},
    .options = residual_options(),
    .trainable = make_trainable<ResidualGcn>,
};

}  // namespace cupel
