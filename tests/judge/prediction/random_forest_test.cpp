// Trees against a slow one in whole numbers, forests against scikit-learn.
#include "cupel/judge/prediction/random_forest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "cupel/base/error.h"

namespace cupel {
namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

const StreamKey kKey = stream_key("random forest test");
constexpr ForestSettings kOneTree = {1, false, 0, 1};

std::vector<RegressionTree> trees_of(const Rows& x, const std::vector<double>& y,
                                     const ForestSettings& settings, StreamKey key = kKey,
                                     Threads threads = {1}) {
  return RandomForest(x, y, settings, key, threads).trees();
}

// ---- one tree -----------------------------------------------------------------------------------

using Cut = std::pair<int, double>;  // feature, threshold

// The sum of squared errors that two means leave is that of the targets less S^2 / n of each side.
// With whole targets, that is a fraction.
struct Fraction {
  std::int64_t above, below;
  bool operator<(const Fraction& other) const { return above * other.below < other.above * below; }
};

// All cuts that leave the smallest error, by trying each on all samples; of one feature, the
// lowest.
std::set<Cut> best_cuts(const Rows& x, const std::vector<double>& y,
                        const std::vector<std::size_t>& own, int min_leaf) {
  std::set<Cut> best;
  Fraction most = {-1, 1};
  for (std::size_t f = 0; f < x[0].size(); ++f) {
    std::set<double> values;
    for (const std::size_t i : own) values.insert(x[i][f]);
    for (const double low : values) {
      const auto high = values.upper_bound(low);
      if (high == values.end()) continue;
      std::int64_t left = 0, right = 0, left_sum = 0, right_sum = 0;
      for (const std::size_t i : own) {
        (x[i][f] <= low ? left : right) += 1;
        (x[i][f] <= low ? left_sum : right_sum) += static_cast<std::int64_t>(y[i]);
      }
      if (left < min_leaf || right < min_leaf) continue;
      const Fraction now = {left_sum * left_sum * right + right_sum * right_sum * left,
                            left * right};
      if (now < most) continue;
      if (most < now) best.clear();
      most = now;
      const int feature = static_cast<int>(f);
      if (best.lower_bound({feature, -1e300}) == best.end())
        best.emplace(feature, (low + *high) / 2);
    }
  }
  return best;
}

// How many nodes of the tree there are below and with `node`, which are all as they have to be.
std::size_t expect_best(const RegressionTree& tree, std::size_t node, const Rows& x,
                        const std::vector<double>& y, const std::vector<std::size_t>& own,
                        int min_leaf) {
  double sum = 0;
  std::set<double> targets;
  for (const std::size_t i : own) {
    sum += y[i];
    targets.insert(y[i]);
  }
  const TreeNode& found = tree.at(node);
  EXPECT_EQ(found.value, sum / static_cast<double>(own.size()));
  const std::set<Cut> best = best_cuts(x, y, own, min_leaf);
  if (targets.size() == 1 || best.empty()) {
    EXPECT_EQ(found.feature, -1);
    return 1;
  }
  if (!best.contains({found.feature, found.threshold})) {
    ADD_FAILURE() << own.size() << " samples cut at " << found.feature << " " << found.threshold;
    return 1;
  }
  std::vector<std::size_t> left, right;
  for (const std::size_t i : own)
    (x[i][static_cast<std::size_t>(found.feature)] <= found.threshold ? left : right).push_back(i);
  return 1 + expect_best(tree, found.left, x, y, left, min_leaf) +
         expect_best(tree, found.left + 1, x, y, right, min_leaf);
}

TEST(RegressionTreeTest, IsThatOfTryingEveryCut) {
  std::size_t nodes = 0;
  for (std::uint32_t trial = 0; trial < 300; ++trial) {
    Stream random(kKey, 1, trial);
    const std::size_t size = 1 + random.next_below(30);
    const std::uint32_t values = 2 + random.next_below(30), targets = 2 + random.next_below(20);
    Rows x(size, Row(4));
    std::vector<double> y;
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < size; ++i) {
      // One feature is constant and one has few values; samples may be alike but for their target.
      x[i] = {random.next_below(values) / 8.0 - 1, 3, 1.0 * random.next_below(2),
              random.next_below(values) * -0.25};
      y.push_back(random.next_below(targets) - 5.0);
      all.push_back(i);
    }
    ForestSettings settings = kOneTree;
    settings.min_leaf = 1 + static_cast<int>(trial % 3);
    const RegressionTree tree = trees_of(x, y, settings, kKey)[0];
    EXPECT_EQ(expect_best(tree, 0, x, y, all, settings.min_leaf), tree.size());
    nodes += tree.size();
  }
  EXPECT_GT(nodes, 4000u);
}

