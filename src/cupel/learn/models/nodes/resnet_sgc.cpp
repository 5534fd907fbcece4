// ResNet of the heterophily paper (residual.h) on features and smoothed features. The smoothing is
// that of SGC: Wu et al., "Simplifying graph convolutional networks", ICML 2019.
#include "cupel/data/graph/graph.h"
#include "cupel/learn/models/nodes/residual.h"

namespace cupel {
namespace {

class ResNetSgc final : public ResidualModel {
 public:
  explicit ResNetSgc(const Options& o) : ResidualModel(o), hops_(o.integer("hops")) {}

 private:
  std::vector<Value> features(GraphInputs& in) const override {
    const Value s = in.sparse(
        "incoming arcs, one self-loop each, by out-degree", [](const Csr& a, const Features&) {
          return transpose(symmetric_operator(add_self_loops(drop_self_loops(a))));
        });
    Value smoothed = in.feature_matrix();
    for (std::int64_t hop = 0; hop < hops_; ++hop) smoothed = propagate(s, smoothed);
    return {in.feature_matrix(), smoothed};
  }

  std::int64_t hops_;
};

}  // namespace

extern const ModelEntry model_resnet_sgc;
const ModelEntry model_resnet_sgc = {
    .name = "resnet-sgc",
    .title = "ResNet+SGC",
    .citation = kResidualCitation,
    .equations = {"features = [F, S^K F]; F the data set's, K = hops",
                  "S_vu = 1 / sqrt(o(u) o(v)) for u -> v in A + I without other self-loops, o the "
                  "outgoing arcs",
                  kResidualInput, "each layer: X = X + FF(norm(X))", kResidualOutput},
    .disagreements =
        {{"(no setting)",
          "The paper multiplies features by a power of the normalised adjacency. The released code "
          "uses the fifth power and puts the features themselves beside it, as is done here."}},
    .options = residual_options({{.name = "hops",
                                  .fallback = std::int64_t{5},
                                  .doc = "K: how often features are averaged over neighbours.",
                                  .min = 0,
                                  .max = 64}}),
    .trainable = make_trainable<ResNetSgc>,
};

}  // namespace cupel
