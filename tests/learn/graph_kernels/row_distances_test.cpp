#include "cupel/learn/graph_kernels/row_distances.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/random.h"

namespace cupel {
namespace {

TEST(RowDistances, EqualSumsOfSquaredDifferences) {
  Stream random(stream_key("rows"), 0);
  for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 5}, {40, 40}, {61, 33}, {90, 16}}) {
    std::vector<double> x(static_cast<std::size_t>(rows) * columns);
    for (Index i = 0; i < rows; ++i)
      for (Index c = 0; c < columns; ++c)
        x[i * columns + c] = c < i || i >= columns ? random.next_normal() : 1 + random.next_unit();
    for (Index i = 0; i < columns; ++i)
      for (Index c = 0; c < i; ++c) x[c * columns + i] = x[i * columns + c];
    const std::vector<double> got = squared_row_distances(x, rows, columns);
    ASSERT_EQ(got.size(), x.size());
    for (Index i = 0; i < rows; ++i) {
      for (Index c = 0; c < columns; ++c) {
        double expected = 0;
        for (Index k = 0; k < columns; ++k)
          expected += std::pow(x[i * columns + k] - x[c * columns + k], 2);
        EXPECT_NEAR(got[i * columns + c], expected, 1e-12 * columns) << i << " " << c;
      }
    }
  }
}

}  // namespace
}  // namespace cupel
