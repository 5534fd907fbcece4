#include "cupel/data/formats/ogb_nodes.h"

#include <cmath>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/node_graph.h"
#include "cupel/data/formats/number_table.h"
#include "cupel/data/formats/ogb_splits.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text_labels.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// The one number that says how many there are: "nodes" or "edges", `least` to kMostRows.
std::int64_t read_count(const fs::path& path, const char* what, std::int64_t least) {
  std::int64_t lines = 0, count = 0;
  read_integer_rows(path, 1, [&](LineReader& reader, std::span<const std::int64_t> row) {
    if (++lines > 1)
      reader.fail_here(
          "a second graph; a set of graphs with labels of nodes is not read, give each a folder");
    if (row[0] < least || row[0] > kMostRows)
      reader.fail_here(fmt::format("{} {}; {} to {} are possible", row[0], what, least, kMostRows));
    count = row[0];
  });
  if (lines == 0) fail("{}: says of no graph how many {} it has", path.string(), what);
  return count;
}

std::int64_t class_of(const LineReader& reader, float value) {
  if (std::isnan(value)) return kNoLabel;
  if (value != std::floor(value) || std::fabs(value) >= kInexactWhole)
    reader.fail_here(fmt::format("{} is no class; a class is a whole number below {}", value,
                                 static_cast<std::int64_t>(kInexactWhole)));
  return static_cast<std::int64_t>(value);
}

std::vector<std::int64_t> read_classes(const fs::path& path, std::int64_t nodes) {
  std::vector<std::int64_t> out;
  read_number_rows(path, Gaps::kUnknown, [&](LineReader& reader, std::span<const float> row) {
    if (row.size() != 1)
      reader.fail_here(fmt::format(
          "has {} labels of a node, and one class is read; keep one column", row.size()));
    if (static_cast<std::int64_t>(out.size()) == nodes)
      reader.fail_here(
          fmt::format("has the label of one more than {} nodes; give one for each", nodes));
    out.push_back(class_of(reader, row[0]));
  });
  if (static_cast<std::int64_t>(out.size()) != nodes) {
    fail("{}: has {} lines for {} nodes; give one for each", path.string(), out.size(), nodes);
  }
  return out;
}

// `count`: a file that says how many rows there are, if it is there.
Csr read_arcs(const fs::path& path, const fs::path& count, Index nodes, Offset& repeats) {
  std::vector<Index> sources, targets;
  read_integer_rows(path, 2, [&](LineReader& reader, std::span<const std::int64_t> row) {
    for (const std::int64_t node : row) {
      if (node < 0 || node >= nodes)
        reader.fail_here(
            fmt::format("node {} is not one of the {}, which are numbered from 0", node, nodes));
    }
    sources.push_back(static_cast<Index>(row[0]));
    targets.push_back(static_cast<Index>(row[1]));
  });
  if (is_there(count)) {
    const std::int64_t claimed = read_count(count, "edges", 0);
    if (claimed != std::ssize(sources))
      fail("{}: has {} rows, and {} says {}; get both again", path.string(), sources.size(),
           count.filename().string(), claimed);
  }
  return arcs_of_pairs(nodes, sources, targets, {}, path.string(), repeats);
}

}  // namespace

bool is_ogb_node_folder(const fs::path& folder) {
  return is_there(ogb_table(folder / "raw", "node-label"));
}

Dataset read_ogb_nodes(const fs::path& folder, ReadMode mode) {
  const fs::path path = folder.has_filename() ? folder : folder.parent_path();
  const fs::path raw = path / "raw";
  Dataset dataset;
  dataset.name = path.filename().string();
  const std::int64_t nodes = read_count(ogb_table(raw, "num-node-list"), "nodes", 1);
  // Labels first: they have a line for each node that is only claimed so far.
  const fs::path labels = ogb_table(raw, "node-label");
  const std::vector<std::int64_t> classes = read_classes(labels, nodes);
  dataset.adjacency = read_arcs(ogb_table(raw, "edge"), ogb_table(raw, "num-edge-list"),
                                static_cast<Index>(nodes), dataset.repeated_arcs);
  set_labels(dataset, classes, {}, labels.string());
  const fs::path features = ogb_table(raw, "node-feat");
  if (is_there(features)) {
    Matrix table = read_number_table(features, Gaps::kRefused);
    check_features(table, dataset.nodes(), features.string(), mode);
    dataset.features = std::move(table);
  } else {
    dataset.features = identity_features(dataset.nodes());
  }
  dataset.stored_splits = read_ogb_splits(path / "split", dataset.nodes(), "node");
  if (mode == ReadMode::kForUse) {
    for (std::size_t s = 0; s < dataset.stored_splits.size(); ++s) {
      check_split(dataset, dataset.stored_splits[s],
                  fmt::format("{}: split {}", (path / "split").string(), s));
    }
  }
  return dataset;
}

}  // namespace cupel
