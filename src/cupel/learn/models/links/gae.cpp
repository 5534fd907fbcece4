// Graph auto-encoder. Kipf and Welling, "Variational graph auto-encoders", NeurIPS Bayesian Deep
// Learning Workshop 2016, equation 4 and section 2.
#include "cupel/learn/models/links/auto_encoder.h"

namespace cupel {
namespace {

class Gae final : public TrainableModel {
 public:
  explicit Gae(const Options& o) : sizes_(o) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    return sizes_.convolved(b, in, sizes_.first_layer(b, in), "w2");
  }

 private:
  AutoEncoderSizes sizes_;
};

}  // namespace

extern const ModelEntry model_gae;
const ModelEntry model_gae = {
    .name = "gae",
    .title = "Graph auto-encoder",
    .citation = "Kipf and Welling, Variational graph auto-encoders, NeurIPS BDL workshop 2016",
    .equations = {"Z = S drop(relu(S drop(X) W1)) W2, S = D^-1/2 (A + I) D^-1/2",
                  "score(i, j) = <z_i, z_j>, where the decoder is \"dot\""},
    .disagreements = {{"(a row's pair_loss)",
                       "The paper's loss and that of its released code are over all n^2 pairs, "
                       "weighed (\"all-pairs\"). PyTorch Geometric's example, from which later "
                       "numbers come, draws as many pairs as there are links (\"sampled-means\")."},
                      {"features = true",
                       "The paper prints a second row without features, whose input is the "
                       "identity (features = false)."}},
    .options = auto_encoder_options(),
    .unit = Unit::kPair,
    .trainable = make_trainable<Gae>,
};

}  // namespace cupel
