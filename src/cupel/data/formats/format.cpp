#include "cupel/data/formats/format.h"

#include <functional>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"
#include "cupel/data/formats/csv_graph.h"
#include "cupel/data/formats/geom_gcn.h"
#include "cupel/data/formats/gnn_benchmark.h"
#include "cupel/data/formats/graphml.h"
#include "cupel/data/formats/heterophilous.h"
#include "cupel/data/formats/mat_file.h"
#include "cupel/data/formats/mat_graph.h"
#include "cupel/data/formats/ogb_dataset.h"
#include "cupel/data/formats/ogb_nodes.h"
#include "cupel/data/formats/plain_file.h"
#include "cupel/data/formats/planetoid.h"
#include "cupel/data/formats/pyg_npz.h"
#include "cupel/data/formats/smiles_csv.h"
#include "cupel/data/formats/table_graph.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/torch_file.h"
#include "cupel/data/formats/tu_dataset.h"
#include "cupel/data/formats/wiki_cs_json.h"
#include "cupel/data/formats/wikipedia_npz.h"

namespace cupel {
namespace {

Dataset read_arrays(const NpzFile& file, ReadMode mode) {
  if (file.has("adj_data") || file.has("adj_indptr")) return read_gnn_benchmark_npz(file, mode);
  if (file.has("node_features") || (file.has("node_labels") && file.has("edges")))
    return read_heterophilous_npz(file, mode);
  if (file.has("edge_index")) return read_pyg_npz(file, mode);
  if (is_wikipedia_npz(file)) return read_wikipedia_npz(file, mode);
  fail(
      "{}: holds no graph in a known format (its members are {}); it needs adj_data or "
      "node_features or edge_index or NAME_A.txt, see docs/formats.md",
      file.name(), quoted_list(file.keys()));
}

Dataset read_file(const std::filesystem::path& path, ReadMode mode) {
  if (!file_starts_with(path, "PK")) {
    (void)InputFile(path);  // says so if it cannot be read
    if (const auto read = plain_file_reader(path)) return read(mode);
    fail(
        "{}: is not an npz, torch, MATLAB or GraphML file, a zip archive, a data.json or a csv "
        "file of SMILES; give one, or a folder with edges.csv and labels.csv",
        path.string());
  }
  if (const ZipArchive archive(path); is_torch_file(archive)) return read_torch_file(archive, mode);
  if (const std::optional<TuFiles> files = TuFiles::in_zip(path))
    return read_tu_dataset(*files, mode);
  return read_arrays(NpzFile(path), mode);
}

bool is_csv_name(const std::string& name) {
  return name.ends_with(".csv") || name.ends_with(".csv.gz");
}

using Reader = std::function<Dataset(ReadMode)>;

// How to read the folder's data set; nothing if there is none. Throws Error if there are several.
Reader reader_of(const std::filesystem::path& folder) {
  if (is_ogb_node_folder(folder))
    return [folder](ReadMode mode) { return read_ogb_nodes(folder, mode); };
  if (is_table_graph(folder))
    return [folder](ReadMode mode) { return read_table_graph(folder, mode); };
  if (is_ogb_folder(folder))
    return [folder](ReadMode mode) { return read_ogb_dataset(folder, mode); };
  if (is_geom_gcn_folder(folder))
    return [folder](ReadMode mode) { return read_geom_gcn(folder, mode); };
  if (is_wiki_cs_folder(folder))
    return [folder](ReadMode mode) { return read_wiki_cs(folder / "data.json", mode); };
  std::vector<std::filesystem::path> npz, smiles, others;
  bool arrays = false;
  std::error_code problem;
  for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const std::filesystem::path& path = at->path();
    if (path.filename() == "edges.csv")
      return [folder](ReadMode mode) { return read_csv_graph(folder, mode); };
    std::error_code ignored;
    if (path.extension() == ".npz") npz.push_back(path);
    if (path.extension() == ".npy") arrays = true;
    if (path.extension() == ".pt" || path.extension() == ".mat" || path.extension() == ".graphml")
      others.push_back(path);
    if (is_csv_name(path.filename().string()) && at->is_regular_file(ignored) &&
        is_smiles_csv(path))
      smiles.push_back(path);
  }
  if (problem) {
    fail("{}: the folder cannot be read ({}); check its permissions", folder.string(),
         problem.message());
  }
  if (std::optional<TuFiles> files = TuFiles::in_folder(folder))
    return [files](ReadMode mode) { return read_tu_dataset(*files, mode); };
  if (const auto stem = planetoid_stem(folder))
    return [stem](ReadMode mode) { return read_planetoid(*stem, mode); };
  for (const auto& [paths, what] : {std::pair(npz, "npz files"), std::pair(smiles, "csv files"),
                                    std::pair(others, "files of graphs (.pt, .mat, .graphml)")}) {
    if (paths.size() > 1) {
      fail("{}: the folder has {} {}; give the path of the one to read", folder.string(),
           paths.size(), what);
    }
    if (paths.size() == 1)
      return [path = paths[0]](ReadMode mode) { return read_file(path, mode); };
  }
  if (arrays) return [folder](ReadMode mode) { return read_arrays(NpzFile(folder), mode); };
  return {};
}

Dataset read_folder(const std::filesystem::path& folder, ReadMode mode) {
  if (const Reader read = reader_of(folder)) return read(mode);
  fail(
      "{}: the folder has no edges.csv and no npz, .npy, .pt, .mat or .graphml file, no "
      "ind.NAME.graph, no "
      "NAME_A.txt and no csv file of SMILES, nor facts over time (quadruples.csv, or stat.txt with "
      "train.txt or quadruples.txt); give the path of a data set",
      folder.string());
}

}  // namespace

bool holds_dataset(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) return false;
  try {
    return static_cast<bool>(reader_of(folder));
  } catch (const Error&) {
    return true;  // several: reading says so
  }
}

Dataset read_dataset_with_label(const std::filesystem::path& path, const std::string& label) {
  if (is_table_graph(path)) return read_table_graph(path, ReadMode::kForUse, label);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) {
    if (is_mat_file(path)) return read_mat_graph(path, ReadMode::kForUse, label);
    if (is_graphml(path)) return read_graphml(path, ReadMode::kForUse, label);
  }
  fail(
      "{}: a name for labels, '{}', goes with a GraphML file, a MAT-file or a folder with "
      "nodes.csv "
      "and edges.csv; leave it out",
      path.string(), label);
}

void check_has_features(const Dataset& dataset) {
  if (feature_count(dataset.features) > 0) return;
  fail(
      "{}: its nodes have no features, which every format of one graph holds; give it some, such "
      "as a column of ones",
      dataset.name);
}

Dataset read_dataset(const std::filesystem::path& path, ReadMode mode) {
  std::error_code ignored;  // what is no readable folder is tried as a file, which says why not
  try {
    if (std::filesystem::is_directory(path, ignored)) return read_folder(path, mode);
    return read_file(path, mode);
  } catch (const std::bad_alloc&) {
    fail("{}: is too large for the memory that is free; close programs or use a larger machine",
         path.string());
  }
}

}  // namespace cupel
