#include "cupel/data/formats/heterophilous_writer.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "cupel/base/error.h"
#include "cupel/data/formats/dense_member.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/graph/parallel_arcs.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

NpyArray edges_of(const Csr& graph, const std::filesystem::path& path) {
  const Offset arcs = arcs_without_values(graph, path);
  check_member_bytes(path, "edges", arcs, 2, sizeof(std::int64_t));
  std::vector<std::int64_t> edges;
  edges.reserve(2 * static_cast<std::size_t>(arcs));
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
  check_member_bytes(path, member, splits, dataset.nodes(), 1);
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

Offset arcs_without_values(const Csr& graph, const std::filesystem::path& path) {
  return parallel_arcs(graph, 1, path.string() + ": this format writes",
                       "drop them with the preparation step \"unweight\" or --fix=edge-weights");
}

bool has_stopping(const Dataset& dataset) {
  return std::ranges::any_of(dataset.stored_splits,
                             [](const Split& split) { return !split.stopping.empty(); });
}

std::vector<std::int64_t> stored_labels(const Dataset& dataset) {
  std::vector<std::int64_t> values;
  for (const std::string& name : dataset.class_names()) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), value);
    const bool whole = problem == std::errc() && end == name.data() + name.size() && value >= 0 &&
                       name == std::to_string(value);
    if (!whole || (!values.empty() && value <= values.back())) {
      values.resize(dataset.class_names().size());
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
  labels.reserve(dataset.labels().size());
  for (const Index c : dataset.labels())
    labels.push_back(c == kNoLabel ? kNoLabel : of_class[static_cast<std::size_t>(c)]);
  std::vector<std::pair<std::string, NpyArray>> members;
  members.emplace_back("node_features", dense_features(dataset, path, "node_features"));
  members.emplace_back("node_labels", make_npy(std::span<const std::int64_t>(labels)));
  members.emplace_back("edges", edges_of(dataset.adjacency, path));
  if (!dataset.stored_splits.empty()) {
    members.emplace_back("train_masks", masks_of(dataset, &Split::train, path, "train_masks"));
    members.emplace_back("val_masks", masks_of(dataset, &Split::valid, path, "val_masks"));
    members.emplace_back("test_masks", masks_of(dataset, &Split::test, path, "test_masks"));
    if (has_stopping(dataset)) {
      members.emplace_back("stopping_masks",
                           masks_of(dataset, &Split::stopping, path, "stopping_masks"));
    }
  }
  write_npz(path, members);
}

}  // namespace cupel
