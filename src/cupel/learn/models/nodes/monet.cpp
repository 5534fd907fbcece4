// Mixture model network. Monti, Boscaini, Masci, Rodolà, Svoboda and Bronstein, "Geometric deep
// learning on graphs and manifolds using mixture model CNNs", CVPR 2017, equations 9 to 11, in the
// form that Shchur et al. 2018 assessed.
#include <string>
#include <vector>

#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

class MoNet final : public TrainableModel {
 public:
  explicit MoNet(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        kernels_(static_cast<Index>(o.integer("kernels"))),
        pseudo_dim_(static_cast<Index>(o.integer("pseudo_dim"))),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value weights = edge_weights(b, in);
    const Value z = relu(layer(b, in, weights, in.feature_matrix(), hidden_, "g1", l2_));
    return layer(b, in, weights, z, in.classes(), "g2", 0);
  }

 private:
  // entries x kernels; the kernels and their coordinates are the same in both layers.
  Value edge_weights(Builder& b, GraphInputs& in) const {
    const Value u = in.degree_coordinates(true);
    const Value v = tanh(matmul(u, b.glorot("m", 2, pseudo_dim_)) + b.zeros("c", pseudo_dim_));
    const auto filled = [&](const char* name, std::vector<float> fill) {
      return b.parameter({.name = name,
                          .rows = kernels_,
                          .cols = pseudo_dim_,
                          .init = Parameter::Init::kFill,
                          .fill = std::move(fill)});
    };
    const Value w = gaussian_kernels(v, filled("mu", means()), filled("sigma", {1.0f}));
    return edge_normalise(in.adjacency(true), w, 1e-14);
  }

  // Kernel k starts at -1 + 1 / (2 K) + 2 k / K in every coordinate: -0.75 and 0.25 for two. (Not
  // symmetric about 0, as released.)
  std::vector<float> means() const {
    std::vector<float> values;
    for (Index k = 0; k < kernels_; ++k)
      values.insert(values.end(), static_cast<std::size_t>(pseudo_dim_),
                    static_cast<float>(-1.0 + (0.5 + 2.0 * k) / kernels_));
    return values;
  }

  // The kernels' G side by side give one product; each was drawn as the matrix that it is.
  Value layer(Builder& b, GraphInputs& in, Value weights, Value x, Index width, const char* name,
              double l2) const {
    const Index inputs = x.shape().cols;
    const Value g = b.parameter(
        {.name = name, .rows = inputs, .cols = kernels_ * width, .l2 = l2, .fan = inputs + width});
    return edge_gather(in.adjacency(true), weights, matmul(b.dropout(x, dropout_), g), true);
  }

  Index hidden_, kernels_, pseudo_dim_;
  double dropout_, l2_;
};

}  // namespace

extern const ModelEntry model_monet;
const ModelEntry model_monet = {
    .name = "monet",
    .title = "Mixture model network",
    .citation =
        "Monti et al., Geometric deep learning on graphs and manifolds using mixture model "
        "CNNs, CVPR 2017",
    .equations = {"u_ij = (d_i^-1/2, d_j^-1/2)   for (i, j) in A + I, d its row sums",
                  "v_ij = tanh(u_ij M + c)",
                  "w_ijk = exp(-1/2 sum over r of (v_ijr - mu_kr)^2 / (1e-14 + sigma_kr^2))",
                  "p_ijk = w_ijk / (1e-14 + sum over j of w_ijk)",
                  "layer(X)_i = sum over j and k of p_ijk drop(X)_j G_k", "Z = relu(layer(X))",
                  "logits = layer(Z)",
                  "M, c, mu and sigma are shared by the layers, G_k is not; L2 on the first G_k"},
    .disagreements =
        {{"(no setting)",
          "Equation 11 has no sum in p_ijk's denominator; the authors' code and that of Shchur et "
          "al. 2018 normalise so, and here it is the same. Table 4 of the latter gives 64 as the "
          "size of the hidden layer, which counts both kernels: their outputs are summed, and the "
          "hidden layer is 32 wide."}},
    .options = {hidden_option(32),
                {.name = "kernels",
                 .fallback = std::int64_t{2},
                 .doc = "Gaussian kernels, whose outputs are summed.",
                 .min = 1,
                 .max = 256},
                {.name = "pseudo_dim",
                 .fallback = std::int64_t{2},
                 .doc = "Dimensions of the learnt pseudo-coordinates.",
                 .min = 1,
                 .max = 256},
                learning_rate_option(0.003),
                dropout_option(0.7),
                l2_option(0.05)},
    .trainable = make_trainable<MoNet>,
};

}  // namespace cupel
