#include "cupel/learn/score/pool.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "cupel/base/random.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/score/threshold.h"
#include "error_of.h"

namespace cupel {
namespace {

struct Made {
  std::vector<float> scores;
  std::vector<std::uint8_t> answers;

  Pool pool() const { return make_pool(scores, answers); }
};

// `score` of i, i * i * 13 + 5 * i modulo 97, and the answer, as the figures below were made with.
template <class Score>
Made thousand(Score&& score) {
  Made made;
  for (int i = 0; i < 1000; ++i) {
    made.answers.push_back(i * i % 7 < 2);
    made.scores.push_back(
        static_cast<float>(score(i, (13 * i * i + 5 * i) % 97, int{made.answers.back()})));
  }
  return made;
}

// scikit-learn 1.9.1:
//   i = np.arange(1000); y = (i * i % 7 < 2).astype(int); m = (13 * i * i + 5 * i) % 97
//   for s in (m // 4 + 6 * y, -(m // 4) - 6 * y, m / 97 + i / 1e4 + 0.3 * y, m + 20 * y > 50, 0 *
//   i):
//     s = np.float32(s); print(roc_auc_score(y, s), average_precision_score(y, s))
TEST(Pool, AreasAreThoseOfScikitLearn) {
  const auto expect = [](const Made& made, double area, double precision) {
    EXPECT_NEAR(pool_metric("roc-auc", made.pool()), area, 1e-14);
    EXPECT_NEAR(pool_metric("average-precision", made.pool()), precision, 1e-14);
    EXPECT_NEAR(pool_metric("auc-ap-mean", made.pool()), (area + precision) / 2, 1e-14);
  };
  expect(thousand([](int, int m, int y) { return m / 4 + 6 * y; }), 0.704817087118489,
         0.6499336638978713);
  expect(thousand([](int, int m, int y) { return -(m / 4) - 6 * y; }), 0.295182912881511,
         0.32184157344937847);
  expect(thousand([](int i, int m, int y) { return m / 97.0 + i / 1e4 + 0.3 * y; }),
         0.7426312005751258, 0.6981178396882948);
  expect(thousand([](int, int m, int y) { return m + 20 * y > 50; }), 0.6117737402784131,
         0.49608300634943286);
  expect(thousand([](int, int, int) { return 0; }), 0.5, 0.428);
  expect({{0.1f, 0.4f, 0.35f, 0.8f}, {0, 0, 1, 1}}, 0.75, 0.8333333333333333);
  expect({{1, 0}, {1, 0}}, 1, 1);
  expect({{0, 1}, {1, 0}}, 0, 0.5);
  expect({{1, 1}, {1, 0}}, 0.5, 0.5);
}

TEST(Pool, PrecisionAndRecallCountWhatIsAbove) {
  const Made made = thousand([](int, int m, int y) { return m / 97.0 + 0.2 * y; });
  for (const double threshold : {-1.0, 0.25, 0.5, 0.9, 1.5}) {
    double said = 0, right = 0, positives = 0;
    for (std::size_t i = 0; i < made.scores.size(); ++i) {
      const bool above = made.scores[i] > threshold, is = made.answers[i] == 1;
      said += above, right += above && is, positives += is;
    }
    const std::string at = fmt::format(":threshold={}", threshold);
    const bool usual = threshold == 0.5;
    EXPECT_EQ(pool_metric("precision" + (usual ? "" : at), made.pool()),
              said == 0 ? 0 : right / said);
    EXPECT_EQ(pool_metric("recall" + (usual ? "" : at), made.pool()), right / positives);
  }
  // What is at the threshold is not above it.
  EXPECT_EQ(pool_metric("recall", make_pool(std::vector<float>{0.5f, 0.6f, 0.1f},
                                            std::vector<std::uint8_t>{1, 1, 0})),
            0.5);
}

// Every threshold that could be is tried: below all scores, at each, and above.
TEST(Pool, TheBestThresholdTellsMostRight) {
  for (const std::uint32_t levels : {1u, 2u, 5u, 1000u})
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      Stream random(stream_key("threshold"), levels, seed);
      Made made{{-1, 1}, {0, 1}};
      if (seed % 2 == 1) made.answers = {1, 0};
      for (std::uint32_t i = 0; i < 3 * seed; ++i) {
        made.answers.push_back(random.next_below(3) == 0);
        made.scores.push_back(static_cast<float>(random.next_below(levels)) - 40 -
                              (seed % 3 == 0 ? 0.7f : -0.7f) * made.answers.back());
      }
      const auto right = [&](double threshold) {
        int out = 0;
        for (std::size_t i = 0; i < made.scores.size(); ++i)
          out += (made.scores[i] > threshold) == (made.answers[i] == 1);
        return out;
      };
      std::vector<double> at(made.scores.begin(), made.scores.end());
      at.push_back(-1e30);
      int most = 0;
      double highest = 0;
      for (const double threshold : at)
        if (right(threshold) > most || (right(threshold) == most && threshold > highest))
          most = right(threshold), highest = threshold;
      const double best = best_threshold(made.pool());
      EXPECT_EQ(right(best), most);
      // The highest of those that tell as much, and as far from the score below as from that above.
      double above = 1e30;
      for (const double score : at)
        if (score > highest) above = std::min(above, score);
      EXPECT_EQ(best, highest == -1e30 || above == 1e30 ? highest : (highest + above) / 2);
    }
}

// Scores may be infinite, and the middle between two of them is a number all the same.
TEST(Pool, TheBestThresholdIsANumberWhateverTheScores) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const auto best = [](std::vector<float> positives, std::vector<float> negatives) {
    return best_threshold({std::move(positives), std::move(negatives)});
  };
  EXPECT_EQ(best({kInfinite}, {-kInfinite}), 0);
  EXPECT_EQ(best({kInfinite, 3}, {1, -kInfinite}), 2);
  EXPECT_EQ(best({kInfinite}, {1}), kMostThreshold);
  EXPECT_EQ(best({1}, {-kInfinite}), -kMostThreshold);
  EXPECT_EQ(best({-kInfinite}, {kInfinite}), kMostThreshold);
}

