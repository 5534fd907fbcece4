// Label propagation. Zhu and Ghahramani, "Learning from labeled and unlabeled data with label
// propagation", CMU-CALD-02-107, 2002, section 2.2.
#include "cupel/learn/models/nodes/labelprop.h"

#include <algorithm>
#include <cmath>

#include "cupel/data/rows.h"
#include "cupel/engine/kernels/loss.h"
#include "cupel/learn/score/classes.h"

namespace cupel {

DirectModel::Result propagate_labels(
    const TaskView& view, const RunLimits& limits, const PropagationStop& stop, Matrix f,
    const std::function<void(const Matrix& f, Matrix& next)>& step) {
  constexpr double kTolerance = 1e-3;
  DirectModel::Result result;
  Matrix next(f.rows, f.cols);
  double best_accuracy = 0, best_loss = std::numeric_limits<double>::infinity();
  int since_progress = 0;
  while (stop.patience > 0 ? since_progress < stop.patience : result.iterations < stop.iterations) {
    limits.check();
    step(f, next);
    std::swap(f, next);
    ++result.iterations;
    Scores valid = rows_of(f, view.valid);
    const double loss =
        kernels::softmax_cross_entropy(valid, view.valid_labels.data(), {}).mean_loss;
    const double now = accuracy(valid, view.valid_labels);
    const bool progress = now >= best_accuracy + kTolerance || loss <= best_loss - kTolerance;
    since_progress = progress ? 0 : since_progress + 1;
    if (now < best_accuracy && loss > best_loss) continue;
    best_accuracy = std::max(best_accuracy, now);
    best_loss = std::min(best_loss, loss);
    result.valid_scores = std::move(valid);
    result.test_scores = rows_of(f, view.test);
  }
  return result;
}

namespace {

class LabelProp final : public DirectModel {
 public:
  explicit LabelProp(const Options& o) : stop_(o) {}

  Result fit_predict(const TaskView& view, const RunLimits& limits) const override {
    const Csr& a = view.adjacency();
    const std::vector<double> degrees = weighted_degrees(a);
    // Where all weights are 0 there is nothing to divide.
    const auto share = [&](Index i, Index) { return degrees[i] > 0 ? 1.0 / degrees[i] : 0.0; };
    const Matrix known = one_hot_train(view);
    return propagate_labels(view, limits, stop_, known, [&](const Matrix& f, Matrix& next) {
      propagate_mass(a, share, f, next);
      for (const Index node : view.train) std::copy_n(known.row(node), known.cols, next.row(node));
    });
  }

 private:
  PropagationStop stop_;
};

}  // namespace

extern const ModelEntry model_labelprop;
const ModelEntry model_labelprop = {
    .name = "labelprop",
    .title = "Label propagation",
    .citation =
        "Zhu and Ghahramani, Learning from labeled and unlabeled data with label "
        "propagation, CMU-CALD-02-107, 2002",
    .equations = {"F = one-hot labels of the training nodes, 0 elsewhere",
                  "repeat: F = D^-1 A F, then the training rows are set back",
                  "D = diag(sum_j |A_ij|): arcs have their weights",
                  "kept: the last F whose validation accuracy or loss was as good as any before"},
    .disagreements = {propagation_disagreement()},
    .options = propagation_options(),
    .revision = 2,  // 1 took every arc to weigh 1
    .direct = make_direct<LabelProp>,
};

}  // namespace cupel
