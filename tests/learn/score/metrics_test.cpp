#include "cupel/learn/score/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/learn/score/classes.h"
#include "error_of.h"
#include "learn/made_task.h"

namespace cupel {
namespace {

Matrix scores_of(const std::vector<std::vector<float>>& rows) {
  Matrix scores(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy(rows[r].begin(), rows[r].end(), scores.row(static_cast<Index>(r)));
  return scores;
}

TEST(Accuracy, IsTheShareOfRowsWhoseLargestScoreIsTheLabels) {
  const Matrix scores = scores_of({{1, 2, 3}, {5, 2, 3}, {1, 9, 3}, {-3, -2, -1}});
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{2, 0, 1, 2}), 1);
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{2, 1, 0, 2}), 0.5);
}

TEST(BalancedAccuracy, IsTheMeanOverClassesOfTheShareThatIsRight) {
  const Matrix scores = scores_of({{1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}});
  EXPECT_DOUBLE_EQ(metric("balanced-accuracy", scores, std::vector<Index>{0, 0, 1, 1}), 0.75);
  EXPECT_DOUBLE_EQ(metric("balanced-accuracy", scores, std::vector<Index>{0, 0, 0, 1}), 1.0 / 3);
  // A class without rows does not count; one constant answer is worth one class of those there.
  EXPECT_DOUBLE_EQ(metric("balanced-accuracy", scores_of({{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}),
                          std::vector<Index>{0, 1, 1}),
                   0.5);
}

TEST(BalancedAccuracy, IsRocAucOfPredictedLabels) {
  const Matrix scores = scores_of({{2, 1}, {0, 3}, {1, 0}, {0, 1}, {5, 2}, {1, 4}, {0, 9}});
  const std::vector<Index> labels = {0, 0, 0, 1, 1, 1, 1};
  Matrix hard(scores.rows, 2);
  for (Index i = 0; i < scores.rows; ++i) hard(i, scores(i, 1) > scores(i, 0)) = 1;
  EXPECT_DOUBLE_EQ(metric("balanced-accuracy", scores, labels), metric("roc-auc", hard, labels));
}

// Scores whose largest are at the classes given.
Matrix choosing(const std::vector<Index>& chosen, Index classes) {
  Matrix scores(static_cast<Index>(chosen.size()), classes);
  for (Index i = 0; i < scores.rows; ++i) scores(i, chosen[static_cast<std::size_t>(i)]) = 1;
  return scores;
}

TEST(MacroF1, IsThatOfScikitLearn) {
  const auto f1 = [](const std::vector<Index>& labels, const std::vector<Index>& chosen) {
    return metric("macro-f1", choosing(chosen, 5), labels);
  };
  // The example of the documentation of sklearn.metrics.f1_score, average="macro": 0.26...
  EXPECT_NEAR(f1({0, 1, 2, 0, 1, 2}, {0, 2, 1, 0, 0, 1}), 0.26666666666666666, 1e-15);
  // Class 2 is chosen and has no row: its recall has no denominator, its F1 is 0 and counts.
  EXPECT_DOUBLE_EQ(f1({0, 0, 1, 1}, {0, 2, 1, 1}), (2.0 / 3 + 1 + 0) / 3);
  // Class 1 has a row and is never chosen: as much. Classes 3 and 4 are nowhere, and do not count.
  EXPECT_DOUBLE_EQ(f1({0, 0, 1, 2}, {0, 0, 0, 2}), (0.8 + 0 + 1) / 3);
  EXPECT_DOUBLE_EQ(f1({4, 4, 4}, {4, 4, 4}), 1);
  EXPECT_DOUBLE_EQ(f1({0, 1}, {1, 0}), 0);
}

// Precision and recall of each class from the table of confusions, on random answers.
TEST(MacroF1, IsTheMeanOverClassesOfTheHarmonicMeanOfPrecisionAndRecall) {
  constexpr Index kClasses = 4, kRows = 60;
  for (int trial = 0; trial < 20; ++trial) {
    Stream random(stream_key("macro f1"), static_cast<std::uint32_t>(trial));
    std::vector<Index> labels, chosen;
    double table[kClasses][kClasses] = {};
    for (Index i = 0; i < kRows; ++i) {
      labels.push_back(static_cast<Index>(random.next_below(kClasses)));
      const bool right = random.next_below(2) == 0;
      chosen.push_back(right ? labels.back() : static_cast<Index>(random.next_below(kClasses)));
      ++table[labels.back()][chosen.back()];
    }
    double sum = 0;
    for (Index c = 0; c < kClasses; ++c) {
      double row = 0, column = 0;
      for (Index d = 0; d < kClasses; ++d) row += table[c][d], column += table[d][c];
      const double precision = table[c][c] / column, recall = table[c][c] / row;
      sum += 2 * precision * recall / (precision + recall);
    }
    EXPECT_NEAR(metric("macro-f1", choosing(chosen, kClasses), labels), sum / kClasses, 1e-12);
  }
}

TEST(OtherMetrics, AreThoseThatAreDefinedButOne) {
  using Named = std::vector<std::pair<std::string, double>>;
  const Matrix two = scores_of({{2, 1}, {0, 3}, {1, 0}});
  EXPECT_EQ(other_metrics("accuracy", two, std::vector<Index>{0, 1, 1}),
            (Named{{"balanced-accuracy", 0.75}, {"macro-f1", 2.0 / 3}, {"roc-auc", 0.75}}));
  EXPECT_EQ(other_metrics("roc-auc", two, std::vector<Index>{0, 0, 0}),
            (Named{{"accuracy", 2.0 / 3}, {"balanced-accuracy", 2.0 / 3}, {"macro-f1", 0.4}}));
  const Matrix three = scores_of({{2, 1, 0}, {0, 3, 0}});
  EXPECT_EQ(other_metrics("accuracy", three, std::vector<Index>{0, 1}),
            (Named{{"balanced-accuracy", 1.0}, {"macro-f1", 1.0}}));
}

TEST(Accuracy, TiesGoToTheLowestClass) {
  const Matrix scores = scores_of({{0, 0, 0}, {1, 2, 2}});
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{0, 1}), 1);
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{1, 2}), 0);
}

