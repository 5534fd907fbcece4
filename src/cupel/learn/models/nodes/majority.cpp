// The most frequent class of the training part: what accuracy is worth on unbalanced classes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

class Majority final : public DirectModel {
 public:
  explicit Majority(const Options&) {}

  Result fit_predict(const TaskView& view, const RunLimits&) const override {
    const std::vector<int> trained = counts(view.train_labels, view.classes());
    const std::vector<int> valid = counts(view.valid_labels, view.classes());
    std::vector<float> share(trained.size());
    std::size_t chosen = 0;
    for (std::size_t c = 0; c < trained.size(); ++c) {
      share[c] = static_cast<float>(trained[c]) / static_cast<float>(view.train_labels.size());
      if (std::pair(trained[c], valid[c]) > std::pair(trained[chosen], valid[chosen])) chosen = c;
    }
    // Of equal shares the largest is the first; by so little it says which one was chosen.
    share[chosen] = std::nextafter(share[chosen], std::numeric_limits<float>::infinity());
    const auto repeated = [&](std::size_t rows) {
      Scores scores(static_cast<Index>(rows), view.classes());
      for (Index r = 0; r < scores.rows; ++r) std::copy(share.begin(), share.end(), scores.row(r));
      return scores;
    };
    return {repeated(view.valid.size()), repeated(view.test.size()), 0};
  }

 private:
  static std::vector<int> counts(const std::vector<Index>& labels, Index classes) {
    std::vector<int> out(static_cast<std::size_t>(classes));
    for (const Index label : labels) ++out[static_cast<std::size_t>(label)];
    return out;
  }
};

}  // namespace

extern const ModelEntry model_majority;
const ModelEntry model_majority = {
    .name = "majority",
    .title = "Most frequent class in training",
    .citation = "folklore",
    .equations =
        {"score of a class = its share of the training examples",
         "chosen: the most frequent class in training; of equally frequent ones that with the most "
         "validation examples, then the lowest",
         "where training and validation have the same number of examples of each class, that is "
         "the lowest class, and its accuracy no floor: the split hides which class is frequent"},
    .disagreements = {},
    .options = {},
    .revision = 2,  // 1 did not look at validation examples
    .direct = make_direct<Majority>,
};

}  // namespace cupel