TEST(Pool, WhereNothingWasValidatedNoThresholdIsChosen) {
  const Pool pool = make_pool(std::vector<float>{1, 2}, std::vector<std::uint8_t>{0, 1});
  EXPECT_NE(error_of([&] { (void)pool_metric("precision:by=valid", pool); }).find("give one"),
            std::string::npos);
  EXPECT_EQ(find_metric("recall:by=valid")->name(), "recall:by=valid");
  EXPECT_EQ(find_metric("recall:by=threshold")->name(), "recall");
  EXPECT_EQ(pool_metric("recall:threshold=-1e+30", pool), 1);
}

// Both from their definitions, threshold by threshold and pair by pair.
TEST(Pool, AreasAreThoseOfTheirDefinitions) {
  for (const std::uint32_t levels : {1u, 2u, 5u, 1000u})
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      Stream random(stream_key("pool"), levels, seed);
      Made made{{-1, 1}, {0, 1}};
      for (std::uint32_t i = 0; i < 40 * seed; ++i) {
        made.answers.push_back(random.next_below(3) == 0);
        made.scores.push_back(static_cast<float>(random.next_below(levels)) - made.answers.back());
      }
      double pairs = 0, right = 0;
      std::map<float, std::pair<double, double>> at;  // pairs and positives of a score or better
      for (std::size_t i = 0; i < made.scores.size(); ++i) {
        auto& [taken, positives] = at[made.scores[i]];
        for (std::size_t j = 0; j < made.scores.size(); ++j) {
          taken += made.scores[j] >= made.scores[i];
          positives += made.answers[j] && made.scores[j] >= made.scores[i];
          if (!made.answers[i] || made.answers[j]) continue;
          ++pairs;
          right += made.scores[i] > made.scores[j] ? 1 : made.scores[i] == made.scores[j] ? 0.5 : 0;
        }
      }
      double precision = 0, all = 0;
      for (std::size_t i = 0; i < made.scores.size(); ++i) {
        if (!made.answers[i]) continue;
        precision += at[made.scores[i]].second / at[made.scores[i]].first;
        ++all;
      }
      EXPECT_NEAR(roc_auc(made.pool()), right / pairs, 1e-12);
      EXPECT_NEAR(average_precision(made.pool()), precision / all, 1e-12);
    }
}