TEST(Accuracy, OfOneColumnChoosesTheSecondClassAboveZero) {
  const Matrix scores = scores_of({{0.1f}, {-0.1f}, {0}, {3}});
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{1, 0, 0, 1}), 1);
  EXPECT_DOUBLE_EQ(accuracy(scores, std::vector<Index>{0, 0, 1, 1}), 0.5);
}

// Every pair of a node of class 1 and one of class 0, one by one.
double share_of_pairs(const std::vector<double>& ranking, const std::vector<Index>& labels) {
  double right = 0, pairs = 0;
  for (std::size_t i = 0; i < ranking.size(); ++i)
    for (std::size_t j = 0; j < ranking.size(); ++j) {
      if (labels[i] != 1 || labels[j] != 0) continue;
      right += ranking[i] > ranking[j] ? 1 : ranking[i] == ranking[j] ? 0.5 : 0;
      ++pairs;
    }
  return right / pairs;
}

// `levels`: how many different values there are; few of them make many ties.
struct Ranked {
  std::vector<double> ranking;
  std::vector<Index> labels;
};
Ranked ranked(std::size_t size, std::uint32_t levels, std::uint32_t seed) {
  Stream random(stream_key("ranked"), seed);
  Ranked made;
  for (std::size_t i = 0; i < size; ++i) {
    made.labels.push_back(i < 2 ? static_cast<Index>(i) : Index{random.next_below(4) == 0});
    made.ranking.push_back((random.next_below(levels) + 0.4 * made.labels.back()) / levels);
    if (random.next_below(2) == 0) made.ranking.back() = -std::floor(made.ranking.back() * 2);
  }
  return made;
}

TEST(RocAuc, IsTheShareOfPairsInTheRightOrderTiesHalf) {
  for (const std::uint32_t levels : {1u, 2u, 3u, 10u, 1'000'000u})
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      const Ranked r = ranked(5 + 60 * seed, levels, seed);
      EXPECT_NEAR(roc_auc(r.ranking, r.labels), share_of_pairs(r.ranking, r.labels), 1e-12);
    }
}

TEST(RocAuc, OfKnownRankings) {
  const std::vector<Index> labels = {0, 0, 1, 1};
  const auto of = [&](std::vector<double> ranking) { return roc_auc(ranking, labels); };
  EXPECT_EQ(of({1, 2, 3, 4}), 1);
  EXPECT_EQ(of({4, 3, 2, 1}), 0);
  EXPECT_EQ(of({7, 7, 7, 7}), 0.5);
  EXPECT_EQ(of({0.1, 0.4, 0.35, 0.8}), 0.75);
  EXPECT_EQ(of({1, 2, 2, 3}), 0.875);
  // What is beyond all others is so whatever its size.
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(of({-infinity, 2, 2, infinity}), 0.875);
}