TEST(RegressionTreeTest, KnowsWhatItLearntWhereSamplesCanBeToldApart) {
  Stream random(kKey, 2);
  Rows x;
  std::vector<double> y;
  for (int i = 0; i < 200; ++i) {
    x.push_back({random.next_normal(), random.next_normal()});
    y.push_back(1e6 + random.next_normal());
  }
  x[7] = x[3];
  const RandomForest forest(x, y, kOneTree, kKey, {1});
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(forest.predict(x[i]), i == 3 || i == 7 ? (y[3] + y[7]) / 2 : y[i]);
}

// No cut of one feature helps, and two do.
TEST(RegressionTreeTest, CutsWhereNothingIsGainedYet) {
  const RandomForest forest(Rows{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, std::vector<double>{0, 1, 1, 0},
                            kOneTree, kKey, {1});
  EXPECT_EQ(forest.predict(Row{0.2, 0.9}), 1);
  EXPECT_EQ(forest.predict(Row{0.8, 0.9}), 0);
}

TEST(RegressionTreeTest, ThresholdsPartNeighbouringNumbersAndDoNotOverflow) {
  const double one = 1, next = std::nextafter(one, 2), third = std::nextafter(next, 2),
               most = std::numeric_limits<double>::max();
  for (const auto& [low, high] :
       {std::pair{one, next}, std::pair{next, third}, std::pair{-most, most},
        std::pair{most / 2, most}, std::pair{-0.0, 5e-324}}) {
    const RandomForest forest(Rows{{low}, {high}}, std::vector<double>{1, 2}, kOneTree, kKey, {1});
    EXPECT_EQ(forest.predict(Row{low}), 1) << low;
    EXPECT_EQ(forest.predict(Row{high}), 2) << high;
  }
  EXPECT_EQ(trees_of({{most / 2}, {most}}, {1, 2}, kOneTree)[0][0].threshold, 0.75 * most);
}

// ---- what is drawn ------------------------------------------------------------------------------

// How often each feature is that of the root.
std::vector<int> roots(const std::vector<RegressionTree>& trees, std::size_t features) {
  std::vector<int> out(features + 1, 0);
  for (const RegressionTree& tree : trees) ++out[static_cast<std::size_t>(tree[0].feature + 1)];
  return out;
}

// Features that part samples alike, up or down, in other units, are equally good whatever rounding
// makes of 0.1 and 0.7; a constant one is never taken.
TEST(RandomForestTest, EquallyGoodFeaturesAreTakenEquallyOften) {
  constexpr int kTrees = 6000;
  const Rows x = {{3, 9, -3, 0.3}, {1, 9, -1, 0.1}, {2, 9, -2, 0.2}, {5, 9, -5, 0.4}};
  const std::vector<int> found =
      roots(trees_of(x, {0.7, 0.1, 0.15, 0.9}, {kTrees, false, 0, 1}), 4);
  EXPECT_EQ(found[0] + found[2], 0);
  for (const std::size_t feature : {1u, 3u, 4u})
    EXPECT_NEAR(found[feature], kTrees / 3.0, 5 * std::sqrt(kTrees * 2 / 9.0));
}

// The first feature is the target, so that any node that sees it takes it.
TEST(RandomForestTest, ANodeSeesAsManyFeaturesAsItIsTold) {
  constexpr int kTrees = 6000;
  Stream random(kKey, 3);
  Rows x;
  std::vector<double> y;
  for (int i = 0; i < 20; ++i) {
    x.push_back({1.0 * i});
    for (int f = 0; f < 4; ++f) x.back().push_back(random.next_normal());
    y.push_back(i);
  }
  for (const int visited : {1, 2, 4, 5}) {
    const double share = visited / 5.0;
    EXPECT_NEAR(roots(trees_of(x, y, {kTrees, false, visited, 1}), 5)[1], kTrees * share,
                5 * std::sqrt(kTrees * share * (1 - share)))
        << visited;
  }
  // Constant features are passed over, so that nothing is a leaf that can be cut.
  for (Row& row : x) row[1] = row[2] = row[3] = 4;
  const std::vector<int> found = roots(trees_of(x, y, {kTrees, false, 1, 1}), 5);
  EXPECT_EQ(found[0] + found[2] + found[3] + found[4], 0);
  EXPECT_NEAR(found[1], kTrees / 2.0, 5 * std::sqrt(kTrees / 4.0));
}

// The mean of n targets drawn with replacement has the variance of the targets over n.
TEST(RandomForestTest, TreesAreOfBootstrapSamples) {
  constexpr int kTrees = 4000;
  Rows x;
  std::vector<double> y;
  double mean = 0, variance = 0;
  for (int i = 0; i < 10; ++i) {
    x.push_back({1.0 * i});
    y.push_back(i * i);
    mean += i * i / 10.0;
  }
  for (const double target : y) variance += (target - mean) * (target - mean) / 10;
  double sum = 0, squares = 0;
  for (const RegressionTree& tree : trees_of(x, y, {kTrees, true, 0, 1})) {
    EXPECT_NEAR(tree[0].value * 10, std::round(tree[0].value * 10), 1e-9);
    sum += tree[0].value;
    squares += (tree[0].value - mean) * (tree[0].value - mean);
  }
  EXPECT_NEAR(sum / kTrees, mean, 5 * std::sqrt(variance / 10 / kTrees));
  EXPECT_NEAR(squares / kTrees, variance / 10, 5 * std::sqrt(2.0 / kTrees) * variance / 10);
}

TEST(RandomForestTest, IsTheSameOnAnyNumberOfThreads) {
  Stream random(kKey, 4);
  Rows x;
  std::vector<double> y;
  for (int i = 0; i < 60; ++i) {
    x.push_back({random.next_normal(), random.next_normal(), random.next_normal()});
    y.push_back(x.back()[0] * x.back()[1] + random.next_unit());
  }
  const auto one = trees_of(x, y, {50, true, 2, 2}, kKey, {1});
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(one, trees_of(x, y, {50, true, 2, 2}, kKey, {threads}));
  EXPECT_NE(one, trees_of(x, y, {50, true, 2, 2}, stream_key("another"), {1}));
  EXPECT_NE(one[0], one[1]);
}

// ---- scikit-learn -------------------------------------------------------------------------------

// Friedman 1991's first function of five of ten features, whose values are the fractions of the
// multiples of roots of primes.
double fraction(int i, int prime) {
  const double multiple = i * std::sqrt(static_cast<double>(prime));
  return multiple - std::floor(multiple);
}
Row friedman_row(int i) {
  Row out;
  for (const int prime : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}) out.push_back(fraction(i, prime));
  return out;
}
double friedman_target(const Row& x) {
  return 10 * std::sin(std::acos(-1.0) * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) +
         10 * x[3] + 5 * x[4];
}

