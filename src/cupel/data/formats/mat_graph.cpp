#include "cupel/data/formats/mat_graph.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "cupel/base/error.h"
#include "cupel/data/formats/mat_file.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/text_labels.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

constexpr std::string_view kAdjacency[] = {"network", "a", "adj", "w"};
constexpr std::string_view kClasses[] = {"label", "labels", "y", "gnd", "class", "group"};
constexpr std::string_view kFeatures[] = {"attributes", "x", "features", "attrb", "fea"};
constexpr std::string_view kLocalInfo[] = {"local_info"};

using Variables = std::vector<MatVariable>;

template <std::size_t N>
const MatVariable* variable_of(const Variables& all, const std::string_view (&names)[N]) {
  for (const std::string_view name : names) {
    for (const MatVariable& variable : all) {
      std::string lower = variable.name;
      for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      if (lower == name) return &variable;
    }
  }
  return nullptr;
}

[[noreturn]] void missing(const std::filesystem::path& path, const Variables& all,
                          const char* what) {
  std::vector<std::string> names;
  for (const MatVariable& variable : all) names.push_back(variable.name);
  fail("{}: has no {}; its matrices are {}, see docs/formats.md for the names", path.string(), what,
       quoted_list(names));
}

std::int64_t whole(const MatVariable& variable, double value) {
  if (value != std::floor(value) || std::fabs(value) > 0x1p53)
    fail("{}: {} is no class; a class is a whole number", variable.where, value);
  return static_cast<std::int64_t>(value);
}

std::vector<std::int64_t> classes_of(const MatVariable& variable, Index nodes) {
  const bool one_each =
      variable.rows * variable.cols == nodes && (variable.rows == 1 || variable.cols == 1);
  if (!one_each && variable.rows != nodes) {
    fail("{}: is {} x {} where a row for each of the {} nodes is needed", variable.where,
         variable.rows, variable.cols, nodes);
  }
  if (!one_each) return one_hot_columns(sparse_matrix(variable), variable.where);
  std::vector<std::int64_t> out(static_cast<std::size_t>(nodes), 0);
  if (!variable.sparse) {
    std::ranges::transform(variable.values, out.begin(),
                           [&](double value) { return whole(variable, value); });
    return out;
  }
  const Csr sparse = sparse_matrix(variable);
  for (Index i = 0; i < sparse.rows; ++i) {
    for (Offset at = sparse.row_ptr[i]; at < sparse.row_ptr[i + 1]; ++at)
      out[static_cast<std::size_t>(std::max(i, sparse.columns[static_cast<std::size_t>(at)]))] =
          whole(variable, sparse.value(at));
  }
  return out;
}

Features features_of(const MatVariable& variable, Index nodes) {
  if (variable.rows != nodes) {
    fail("{}: has {} feature rows for {} nodes; give one row per node", variable.where,
         variable.rows, nodes);
  }
  if (variable.sparse) return sparse_matrix(variable);
  return dense_matrix(variable);
}

// As sklearn's label_binarize: a column for each value, but one for two values, and one of zeros
// for a single value.
Csr one_hot(const Matrix& table, Index without) {
  struct Column {
    Index source = 0;
    std::vector<float> values;  // that have a column of their own, ascending
  };
  std::vector<Column> columns;
  Index width = 0;
  for (Index c = 0; c < table.cols; ++c) {
    if (c == without) continue;
    std::set<float> found;
    for (Index i = 0; i < table.rows; ++i) found.insert(table(i, c));
    Column column{c, {found.begin(), found.end()}};
    if (column.values.size() == 2) column.values.erase(column.values.begin());
    width += static_cast<Index>(column.values.size());
    if (found.size() == 1) column.values.clear();
    columns.push_back(std::move(column));
  }
  Csr out;
  out.rows = table.rows;
  out.cols = width;
  for (Index i = 0; i < table.rows; ++i) {
    Index first = 0;
    for (const Column& column : columns) {
      const float value = table(i, column.source);
      const auto at = std::ranges::lower_bound(column.values, value);
      if (at != column.values.end() && *at == value)
        out.columns.push_back(first + static_cast<Index>(at - column.values.begin()));
      first += std::max<Index>(1, static_cast<Index>(column.values.size()));
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

void read_local_info(const MatVariable& variable, Dataset& dataset) {
  if (variable.sparse || variable.rows != dataset.nodes() || variable.cols < 3) {
    fail("{}: is {} x {} where {} x 7 is needed, a row for each node", variable.where,
         variable.rows, variable.cols, dataset.nodes());
  }
  const Matrix table = dense_matrix(variable);
  std::vector<std::int64_t> classes;
  for (Index i = 0; i < table.rows; ++i)
    classes.push_back(whole(variable, static_cast<double>(table(i, 1))) - 1);
  set_labels(dataset, classes, {}, variable.where);
  dataset.features = one_hot(table, 1);
}

}  // namespace

Dataset read_mat_graph(const std::filesystem::path& path, ReadMode mode, const std::string& label) {
  const Variables all = read_mat_file(path);
  const MatVariable* adjacency = variable_of(all, kAdjacency);
  if (!adjacency) missing(path, all, "adjacency (Network, A, adj or W)");
  if (adjacency->rows != adjacency->cols || adjacency->rows == 0) {
    fail("{}: is {} x {}; the adjacency of a graph is square, with a node at least",
         adjacency->where, adjacency->rows, adjacency->cols);
  }
  Dataset dataset;
  dataset.name = path.stem().string();
  dataset.adjacency = sparse_matrix(*adjacency, &dataset.repeated_arcs);
  const MatVariable* classes = variable_of(all, kClasses);
  if (!label.empty()) {
    const auto named = std::ranges::find(all, label, &MatVariable::name);
    if (named == all.end()) missing(path, all, in_quotes(label).c_str());
    classes = &*named;
  }
  const MatVariable* features = variable_of(all, kFeatures);
  if (const MatVariable* local = variable_of(all, kLocalInfo); local && !classes && !features) {
    read_local_info(*local, dataset);
    return dataset;
  }
  if (!classes) missing(path, all, "classes (Label, labels, Y, gnd, class or group)");
  set_labels(dataset, classes_of(*classes, dataset.nodes()), {}, classes->where);
  dataset.features =
      features ? features_of(*features, dataset.nodes()) : identity_features(dataset.nodes());
  if (features) check_features(dataset.features, dataset.nodes(), features->where, mode);
  return dataset;
}

}  // namespace cupel
