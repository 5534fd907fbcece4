#include "cupel/data/formats/graph_union.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/formats/parts.h"

namespace cupel {
namespace {

struct Arc {
  Index source, target;
  bool reversed;  // of its row
  Offset row;
  friend auto operator<=>(const Arc&, const Arc&) = default;
};

Matrix gather_rows(const Matrix& from, const std::vector<Offset>& rows) {
  Matrix out(static_cast<Index>(rows.size()), from.cols);
  for (Index i = 0; i < out.rows; ++i) {
    std::copy_n(from.row(static_cast<Index>(rows[static_cast<std::size_t>(i)])), from.cols,
                out.row(i));
  }
  return out;
}

template <class Float>
void blank_nan(NpyArray& array, NpyArray& mask) {
  for (std::size_t i = 0; i < mask.bytes.size(); ++i) {
    Float value = 0;
    std::memcpy(&value, array.bytes.data() + i * sizeof value, sizeof value);
    if (!std::isnan(value)) continue;
    mask.bytes[i] = std::byte{1};
    value = 0;
    std::memcpy(array.bytes.data() + i * sizeof value, &value, sizeof value);
  }
}

}  // namespace

void set_graphs(Dataset& dataset, const EdgeRows& edges, const std::string& where) {
  const Index nodes = edges.start.back();
  Csr& out = dataset.adjacency;
  out = Csr();
  out.rows = out.cols = nodes;
  out.row_ptr.assign(static_cast<std::size_t>(nodes) + 1, 0);
  std::vector<Offset> row_of_arc;
  std::vector<Arc> arcs;  // of one graph
  dataset.repeated_arcs = 0;
  Offset loops = 0;
  for (std::size_t g = 0; g + 1 < edges.start.size(); ++g) {
    arcs.clear();
    for (Offset row = edges.row_start[g]; row < edges.row_start[g + 1]; ++row) {
      const Edge edge = edges.rows[static_cast<std::size_t>(row)];
      if (edge.source == edge.target) {
        ++loops;
        continue;
      }
      arcs.push_back({edge.source, edge.target, false, row});
      arcs.push_back({edge.target, edge.source, true, row});
    }
    std::ranges::sort(arcs);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const Arc& arc = arcs[i];
      const bool first =
          i == 0 || arcs[i - 1].source != arc.source || arcs[i - 1].target != arc.target;
      if (!first) {
        if (!arc.reversed) ++dataset.repeated_arcs;
        continue;
      }
      out.columns.push_back(arc.target);
      ++out.row_ptr[static_cast<std::size_t>(arc.source) + 1];
      if (edges.attributes != nullptr) row_of_arc.push_back(arc.row);
    }
  }
  for (std::size_t i = 1; i < out.row_ptr.size(); ++i) out.row_ptr[i] += out.row_ptr[i - 1];
  if (out.entries() > kMostRows) {
    fail("{}: has {} arcs, at most {} are possible; use a smaller data set", where, out.entries(),
         kMostRows);
  }
  GraphSet graphs;
  graphs.start = edges.start;
  graphs.dropped_loops = loops;
  graphs.node_attributes = Matrix(nodes, 0);
  graphs.arc_attributes = edges.attributes != nullptr
                              ? gather_rows(*edges.attributes, row_of_arc)
                              : Matrix(static_cast<Index>(out.entries()), 0);
  dataset.graphs = std::move(graphs);
  Csr features;
  features.rows = nodes;
  features.row_ptr.assign(static_cast<std::size_t>(nodes) + 1, 0);
  dataset.features = std::move(features);
}

Matrix label_table(NpyArray labels) {
  if (labels.shape.size() == 1) labels.shape.push_back(1);
  NpyArray mask = labels;
  mask.type = {'b', 1};
  mask.bytes.assign(static_cast<std::size_t>(labels.items()), std::byte{0});
  if (labels.type == NpyType{'f', 4}) blank_nan<float>(labels, mask);
  if (labels.type == NpyType{'f', 8}) blank_nan<double>(labels, mask);
  Matrix out = make_dense(labels);
  const std::vector<std::uint8_t> unknown = to_flags(mask);
  for (std::size_t i = 0; i < unknown.size(); ++i)
    if (unknown[i]) out.values[i] = std::numeric_limits<float>::quiet_NaN();
  return out;
}

void set_graph_labels(Dataset& dataset, const Matrix& table, const std::string& where) {
  if (table.rows != dataset.examples()) {
    fail("{}: has {} labels for {} graphs; give one row per graph", where, table.rows,
         dataset.examples());
  }
  if (table.cols == 0) fail("{}: has no label column; give at least one", where);
  const auto unknown = [](float v) { return std::isnan(v); };
  if (table.cols == 1 && std::ranges::none_of(table.values, unknown)) {
    Classes& target = dataset.target.emplace<Classes>();
    target.labels.resize(static_cast<std::size_t>(table.rows));
    std::vector<float> classes(table.values.begin(), table.values.end());
    sort_unique(classes);
    for (const float value : classes) {
      if (value != std::floor(value) || std::abs(value) >= kInexactWhole) {
        fail(
            "{}: holds {}, which is no class; classes are whole numbers below {}, and a target "
            "that is measured has to be cut into some",
            where, value, static_cast<std::int64_t>(kInexactWhole));
      }
      target.names.push_back(fmt::format("{}", static_cast<std::int64_t>(value)));
    }
    for (Index i = 0; i < table.rows; ++i) {
      target.labels[static_cast<std::size_t>(i)] =
          static_cast<Index>(std::ranges::lower_bound(classes, table(i, 0)) - classes.begin());
    }
    return;
  }
  for (Index i = 0; i < table.rows; ++i) {
    for (Index c = 0; c < table.cols; ++c) {
      const float value = table(i, c);
      if (unknown(value) || value == 0 || value == 1) continue;
      fail("{}: task {} of graph {} is {}; tasks are 0, 1, or empty where it is not known", where,
           c, i, value);
    }
  }
  dataset.target = BinaryTasks{table};
}

}  // namespace cupel
