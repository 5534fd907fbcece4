#include "cupel/data/formats/heterophilous_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "cupel/base/error.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

constexpr std::int64_t kMostBytes = (std::int64_t{1} << 32) - (1 << 20);  // of a member of the zip

void check_bytes(const std::filesystem::path& path, const char* member, std::int64_t rows,
                 std::int64_t columns, std::int64_t unit) {
  if (columns == 0 || rows <= kMostBytes / unit / columns) return;
  fail(
      "{}: {} would be {} x {} and larger than the 4 GiB that a member of this file may have; "
      "write "
      "the gnn-benchmark format, which is sparse",
      path.string(), member, rows, columns);
}

NpyArray features_of(const Dataset& dataset, const std::filesystem::path& path) {
  const Index columns = feature_count(dataset.features);
  check_bytes(path, "node_features", dataset.nodes(), columns, sizeof(float));
  const std::vector<std::int64_t> shape = {dataset.nodes(), columns};
  if (const auto* dense = std::get_if<Matrix>(&dataset.features))
    return make_npy(std::span<const float>(dense->values), shape);
  const auto& sparse = std::get<Csr>(dataset.features);
  Matrix dense(sparse.rows, sparse.cols);
  for (Index i = 0; i < sparse.rows; ++i) {
    for (Offset at = sparse.row_ptr[i]; at < sparse.row_ptr[i + 1]; ++at)
      dense(i, sparse.columns[static_cast<std::size_t>(at)]) = sparse.value(at);
  }
  return make_npy(std::span<const float>(dense.values), shape);
}

NpyArray edges_of(const Csr& graph, const std::filesystem::path& path) {
  double rows = 0;
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      const float value = graph.value(at);
      if (!(value >= 1) || value != std::floor(value)) {
        fail(
            "{}: the arc {} -> {} has the value {:g}, and this format holds no values; drop them "
            "with the preparation step \"unweight\" or --fix=edge-weights",
            path.string(), i, graph.columns[static_cast<std::size_t>(at)], value);
      }
      rows += value;
    }
  }
  if (rows > static_cast<double>(kMostBytes)) rows = static_cast<double>(kMostBytes);
  check_bytes(path, "edges", static_cast<std::int64_t>(rows), 2, sizeof(std::int64_t));
  std::vector<std::int64_t> edges;
  edges.reserve(2 * static_cast<std::size_t>(rows));
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      for (auto copies = static_cast<std::int64_t>(graph.value(at)); copies > 0; --copies) {
        edges.push_back(i);
        edges.push_back(graph.columns[static_cast<std::size_t>(at)]);
      }
    }
  }
  return make_npy(std::span<const std::int64_t>(edges),
                  {static_cast<std::int64_t>(edges.size() / 2), 2});
}

NpyArray masks_of(const Dataset& dataset, std::vector<Index> Split::*part,
                  const std::filesystem::path& path, const char* member) {
  const auto splits = static_cast<std::int64_t>(dataset.stored_splits.size());
  check_bytes(path, member, splits, dataset.nodes(), 1);
  NpyArray out;
  out.type = {'b', 1};
  out.shape = {splits, dataset.nodes()};
  out.bytes.resize(static_cast<std::size_t>(splits) * static_cast<std::size_t>(dataset.nodes()));
  std::byte* row = out.bytes.data();
  for (const Split& split : dataset.stored_splits) {
    for (const Index i : split.*part) row[i] = std::byte{1};
    row += dataset.nodes();
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> stored_labels(const Dataset& dataset) {
  std::vector<std::int64_t> values;
  for (const std::string& name : dataset.class_names) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), value);
    const bool whole = problem == std::errc() && end == name.data() + name.size() && value >= 0 &&
                       name == std::to_string(value);
    if (!whole || (!values.empty() && value <= values.back())) {
      values.resize(dataset.class_names.size());
      for (std::size_t c = 0; c < values.size(); ++c) values[c] = static_cast<std::int64_t>(c);
      return values;
    }
    values.push_back(value);
  }
  return values;
}

void write_heterophilous_npz(const Dataset& dataset, const std::filesystem::path& path) {
  const std::vector<std::int64_t> of_class = stored_labels(dataset);
  std::vector<std::int64_t> labels;
  labels.reserve(dataset.labels.size());
  for (const Index c : dataset.labels)
    labels.push_back(c == kNoLabel ? kNoLabel : of_class[static_cast<std::size_t>(c)]);
  std::vector<std::pair<std::string, NpyArray>> members;
  members.emplace_back("node_features", features_of(dataset, path));
  members.emplace_back("node_labels", make_npy(std::span<const std::int64_t>(labels)));
  members.emplace_back("edges", edges_of(dataset.adjacency, path));
  if (!dataset.stored_splits.empty()) {
    members.emplace_back("train_masks", masks_of(dataset, &Split::train, path, "train_masks"));
    members.emplace_back("val_masks", masks_of(dataset, &Split::valid, path, "val_masks"));
    members.emplace_back("test_masks", masks_of(dataset, &Split::test, path, "test_masks"));
  }
  write_npz(path, members);
}

}  // namespace cupel
