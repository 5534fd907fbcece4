#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

TEST(Majority, ScoresAreTrainingShares) {
  Dataset data = made_dataset({.nodes = 20});
  for (Index i = 0; i < 6; ++i) data.labels[i] = i < 3 ? 2 : i < 5 ? 0 : 1;
  const Split split = leading_split(data, 6, 5);
  const NodeTask task = task_of(std::move(data), split);
  const auto result = find_model("majority")->direct({})->fit_predict(task.view);
  ASSERT_EQ(result.valid_scores.rows, 5);
  ASSERT_EQ(result.test_scores.rows, 9);
  for (Index r = 0; r < 9; ++r) {
    EXPECT_FLOAT_EQ(result.test_scores(r, 0), 2.0f / 6);
    EXPECT_FLOAT_EQ(result.test_scores(r, 1), 1.0f / 6);
    EXPECT_FLOAT_EQ(result.test_scores(r, 2), 3.0f / 6);
  }
}

}  // namespace
}  // namespace cupel
