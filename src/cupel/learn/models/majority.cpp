// The most frequent class: what accuracy is worth on unbalanced classes.
#include "cupel/learn/models/common.h"

namespace cupel {
namespace {

class Majority final : public DirectModel {
 public:
  explicit Majority(const Options&) {}

  Result fit_predict(const TaskView& view, const RunLimits&) const override {
    std::vector<float> share(static_cast<std::size_t>(view.classes()), 0.0f);
    for (const Index label : view.train_labels) share[static_cast<std::size_t>(label)] += 1.0f;
    for (float& s : share) s /= static_cast<float>(view.train_labels.size());
    const auto repeated = [&](std::size_t rows) {
      Scores scores(static_cast<Index>(rows), view.classes());
      for (Index r = 0; r < scores.rows; ++r) std::copy(share.begin(), share.end(), scores.row(r));
      return scores;
    };
    return {repeated(view.valid.size()), repeated(view.test.size()), 0};
  }
};

}  // namespace

extern const ModelEntry model_majority;
const ModelEntry model_majority = {
    .name = "majority",
    .title = "Majority class",
    .citation = "folklore",
    .equations =
        {"score of a class = its share of the training nodes; the lowest class where shares "
         "are equal, as they are in splits with the same number of nodes of each class"},
    .disagreements = {},
    .options = {},
    .direct = make_direct<Majority>,
};

}  // namespace cupel