TEST(RocAuc, FormsRankByMarginByColumnOrByBoth) {
  Stream random(stream_key("forms"), 0);
  Matrix scores(40, 2), one(40, 1);
  std::vector<Index> labels;
  std::vector<double> margin, second, first_turned;
  for (Index i = 0; i < scores.rows; ++i) {
    labels.push_back(i % 3 == 0);
    // A common shift of both columns, which the margin does not see and columns do.
    const auto shift = static_cast<float>(random.next_normal());
    scores(i, 0) = shift + static_cast<float>(random.next_normal());
    scores(i, 1) = shift + static_cast<float>(random.next_normal()) + 0.5f * labels[i];
    one(i, 0) = scores(i, 1);
    margin.push_back(double{scores(i, 1)} - scores(i, 0));
    second.push_back(scores(i, 1));
    first_turned.push_back(-scores(i, 0));
  }
  const double by_margin = share_of_pairs(margin, labels);
  const double by_second = share_of_pairs(second, labels);
  const double by_first = share_of_pairs(first_turned, labels);
  EXPECT_NEAR(metric("roc-auc", scores, labels), by_margin, 1e-12);
  EXPECT_NEAR(metric("roc-auc-column", scores, labels), by_second, 1e-12);
  EXPECT_NEAR(metric("roc-auc-columns", scores, labels), (by_second + by_first) / 2, 1e-12);
  for (const char* form : {"roc-auc", "roc-auc-column", "roc-auc-columns"})
    EXPECT_NEAR(metric(form, one, labels), by_second, 1e-12) << form;
  EXPECT_GT(std::abs(by_margin - by_second), 0.01) << "the forms cannot be told apart";
  EXPECT_GT(std::abs(by_first - by_second), 0.01) << "the forms cannot be told apart";
}

TEST(RocAuc, RefusesOneClassAloneAndMoreThanTwo) {
  const Matrix scores = scores_of({{0.1f}, {0.2f}, {0.3f}});
  const auto message = [&](const Matrix& of, const std::vector<Index>& labels) {
    return error_of([&] { (void)metric("roc-auc", of, labels); });
  };
  EXPECT_NE(message(scores, {1, 1, 1}).find("none of 3 examples is of class 0"), std::string::npos);
  EXPECT_NE(message(scores, {0, 0, 0}).find("none of 3 examples is of class 1"), std::string::npos);
  const Matrix wide = scores_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_NE(message(wide, {0, 1, 1}).find("accuracy"), std::string::npos);
}

TEST(Metric, RefusesWhatItCannotScore) {
  const std::vector<Index> labels = {0, 1};
  const Matrix good = scores_of({{1, 0}, {0, 1}});
  EXPECT_DOUBLE_EQ(metric("accuracy", good, labels), 1);
  EXPECT_NE(error_of([&] { (void)metric("acuracy", good, labels); }).find("acuracy"),
            std::string::npos);
  const Matrix short_one = scores_of({{1, 0}});
  EXPECT_NE(error_of([&] { (void)metric("accuracy", short_one, labels); }).find("1 rows for 2"),
            std::string::npos);
  Matrix bad = good;
  bad(1, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error_of([&] { (void)metric("accuracy", bad, labels); }).find("row 1"),
            std::string::npos);
  // Whose margin is no number.
  bad(1, 0) = bad(1, 1) = std::numeric_limits<float>::infinity();
  EXPECT_NE(error_of([&] { (void)metric("roc-auc", bad, labels); }).find("row 1 is infinite"),
            std::string::npos);
}

// Answers to several tasks: random, a third not known, task 1 all no, task 2 not known at all.
struct SeveralTasks {
  Matrix scores, answers;
};
SeveralTasks several_tasks(Index rows, std::uint32_t seed) {
  const float unknown = std::numeric_limits<float>::quiet_NaN();
  Stream random(stream_key("several tasks"), seed);
  SeveralTasks made = {Matrix(rows, 4), Matrix(rows, 4)};
  for (Index i = 0; i < rows; ++i)
    for (Index t = 0; t < 4; ++t) {
      const float answer = i < 2 ? static_cast<float>(i) : static_cast<float>(random.next_below(2));
      const bool known = i < 2 || random.next_below(3) > 0;
      made.answers(i, t) = !known || t == 2 ? unknown : t == 1 ? 0 : answer;
      made.scores(i, t) = std::round(2 * static_cast<float>(random.next_normal()) + answer) + 0.25f;
    }
  return made;
}

