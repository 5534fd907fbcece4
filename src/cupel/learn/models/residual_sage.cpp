// GraphSAGE of the heterophily paper (residual.h). Hamilton, Ying and Leskovec, "Inductive
// representation learning on large graphs", NeurIPS 2017.
#include "cupel/learn/models/residual.h"

namespace cupel {
namespace {

class ResidualSage final : public ResidualModel {
 public:
  using ResidualModel::ResidualModel;

 private:
  Value layer(Builder& b, GraphInputs& in, Value x, const std::string& name) const override {
    // A row without incoming arcs is empty: its mean is 0.
    const Value mean = in.sparse("mean over incoming arcs", [](const Csr& arcs, const Features&) {
      Csr out = transpose(arcs);
      out.values.resize(out.columns.size());
      for (Index v = 0; v < out.rows; ++v)
        for (Offset e = out.row_ptr[v]; e < out.row_ptr[v + 1]; ++e)
          out.values[e] = 1.0f / static_cast<float>(out.row_size(v));
      return out;
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
