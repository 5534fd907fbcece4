// GraphSAGE with the mean aggregator (gs_frame.h).
#include "cupel/learn/models/nodes/gs_frame.h"

namespace cupel {
namespace {

class GsMean final : public GraphSage {
 public:
  using GraphSage::GraphSage;

 protected:
  Value aggregate(Builder& b, GraphInputs& in, Value x, Index width, const std::string& number,
                  double l2) const override {
    const Value w = b.glorot("agg" + number, x.shape().cols, width, l2);
    return propagate(in.row_normalised(true), matmul(x, w));
  }
};

}  // namespace

extern const ModelEntry model_gs_mean;
const ModelEntry model_gs_mean = {
    .name = "gs-mean",
    .title = "GraphSAGE (mean)",
    .citation = kSageCitation,
    .equations = {kSageLayer, "agg(X)_i = mean over j in A + I of X_j W_a", kSageNetwork},
    .disagreements = {sage_norm_disagreement(), sage_skip_disagreement()},
    .options = {hidden_option(32), learning_rate_option(0.001), dropout_option(0.4), l2_option(0.1),
                sage_norm_option()},
    .trainable = make_trainable<GsMean>,
};

}  // namespace cupel
