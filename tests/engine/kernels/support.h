// Inputs and comparisons shared by the tests of the kernels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "csr_of.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/engine/kernels/views.h"
// clang-format off
#include "cupel/base/vector_targets.h"
#include "hwy/targets.h"
// clang-format on

namespace cupel::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Runs `body` once for every instruction set that the kernels are built for and this machine has.
template <class Body>
void on_every_target(const Body& body) {
  hwy::SetSupportedTargetsForTest(0);
  const std::int64_t supported = hwy::SupportedTargets();
  for (const std::int64_t target :
       {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_STATIC_TARGET}}) {
    if ((supported & target) == 0 && target != HWY_STATIC_TARGET) continue;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// A matrix whose rows are wider apart than its columns; what lies between must survive.
struct Strided {
  static constexpr float kPadding = 12345.0f;
  Index rows, cols, stride;
  std::vector<float> values;

  Strided(Index r, Index c, Index padding = 3)
      : rows(r),
        cols(c),
        stride(c + padding),
        values(static_cast<std::size_t>(r) * static_cast<std::size_t>(c + padding), kPadding) {
    for (Index i = 0; i < rows; ++i) std::fill_n(view().row(i), cols, 0.0f);
  }
  static Strided random(Index r, Index c, std::uint32_t seed, Index padding = 3) {
    Strided m(r, c, padding);
    Stream stream({seed, 77}, 0);
    for (Index i = 0; i < r; ++i) {
      for (Index j = 0; j < c; ++j) m(i, j) = static_cast<float>(2 * stream.next_unit() - 1);
    }
    return m;
  }
  float& operator()(Index i, Index j) { return view().row(i)[j]; }
  DenseView view() { return {values.data(), rows, cols, stride}; }
  operator DenseView() { return view(); }
  operator ConstDenseView() { return view(); }
};

// All values, padding too, one matrix after the other.
inline std::vector<float> joined(const std::vector<const Strided*>& parts) {
  std::vector<float> all;
  for (const Strided* part : parts) all.insert(all.end(), part->values.begin(), part->values.end());
  return all;
}

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

// What run(threads) returns has the same bits on any number of threads and on every instruction set
// with fused multiply-adds.
template <class Run>
void expect_same_bits_of(const Run& run) {
  std::vector<std::vector<float>> results;
  on_every_target([&] {
    if ((hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2 | HWY_NEON)) == 0) return;
    for (const int threads : {1, 2, 8}) results.push_back(run(Threads{threads}));
  });
  for (const auto& result : results) EXPECT_TRUE(same_bits(result, results[0]));
}

// Within `tolerance` of each other, relative to the larger of 1 and the value; NaN only where NaN.
// Padding is compared too.
inline void expect_near(const std::vector<float>& a, const std::vector<float>& b,
                        double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(b[i])) {
      ASSERT_TRUE(std::isnan(a[i])) << "at " << i;
    } else if (std::isinf(b[i])) {
      ASSERT_EQ(a[i], b[i]) << "at " << i;
    } else {
      ASSERT_NEAR(a[i], b[i], tolerance * std::max(1.0f, std::fabs(b[i]))) << "at " << i;
    }
  }
}

// 0 .. 2 * mean entries a row; every fifth row is empty.
inline Csr random_csr(Index rows, Index cols, int mean, bool valued, std::uint32_t seed) {
  std::vector<std::vector<Index>> columns(static_cast<std::size_t>(rows));
  Stream stream({seed, 78}, 0);
  for (Index r = 0; r < rows; ++r) {
    std::vector<Index>& row = columns[static_cast<std::size_t>(r)];
    const auto size = r % 5 == 3 ? 0 : stream.next_below(static_cast<std::uint32_t>(2 * mean + 1));
    for (std::uint32_t i = 0; i < size; ++i) {
      row.push_back(static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(cols))));
    }
  }
  Csr m = csr_of(std::move(columns), cols);
  if (valued) {
    m.values.resize(m.columns.size());
    for (float& x : m.values) x = static_cast<float>(2 * stream.next_unit() - 1);
  }
  return m;
}

// The transposed pattern and, behind each of its entries, the entry of `m`.
struct Transposed {
  Csr pattern;
  std::vector<Offset> entry;
  explicit Transposed(const Csr& m) {
    std::vector<std::vector<std::pair<Index, Offset>>> columns(static_cast<std::size_t>(m.cols));
    for (Index r = 0; r < m.rows; ++r) {
      for (Offset e = m.row_ptr[static_cast<std::size_t>(r)];
           e < m.row_ptr[static_cast<std::size_t>(r) + 1]; ++e) {
        columns[static_cast<std::size_t>(m.columns[static_cast<std::size_t>(e)])].emplace_back(r,
                                                                                               e);
      }
    }
    pattern.rows = m.cols;
    pattern.cols = m.rows;
    for (const auto& column : columns) {
      for (const auto& [row, e] : column) {
        pattern.columns.push_back(row);
        entry.push_back(e);
      }
      pattern.row_ptr.push_back(static_cast<Offset>(entry.size()));
    }
  }
};

}  // namespace cupel::test
