#include "cupel/data/formats/format.h"

#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/csv_graph.h"
#include "cupel/data/formats/gnn_benchmark.h"
#include "cupel/data/formats/heterophilous.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/tu_dataset.h"

namespace cupel {
namespace {

Dataset read_archive(const std::filesystem::path& path, ReadMode mode) {
  {
    const InputFile file(path);
    char start[2] = {};
    if (file.size() >= sizeof start) file.read(0, start, sizeof start);
    if (start[0] != 'P' || start[1] != 'K') {
      fail(
          "{}: is neither an npz file nor a zip archive; give one, or a folder with edges.csv and "
          "labels.csv",
          file.name());
    }
  }
  if (const std::optional<TuFiles> files = TuFiles::in_zip(path))
    return read_tu_dataset(*files, mode);
  const NpzFile file(path);
  if (file.has("adj_data")) return read_gnn_benchmark_npz(file, mode);
  if (file.has("node_features") || (file.has("node_labels") && file.has("edges")))
    return read_heterophilous_npz(file, mode);
  fail(
      "{}: holds no graph in a known format (its members are {}); it needs adj_data or "
      "node_features or NAME_A.txt, see docs/formats.md",
      file.name(), quoted_list(file.keys()));
}

Dataset read_folder(const std::filesystem::path& folder, ReadMode mode) {
  std::vector<std::filesystem::path> archives;
  std::error_code problem;
  for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    if (at->path().filename() == "edges.csv") return read_csv_graph(folder, mode);
    if (at->path().extension() == ".npz") archives.push_back(at->path());
  }
  if (problem) {
    fail("{}: the folder cannot be read ({}); check its permissions", folder.string(),
         problem.message());
  }
  if (const std::optional<TuFiles> files = TuFiles::in_folder(folder))
    return read_tu_dataset(*files, mode);
  if (archives.size() == 1) return read_archive(archives[0], mode);
  fail(
      "{}: the folder has no edges.csv, no NAME_A.txt and {} npz files; give the path of one file",
      folder.string(), archives.empty() ? "no" : fmt::format("{}", archives.size()));
}

}  // namespace

Dataset read_dataset(const std::filesystem::path& path, ReadMode mode) {
  std::error_code ignored;  // what is no readable folder is tried as a file, which says why not
  try {
    if (std::filesystem::is_directory(path, ignored)) return read_folder(path, mode);
    return read_archive(path, mode);
  } catch (const std::bad_alloc&) {
    fail("{}: is too large for the memory that is free; close programs or use a larger machine",
         path.string());
  }
}

}  // namespace cupel