// scikit-learn 1.9.1, of the first three of the above with every positive appended once more:
//   y = np.concatenate([y, y[y == 1]]); s = np.concatenate([s, s[y == 1]])
// in which ROC AUC stays what it was.
TEST(Pool, PositivesCountAsOftenAsIsSaid) {
  const auto expect = [](const Made& made, double area, double precision) {
    const Pool pool = made.pool();
    EXPECT_NEAR(pool_metric("average-precision:positives=2", pool), precision, 1e-14);
    EXPECT_NEAR(pool_metric("auc-ap-mean:positives=2", pool), (area + precision) / 2, 1e-14);
    Made twice = made;
    for (std::size_t i = 0; i < made.scores.size(); ++i)
      if (made.answers[i]) twice.scores.push_back(made.scores[i]), twice.answers.push_back(1);
    EXPECT_NEAR(average_precision(pool, 2), average_precision(twice.pool()), 1e-14);
    EXPECT_NEAR(roc_auc(twice.pool()), area, 1e-14);
  };
  expect(thousand([](int, int m, int y) { return m / 4 + 6 * y; }), 0.704817087118489,
         0.7756691882401165);
  expect(thousand([](int, int m, int y) { return -(m / 4) - 6 * y; }), 0.295182912881511,
         0.48050321214627756);
  expect(thousand([](int i, int m, int y) { return m / 97.0 + i / 1e4 + 0.3 * y; }),
         0.7426312005751258, 0.8106837689398089);
  EXPECT_EQ(find_metric("average-precision:positives=1")->name(), "average-precision");
  EXPECT_FALSE(find_metric("average-precision:positives=0"));
}

TEST(Pool, OrderOfPairsAndMonotoneScalesDoNotMatter) {
  const Made made = thousand([](int, int m, int y) { return m / 4 + 6 * y; });
  Made other;
  for (std::size_t i = made.scores.size(); i-- > 0;) {
    other.scores.push_back(std::exp(made.scores[i] / 8));
    other.answers.push_back(made.answers[i]);
  }
  for (const char* name : {"roc-auc", "average-precision", "auc-ap-mean"})
    EXPECT_EQ(pool_metric(name, made.pool()), pool_metric(name, other.pool())) << name;
}

TEST(Pool, InfiniteScoresAreBeyondAllOthersAndZerosAreEqual) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(roc_auc(make_pool(std::vector<float>{-infinity, 2, 2, infinity},
                              std::vector<std::uint8_t>{0, 0, 1, 1})),
            0.875);
  EXPECT_EQ(roc_auc(make_pool(std::vector<float>{0.0f, -0.0f}, std::vector<std::uint8_t>{0, 1})),
            0.5);
}

TEST(Pool, RefusesWhatHasNoArea) {
  const auto message = [](const Made& made) {
    return error_of([&] { (void)pool_metric("average-precision", made.pool()); });
  };
  EXPECT_NE(message({{1, 2}, {1, 1}}).find("there is no negative pair"), std::string::npos);
  EXPECT_NE(message({{1, 2}, {0, 0}}).find("there is no positive pair"), std::string::npos);
  EXPECT_NE(message({{1, 2}, {1}}).find("2 scores for 1 pairs"), std::string::npos);
  EXPECT_NE(message({{1, std::nanf("")}, {1, 0}}).find("pair 1 is not a number"),
            std::string::npos);
}

TEST(Pool, OtherMetricsAreThoseThatAreKept) {
  const Pool pool = thousand([](int, int m, int y) { return m + y; }).pool();
  EXPECT_EQ(other_pool_metrics("roc-auc", pool),
            (NamedScores{{"average-precision", average_precision(pool)}}));
  EXPECT_EQ(
      other_pool_metrics("auc-ap-mean", pool),
      (NamedScores{{"average-precision", average_precision(pool)}, {"roc-auc", roc_auc(pool)}}));
  EXPECT_TRUE(other_pool_metrics("auc-ap-mean", {{1, 2}, {}}).empty());
}

}  // namespace
}  // namespace cupel
