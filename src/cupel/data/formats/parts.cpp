#include "cupel/data/formats/parts.h"

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/graph/canonical.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

void check_length(const std::string& where, std::int64_t length, std::int64_t wanted,
                  std::string_view what) {
  if (length == wanted) return;
  fail("{}: has {} entries where {} are needed ({}); save it again with the others", where, length,
       wanted, what);
}

void check_length(const NpyArray& array, std::int64_t wanted, std::string_view what) {
  check_axes(array, 1);
  check_length(array.where, array.shape[0], wanted, what);
}

void check_side(const std::string& where, std::int64_t length) {
  if (length < 0 || length > kMostRows) {
    fail("{}: has a side of {}, at most {} are possible; use a smaller data set", where, length,
         kMostRows);
  }
}

// Rows, columns and where the entries of each row are.
Csr rows_of(const NpyArray& shape, const NpyArray& starts) {
  check_length(shape, 2, "rows and columns");
  const std::vector<std::int64_t> sides = to_integers(shape);
  for (const std::int64_t side : sides) check_side(shape.where, side);
  Csr out;
  out.rows = static_cast<Index>(sides[0]);
  out.cols = static_cast<Index>(sides[1]);
  check_length(starts, sides[0] + 1, "one more than rows");
  out.row_ptr = to_integers(starts);
  if (out.row_ptr[0] != 0) {
    fail("{}[0] is {} where 0 is needed; save it again with the others", starts.where,
         out.row_ptr[0]);
  }
  for (std::size_t i = 1; i < out.row_ptr.size(); ++i) {
    if (out.row_ptr[i] < out.row_ptr[i - 1]) {
      fail("{}[{}] is {}, less than the {} before it; save it again with the others", starts.where,
           i, out.row_ptr[i], out.row_ptr[i - 1]);
    }
  }
  return out;
}

std::string columns_text(Index columns) { return fmt::format("the {} columns", columns); }

// With columns in order, each once.
Csr merged(Csr matrix, const std::string& where, Offset* repeats) {
  const auto stored = matrix.columns.size();
  Csr out = canonical(std::move(matrix));
  if (repeats) *repeats = static_cast<Offset>(stored) - out.entries();
  if (out.columns.size() != stored &&
      !std::ranges::all_of(out.values, [](float v) { return std::isfinite(v); })) {
    fail("{}: the sum of repeated entries is not a finite float32; merge them before saving",
         where);
  }
  return out;
}

}  // namespace

Csr make_csr(CsrArrays arrays, Offset* repeats) {
  Csr out = rows_of(arrays.shape, arrays.starts);
  check_length(arrays.columns, out.entries(), "the last value of " + arrays.starts_name);
  out.columns = to_indices(arrays.columns, out.cols, columns_text(out.cols));
  check_length(arrays.data, out.entries(), "one for each of " + arrays.columns_name);
  check_claim(arrays.shape.where, out.cols, "columns",
              arrays.starts.bytes.size() + arrays.columns.bytes.size() + arrays.data.bytes.size());
  out.values = to_floats(arrays.data);
  return merged(std::move(out), arrays.data.where, repeats);
}

Csr read_csr(const NpzFile& file, const std::string& prefix, Offset* repeats) {
  // One after the other, so that the first fault is the one that is told.
  const std::string starts_name = prefix + "_indptr", columns_name = prefix + "_indices",
                    data_name = prefix + "_data";
  const NpyArray shape = file.read(prefix + "_shape");
  Csr out = rows_of(shape, file.read(starts_name));
  out.columns = file.read_indices(columns_name, out.cols, columns_text(out.cols));
  check_length(file.where(columns_name), std::ssize(out.columns), out.entries(),
               "the last value of " + starts_name);
  std::uint64_t bytes = out.row_ptr.size() * sizeof(Offset) + out.columns.size() * sizeof(Index);
  if (file.has(data_name)) {
    const NpyArray data = file.read(data_name);
    check_length(data, out.entries(), "one for each of " + columns_name);
    bytes += data.bytes.size();
    out.values = to_floats(data);
  }
  check_claim(shape.where, out.cols, "columns", bytes);
  return merged(std::move(out), file.where(data_name), repeats);
}

