// The writing half of the heterophilous-graphs npz format.
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/npz.h"

namespace cupel {
namespace {

NpyArray edges_of(const Csr& adjacency, const std::filesystem::path& path) {
  constexpr float kMostRepeats = 1e6f;
  std::vector<std::int64_t> ends;
  ends.reserve(2 * static_cast<std::size_t>(adjacency.entries()));
  for (Index i = 0; i < adjacency.rows; ++i) {
    for (Offset at = adjacency.row_ptr[i]; at < adjacency.row_ptr[i + 1]; ++at) {
      const float times = adjacency.value(at);
      const Index j = adjacency.columns[static_cast<std::size_t>(at)];
      if (!(times >= 1 && times <= kMostRepeats) || times != std::floor(times)) {
        fail(
            "{}: the arc from {} to {} has the weight {}, and this format holds whole numbers of "
            "arcs only; write the gnn-benchmark format",
            path.string(), i, j, times);
      }
      for (int k = 0; k < static_cast<int>(times); ++k) {
        ends.push_back(i);
        ends.push_back(j);
      }
    }
  }
  return make_npy(std::span<const std::int64_t>(ends),
                  {static_cast<std::int64_t>(ends.size() / 2), 2});
}

Matrix dense(const Features& features) {
  if (const auto* matrix = std::get_if<Matrix>(&features)) return *matrix;
  const Csr& sparse = std::get<Csr>(features);
  Matrix out(sparse.rows, sparse.cols);
  for (Index i = 0; i < sparse.rows; ++i) {
    for (Offset at = sparse.row_ptr[i]; at < sparse.row_ptr[i + 1]; ++at)
      out(i, sparse.columns[static_cast<std::size_t>(at)]) = sparse.value(at);
  }
  return out;
}

NpyArray masks(const Dataset& dataset, std::vector<Index> Split::*part) {
  NpyArray array;
  array.type = {'b', 1};
  const auto nodes = static_cast<std::size_t>(dataset.nodes());
  array.shape = {static_cast<std::int64_t>(dataset.stored_splits.size()), dataset.nodes()};
  array.bytes.assign(dataset.stored_splits.size() * nodes, std::byte{0});
  for (std::size_t s = 0; s < dataset.stored_splits.size(); ++s) {
    for (const Index id : dataset.stored_splits[s].*part)
      array.bytes[s * nodes + static_cast<std::size_t>(id)] = std::byte{1};
  }
  return array;
}

}  // namespace

void write_heterophilous_npz(const Dataset& dataset, const std::filesystem::path& path) {
  const Matrix features = dense(dataset.features);
  const std::vector<std::int64_t> labels(dataset.labels.begin(), dataset.labels.end());
  std::vector<std::pair<std::string, NpyArray>> members;
  members.emplace_back("node_features", make_npy(std::span<const float>(features.values),
                                                 {features.rows, features.cols}));
  members.emplace_back("node_labels", make_npy(std::span<const std::int64_t>(labels)));
  members.emplace_back("edges", edges_of(dataset.adjacency, path));
  if (!dataset.stored_splits.empty()) {
    members.emplace_back("train_masks", masks(dataset, &Split::train));
    members.emplace_back("val_masks", masks(dataset, &Split::valid));
    members.emplace_back("test_masks", masks(dataset, &Split::test));
  }
  write_npz(path, members);
}

}  // namespace cupel
