#include "cupel/data/formats/gnn_benchmark.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/parts.h"

namespace cupel {
namespace {

constexpr const char* kParts[] = {"idx_train", "idx_val", "idx_test", "idx_stopping"};

Csr read_adjacency(const NpzFile& file, Offset& repeats) {
  Csr adjacency = read_csr(file, "adj", &repeats);
  if (adjacency.rows != adjacency.cols) {
    fail("{}: is {} x {}; the adjacency of a graph is square", file.where("adj_shape"),
         adjacency.rows, adjacency.cols);
  }
  if (adjacency.rows == 0) fail("{}: the graph has no node; give at least one", file.name());
  return adjacency;
}

// A folder may do without features and labels, and not with a part of them.
bool has_part_of_csr(const NpzFile& file, const std::string& prefix) {
  return std::ranges::any_of(std::array{"_data", "_indices", "_indptr", "_shape"},
                             [&](const char* part) { return file.has(prefix + part); });
}

// Unlike those of an adjacency, values that are missing are not taken for ones.
Csr read_valued(const NpzFile& file, const std::string& prefix) {
  const std::string values = prefix + "_data";
  if (!file.has(values)) (void)file.read(values);  // says that it is missing
  return read_csr(file, prefix);
}

Features read_features(const NpzFile& file, ReadMode mode, Index nodes) {
  if (file.has("attr_matrix")) return read_dense(file, "attr_matrix");
  if (has_part_of_csr(file, "attr")) return read_valued(file, "attr");
  // Of a folder, which is how graphs without features are kept.
  if (mode == ReadMode::kForAudit || file.is_folder()) return Matrix(nodes, 0);
  fail(
      "{}: has no features; give attr_data, attr_indices, attr_indptr and attr_shape, or a dense "
      "attr_matrix",
      file.name());
}

std::vector<std::string> read_class_names(const NpzFile& file) {
  // Some released files hold their names as pickles, which nobody should load. No result depends on
  // names, so such a file is read and its classes are named by number.
  if (!file.has("class_names") || file.holds_objects("class_names")) return {};
  return to_texts(file.read("class_names"));
}

void read_labels(const NpzFile& file, Dataset& dataset) {
  const std::vector<std::string> names = read_class_names(file);
  if (file.has("labels")) {
    const NpyArray array = file.read("labels");
    if (array.shape.size() != 1) {
      fail("{}: has {} axes where one is needed (a class number per node); save the class numbers",
           array.where, array.shape.size());
    }
    set_labels(dataset, to_integers(array), names, array.where);
  } else if (has_part_of_csr(file, "labels")) {
    const std::string where = file.where("labels_data");
    set_labels(dataset, one_hot_columns(read_valued(file, "labels"), where), names, where);
  } else if (!file.is_folder()) {
    fail("{}: has no labels; give labels, a class number per node", file.name());
  }
}

// The split in idx_train, idx_val and idx_test with `suffix`. False if none of the three is there.
bool read_split(const NpzFile& file, const std::string& suffix, ReadMode mode, Dataset& dataset) {
  int present = 0;
  for (const char* part : kParts) present += file.has(part + suffix);
  if (present == 0) return false;
  if (dataset.labels().empty())
    fail("{}: has a stored split and no labels; give labels, or leave the split out", file.name());
  Split split;
  const auto parts = split.parts();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p >= kNeededParts && !file.has(kParts[p] + suffix)) continue;
    const NpyArray array = file.read(kParts[p] + suffix);  // names the one that is missing
    if (array.shape.size() != 1) {
      fail("{}: has {} axes where one is needed (node numbers); save the node numbers", array.where,
           array.shape.size());
    }
    *parts[p] = to_indices(array, dataset.nodes(), fmt::format("the {} nodes", dataset.nodes()));
  }
  std::ranges::sort(split.test);
  if (mode == ReadMode::kForUse) {
    check_split(dataset, split,
                fmt::format("{}: the split in idx_train{}, idx_val{}, idx_test{}", file.name(),
                            suffix, suffix, suffix));
  }
  dataset.stored_splits.push_back(std::move(split));
  return true;
}

// A gap in the numbers would leave out what is behind it.
void check_split_numbers(const NpzFile& file, std::size_t splits) {
  for (const std::string& key : file.keys()) {
    for (const char* part : kParts) {
      const std::string start = std::string(part) + "_";
      std::size_t number = 0;
      const char* const end = key.data() + key.size();
      if (!key.starts_with(start) ||
          std::from_chars(key.data() + start.size(), end, number).ptr != end || number < splits)
        continue;
      fail("{}: belongs to split {}, and there {} {} from 0 on; number splits without a gap",
           file.where(key), number, splits == 1 ? "is 1" : fmt::format("are {}", splits),
           splits == 1 ? "split" : "splits");
    }
  }
}

}  // namespace

