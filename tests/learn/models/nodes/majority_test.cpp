#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

TEST(Majority, ScoresAreTrainingShares) {
  Dataset data = made_dataset({.nodes = 20});
  for (Index i = 0; i < 6; ++i) data.labels()[i] = i < 3 ? 2 : i < 5 ? 0 : 1;
  const Split split = leading_split(data, 6, 5);
  const ClassTask task = task_of(std::move(data), split);
  const auto result = find_model("majority")->direct({})->fit_predict(task.view);
  ASSERT_EQ(result.valid_scores.rows, 5);
  ASSERT_EQ(result.test_scores.rows, 9);
  for (Index r = 0; r < 9; ++r) {
    EXPECT_FLOAT_EQ(result.test_scores(r, 0), 2.0f / 6);
    EXPECT_FLOAT_EQ(result.test_scores(r, 1), 1.0f / 6);
    EXPECT_FLOAT_EQ(result.test_scores(r, 2), 3.0f / 6);
  }
}

// Every class of a per-class split is as frequent in training; then validation has a say.
TEST(Majority, TiesInTrainingAreDecidedByValidation) {
  const auto chosen = [](const std::vector<Index>& train, const std::vector<Index>& valid) {
    Dataset data = made_dataset({.nodes = 20});
    std::copy(train.begin(), train.end(), data.labels().begin());
    std::copy(valid.begin(), valid.end(), data.labels().begin() + train.size());
    const Split split =
        leading_split(data, static_cast<Index>(train.size()), static_cast<Index>(valid.size()));
    const ClassTask task = task_of(std::move(data), split);
    const Scores scores = find_model("majority")->direct({})->fit_predict(task.view).test_scores;
    return std::max_element(scores.row(0), scores.row(0) + 3) - scores.row(0);
  };
  EXPECT_EQ(chosen({0, 0, 1, 1, 2, 2}, {2, 1, 2, 0}), 2);
  EXPECT_EQ(chosen({0, 1, 1, 2, 2}, {0, 0, 0, 2, 1, 2}), 2);  // of the two that are tied
  EXPECT_EQ(chosen({0, 1, 1, 2, 2}, {0, 0, 0, 2, 1}), 1);     // tied again: the lowest
  EXPECT_EQ(chosen({0, 1, 2, 2}, {0, 0, 1, 1}), 2);           // training alone decides
  EXPECT_EQ(find_model("majority")->revision, 2);
}

}  // namespace
}  // namespace cupel
