// Plain loops in double on dense matrices, from which the model tests write the papers' equations.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "learn/made_task.h"
#include "learn/models/traced_model.h"

namespace cupel::oracle {

using Row = std::vector<double>;
using Dense = std::vector<Row>;

inline Dense zeros(std::size_t rows, std::size_t cols) { return Dense(rows, Row(cols, 0.0)); }

inline Dense words_of(const TaskView& task) {
  const Csr& words = std::get<Csr>(task.features());
  Dense x = zeros(static_cast<std::size_t>(words.rows), static_cast<std::size_t>(words.cols));
  for (Index i = 0; i < words.rows; ++i)
    for (const Index word : words.row_columns(i)) x[i][word] = 1;
  return x;
}

inline Dense adjacency_of(const TaskView& task, bool self_loops) {
  const auto n = static_cast<std::size_t>(task.nodes());
  Dense a = zeros(n, n);
  for (Index i = 0; i < task.nodes(); ++i) {
    for (const Index j : task.adjacency().row_columns(i)) a[i][j] = 1;
    if (self_loops) a[i][i] = 1;
  }
  return a;
}

inline double row_sum(const Dense& a, std::size_t i) {
  double sum = 0;
  for (const double v : a[i]) sum += v;
  return sum;
}

inline Dense transposed(const Dense& a) {
  Dense out = zeros(a[0].size(), a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j) out[j][i] = a[i][j];
  return out;
}

inline Dense without_diagonal(Dense a) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i][i] = 0;
  return a;
}

inline Dense undirected(Dense a) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      if (a[i][j] != 0) a[j][i] = 1;
  return a;
}

// Node v becomes the number of distinct nodes named before it in the list of edges, which is
// sorted; `once`: the list has each edge with its smaller end first.
inline Dense by_first_appearance(const Dense& a, bool once) {
  std::vector<std::size_t> seen;
  const auto place = [&](std::size_t v) {
    const auto at = std::find(seen.begin(), seen.end(), v);
    if (at == seen.end()) seen.push_back(v);
    return static_cast<std::size_t>(std::find(seen.begin(), seen.end(), v) - seen.begin());
  };
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = once ? i : 0; j < a.size(); ++j)
      if (a[i][j] != 0) place(i), place(j);
  Dense out = zeros(a.size(), a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      if (a[i][j] != 0) out[place(i)][place(j)] = a[i][j];
  return out;
}

// [a | b].
inline Dense beside(Dense a, const Dense& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i].insert(a[i].end(), b[i].begin(), b[i].end());
  return a;
}

// D^-1/2 A D^-1/2, 0 where a sum is 0.
inline Dense symmetric(const Dense& a) {
  Dense out = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      if (a[i][j] != 0)
        out[i][j] = row_sum(a, j) > 0 ? a[i][j] / std::sqrt(row_sum(a, i) * row_sum(a, j)) : 0;
  return out;
}

// D^-1 A; rows that sum to 0 stay.
inline Dense mean_over_rows(const Dense& a) {
  Dense out = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (double& v : out[i])
      if (v != 0) v /= row_sum(a, i);
  return out;
}

inline Dense product(const Dense& a, const Dense& b) {
  Dense out = zeros(a.size(), b[0].size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j) out[i][j] += a[i][k] * b[k][j];
  return out;
}

inline Dense sum(Dense a, const Dense& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j) a[i][j] += b.size() == 1 ? b[0][j] : b[i][j];
  return a;
}

template <class Function>
Dense each(Dense a, Function f) {
  for (Row& row : a)
    for (double& v : row) v = f(v);
  return a;
}

template <class Function>
Dense each_of(Dense a, const Dense& b, Function f) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j) a[i][j] = f(a[i][j], b[i][j]);
  return a;
}

inline Dense relu(const Dense& a) {
  return each(a, [](double v) { return v > 0 ? v : 0.0; });
}

inline Dense parameter(TracedModel& model, const std::string& name) {
  const DenseView view = model.view(name);
  Dense out = zeros(static_cast<std::size_t>(view.rows), static_cast<std::size_t>(view.cols));
  for (Index r = 0; r < view.rows; ++r)
    for (Index c = 0; c < view.cols; ++c) out[r][c] = view.row(r)[c];
  return out;
}

inline void expect_near(const Matrix& got, const Dense& expected, double tolerance = 2e-5) {
  ASSERT_EQ(static_cast<std::size_t>(got.rows), expected.size());
  double largest = 0;
  for (Index i = 0; i < got.rows; ++i)
    for (Index c = 0; c < got.cols; ++c) {
      EXPECT_NEAR(got(i, c), expected[i][c], tolerance) << "node " << i << " class " << c;
      largest = std::max(largest, std::abs(expected[i][c]));
    }
  EXPECT_GT(largest, 0.05) << "the expected values are next to nothing";
}

// Names of the parameters under L2, in order.
inline std::vector<std::string> regularised(const TracedModel& model, double l2) {
  std::vector<std::string> names;
  for (const Parameter& p : model.program.parameters) {
    if (p.l2 == 0) continue;
    EXPECT_EQ(p.l2, l2) << p.name;
    names.push_back(p.name);
  }
  return names;
}

}  // namespace cupel::oracle
