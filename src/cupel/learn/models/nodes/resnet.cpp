// ResNet of the heterophily paper (residual.h): a network that does not see the graph. He, Zhang,
// Ren and Sun, "Deep residual learning for image recognition", CVPR 2016.
#include "cupel/learn/models/nodes/residual.h"

namespace cupel {
namespace {

class ResNet final : public ResidualModel {
 public:
  using ResidualModel::ResidualModel;
};

}  // namespace

extern const ModelEntry model_resnet;
const ModelEntry model_resnet = {
    .name = "resnet",
    .title = "ResNet",
    .citation = kResidualCitation,
    .equations = {kResidualInput, "each layer: X = X + FF(norm(X))", kResidualOutput},
    .disagreements = {},
    .options = residual_options(),
    .trainable = make_trainable<ResNet>,
};

}  // namespace cupel
