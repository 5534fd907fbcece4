#include "cupel/data/export/graph_formats.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/words.h"
#include "cupel/data/export/croissant.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/csv_writer.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/gnn_benchmark.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/pyg_writer.h"
#include "cupel/data/formats/tu_writer.h"
#include "cupel/data/formats/wiki_cs_writer.h"
#include "cupel/data/graph/parallel_arcs.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// "a.mat", and neither "a" nor "a-0.5".
bool named_like_a_file(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending.size() > 1 && std::isalpha(static_cast<unsigned char>(ending[1])) != 0;
}

// What one graph does not have that most formats of it need to be read again; "" if nothing.
std::string lacking(const Dataset& dataset) {
  if (example_unit(dataset) != Unit::kNode) return "";
  const bool features = feature_count(dataset.features) > 0, labels = !dataset.labels().empty();
  if (features && labels) return "";
  return features ? "labels" : labels ? "features" : "features and labels";
}

bool holds(const GraphFormat& format, const Dataset& dataset) {
  return std::ranges::count(format.holds, example_unit(dataset)) > 0 &&
         (format.bare || lacking(dataset).empty());
}

std::string kind_words(const GraphFormat& format) {
  const Unit unit = format.holds.front();
  return unit == Unit::kGraph  ? "sets of graphs"
         : unit == Unit::kFact ? "facts over time"
         : format.bare         ? "one graph"
                               : "one graph with features and labels";
}

std::string words(const Dataset& dataset) {
  if (dataset.graphs) return "a set of " + counted(dataset.graphs->size(), "graph");
  if (dataset.facts) return counted(dataset.facts->facts(), "fact") + " over time";
  const std::string without = lacking(dataset);
  return without.empty() ? "one graph" : "one graph without " + without;
}

// `but`: a format that was tried, or "".
std::string suited(const Dataset& dataset, const std::string& but) {
  std::vector<std::string> names;
  for (const GraphFormat& format : graph_formats()) {
    if (holds(format, dataset) && format.name != but) names.push_back(format.name);
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

void check_can_be_held(const Dataset& dataset, const GraphFormat& format) {
  if (!holds(format, dataset))
    fail("{}: format '{}' holds {}, and this is {}; take one of {}", dataset.name, format.name,
         kind_words(format), words(dataset), suited(dataset, ""));
  if (example_unit(dataset) == Unit::kNode && has_parallel_arcs(dataset.adjacency)) {
    fail(
        "{}: it has parallel arcs, which no format holds; leave the preparation step "
        "\"both-directions\" out, and name it where the data set is used",
        dataset.name);
  }
}

Dataset read_again(const Dataset& dataset, const fs::path& path) {
  if (!dataset.facts) return read_dataset(path, ReadMode::kForAudit);
  return dataset_of(std::make_shared<const TemporalFacts>(read_facts_folder(path)));
}

}  // namespace

const std::vector<GraphFormat>& graph_formats() {
  static const std::vector<GraphFormat> all = {
      {"gnn-benchmark",
       "npz of Shchur et al. 2018: holds all of one graph",
       false,
       {Unit::kNode},
       write_gnn_benchmark_npz},
      {"heterophilous",
       "npz of Platonov et al. 2023: dense features, no weights",
       false,
       {Unit::kNode},
       write_heterophilous_npz},
      {"pyg",
       "npz with the names of PyTorch Geometric: dense features",
       false,
       {Unit::kNode},
       write_pyg_npz},
      {"csv", "folder of text files", true, {Unit::kNode}, write_csv_graph},
      {"wiki-cs",
       "folder with data.json, as Wiki-CS is released: dense features, no weights",
       true,
       {Unit::kNode},
       write_wiki_cs},
      {"arrays",
       "folder of .npy files: any one graph, also without features or labels",
       true,
       {Unit::kNode},
       write_gnn_benchmark_folder,
       nullptr,
       true},
      {"croissant",
       "csv, tu or facts, and croissant.json that says what it holds",
       true,
       {Unit::kNode, Unit::kGraph, Unit::kFact},
       write_croissant_tables,
       describe_croissant},
      {"tu", "folder of TUDataset text: a set of graphs", true, {Unit::kGraph}, write_tu_dataset},
      {"facts",
       "folder of csv files, as `cupel build` writes: facts over time",
       true,
       {Unit::kFact},
       nullptr},
  };
  return all;
}

const GraphFormat& graph_format(const std::string& name, const Dataset& dataset,
                                const fs::path& path) {
  std::vector<std::string> known;
  for (const GraphFormat& format : graph_formats()) {
    known.push_back(format.name);
    const bool wanted = name.empty() ? format.describe == nullptr && holds(format, dataset) &&
                                           format.folder == (path.extension() != ".npz")
                                     : format.name == name;
    if (!wanted) continue;
    if (name.empty() && format.folder && named_like_a_file(path))
      fail(
          "{}: files of this kind are not written; a path that ends in .npz is a file, one without "
          "an ending a folder of text files (--format {} makes a folder of this name)",
          path.string(), format.name);
    check_can_be_held(dataset, format);
    return format;
  }
  if (name.empty()) {
    fail("{}: {} {} written as a folder, and '{}' is named like a file; give the path of a folder",
         dataset.name, words(dataset), dataset.facts ? "are" : "is", path.string());
  }
  fail("format '{}' is unknown{}", name, near_or_all(name, known));
}

std::vector<std::string> write_dataset(const Dataset& dataset, const GraphFormat& format,
                                       const fs::path& given, const Credits& credits,
                                       const std::shared_ptr<const Authorships>& authorships) {
  const fs::path path = given.has_filename() ? given : given.parent_path();
  check_target(format, path);
  check_can_be_held(dataset, format);
  const Beside beside(path);
  Dataset read;
  beside.make([&](const fs::path& there) {
    if (dataset.facts)
      write_facts_tables(dataset.facts, authorships, there);
    else
      format.write(dataset, there);
    read = read_again(dataset, there);
  });
  Losses losses = losses_between(dataset, read);
  if (!losses.values.empty()) {
    fail("{}: format '{}' cannot hold {}; nothing is written, take one of {}", dataset.name,
         format.name, fmt::join(losses.values, ", "), suited(dataset, format.name));
  }
  if (format.describe != nullptr)
    std::ranges::move(format.describe({dataset, read, credits, authorships.get()}, beside.path()),
                      std::back_inserter(losses.forms));
  beside.move();
  return losses.forms;
}

}  // namespace cupel
