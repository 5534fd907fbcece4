#include "cupel/data/formats/graph_formats.h"

#include <fmt/ranges.h>

#include <cctype>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/croissant.h"
#include "cupel/data/formats/csv_writer.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/pyg_writer.h"
#include "cupel/data/formats/tu_writer.h"
#include "cupel/data/formats/wiki_cs_writer.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// "a.mat", and neither "a" nor "a-0.5".
bool named_like_a_file(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending.size() > 1 && std::isalpha(static_cast<unsigned char>(ending[1])) != 0;
}

std::string suited(const Dataset& dataset) {
  std::vector<std::string> names;
  for (const GraphFormat& format : graph_formats()) {
    if (format.sets == dataset.graphs.has_value()) names.push_back(format.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_target(const GraphFormat& format, const fs::path& path) {
  std::error_code ignored;
  if (format.folder && fs::exists(path, ignored) &&
      !(fs::is_directory(path, ignored) && fs::is_empty(path, ignored))) {
    fail("{}: is there already, and '{}' is written to a new folder; give another path",
         path.string(), format.name);
  }
  if (!format.folder && fs::is_directory(path, ignored)) {
    fail("{}: is a folder, and '{}' is one file; give the path of a file", path.string(),
         format.name);
  }
}

}  // namespace

const std::vector<GraphFormat>& graph_formats() {
  static const std::vector<GraphFormat> all = {
      {"gnn-benchmark", "npz of Shchur et al. 2018: holds all of one graph", false, false,
       write_gnn_benchmark_npz},
      {"heterophilous", "npz of Platonov et al. 2023: dense features, no weights", false, false,
       write_heterophilous_npz},
      {"pyg", "npz with the names of PyTorch Geometric: dense features", false, false,
       write_pyg_npz},
      {"csv", "folder of text files", true, false, write_csv_graph},
      {"wiki-cs", "folder with data.json, as Wiki-CS is released: dense features, no weights", true,
       false, write_wiki_cs},
      {"croissant", "csv, and croissant.json that says what it holds", true, false, write_csv_graph,
       describe_croissant},
      {"tu", "folder of TUDataset text: a set of graphs", true, true, write_tu_dataset},
  };
  return all;
}

const GraphFormat& graph_format(const std::string& name, const Dataset& dataset,
                                const fs::path& path) {
  const bool sets = dataset.graphs.has_value();
  std::vector<std::string> known;
  for (const GraphFormat& format : graph_formats()) {
    known.push_back(format.name);
    const bool wanted = name.empty()
                            ? format.sets == sets && format.folder == (path.extension() != ".npz")
                            : format.name == name;
    if (!wanted) continue;
    if (name.empty() && format.folder && named_like_a_file(path))
      fail(
          "{}: files of this kind are not written; a path that ends in .npz is a file, one without "
          "an ending a folder of text files (--format {} makes a folder of this name)",
          path.string(), format.name);
    if (format.sets == sets) return format;
    fail("{}: format '{}' holds {}, and this is {}; take one of {}", dataset.name, name,
         format.sets ? "sets of graphs" : "one graph",
         sets ? fmt::format("a set of {} graphs", dataset.graphs->size()) : "one graph",
         suited(dataset));
  }
  if (name.empty()) {
    fail(
        "{}: a set of {} graphs is written as a folder, and '{}' is named like a file; give the "
        "path of a folder",
        dataset.name, dataset.graphs->size(), path.string());
  }
  fail("format '{}' is unknown{}", name, near_or_all(name, known));
}

std::vector<std::string> write_dataset(const Dataset& dataset, const GraphFormat& format,
                                       const fs::path& given, const Credits& credits) {
  const fs::path path = given.has_filename() ? given : given.parent_path();
  check_target(format, path);
  const Beside beside(path);
  format.write(dataset, beside.path());
  const Dataset read = read_dataset(beside.path(), ReadMode::kForAudit);
  const Losses losses = losses_between(dataset, read);
  if (!losses.values.empty()) {
    fail("{}: format '{}' cannot hold {}; nothing is written, take one of {}", dataset.name,
         format.name, fmt::join(losses.values, ", "), suited(dataset));
  }
  if (format.describe != nullptr) format.describe(dataset, read, credits, beside.path());
  beside.move();
  return losses.forms;
}

}  // namespace cupel
