#include "cupel/learn/layers/atom_encoder.h"

#include <cmath>
#include <variant>

#include "cupel/base/error.h"
#include "cupel/learn/layers/linear.h"

namespace cupel {
namespace {

constexpr Index kTables = std::size(kAtomTables);

Matrix dense_features(const VisibleGraph& graph, const std::string& composition) {
  const Features made = node_features(graph.feature_source(), composition);
  if (const auto* dense = std::get_if<Matrix>(&made)) return *dense;
  const Csr& sparse = std::get<Csr>(made);
  Matrix out(sparse.rows, sparse.cols);
  for (Index i = 0; i < sparse.rows; ++i)
    for (Offset e = sparse.row_ptr[i]; e < sparse.row_ptr[i + 1]; ++e)
      out(i, sparse.columns[e]) = sparse.is_pattern() ? 1.0f : sparse.values[e];
  return out;
}

// One entry in the rows of each table, tables on top of each other.
Csr table_rows(const Matrix& attributes, const std::string& composition) {
  Csr out;
  out.rows = attributes.rows;
  for (const Index rows : kAtomTables) out.cols += rows;
  for (Index i = 0; i < attributes.rows; ++i) {
    Index first = 0;
    for (Index t = 0; t < kTables; ++t) {
      const float value = attributes(i, t);
      const Index rows = kAtomTables[t];
      if (!(value >= 0 && value < static_cast<float>(rows)) || value != std::floor(value))
        fail(
            "features '{}': attribute {} of node {} is {}, and an atom's is a whole number from 0 "
            "to {}; take a data set of molecules",
            composition, t, i, value, rows - 1);
      out.columns.push_back(first + static_cast<Index>(value));
      first += rows;
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Csr further_columns(const Matrix& attributes) {
  Csr out;
  out.rows = attributes.rows;
  out.cols = attributes.cols - kTables;
  for (Index i = 0; i < attributes.rows; ++i) {
    for (Index c = kTables; c < attributes.cols; ++c) {
      if (attributes(i, c) == 0) continue;
      out.columns.push_back(c - kTables);
      out.values.push_back(attributes(i, c));
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

}  // namespace

Value encode_atoms(Builder& b, GraphInputs& in, const std::string& composition, Index width,
                   double l2) {
  const VisibleGraph& graph = in.graph();
  const auto attributes = graph.derived<Matrix>("dense " + composition,
                                                [&] { return dense_features(graph, composition); });
  if (attributes->cols < kTables)
    fail(
        "features '{}': there are {} columns, and an atom has {} attributes; take a data set of "
        "molecules",
        composition, attributes->cols, kTables);
  std::vector<Value> tables;
  for (Index t = 0; t < kTables; ++t)
    tables.push_back(b.glorot("atom" + std::to_string(t), kAtomTables[t], width, l2));
  const Value rows =
      in.sparse("rows of atom tables, " + composition,
                [&](const Csr&, const Features&) { return table_rows(*attributes, composition); });
  const Value atoms = matmul(rows, stack_rows(tables));
  if (attributes->cols == kTables) return atoms;
  const Value more = in.sparse("beyond atoms, " + composition, [&](const Csr&, const Features&) {
    return further_columns(*attributes);
  });
  return atoms + linear(b, more, "more", width, l2);
}

}  // namespace cupel
