#include "cupel/learn/score/metrics.h"

#include <gtest/gtest.h>

#include <limits>

#include "cupel/base/error.h"
#include "learn/made_task.h"

namespace cupel {
namespace {

Matrix scores_of(const std::vector<std::vector<float>>& rows) {
  Matrix scores(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy(rows[r].begin(), rows[r].end(), scores.row(static_cast<Index>(r)));
  return scores;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Accuracy, IsTheShareOfRowsWhoseLargestScoreIsTheLabels) {
  const Matrix scores = scores_of({{1, 2, 3}, {5, 2, 3}, {1, 9, 3}, {-3, -2, -1}});
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{2, 0, 1, 2}), 1);
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{2, 1, 0, 2}), 0.5);
}

TEST(Accuracy, TiesGoToTheLowestClass) {
  const Matrix scores = scores_of({{0, 0, 0}, {1, 2, 2}});
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{0, 1}), 1);
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{1, 2}), 0);
}

TEST(Metric, RefusesWhatItCannotScore) {
  const std::vector<Index> labels = {0, 1};
  const Matrix good = scores_of({{1, 0}, {0, 1}});
  EXPECT_DOUBLE_EQ(metric("accuracy", good, labels), 1);
  EXPECT_NE(message_of([&] { (void)metric("acuracy", good, labels); }).find("acuracy"),
            std::string::npos);
  const Matrix short_one = scores_of({{1, 0}});
  EXPECT_NE(message_of([&] { (void)metric("accuracy", short_one, labels); }).find("1 rows for 2"),
            std::string::npos);
  Matrix bad = good;
  bad(1, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message_of([&] { (void)metric("accuracy", bad, labels); }).find("row 1"),
            std::string::npos);
}

TEST(SealedLabels, SayHowGoodScoresAreAndNothingElse) {
  const NodeTask task = made_task();
  Matrix scores(static_cast<Index>(task.test_labels.size()), 3);
  const Dataset data = made_dataset();
  for (Index r = 0; r < scores.rows; ++r) scores(r, data.labels[task.view.test[r]]) = 1;
  EXPECT_DOUBLE_EQ(task.test_labels.score("accuracy", scores), 1);
}

}  // namespace
}  // namespace cupel