TEST(TaskMetric, IsTheMeanOverTasksThatHaveBothAnswers) {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const SeveralTasks made = several_tasks(10 + 20 * static_cast<Index>(seed), seed);
    double auc = 0, balanced = 0, f1 = 0;
    int hits = 0, known = 0;
    for (const Index t : {0, 1, 2, 3}) {
      std::vector<double> ranking;
      std::vector<Index> labels;
      int right[2] = {0, 0}, of[2] = {0, 0};
      for (Index i = 0; i < made.scores.rows; ++i) {
        if (std::isnan(made.answers(i, t))) continue;
        const auto label = static_cast<Index>(made.answers(i, t));
        ranking.push_back(made.scores(i, t));
        labels.push_back(label);
        right[label] += (made.scores(i, t) > 0) == (label == 1);
        ++of[label];
      }
      hits += right[0] + right[1];
      known += of[0] + of[1];
      if (t == 1 || t == 2) continue;
      auc += share_of_pairs(ranking, labels) / 2;
      balanced +=
          (static_cast<double>(right[0]) / of[0] + static_cast<double>(right[1]) / of[1]) / 4;
      for (const int c : {0, 1})  // wrong answers of both kinds are in the denominator once
        f1 += 2.0 * right[c] / (2 * right[c] + (of[0] - right[0]) + (of[1] - right[1])) / 4;
    }
    EXPECT_NEAR(task_metric("roc-auc", made.scores, made.answers), auc, 1e-12);
    EXPECT_NEAR(task_metric("balanced-accuracy", made.scores, made.answers), balanced, 1e-12);
    EXPECT_NEAR(task_metric("macro-f1", made.scores, made.answers), f1, 1e-12);
    EXPECT_DOUBLE_EQ(task_metric("accuracy", made.scores, made.answers),
                     static_cast<double>(hits) / known);
  }
}

TEST(TaskMetric, RefusesWhatMeansNothingForSeveralTasks) {
  const SeveralTasks made = several_tasks(10, 0);
  const auto message = [&](const std::string& name, const Matrix& answers) {
    return error_of([&] { (void)task_metric(name, made.scores, answers); });
  };
  for (const char* name : {"roc-auc-column", "roc-auc-columns", "mrr"})
    EXPECT_NE(message(name, made.answers)
                  .find("take one of: accuracy, balanced-accuracy, macro-f1, roc-auc"),
              std::string::npos);
  EXPECT_NE(message("auc", made.answers)
                .find("known are: accuracy, balanced-accuracy, macro-f1, roc-auc"),
            std::string::npos);
  Matrix none = made.answers;
  for (Index i = 0; i < none.rows; ++i)
    for (Index t = 0; t < none.cols; ++t)
      if (none(i, t) == 1) none(i, t) = 0;
  EXPECT_NE(message("roc-auc", none).find("no task has known answers of both kinds"),
            std::string::npos);
  EXPECT_NO_THROW((void)task_metric("accuracy", made.scores, none));
  for (float& v : none.values) v = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message("accuracy", none).find("none has a known answer"), std::string::npos);
  EXPECT_NE(message("accuracy", Matrix(10, 3)).find("4 columns for 3 tasks"), std::string::npos);
  for (const float answer : {-1.0f, 2.0f, 0.5f}) {
    Matrix odd = made.answers;
    odd(3, 2) = answer;
    EXPECT_NE(message("accuracy", odd).find("the answer in row 3 to task 2 is"), std::string::npos);
  }
}

TEST(TaskMetric, OthersAreThoseThatAreDefinedButOne) {
  SeveralTasks made = several_tasks(30, 1);
  const auto others = other_task_metrics("roc-auc", made.scores, made.answers);
  ASSERT_EQ(others.size(), 3u);
  EXPECT_EQ(others[0].first, "accuracy");
  EXPECT_EQ(others[1].first, "balanced-accuracy");
  EXPECT_EQ(others[2].first, "macro-f1");
  for (float& v : made.answers.values) v = std::isnan(v) ? v : 0;
  EXPECT_EQ(other_task_metrics("roc-auc", made.scores, made.answers).size(), 1u);
}

TEST(SealedLabels, SayHowGoodScoresAreAndNothingElse) {
  const ClassTask task = made_task();
  Matrix scores(static_cast<Index>(task.test_labels.size()), 3);
  const Dataset data = made_dataset();
  for (Index r = 0; r < scores.rows; ++r) scores(r, data.labels()[task.view.test[r]]) = 1;
  EXPECT_DOUBLE_EQ(task.test_labels.score("accuracy", scores), 1);
}

}  // namespace
}  // namespace cupel
