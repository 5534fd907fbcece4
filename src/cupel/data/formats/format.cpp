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
        "file of SMILES; give one, or a folder with edges.csv and labels.csv; facts over time are "
        "lines of three whole numbers (source, target and time), or csv whose header names these, "
        "as source,target,timestamp",
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

// A folder's data set: how to read it, and how to tell what is then left out, where that may be
// anything. Neither: there is none.
struct Found {
  std::function<Dataset(ReadMode)> read;
  std::function<std::vector<std::string>(const std::string& label)> left_out = {};
};

// Throws Error if there are several.
Found found_in(const std::filesystem::path& folder) {
  if (is_ogb_node_folder(folder))
    return {[folder](ReadMode mode) { return read_ogb_nodes(folder, mode); }};
  if (is_table_graph(folder))
    return {[folder](ReadMode mode) { return read_table_graph(folder, mode); },
            [folder](const std::string& label) { return table_graph_left_out(folder, label); }};
  if (is_ogb_folder(folder))
    return {[folder](ReadMode mode) { return read_ogb_dataset(folder, mode); }};
  if (is_geom_gcn_folder(folder))
    return {[folder](ReadMode mode) { return read_geom_gcn(folder, mode); }};
  if (is_wiki_cs_folder(folder))
    return {[folder](ReadMode mode) { return read_wiki_cs(folder / "data.json", mode); }};
  std::vector<std::filesystem::path> npz, smiles, others;
  bool arrays = false;
  std::error_code problem;
  for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const std::filesystem::path& path = at->path();
    if (path.filename() == "edges.csv")
      return {[folder](ReadMode mode) { return read_csv_graph(folder, mode); },
              [folder](const std::string&) { return csv_graph_left_out(folder); }};
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
    return {[files](ReadMode mode) { return read_tu_dataset(*files, mode); },
            [files](const std::string&) { return tu_left_out(*files); }};
  if (const auto stem = planetoid_stem(folder))
    return {[stem](ReadMode mode) { return read_planetoid(*stem, mode); }};
  for (const auto& [paths, what] : {std::pair(npz, "npz files"), std::pair(smiles, "csv files"),
                                    std::pair(others, "files of graphs (.pt, .mat, .graphml)")}) {
    if (paths.size() > 1) {
      fail("{}: the folder has {} {}; give the path of the one to read", folder.string(),
           paths.size(), what);
    }
    if (paths.size() == 1)
      return {[path = paths[0]](ReadMode mode) { return read_file(path, mode); },
              [path = paths[0]](const std::string& label) { return left_out(path, label); }};
  }
  if (arrays) return {[folder](ReadMode mode) { return read_arrays(NpzFile(folder), mode); }};
  return {};
}

Dataset read_folder(const std::filesystem::path& folder, ReadMode mode) {
  if (const Found found = found_in(folder); found.read) return found.read(mode);
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
    return static_cast<bool>(found_in(folder).read);
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

std::vector<std::string> left_out(const std::filesystem::path& path, const std::string& label) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    if (!file_starts_with(path, "PK"))
      return is_graphml(path) ? graphml_left_out(path, label) : std::vector<std::string>();
    const std::optional<TuFiles> files = TuFiles::in_zip(path);
    return files ? tu_left_out(*files) : std::vector<std::string>();
  }
  const Found found = found_in(path);
  return found.left_out ? found.left_out(label) : std::vector<std::string>();
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
