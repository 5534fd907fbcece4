#include "cupel/data/audit/feature_columns.h"

#include <algorithm>
#include <vector>

#include "cupel/base/parallel.h"

namespace cupel {
namespace {

// Columns gathered together, so that a row is read from one or two cache lines.
constexpr Index kTogether = 16;

void visit_all(const Csr& m, const std::function<void(const FeatureColumn&)>& visit) {
  const Csr columns = transpose(m);
  parallel_blocks({available_processors()}, columns.rows, 64,
                  [&](std::int64_t from, std::int64_t to) {
                    std::vector<Index> nodes;
                    std::vector<float> values;
                    for (auto c = static_cast<Index>(from); c < to; ++c) {
                      nodes.clear(), values.clear();
                      for (Offset at = columns.row_ptr[c]; at < columns.row_ptr[c + 1]; ++at) {
                        if (columns.value(at) == 0) continue;
                        nodes.push_back(columns.columns[static_cast<std::size_t>(at)]);
                        values.push_back(columns.value(at));
                      }
                      visit({c, nodes, values});
                    }
                  });
}

void visit_all(const Matrix& m, const std::function<void(const FeatureColumn&)>& visit) {
  parallel_blocks({available_processors()}, m.cols, kTogether,
                  [&](std::int64_t from, std::int64_t to) {
                    std::vector<std::vector<Index>> nodes(kTogether);
                    std::vector<std::vector<float>> values(kTogether);
                    for (auto start = static_cast<Index>(from); start < to; start += kTogether) {
                      const Index end = std::min<Index>(start + kTogether, static_cast<Index>(to));
                      for (Index c = start; c < end; ++c)
                        nodes[c - start].clear(), values[c - start].clear();
                      for (Index i = 0; i < m.rows; ++i) {
                        const float* row = m.row(i);
                        for (Index c = start; c < end; ++c) {
                          if (row[c] == 0) continue;
                          nodes[c - start].push_back(i);
                          values[c - start].push_back(row[c]);
                        }
                      }
                      for (Index c = start; c < end; ++c)
                        visit({c, nodes[c - start], values[c - start]});
                    }
                  });
}

// The column of the row's only entry that is not zero, if that is 1; else -1.
Index only_one(const Csr& m, Index i) {
  Index out = -1;
  for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
    if (m.value(at) == 0) continue;
    if (out >= 0 || m.value(at) != 1) return -1;
    out = m.columns[static_cast<std::size_t>(at)];
  }
  return out;
}

Index only_one(const Matrix& m, Index i) {
  const std::span<const float> row(m.row(i), static_cast<std::size_t>(m.cols));
  const auto is_not_zero = [](float v) { return v != 0; };
  const auto first = std::ranges::find_if(row, is_not_zero);
  if (first == row.end() || *first != 1) return -1;
  if (std::any_of(first + 1, row.end(), is_not_zero)) return -1;
  return static_cast<Index>(first - row.begin());
}

}  // namespace

void visit_columns(const Features& features,
                   const std::function<void(const FeatureColumn&)>& visitor) {
  std::visit([&](const auto& m) { visit_all(m, visitor); }, features);
}

ConstantColumns constant_columns(const Features& features, Index nodes) {
  const auto count = static_cast<std::size_t>(feature_count(features));
  std::vector<char> constant(count, 0), zero(count, 0);
  visit_columns(features, [&](const FeatureColumn& column) {
    const auto at = static_cast<std::size_t>(column.feature);
    zero[at] = column.nodes.empty();
    const bool full = static_cast<Index>(column.nodes.size()) == nodes;
    constant[at] =
        zero[at] || (full && std::all_of(column.values.begin(), column.values.end(),
                                         [&](float v) { return v == column.values[0]; }));
  });
  ConstantColumns out;
  for (std::size_t c = 0; c < count; ++c) {
    if (constant[c]) out.columns.push_back(static_cast<Index>(c));
    out.zeros += zero[c];
  }
  return out;
}

bool is_identity(const Features& features) {
  return std::visit(
      [](const auto& m) {
        if (m.rows != m.cols) return false;
        std::vector<char> taken(static_cast<std::size_t>(m.cols), 0);
        for (Index i = 0; i < m.rows; ++i) {
          const Index column = only_one(m, i);
          if (column < 0 || taken[static_cast<std::size_t>(column)]++ != 0) return false;
        }
        return true;
      },
      features);
}

}  // namespace cupel