Dataset read_gnn_benchmark_npz(const NpzFile& file, ReadMode mode) {
  Dataset dataset;
  dataset.name = std::filesystem::path(file.name()).stem().string();
  dataset.adjacency = read_adjacency(file, dataset.repeated_arcs);
  dataset.features = read_features(file, mode, dataset.nodes());
  const bool alone = file.is_folder() && feature_count(dataset.features) == 0;
  check_features(dataset.features, dataset.nodes(),
                 file.where(file.has("attr_matrix") ? "attr_matrix" : "attr_shape"),
                 alone ? ReadMode::kForAudit : mode);
  read_labels(file, dataset);
  if (!read_split(file, "", mode, dataset)) {
    for (int i = 0; read_split(file, fmt::format("_{}", i), mode, dataset);)
      check_split_count(file.name(), ++i);
  }
  check_split_numbers(file, dataset.stored_splits.size());
  return dataset;
}

void add_csr_members(std::vector<std::pair<std::string, NpyArray>>& members,
                     const std::string& prefix, const Csr& m) {
  AlignedVector<float> ones;
  if (m.is_pattern()) ones.assign(m.columns.size(), 1.0f);
  members.emplace_back(prefix + "_data",
                       make_npy(std::span<const float>(m.is_pattern() ? ones : m.values)));
  members.emplace_back(prefix + "_indices", make_npy(std::span<const Index>(m.columns)));
  members.emplace_back(prefix + "_indptr", make_npy(std::span<const Offset>(m.row_ptr)));
  const std::vector<std::int64_t> shape = {m.rows, m.cols};
  members.emplace_back(prefix + "_shape", make_npy(std::span<const std::int64_t>(shape)));
}

namespace {

// All but the adjacency. Labels where there are any: -1, which is how the file says it too, where a
// node has none.
void add_other_members(std::vector<std::pair<std::string, NpyArray>>& members,
                       const Dataset& dataset) {
  if (const auto* sparse = std::get_if<Csr>(&dataset.features)) {
    add_csr_members(members, "attr", *sparse);
  } else {
    const auto& dense = std::get<Matrix>(dataset.features);
    members.emplace_back("attr_matrix",
                         make_npy(std::span<const float>(dense.values), {dense.rows, dense.cols}));
  }
  if (!dataset.labels().empty()) {
    members.emplace_back("labels", make_npy(std::span<const Index>(dataset.labels())));
    members.emplace_back("class_names",
                         make_npy(std::span<const std::string>(dataset.class_names())));
  }
  const bool several = dataset.stored_splits.size() > 1;
  for (std::size_t i = 0; i < dataset.stored_splits.size(); ++i) {
    const Split& split = dataset.stored_splits[i];
    const std::string suffix = several ? fmt::format("_{}", i) : "";
    const auto parts = split.parts();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (p >= kNeededParts && parts[p]->empty()) continue;
      members.emplace_back(kParts[p] + suffix, make_npy(std::span<const Index>(*parts[p])));
    }
  }
}

// The array as a file, without a copy of it in memory.
template <class T>
void write_array(const std::filesystem::path& path, char kind, std::span<const T> values) {
  NpyArray head;
  head.type = {kind, sizeof(T)};
  head.shape = {std::ssize(values)};
  write_npy(head, std::as_bytes(values), path);
}

}  // namespace

void write_gnn_benchmark_npz(const Dataset& dataset, const std::filesystem::path& path) {
  std::vector<std::pair<std::string, NpyArray>> members;
  add_csr_members(members, "adj", dataset.adjacency);
  add_other_members(members, dataset);
  write_npz(path, members);
}

void write_gnn_benchmark_folder(const Dataset& dataset, const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_empty(path, ignored))
    fail("{}: is there and not empty; give another path, or remove it first", path.string());
  const Beside beside(path);
  const std::filesystem::path folder = beside.path();
  std::filesystem::create_directory(folder, ignored);  // writing says why it could not
  const Csr& arcs = dataset.adjacency;
  write_array(folder / "adj_indptr.npy", 'i', std::span<const Offset>(arcs.row_ptr));
  write_array(folder / "adj_indices.npy", 'i', std::span<const Index>(arcs.columns));
  if (!arcs.is_pattern())
    write_array(folder / "adj_data.npy", 'f', std::span<const float>(arcs.values));
  const std::vector<std::int64_t> shape = {arcs.rows, arcs.cols};
  write_array(folder / "adj_shape.npy", 'i', std::span<const std::int64_t>(shape));
  std::vector<std::pair<std::string, NpyArray>> others;
  add_other_members(others, dataset);
  for (const auto& [key, array] : others) write_npy(array, folder / (key + ".npy"));
  beside.move();
}

}  // namespace cupel