Matrix make_dense(const NpyArray& array) {
  check_axes(array, 2);
  for (const std::int64_t side : array.shape) check_side(array.where, side);
  Matrix out;
  out.rows = static_cast<Index>(array.shape[0]);
  out.cols = static_cast<Index>(array.shape[1]);
  out.values = to_floats(array);
  return out;
}

Matrix read_dense(const NpzFile& file, const std::string& key) {
  return make_dense(file.read(key));
}

std::vector<std::int64_t> one_hot_columns(const Csr& labels, const std::string& where) {
  std::vector<std::int64_t> out;
  for (Index i = 0; i < labels.rows; ++i) {
    Index found = kNoLabel, count = 0;
    for (Offset at = labels.row_ptr[i]; at < labels.row_ptr[i + 1]; ++at) {
      if (labels.value(at) == 0.0f) continue;
      found = labels.columns[at];
      ++count;
    }
    if (count > 1) {
      fail("{}: node {} has {} classes; a node has one, or none where it is not known", where, i,
           count);
    }
    out.push_back(found);
  }
  return out;
}

Csr read_edges(const NpzFile& file, const std::string& key, Index nodes, Offset& repeats) {
  const NpyArray array = file.read(key);
  if (array.shape.size() != 2 || array.shape[1] != 2) {
    fail("{}: has the shape ({}) where (edges, 2) is needed; transpose or reshape it", array.where,
         fmt::join(array.shape, ", "));
  }
  const std::vector<Index> ids = to_indices(array, nodes, fmt::format("the {} nodes", nodes));
  std::vector<Edge> edges(ids.size() / 2);
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e] = {ids[2 * e], ids[2 * e + 1]};
  Csr out = from_edges(nodes, edges, std::vector<float>(edges.size(), 1.0f));
  repeats = static_cast<Offset>(edges.size()) - out.entries();
  return out;
}

void check_features(const Features& features, Index nodes, const std::string& where,
                    ReadMode mode) {
  const Index rows = std::visit([](const auto& m) { return m.rows; }, features);
  if (rows != nodes) {
    fail("{}: has {} feature rows for {} nodes; give one row per node", where, rows, nodes);
  }
  if (feature_count(features) == 0 && mode == ReadMode::kForUse) {
    fail("{}: has no feature column; give at least one feature per node", where);
  }
}

void check_one_for_each(const NpyArray& labels, Index nodes) {
  if (labels.items() == nodes) return;
  fail("{}: has {} labels for {} nodes; give one label per node", labels.where, labels.items(),
       nodes);
}

void set_labels(Dataset& dataset, std::span<const std::int64_t> values,
                const std::vector<std::string>& names, const std::string& where) {
  if (static_cast<std::int64_t>(values.size()) != dataset.nodes()) {
    fail("{}: has {} labels for {} nodes; give one label per node", where, values.size(),
         dataset.nodes());
  }
  const auto negative = std::ranges::find_if(values, [](std::int64_t v) { return v < kNoLabel; });
  if (negative != values.end()) {
    fail("{}[{}] is {}; a class is 0 or more, and -1 stands for a node without a label", where,
         negative - values.begin(), *negative);
  }
  std::vector<std::int64_t> classes(values.begin(), values.end());
  sort_unique(classes);
  if (!classes.empty() && classes.front() == kNoLabel) classes.erase(classes.begin());
  if (classes.empty()) fail("{}: no node has a label; give at least one a class", where);
  if (!names.empty() && static_cast<std::uint64_t>(classes.back()) >= names.size()) {
    fail("{}: has the class {} but only {} class names; give a name for every class", where,
         classes.back(), names.size());
  }
  dataset.class_names().clear();
  for (const std::int64_t c : classes) {
    dataset.class_names().push_back(names.empty() ? std::to_string(c)
                                                  : names[static_cast<std::size_t>(c)]);
  }
  dataset.labels().resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    dataset.labels()[i] =
        values[i] == kNoLabel
            ? kNoLabel
            : static_cast<Index>(std::ranges::lower_bound(classes, values[i]) - classes.begin());
  }
}

}  // namespace cupel
