// Layers that read attributes of arcs, as the starter code of the Open Graph Benchmark
// has them (Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta and Leskovec, NeurIPS 2020) and Li et al. 2024
// ran them.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "cupel/learn/models/graphs/graph_level.h"

namespace cupel {

// Attributes of the arcs of `adjacency`, which has the entries of the data set's. Throws Error
// where the data set has none.
inline Value arc_attributes(GraphInputs& in, const std::string& model, Value adjacency) {
  const Matrix& arcs = in.graph().set()->arc_attributes;
  if (arcs.cols == 0)
    fail(
        "model '{}' reads attributes of arcs, and data set '{}' has none; set edge_features = "
        "false, or take another data set",
        model, in.graph().name());
  return in.entry_constant("arc attributes", adjacency, [&](const Csr&) { return arcs; });
}

// Sum over neighbours j of value(i, j) * relu(x_j + linear(arc)), or of relu(x_j).
inline Value messages(Builder& b, GraphInputs& in, const std::string& model, Value adjacency,
                      Value x, bool edge_features, const std::string& name, double l2) {
  if (!edge_features) return propagate(adjacency, relu(x));
  const Value arcs = arc_attributes(in, model, adjacency);
  const Index values = arcs.shape().cols, width = x.shape().cols;
  const Value w = b.uniform("w_" + name, values, width, values, l2);
  return relu_messages(adjacency, x, arcs, w, b.uniform("b_" + name, 1, width, values, l2));
}

// (d_i d_j)^-1/2 on the arcs, and 1 / d_i on a diagonal; d counts the node itself.
inline Value arcs_by_degrees(GraphInputs& in) {
  return in.sparse("arcs by degrees and one", [](const Csr& a, const Features&) {
    Csr out = a;
    out.values.clear();
    for (Index i = 0; i < a.rows; ++i)
      for (const Index j : a.row_columns(i))
        out.values.push_back(static_cast<float>(
            1.0 / std::sqrt((a.row_size(i) + 1.0) * (static_cast<double>(a.row_size(j)) + 1.0))));
    return out;
  });
}
inline Value inverse_degrees(GraphInputs& in) {
  return in.sparse("inverse degrees and one", [](const Csr& a, const Features&) {
    Csr out;
    out.rows = out.cols = a.rows;
    for (Index i = 0; i < a.rows; ++i) {
      out.columns.push_back(i);
      out.values.push_back(static_cast<float>(1.0 / (a.row_size(i) + 1.0)));
      out.row_ptr.push_back(i + 1);
    }
    return out;
  });
}

// GIN: MLP((1 + eps) x + messages), MLP = linear(relu(norm(linear))) with twice the width between.
inline Value gin_layer(Builder& b, GraphInputs& in, const std::string& model, Value x,
                       bool edge_features, const std::string& name, double l2) {
  const Index width = x.shape().cols;
  const Value eps = b.parameter({.name = "eps_" + name,
                                 .rows = 1,
                                 .cols = 1,
                                 .init = Parameter::Init::kFill,
                                 .fill = {0.0f},
                                 .l2 = l2});
  const Value m = messages(b, in, model, in.adjacency(false), x, edge_features, "arc_" + name, l2);
  const Value h = linear(b, m + x * affine(eps, 1.0, 1.0), name + "a", 2 * width, l2);
  return linear(b, relu(batch_norm(b, h, "norm_" + name + "a", l2)), name + "b", width, l2);
}

// GCN: messages of z = linear(x), by degrees, and relu(z + root) / d, where there is a root.
inline Value gcn_layer(Builder& b, GraphInputs& in, const std::string& model, Value x,
                       bool edge_features, bool root, const std::string& name, double l2) {
  const Index width = x.shape().cols;
  const Value z = linear(b, x, name, width, l2);
  if (!edge_features && !root) return propagate(in.symmetric_normalised(true), relu(z));
  Value own = z;
  if (root)
    own = z + b.parameter({.name = "root_" + name,
                           .rows = 1,
                           .cols = width,
                           .init = Parameter::Init::kNormal,
                           .l2 = l2});
  return messages(b, in, model, arcs_by_degrees(in), z, edge_features, "arc_" + name, l2) +
         propagate(inverse_degrees(in), relu(own));
}

inline OptionSpec edge_features_option(bool fallback) {
  return switch_option("edge_features", fallback,
                       "Whether messages gain a linear map of the arc's attributes.");
}

}  // namespace cupel
