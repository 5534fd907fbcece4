#include "cupel/data/formats/wikipedia_npz.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/flag_masks.h"
#include "cupel/data/formats/parts.h"

namespace cupel {
namespace {

constexpr int kClasses = 5;

std::vector<std::int64_t> classes_of(const NpyArray& target) {
  const AlignedVector<float> values = to_floats(target);
  std::vector<float> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> cuts;
  for (int k = 1; k < kClasses; ++k) {
    const double at = static_cast<double>(k) / kClasses * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(at));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double low = sorted[below], high = sorted[above];
    cuts.push_back(low + (at - static_cast<double>(below)) * (high - low));
  }
  std::vector<std::int64_t> out;
  for (const float value : values)
    out.push_back(std::ranges::count_if(cuts, [&](double cut) { return value > cut; }));
  return out;
}

void read_masks(const NpzFile& file, ReadMode mode, Dataset& dataset) {
  if (!has_flag_masks(file)) return;
  Split split = read_flag_masks(file, dataset.nodes());
  if (mode == ReadMode::kForUse)
    check_split(dataset, split,
                fmt::format("{}: the split of train_mask, val_mask, test_mask", file.name()));
  dataset.stored_splits.push_back(std::move(split));
}

}  // namespace

bool is_wikipedia_npz(const NpzFile& file) {
  return file.has("features") && file.has("edges") && file.has("target");
}

Dataset read_wikipedia_npz(const NpzFile& file, ReadMode mode) {
  Dataset dataset;
  dataset.name = std::filesystem::path(file.name()).stem().string();
  Matrix features = read_dense(file, "features");
  const Index nodes = features.rows;
  if (nodes == 0) fail("{}: the graph has no node; give at least one", file.name());
  check_features(features, nodes, file.where("features"), mode);
  dataset.features = std::move(features);
  // First, as it has bytes for each node, which features without a column have not.
  const NpyArray target = file.read("target");
  if (target.shape.size() != 1 || target.shape[0] != nodes)
    fail("{}: has the shape ({}) where ({}) is needed, a number for each node", target.where,
         fmt::join(target.shape, ", "), nodes);
  dataset.adjacency = read_edges(file, "edges", nodes, dataset.repeated_arcs);
  set_labels(dataset, classes_of(target), {}, target.where);
  read_masks(file, mode, dataset);
  return dataset;
}

}  // namespace cupel
