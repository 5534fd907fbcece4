// GraphSAGE with max pooling (gs_frame.h).
#include "cupel/learn/models/nodes/gs_frame.h"

namespace cupel {
namespace {

class GsMaxPool final : public GraphSage {
 public:
  explicit GsMaxPool(const Options& o)
      : GraphSage(o),
        pool_(static_cast<Index>(o.integer("pool"))),
        pad_row_(o.text("padding") == "node-0" ? 0 : -1) {}

 protected:
  Value aggregate(Builder& b, GraphInputs& in, Value x, Index width, const std::string& number,
                  double l2) const override {
    const Value pooled = relu(matmul(x, b.glorot("pool" + number, x.shape().cols, pool_)));
    return matmul(neighbour_max(in.adjacency(true), pooled, pad_row_),
                  b.glorot("agg" + number, pool_, width, l2));
  }

 private:
  Index pool_, pad_row_;
};

}  // namespace

extern const ModelEntry model_gs_maxpool;
const ModelEntry model_gs_maxpool = {
    .name = "gs-maxpool",
    .title = "GraphSAGE (max pooling)",
    .citation = kSageCitation,
    .equations = {kSageLayer, "agg(X)_i = (max over j in A + I of relu(X_j F)) W_a", kSageNetwork,
                  "F has no bias and no L2"},
    .disagreements =
        {{"padding = \"node-0\"",
          "The code released with Shchur et al. 2018 pads neighbour lists to the longest one with "
          "index 0, so that node 0 takes part in the maximum of every node whose neighbourhood is "
          "smaller than the largest. The published table was made so and it is the default; "
          "padding = \"none\" is the maximum over neighbours alone."},
         sage_norm_disagreement(),
         sage_skip_disagreement()},
    .options = {hidden_option(32),
                sage_pool_option(32),
                learning_rate_option(0.001),
                dropout_option(0.3),
                l2_option(0.005),
                sage_norm_option(),
                {.name = "padding",
                 .fallback = std::string("node-0"),
                 .doc = "What shorter neighbour lists are padded with before the maximum: node-0 "
                        "(released) or none.",
                 .choices = {"node-0", "none"}}},
    .trainable = make_trainable<GsMaxPool>,
};

}  // namespace cupel
