// R-MAT against its definition: shares of every level of the descent, degrees, symmetries.
#include "cupel/data/generate/rmat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "cupel/data/generate/generator.h"
#include "error_of.h"

namespace cupel {
namespace {

Dataset make(const std::string& text) { return generate(parse_generator_call(text)); }

RmatSettings settings(int scale, std::int64_t draws, double a, double b, double c, bool permute) {
  return {scale, draws, a, b, c, permute, stream_key("a graph of the test")};
}

std::vector<Offset> sorted_degrees(const Csr& graph) {
  std::vector<Offset> out(static_cast<std::size_t>(graph.rows));
  for (Index i = 0; i < graph.rows; ++i) {
    for (const Index j : graph.row_columns(i)) {
      ++out[static_cast<std::size_t>(i)];
      ++out[static_cast<std::size_t>(j)];
    }
  }
  std::ranges::sort(out);
  return out;
}

// Of a sparse draw, in which repeats and loops are rare. The pairs of all draws are i < j, so that
// b and c show only in what follows the first bit in which i and j differ: it stays as drawn with
// probability b / (b + c), and else both ends have changed sides.
TEST(Rmat, EveryLevelHasTheSharesOfItsQuarters) {
  for (const int scale : {17, 18, 19, 20}) {
    SCOPED_TRACE(scale);
    const double a = 0.45, b = 0.3, c = 0.05, d = 0.2;
    const Csr graph = rmat_graph(settings(scale, 200'000, a, b, c, false), {1});
    const double edges = static_cast<double>(graph.entries());
    EXPECT_GT(edges, 0.985 * 200'000);
    const double tolerance = 0.01;  // repeats are one in a hundred at most; noise is 0.001
    double last_same = 0, last_crossed = 0, differ_before_last = 0;
    for (int level = 0; level < scale; ++level) {
      double low = 0, high = 0;
      for (Index i = 0; i < graph.rows; ++i) {
        for (const Index j : graph.row_columns(i)) {
          const int up = i >> level & 1, right = j >> level & 1;
          low += up == 0 && right == 0;
          high += up == 1 && right == 1;
          if (level > 0 || i >> 1 == j >> 1) continue;
          ++differ_before_last;
          last_same += up == 0 && right == 1;
          last_crossed += up == 1 && right == 0;
        }
      }
      EXPECT_NEAR(low / edges, a, tolerance) << level;
      EXPECT_NEAR(high / edges, d, tolerance) << level;
    }
    EXPECT_NEAR(last_same / differ_before_last, (b * b + c * c) / (b + c), tolerance);
    EXPECT_NEAR(last_crossed / differ_before_last, 2 * b * c / (b + c), tolerance);
  }
}

// An end is a node with k ones with the probability that k of `scale` coins fall so: the coin of a
// source shows c + d, that of a target b + d.
TEST(Rmat, DegreesFallWithTheOnesOfANode) {
  constexpr int kScale = 18;
  const double a = 0.5, b = 0.2, c = 0.1, d = 0.2;
  const Csr graph = rmat_graph(settings(kScale, 300'000, a, b, c, false), {1});
  std::vector<double> ends(kScale + 1);
  for (Index i = 0; i < graph.rows; ++i) {
    for (const Index j : graph.row_columns(i)) {
      ++ends[static_cast<std::size_t>(std::popcount(static_cast<unsigned>(i)))];
      ++ends[static_cast<std::size_t>(std::popcount(static_cast<unsigned>(j)))];
    }
  }
  const auto binomial = [](int k, double p) {
    return std::exp(std::lgamma(kScale + 1) - std::lgamma(k + 1) - std::lgamma(kScale - k + 1) +
                    k * std::log(p) + (kScale - k) * std::log(1 - p));
  };
  for (int k = 0; k <= kScale; ++k) {
    EXPECT_NEAR(ends[static_cast<std::size_t>(k)] / (2.0 * static_cast<double>(graph.entries())),
                (binomial(k, c + d) + binomial(k, b + d)) / 2, 0.006)
        << k;
  }
}

TEST(Rmat, ExtremeSharesLeaveOneCellOfTheMatrix) {
  // Both ends alike: loops, which are dropped.
  EXPECT_EQ(rmat_graph(settings(5, 100, 1, 0, 0, false), {1}).entries(), 0);
  EXPECT_EQ(rmat_graph(settings(5, 100, 0, 0, 0, false), {1}).entries(), 0);
  for (const bool transposed : {false, true}) {
    const Csr graph =
        rmat_graph(settings(7, 100, 0, transposed ? 0 : 1, transposed ? 1 : 0, false), {1});
    ASSERT_EQ(graph.entries(), 1);
    EXPECT_EQ(graph.row_columns(0)[0], 127);
  }
  EXPECT_EQ(rmat_graph(settings(1, 0, 0.25, 0.25, 0.25, true), {1}).entries(), 0);
}

TEST(Rmat, IsTheSameOnAnyNumberOfThreads) {
  const RmatSettings s = settings(12, 200'000, 0.57, 0.19, 0.19, true);
  const Csr one = rmat_graph(s, {1});
  for (const int threads : {2, 5}) {
    const Csr other = rmat_graph(s, {threads});
    EXPECT_EQ(other.row_ptr, one.row_ptr);
    EXPECT_EQ(other.columns, one.columns);
  }
  for (Index i = 0; i < one.rows; ++i) {
    Index before = i;
    for (const Index j : one.row_columns(i)) {
      ASSERT_GT(j, before) << "each pair once, at its smaller node, without loops";
      before = j;
    }
  }
}

TEST(Rmat, RenumberingNodesChangesNothingButTheirNumbers) {
  const Csr plain = rmat_graph(settings(11, 30'000, 0.57, 0.19, 0.19, false), {1});
  const Csr permuted = rmat_graph(settings(11, 30'000, 0.57, 0.19, 0.19, true), {1});
  EXPECT_NE(permuted.columns, plain.columns);
  EXPECT_EQ(sorted_degrees(permuted), sorted_degrees(plain));
  for (const int bits : {1, 2, 3, 5, 8, 13, 16}) {
    const RandomNumbering numbering(stream_key("x"), 1, bits);
    std::vector<char> taken(std::size_t{1} << bits);
    for (std::uint32_t k = 0; k < taken.size(); ++k) {
      const std::uint32_t to = numbering(k);
      ASSERT_LT(to, taken.size());
      ASSERT_FALSE(taken[to]) << bits;
      taken[to] = 1;
    }
  }
}

TEST(Rmat, IsAFunctionOfItsSettings) {
  const std::string hash = content_hash(make("rmat"));
  EXPECT_EQ(content_hash(make("R-MAT:seed=0,scale=10")), hash);
  for (const char* other : {"rmat:seed=1", "rmat:scale=11", "rmat:edge-factor=15", "rmat:a=0.56",
                            "rmat:b=0.2", "rmat:c=0.2", "rmat:permute=false", "rmat:classes=2"})
    EXPECT_NE(content_hash(make(other)), hash) << other;
  EXPECT_EQ(make("rmat:scale=10,seed=3").name, "rmat:seed=3");
}

TEST(Rmat, HasClassesOfEqualSizeWhereAskedFor) {
  const Dataset none = make("rmat");
  EXPECT_TRUE(none.labels().empty());
  EXPECT_EQ(none.classes(), 0);
  EXPECT_EQ(feature_count(none.features), 0);
  const Dataset three = make("rmat:classes=3");
  ASSERT_EQ(three.labels().size(), 1024u);
  for (Index c = 0; c < 3; ++c)
    EXPECT_NEAR(static_cast<double>(std::ranges::count(three.labels(), c)), 1024 / 3.0, 1);
  EXPECT_EQ(three.adjacency.columns, none.adjacency.columns);
}

TEST(Rmat, RefusesWhatCannotBe) {
  const auto expect = [](const std::string& text, const std::string& part) {
    const std::string message = error_of([&] { (void)make(text); });
    EXPECT_NE(message.find(part), std::string::npos) << text << " gave: " << message;
  };
  expect("rmat:scale=31", "outside");
  expect("rmat:scale=0", "outside");
  expect("rmat:scale=ten", "not a whole number");
  expect("rmat:edge-factor=-1", "outside");
  expect("rmat:edge-factor=nan", "outside");
  expect("rmat:scale=30,edge-factor=100", "the limit is 1e+10");
  expect("rmat:a=0.6,b=0.3,c=0.2", "more than 1; lower them");
  expect("rmat:scale=2,classes=5", "4 nodes are too few for 5 classes");
  expect("rmat:permute=perhaps", "permute");
  expect("rmat:edges=5", "edges");
}

}  // namespace
}  // namespace cupel
