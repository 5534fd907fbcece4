// Label propagation with the normalised Laplacian. Zhou, Bousquet, Lal, Weston and Schölkopf,
// "Learning with local and global consistency", NeurIPS 2003, section 2.
#include <algorithm>
#include <cmath>

#include "cupel/learn/models/nodes/labelprop.h"

namespace cupel {
namespace {

class LabelPropNl final : public DirectModel {
 public:
  explicit LabelPropNl(const Options& o) : stop_(o), alpha_(o.real("alpha")) {}

  Result fit_predict(const TaskView& view, const RunLimits& limits) const override {
    const Csr& a = view.adjacency();
    std::vector<double> scale = weighted_degrees(a);
    // Nodes without neighbours get no mass, and give none where arcs lead to them.
    for (double& one : scale) one = one > 0 ? 1.0 / std::sqrt(one) : 0;
    const auto weight = [&](Index i, Index j) { return (1 - alpha_) * scale[i] * scale[j]; };
    const Matrix known = one_hot_train(view);
    return propagate_labels(view, limits, stop_, known, [&](const Matrix& f, Matrix& next) {
      propagate_mass(a, weight, f, next);
      for (const Index node : view.train)
        for (Index c = 0; c < f.cols; ++c)
          next(node, c) += static_cast<float>(alpha_) * known(node, c);
    });
  }

 private:
  PropagationStop stop_;
  double alpha_;
};

std::vector<OptionSpec> labelprop_nl_options() {
  std::vector<OptionSpec> specs = propagation_options();
  specs.insert(specs.begin(), {.name = "alpha",
                               .fallback = 0.05,
                               .doc = "Return probability: the part of every iteration that goes "
                                      "back to the known labels.",
                               .min = 0,
                               .max = 1});
  return specs;
}

}  // namespace

extern const ModelEntry model_labelprop_nl;
const ModelEntry model_labelprop_nl = {
    .name = "labelprop-nl",
    .title = "Label propagation (normalised Laplacian)",
    .citation = "Zhou et al., Learning with local and global consistency, NeurIPS 2003",
    .equations = {"F = Y = one-hot labels of the training nodes, 0 elsewhere",
                  "repeat: F = (1 - alpha) D^-1/2 A D^-1/2 F + alpha Y",
                  "D = diag(sum_j |A_ij|): arcs have their weights",
                  "kept: the last F whose validation accuracy or loss was as good as any before"},
    .disagreements = {propagation_disagreement()},
    .options = labelprop_nl_options(),
    .revision = 2,  // 1 took every arc to weigh 1
    .direct = make_direct<LabelPropNl>,
};

}  // namespace cupel
