#include "cupel/base/matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace cupel {
namespace {

TEST(Transpose, EqualsTheDenseTranspose) {
  Csr m;
  m.rows = 3;
  m.cols = 4;
  m.row_ptr = {0, 2, 2, 5};
  m.columns = {1, 3, 0, 1, 2};
  m.values = {1, 2, 3, 4, 5};
  const Csr t = transpose(m);
  float dense[4][3] = {};
  for (Index i = 0; i < m.rows; ++i)
    for (Offset e = m.row_ptr[i]; e < m.row_ptr[i + 1]; ++e) dense[m.columns[e]][i] = m.value(e);
  for (Index i = 0; i < t.rows; ++i) {
    float row[3] = {};
    for (Offset e = t.row_ptr[i]; e < t.row_ptr[i + 1]; ++e) row[t.columns[e]] = t.value(e);
    for (Index j = 0; j < 3; ++j) EXPECT_EQ(row[j], dense[i][j]);
    EXPECT_TRUE(std::is_sorted(t.row_columns(i).begin(), t.row_columns(i).end()));
  }
}

TEST(Transpose, PatternsStayPatterns) {
  Csr m;
  m.rows = m.cols = 2;
  m.row_ptr = {0, 1, 1};
  m.columns = {1};
  EXPECT_TRUE(transpose(m).is_pattern());
  EXPECT_EQ(transpose(m).row_ptr, (std::vector<Offset>{0, 0, 1}));
}

TEST(Matrix, StorageIsAligned) {
  for (Index n : {1, 3, 17})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Matrix(n, n).values.data()) % kAlignment, 0u);
}

}  // namespace
}  // namespace cupel
