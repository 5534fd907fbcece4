// ResNet of the heterophily paper (residual.h) on features and rows of the adjacency. The idea is
// that of LINK: Zheleva and Getoor, "To join or not to join", WWW 2009.
#include "cupel/data/graph/graph.h"
#include "cupel/learn/models/nodes/residual.h"

namespace cupel {
namespace {

class ResNetAdj final : public ResidualModel {
 public:
  using ResidualModel::ResidualModel;

 private:
  std::vector<Value> features(GraphInputs& in) const override {
    // Rows are those of A as it is: a node's outgoing arcs. Never dense.
    const Value a = in.sparse("adjacency without self-loops", [](const Csr& arcs, const Features&) {
      Csr out = drop_self_loops(arcs);
      out.values.clear();
      return out;
    });
    return {in.feature_matrix(), a};
  }
};

}  // namespace

extern const ModelEntry model_resnet_adj;
const ModelEntry model_resnet_adj = {
    .name = "resnet-adj",
    .title = "ResNet+adj",
    .citation = kResidualCitation,
    .equations = {"features = [F, A]; F the data set's, A without self-loops, row u = outgoing "
                  "arcs of u",
                  kResidualInput, "each layer: X = X + FF(norm(X))", kResidualOutput},
    .disagreements = {},
    .options = residual_options(),
    .trainable = make_trainable<ResNetAdj>,
};

}  // namespace cupel
