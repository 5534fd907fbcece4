#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cupel/base/error.h"
#include "error_of.h"
#include "learn/links/drawn_links.h"

namespace cupel {
namespace {

Csr sparse_of(const Matrix& dense) {
  Csr out;
  out.rows = dense.rows, out.cols = dense.cols;
  for (Index i = 0; i < dense.rows; ++i) {
    for (Index c = 0; c < dense.cols; ++c) {
      if (dense(i, c) == 0) continue;
      out.columns.push_back(c);
      out.values.push_back(dense(i, c));
    }
    out.row_ptr.push_back(std::ssize(out.columns));
  }
  return out;
}

double cosine(const Matrix& x, Pair p) {
  double dot = 0, a = 0, b = 0;
  for (Index c = 0; c < x.cols; ++c) {
    dot += double(x(p.source, c)) * x(p.target, c);
    a += double(x(p.source, c)) * x(p.source, c);
    b += double(x(p.target, c)) * x(p.target, c);
  }
  return a == 0 || b == 0 ? 0 : dot / std::sqrt(a * b);
}

TEST(FeatureCosine, OfDenseAndSparseRows) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    DrawnLinks links = drawn_links(seed, 20, 30, seed % 2 == 1);
    const Matrix x = std::get<Matrix>(links.features);
    const std::vector<Pair> pairs = all_pairs(20);
    const auto dense = scores_of(*feature_cosine_scorer(links.graph(), {2}), pairs);
    links.features = sparse_of(x);
    const auto sparse = scores_of(*feature_cosine_scorer(links.graph(), {2}), pairs);
    int zeros = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const double want = cosine(x, pairs[k]);
      EXPECT_NEAR(dense[k], want, 1e-7);
      EXPECT_NEAR(sparse[k], want, 1e-7);
      zeros += pairs[k].source % 5 == 3 && dense[k] == 0 && sparse[k] == 0;
    }
    EXPECT_EQ(zeros, 4 * 19);  // rows 3, 8, 13 and 18
  }
}

TEST(FeatureCosine, OfAPatternAndOfWideRows) {
  Csr pattern = sparse_of(Matrix(3, 4));
  pattern.row_ptr = {0, 3, 5, 5};
  pattern.columns = {0, 1, 3, 1, 2};
  DrawnLinks links = links_of({{0, 1}}, 3);
  links.features = pattern;
  const auto scorer = feature_cosine_scorer(links.graph(), {1});
  EXPECT_EQ(scores_of(*scorer, {{0, 1}, {1, 0}, {0, 2}}),
            (std::vector<float>{static_cast<float>(1 / std::sqrt(6.0)),
                                static_cast<float>(1 / std::sqrt(6.0)), 0}));
  Matrix wide(2, 1003);
  for (Index c = 0; c < wide.cols; ++c) wide(0, c) = 1, wide(1, c) = c % 3 == 0 ? 2.0f : -1.0f;
  links.features = wide;
  EXPECT_NEAR(scores_of(*feature_cosine_scorer(links.graph(), {1}), {{0, 1}})[0],
              cosine(wide, {0, 1}), 1e-7);
}

TEST(FeatureCosine, WithoutFeaturesAllPairsAreAlike) {
  const DrawnLinks links = links_of({{0, 1}}, 3);
  EXPECT_EQ(scores_of(*feature_cosine_scorer(links.graph(), {1}), {{0, 1}, {1, 2}}),
            (std::vector<float>{0, 0}));
}

TEST(FeatureCosine, ValuesThatAreNotFiniteAreRefused) {
  DrawnLinks links = links_of({{0, 1}}, 3);
  Matrix x(3, 2);
  x(1, 1) = std::numeric_limits<float>::infinity();
  for (const bool sparse : {false, true}) {
    links.features = sparse ? Features(sparse_of(x)) : Features(x);
    EXPECT_NE(error_of([&] { (void)feature_cosine_scorer(links.graph(), {1}); }).find("row 1"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace cupel
