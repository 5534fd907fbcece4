#include "cupel/learn/graph_inputs.h"

#include <cmath>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

Csr pattern(const Csr& adjacency, bool self_loops) {
  Csr out = self_loops ? add_self_loops(adjacency) : adjacency;
  out.values.clear();
  return out;
}

std::string form(const char* name, bool self_loops) {
  return std::string(name) + (self_loops ? " with self-loops" : "");
}

}  // namespace

GraphInputs::GraphInputs(Builder& builder, const TaskView& task)
    : builder_(builder), task_(task), nodes_(builder.space("node")) {}

Value GraphInputs::declare_sparse(const std::string& name, std::shared_ptr<const Csr> matrix) {
  for (const auto& [known, value] : declared_)
    if (known == name) return value;
  const Value value = builder_.constant(name, {Layout::kSparse, nodes_, 0, matrix->cols});
  constants_.push_back({matrix.get(), nullptr});
  held_.push_back(std::move(matrix));
  declared_.emplace_back(name, value);
  return value;
}

Value GraphInputs::feature_matrix() {
  const std::string name = "features";
  for (const auto& [known, value] : declared_)
    if (known == name) return value;
  const Features& features = task_.features();
  const bool sparse = std::holds_alternative<Csr>(features);
  const Value value = builder_.constant(
      name, {sparse ? Layout::kSparse : Layout::kDense, nodes_, 0, feature_count(features)});
  if (sparse)
    constants_.push_back({&std::get<Csr>(features), nullptr});
  else
    constants_.push_back({nullptr, &std::get<Matrix>(features)});
  declared_.emplace_back(name, value);
  return value;
}

Value GraphInputs::adjacency(bool self_loops) {
  const std::string name = form("adjacency", self_loops);
  return declare_sparse(name,
                        task_.derived(name, [=](const Csr& a) { return pattern(a, self_loops); }));
}

Value GraphInputs::symmetric_normalised(bool self_loops) {
  const std::string name = form("symmetric normalised adjacency", self_loops);
  return declare_sparse(name, task_.derived(name, [=](const Csr& a) {
    Csr out = pattern(a, self_loops);
    out.values.resize(out.columns.size());
    // 0 for a node without entries, which arcs of a directed graph may still lead to.
    const auto scale = [&](Index i) {
      return out.row_size(i) > 0 ? 1.0 / std::sqrt(static_cast<double>(out.row_size(i))) : 0.0;
    };
    for (Index i = 0; i < out.rows; ++i)
      for (Offset e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e)
        out.values[e] = static_cast<float>(scale(i) * scale(out.columns[e]));
    return out;
  }));
}

Value GraphInputs::row_normalised(bool self_loops) {
  const std::string name = form("row normalised adjacency", self_loops);
  return declare_sparse(name, task_.derived(name, [=](const Csr& a) {
    Csr out = pattern(a, self_loops);
    out.values.resize(out.columns.size());
    for (Index i = 0; i < out.rows; ++i)
      for (Offset e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e)
        out.values[e] = 1.0f / static_cast<float>(out.row_size(i));
    return out;
  }));
}

Value GraphInputs::degree_coordinates(bool self_loops) {
  const std::string name = form("degree coordinates", self_loops);
  for (const auto& [known, value] : declared_)
    if (known == name) return value;
  const Value pattern_value = adjacency(self_loops);
  const Csr& a = *constants_[builder_.program().nodes[pattern_value.id].slot].sparse;
  auto matrix = std::make_unique<Matrix>(static_cast<Index>(a.entries()), 2);
  const auto scale = [&](Index i) {
    return a.row_size(i) > 0
               ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(a.row_size(i))))
               : 0.0f;
  };
  for (Index i = 0; i < a.rows; ++i)
    for (Offset e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
      float* row = matrix->row(static_cast<Index>(e));
      row[0] = scale(i);
      row[1] = scale(a.columns[e]);
    }
  const Value value =
      builder_.constant(name, {Layout::kDense, builder_.entry_space(pattern_value), 0, 2});
  constants_.push_back({nullptr, matrix.get()});
  held_dense_.push_back(std::move(matrix));
  declared_.emplace_back(name, value);
  return value;
}

}  // namespace cupel
