#include "cupel/data/formats/heterophilous.h"

#include <filesystem>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/parts.h"

namespace cupel {
namespace {

struct MaskOf {
  const char* key;
  std::vector<Index> Split::*part;
  bool needed = true;  // where another is there
};
constexpr MaskOf kMasks[] = {{"train_masks", &Split::train},
                             {"val_masks", &Split::valid},
                             {"test_masks", &Split::test},
                             {"stopping_masks", &Split::stopping, false}};

// An audit does without features; labels tell the number of nodes then.
Matrix read_features(const NpzFile& file, ReadMode mode) {
  if (mode == ReadMode::kForUse || file.has("node_features"))
    return read_dense(file, "node_features");
  const NpyArray labels = file.read("node_labels");
  if (labels.items() > kMostRows) {
    fail("{}: has {} entries, at most {} are possible; use a smaller data set", labels.where,
         labels.items(), kMostRows);
  }
  return Matrix(static_cast<Index>(labels.items()), 0);
}

void read_masks(const NpzFile& file, ReadMode mode, Dataset& dataset) {
  int present = 0;
  for (const MaskOf& mask : kMasks) present += file.has(mask.key);
  if (present == 0) return;
  const Index nodes = dataset.nodes();
  for (const MaskOf& mask : kMasks) {
    if (!mask.needed && !file.has(mask.key)) continue;
    const NpyArray array = file.read(mask.key);  // names the one that is missing
    const bool one = array.shape.size() == 1;
    if ((!one && array.shape.size() != 2) || array.shape.back() != nodes) {
      fail("{}: has the shape ({}) where (splits, {}) is needed; give one row per split",
           array.where, fmt::join(array.shape, ", "), nodes);
    }
    if (!one) check_split_count(array.where, array.shape[0]);
    const std::size_t splits = one ? 1 : static_cast<std::size_t>(array.shape[0]);
    if (&mask == kMasks) dataset.stored_splits.resize(splits);
    if (splits != dataset.stored_splits.size()) {
      fail("{}: has {} splits where {} has {}; give the same number in all", array.where, splits,
           kMasks[0].key, dataset.stored_splits.size());
    }
    const std::vector<std::uint8_t> flags = to_flags(array);
    for (std::size_t s = 0; s < splits; ++s) {
      Split& split = dataset.stored_splits[s];
      std::vector<Index>& ids = split.*mask.part;
      const std::uint8_t* row = flags.data() + s * static_cast<std::size_t>(nodes);
      for (Index i = 0; i < nodes; ++i) {
        if (row[i]) ids.push_back(i);
      }
    }
  }
  if (mode == ReadMode::kForAudit) return;
  for (std::size_t s = 0; s < dataset.stored_splits.size(); ++s) {
    check_split(dataset, dataset.stored_splits[s],
                fmt::format("{}: split {} of its masks", file.name(), s));
  }
}

}  // namespace

Dataset read_heterophilous_npz(const NpzFile& file, ReadMode mode) {
  Dataset dataset;
  dataset.name = std::filesystem::path(file.name()).stem().string();
  Matrix features = read_features(file, mode);
  const Index nodes = features.rows;
  if (nodes == 0) fail("{}: the graph has no node; give at least one", file.name());
  check_features(features, nodes, file.where("node_features"), mode);
  dataset.features = std::move(features);
  // Labels first: a file has bytes for each, and for features without a column none.
  const NpyArray labels = file.read("node_labels");
  if (labels.shape.size() != 1) {
    fail("{}: has {} axes where one is needed (a class number per node); save the class numbers",
         labels.where, labels.shape.size());
  }
  check_one_for_each(labels, nodes);
  dataset.adjacency = read_edges(file, "edges", nodes, dataset.repeated_arcs);
  set_labels(dataset, to_integers(labels), {}, labels.where);
  read_masks(file, mode, dataset);
  return dataset;
}

}  // namespace cupel
