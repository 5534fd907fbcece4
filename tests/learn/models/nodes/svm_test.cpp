#include <gtest/gtest.h>

#include <algorithm>

#include "cupel/base/error.h"
#include "error_of.h"
#include "learn/made_task.h"
#include "learn/models/traced_model.h"

namespace cupel {
namespace {

constexpr Index kNodes = 40, kColumns = 5, kTrain = 24, kValid = 8;

// 40 nodes of five numbers, from a linear congruential generator that is as short in Python.
Dataset made_features() {
  Dataset data;
  data.name = "made";
  data.adjacency = from_edges(kNodes, std::vector<Edge>{});
  Matrix x(kNodes, kColumns);
  std::uint64_t state = 7;
  for (Index i = 0; i < kNodes; ++i) {
    const Index label = (i * i + i / 3) % 4;
    data.labels().push_back(label);
    for (Index k = 0; k < kColumns; ++k) {
      state = (state * 1103515245 + 12345) % (std::uint64_t{1} << 31);
      const double drawn = static_cast<double>(state) / static_cast<double>(1u << 31);
      x(i, k) = static_cast<float>(drawn * 4 - 2) + 0.5f * static_cast<float>(label);
    }
  }
  for (const char* name : {"0", "1", "2", "3"}) data.class_names().push_back(name);
  data.features = std::move(x);
  return data;
}

Matrix test_scores(const Dataset& data, const Settings& settings) {
  const ModelEntry& entry = *find_model("svm");
  const ClassTask task = task_of(data, leading_split(data, kTrain, kValid));
  return entry.direct(configure(entry, settings))->fit_predict(task.view).test_scores;
}

void expect_scores(const Matrix& got, const std::vector<std::vector<double>>& expected) {
  ASSERT_EQ(got.rows, static_cast<Index>(expected.size()));
  for (Index i = 0; i < got.rows; ++i)
    for (Index c = 0; c < got.cols; ++c)
      EXPECT_NEAR(got(i, c), expected[i][c], 1e-6) << "row " << i << " class " << c;
}

// SVC(C=8, gamma=...).fit(X[:24], y[:24]).decision_function(X[32:]), scikit-learn 1.9.1.
TEST(FeatureSvm, DecidesAsScikitLearn) {
  expect_scores(test_scores(made_features(), {{"C", 8.0}}),
                {{3.206016878, 1.905068530, 1.205663212, -0.246320309},
                 {3.242641442, 1.957264056, 0.867983748, -0.217295361},
                 {0.839612149, 2.086106516, 3.210705742, -0.177508718},
                 {3.245685663, 1.901263265, 0.939638979, -0.227884862},
                 {3.250094290, 2.113430043, 0.822461196, -0.234736719},
                 {3.256437058, 1.936499578, 0.890637073, -0.241028410},
                 {2.224671418, 0.844487657, 3.182962059, -0.235576172},
                 {2.038587725, -0.230781974, 1.004478216, 3.226009588}});
  expect_scores(test_scores(made_features(), {{"C", 8.0}, {"gamma", std::string("0.3")}}),
                {{3.192183956, 0.859777830, 2.148352649, -0.196577424},
                 {3.210006811, 0.870541595, 2.077933816, -0.192864602},
                 {0.922742485, 2.077230406, 3.161814241, -0.161802080},
                 {3.197434355, 0.849101733, 2.103233118, -0.172637513},
                 {3.228130238, 0.872650534, 1.965411207, -0.196409550},
                 {3.244037618, 0.872932768, 1.908025737, -0.211492584},
                 {3.229523553, 0.816804808, 2.111650921, -0.199704749},
                 {1.044388246, -0.211955627, 2.065700181, 3.191316567}});
}

// The same with SVC(C=2).fit(Z[:24], y[:24] > 1), Z = where(X > 1, X, 0): features that are stored
// sparse, of which the variance counts the zeros.
TEST(FeatureSvm, ZerosThatAreNotStoredCount) {
  Dataset data = made_features();
  for (Index& label : data.labels()) label = label > 1;
  data.class_names().resize(2);
  Matrix& x = std::get<Matrix>(data.features);
  for (float& value : x.values) value = value > 1 ? value : 0;
  Csr sparse;
  sparse.rows = x.rows;
  sparse.cols = x.cols;
  for (Index i = 0; i < x.rows; ++i) {
    for (Index k = 0; k < x.cols; ++k) {
      if (x(i, k) == 0) continue;
      sparse.columns.push_back(k);
      sparse.values.push_back(x(i, k));
    }
    sparse.row_ptr.push_back(static_cast<Offset>(sparse.columns.size()));
  }
  const Matrix dense = test_scores(data, {{"C", 2.0}});
  data.features = std::move(sparse);
  const Matrix got = test_scores(data, {{"C", 2.0}});
  EXPECT_EQ(dense.values, got.values);
  const std::vector<double> decisions = {-0.419850579, -1.343615144, -0.201808723, -1.615374833,
                                         -1.579315314, -1.551484150, -1.583985427, 1.075115260};
  for (Index i = 0; i < got.rows; ++i)
    EXPECT_NEAR(got(i, 1) - got(i, 0), decisions[i], 1e-6) << "row " << i;
}

TEST(FeatureSvm, ManyNodesAreScoredInBlocks) {
  const ClassTask task = made_task({.nodes = 900, .words = 30}, 40, 300);
  const ModelEntry& entry = *find_model("svm");
  const auto result = entry.direct(configure(entry))->fit_predict(task.view);
  ASSERT_EQ(result.test_scores.rows, 560);
  // Node by node, a part of its own.
  for (const std::size_t at : {0u, 255u, 256u, 400u, 559u}) {
    TaskView one = task.view;
    one.test = {task.view.test[at]};
    const auto alone = entry.direct(configure(entry))->fit_predict(one);
    EXPECT_TRUE(std::equal(alone.test_scores.values.begin(), alone.test_scores.values.end(),
                           result.test_scores.row(static_cast<Index>(at))))
        << at;
  }
}

TEST(FeatureSvm, RefusesWhatIsNoNumber) {
  const ModelEntry& entry = *find_model("svm");
  for (const char* gamma : {"auto", "0", "-1", "nan", "inf", "0.5x", ""})
    EXPECT_NE(error_of([&] {
                (void)entry.direct(configure(entry, {{"gamma", std::string(gamma)}}));
              }).find("is no positive number"),
              std::string::npos)
        << gamma;
  Dataset data = made_features();
  std::get<Matrix>(data.features)(3, 2) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(test_scores(data, {}), Error);
}

}  // namespace
}  // namespace cupel
