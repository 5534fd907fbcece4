#include "cupel/data/rows.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

Csr sparse(bool pattern) {
  Csr out;  // rows {0, 2}, {}, {1}
  out.rows = out.cols = 3;
  out.row_ptr = {0, 2, 2, 3};
  out.columns = {0, 2, 1};
  if (!pattern) out.values = {1, 2, 3};
  return out;
}

TEST(RowsOf, ComeInTheOrderAskedForAndMayRepeat) {
  Matrix m(3, 2);
  for (Index i = 0; i < 3; ++i) m.row(i)[0] = static_cast<float>(i), m.row(i)[1] = 10.0f;
  const std::vector<Index> rows = {2, 0, 2};
  const Matrix out = rows_of(m, rows);
  EXPECT_EQ(out.rows, 3);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(out.row(k)[0], static_cast<float>(rows[k])) << k;
  EXPECT_EQ(rows_of(m, {}).rows, 0);
  EXPECT_EQ(rows_of(m, {}).cols, 2);
}

TEST(RowsOf, SparseRowsKeepTheirEntries) {
  const std::vector<Index> rows = {2, 1, 0, 2};
  const Csr out = rows_of(sparse(false), rows);
  EXPECT_EQ(out.rows, 4);
  EXPECT_EQ(out.cols, 3);
  EXPECT_EQ(std::vector<Offset>(out.row_ptr.begin(), out.row_ptr.end()),
            (std::vector<Offset>{0, 1, 1, 3, 4}));
  EXPECT_EQ(std::vector<Index>(out.columns.begin(), out.columns.end()),
            (std::vector<Index>{1, 0, 2, 1}));
  EXPECT_EQ(std::vector<float>(out.values.begin(), out.values.end()),
            (std::vector<float>{3, 1, 2, 3}));
  EXPECT_TRUE(rows_of(sparse(true), rows).is_pattern());
  EXPECT_TRUE(std::holds_alternative<Csr>(rows_of(Features(sparse(true)), rows)));
}

}  // namespace
}  // namespace cupel
