// GraphSAGE with mean pooling (gs_frame.h).
#include "cupel/learn/models/nodes/gs_frame.h"

namespace cupel {
namespace {

class GsMeanPool final : public GraphSage {
 public:
  explicit GsMeanPool(const Options& o)
      : GraphSage(o), pool_(static_cast<Index>(o.integer("pool"))) {}

 protected:
  Value aggregate(Builder& b, GraphInputs& in, Value x, Index width, const std::string& number,
                  double l2) const override {
    const Value pooled = relu(matmul(x, b.glorot("pool" + number, x.shape().cols, pool_)));
    return matmul(propagate(in.row_normalised(true), pooled),
                  b.glorot("agg" + number, pool_, width, l2));
  }

 private:
  Index pool_;
};

}  // namespace

extern const ModelEntry model_gs_meanpool;
const ModelEntry model_gs_meanpool = {
    .name = "gs-meanpool",
    .title = "GraphSAGE (mean pooling)",
    .citation = kSageCitation,
    .equations = {kSageLayer, "agg(X)_i = (mean over j in A + I of relu(X_j F)) W_a", kSageNetwork,
                  "F has no bias and no L2"},
    .disagreements = {sage_norm_disagreement(), sage_skip_disagreement()},
    .options = {hidden_option(32), sage_pool_option(8), learning_rate_option(0.001),
                dropout_option(0.2), l2_option(0.01), sage_norm_option()},
    .trainable = make_trainable<GsMeanPool>,
};

}  // namespace cupel
