// Attention whose heads share keys and values, against its formula in double; and cosines.
#include "cupel/engine/kernels/shared_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/engine/kernels/unary.h"

namespace cupel::kernels {
namespace {

Matrix drawn(Index rows, Index cols, std::uint32_t purpose) {
  Matrix out(rows, cols);
  Stream random(stream_key("shared attention"), purpose);
  for (float& v : out.values) v = static_cast<float>(random.next_normal());
  return out;
}

TEST(SharedAttention, EqualsItsFormula) {
  constexpr Index kRows = 7, kColumns = 9;
  for (const auto& [heads, d] : {std::pair<Index, Index>{1, 1}, {2, 8}, {3, 21}, {8, 3}}) {
    Csr a;
    a.rows = kRows, a.cols = kColumns;
    for (Index r = 0; r < kRows; ++r) {
      for (Index c = 0; c < kColumns && r != 3; ++c)  // row 3 has no entry
        if ((r * 5 + c * 3) % 4 != 0) a.columns.push_back(c);
      a.row_ptr.push_back(std::ssize(a.columns));
    }
    const Matrix receiver = drawn(kRows, heads * d, 1), x = drawn(kColumns, d, 2);
    std::vector<std::uint8_t> keep;
    for (Offset e = 0; e < a.entries(); ++e)
      keep.push_back(static_cast<std::uint8_t>(e * 37 % 251));
    for (const KeptWeights& kept : {KeptWeights{}, KeptWeights{keep.data(), 1.25f}}) {
      Matrix out(kRows, heads * d);
      std::vector<float> weights(static_cast<std::size_t>(a.entries() * heads));
      shared_attention({}, view(a), receiver, x, heads, 0.3f, kept, view(out), weights.data());
      for (Index r = 0; r < kRows; ++r)
        for (Index h = 0; h < heads; ++h) {
          std::vector<double> expected(static_cast<std::size_t>(d));
          double sum = 0;
          for (const Index c : a.row_columns(r)) {
            double score = 0;
            for (Index j = 0; j < d; ++j) score += 0.3 * receiver(r, h * d + j) * x(c, j);
            sum += std::exp(score);
          }
          for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
            const Index c = a.columns[static_cast<std::size_t>(e)];
            double score = 0;
            for (Index j = 0; j < d; ++j) score += 0.3 * receiver(r, h * d + j) * x(c, j);
            const bool on =
                kept.keep == nullptr || ((keep[static_cast<std::size_t>(e)] >> h) & 1) != 0;
            for (Index j = 0; j < d && on; ++j)
              expected[static_cast<std::size_t>(j)] += kept.scale * std::exp(score) / sum * x(c, j);
          }
          for (Index j = 0; j < d; ++j)
            EXPECT_NEAR(out(r, h * d + j), expected[static_cast<std::size_t>(j)], 3e-6);
        }
    }
  }
}

TEST(Cosine, AlsoOfManyTurns) {
  Matrix in(1, 40011);
  for (Index i = 0; i < 20000; ++i) in(0, i) = 0.01f * static_cast<float>(i - 10000);
  Stream random(stream_key("angles"), 0);
  for (Index i = 20000; i < 40000; ++i)
    in(0, i) = static_cast<float>((random.next_unit() - 0.5) * std::pow(10, random.next_below(10)));
  for (Index i = 40000; i < in.cols; ++i) in(0, i) = static_cast<float>(i - 40005) * 1e8f;
  Matrix out(1, in.cols), slope(1, in.cols), ones(1, in.cols);
  for (float& v : ones.values) v = 1;
  function_forward({}, Function::kCosine, in, view(out));
  function_backward({}, Function::kCosine, in, ones, view(slope));
  for (Index i = 0; i < in.cols; ++i) {
    ASSERT_NEAR(out(0, i), std::cos(double{in(0, i)}), 3e-7) << in(0, i);
    ASSERT_NEAR(slope(0, i), -std::sin(double{in(0, i)}), 3e-7) << in(0, i);
  }
  in(0, 0) = std::numeric_limits<float>::infinity();
  in(0, 1) = std::numeric_limits<float>::quiet_NaN();
  function_forward({}, Function::kCosine, in, view(out));
  EXPECT_TRUE(std::isnan(out(0, 0)) && std::isnan(out(0, 1)));
}

}  // namespace
}  // namespace cupel::kernels
