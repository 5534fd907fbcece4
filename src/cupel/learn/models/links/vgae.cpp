// Variational graph auto-encoder. Kipf and Welling, "Variational graph auto-encoders", NeurIPS
// Bayesian Deep Learning Workshop 2016, equations 1 to 3.
#include "cupel/learn/models/links/auto_encoder.h"

namespace cupel {
namespace {

class Vgae final : public TrainableModel {
 public:
  explicit Vgae(const Options& o) : sizes_(o), divergence_(o.flag("kl")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value h = sizes_.first_layer(b, in);
    const Value mu = sizes_.convolved(b, in, h, "w_mu");
    const Value log_std = sizes_.convolved(b, in, h, "w_log_std");
    const Value z = sample_gaussian(mu, log_std);
    // The released code divides the mean over nodes by their number once more.
    return divergence_ ? with_penalty(z, affine(gaussian_divergence(mu, log_std), 1.0 / in.nodes()))
                       : z;
  }

 private:
  AutoEncoderSizes sizes_;
  bool divergence_;
};

std::vector<OptionSpec> vgae_options() {
  std::vector<OptionSpec> all = auto_encoder_options();
  all.push_back({.name = "kl",
                 .fallback = true,
                 .doc = "Add the divergence from a standard normal, divided by the nodes, to the "
                        "loss."});
  return all;
}

}  // namespace

extern const ModelEntry model_vgae;
const ModelEntry model_vgae = {
    .name = "vgae",
    .title = "Variational graph auto-encoder",
    .citation = "Kipf and Welling, Variational graph auto-encoders, NeurIPS BDL workshop 2016",
    .equations = {"H = relu(S drop(X) W1), mu = S drop(H) W_mu, log std = S drop(H) W_std",
                  "trained: z ~ N(mu, diag(std^2)); evaluated: z = mu",
                  "loss + KL(N(mu, std^2) || N(0, I)) / n, the mean over the n nodes"},
    .disagreements = {{"kl = true",
                       "The paper's bound has the divergence; its released code divides it by n "
                       "beside taking the mean over nodes. What ran for Wiki-CS's table had none "
                       "(kl = false, pair_loss = \"sampled-means\")."},
                      {"(no setting)",
                       "Both released codes take the second head for the logarithm of the standard "
                       "deviation, std = exp(s), where the paper's notation has log sigma."},
                      {"features = true", "As of \"gae\"."}},
    .options = vgae_options(),
    .unit = Unit::kPair,
    .trainable = make_trainable<Vgae>,
};

}  // namespace cupel