// Mean and deviation of the mean squared error of 30 forests of scikit-learn 1.9.1:
//   x, y = made(1, 200); t, truth = made(201, 500)    # rows i = 1 ... 200 and 201 ... 700
//   y += sqrt(12) * (frac(i * sqrt(31)) - 0.5)
//   [mean((RandomForestRegressor(100, random_state=s, **settings).fit(x, y).predict(t) - truth)**2)
//    for s in range(30)]
struct KnownError {
  const char* settings;
  ForestSettings ours;
  double mean, sd;
};
class AgainstScikitLearn : public testing::TestWithParam<KnownError> {};

TEST_P(AgainstScikitLearn, TheErrorIsTheSame) {
  const auto& [name, settings, mean, sd] = GetParam();
  Rows x;
  std::vector<double> y;
  for (int i = 1; i <= 200; ++i) {
    x.push_back(friedman_row(i));
    y.push_back(friedman_target(x.back()) + std::sqrt(12.0) * (fraction(i, 31) - 0.5));
  }
  constexpr int kForests = 10, kTheirs = 30, kTests = 500;
  double error = 0;
  for (int k = 0; k < kForests; ++k) {
    const RandomForest forest(x, y, settings, stream_key(std::to_string(k)), {2});
    for (int i = 201; i < 201 + kTests; ++i) {
      const Row row = friedman_row(i);
      error += std::pow(forest.predict(row) - friedman_target(row), 2) / (kForests * kTests);
    }
  }
  EXPECT_NEAR(error, mean, 5 * sd * std::sqrt(1.0 / kForests + 1.0 / kTheirs)) << name;
}

INSTANTIATE_TEST_SUITE_P(
    RandomForestTest, AgainstScikitLearn,
    testing::Values(
        KnownError{"default", {}, 6.273120351384208, 0.10134686830478205},
        KnownError{"min_samples_leaf=5, max_features=3",
                   {100, true, 3, 5},
                   8.069340747579423,
                   0.1771468874624185},
        KnownError{"bootstrap=False, max_features=4",
                   {100, false, 4, 1},
                   6.376167910590518,
                   0.14504930820437295},
        KnownError{"max_features=1", {100, true, 1, 1}, 10.759621669347867, 0.28770655697290376}),
    [](const auto& info) { return "settings" + std::to_string(info.index); });

// ---- bad input ----------------------------------------------------------------------------------

TEST(RandomForestTest, RefusesWhatNothingCanBeLearntFrom) {
  const auto refused = [](const Rows& x, const std::vector<double>& y,
                          const ForestSettings& settings, const std::string& with) {
    try {
      (void)RandomForest(x, y, settings, kKey, {1});
      ADD_FAILURE() << "no error with: " << with;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(with), std::string::npos) << error.what();
    }
  };
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  refused({}, {}, {}, "no samples");
  refused({{}}, {1}, {}, "no features");
  refused({{1}, {2}}, {1}, {}, "2 samples have 1 targets");
  refused({{1, 2}, {2}}, {1, 2}, {}, "sample 1 has 1 features, and sample 0 has 2");
  refused({{1, 2}, {2, nan}}, {1, 2}, {}, "feature 1 of sample 1 is nan");
  refused({{1}, {-infinity}}, {1, 2}, {}, "feature 0 of sample 1 is -inf");
  refused({{1}, {2}}, {infinity, 2}, {}, "target of sample 0 is inf");
  refused({{1}, {2}}, {1, 2}, {0, true, 0, 1}, "0 trees");
  refused({{1}, {2}}, {1, 2}, {1, true, 0, 0}, "leaves of 0");
  refused({{1}, {2}}, {1, 2}, {1, true, 2, 1}, "2 of 1 features");
  refused({{1}, {2}}, {1, 2}, {1, true, -1, 1}, "-1 of 1 features");
  const RandomForest forest(Rows{{1}, {2}}, std::vector<double>{1, 2}, {}, kKey, {1});
  EXPECT_THROW((void)forest.predict(Row{1, 2}), Error);
  EXPECT_THROW((void)forest.predict(Row{nan}), Error);
}

}  // namespace
}  // namespace cupel
