#include "cupel/data/formats/geom_gcn.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/base/words.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/flag_masks.h"
#include "cupel/data/formats/line_reader.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEdges = "out1_graph_edges.txt";
constexpr const char* kNodes = "out1_node_feature_label.txt";
constexpr std::string_view kSplit = "_split_0.6_0.2_";

// 0 to `most`.
std::int64_t number(const LineReader& lines, std::string_view text, std::int64_t most,
                    const char* what) {
  std::int64_t value = -1;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 0 || value > most)
    lines.fail_here(fmt::format("{} is no {}, a whole number from 0 to {}; correct it",
                                in_quotes(text), what, most));
  return value;
}

std::vector<std::string_view> parts_of(std::string_view line, char between) {
  std::vector<std::string_view> out;
  for (std::size_t from = 0;;) {
    const std::size_t to = line.find(between, from);
    out.push_back(line.substr(from, to - from));
    if (to == std::string_view::npos) return out;
    from = to + 1;
  }
}

// The next line that is not empty, in `columns` parts; the first line of a file is its header.
class Table {
 public:
  Table(const fs::path& path, std::size_t columns, const char* header)
      : lines(path), columns_(columns) {
    std::string_view line;
    if (!lines.next(line) || !line.starts_with("node_id"))
      fail("{}: the first line is not the header '{}'; add it", lines.name(), header);
  }
  bool next(std::vector<std::string_view>& parts) {
    std::string_view line;
    do {
      if (!lines.next(line)) return false;
    } while (line.empty());
    parts = parts_of(line, '\t');
    if (parts.size() != columns_)
      lines.fail_here(fmt::format("has {} where {} are needed, separated by tabs",
                                  counted(static_cast<std::int64_t>(parts.size()), "part"),
                                  columns_));
    return true;
  }
  LineReader lines;

 private:
  std::size_t columns_;
};

// Numbers of a line's feature field.
struct Row {
  std::uint64_t line = 0;
  std::vector<Index> values;
};

Csr dense_rows(const std::vector<Row>& rows, Index nodes) {
  Csr out;
  out.rows = nodes;
  out.cols = static_cast<Index>(rows[0].values.size());
  for (const Row& row : rows) {
    for (Index c = 0; c < out.cols; ++c) {
      if (row.values[static_cast<std::size_t>(c)] == 1) out.columns.push_back(c);
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Csr listed_rows(const std::string& name, std::vector<Row>& rows, Index nodes) {
  Csr out;
  out.rows = nodes;
  for (Row& row : rows) {
    if (row.values.size() > 2 && std::ranges::all_of(row.values, [](Index v) { return v <= 1; })) {
      fail(
          "{}: line {}: has {} of 0 and 1 where other lines have another number of them, or "
          "numbers "
          "of features; give 0 or 1 for every feature in every line, or list features by number",
          name, row.line, counted(static_cast<std::int64_t>(row.values.size()), "value"));
    }
    sort_unique(row.values);
    if (!row.values.empty()) out.cols = std::max(out.cols, row.values.back() + 1);
    out.columns.insert(out.columns.end(), row.values.begin(), row.values.end());
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

void read_nodes(const fs::path& path, ReadMode mode, Dataset& dataset) {
  Table table(path, 3, "node_id<tab>feature<tab>label");
  std::map<Index, std::pair<Row, std::int64_t>> nodes;  // by id
  std::vector<std::string_view> parts;
  while (table.next(parts)) {
    const auto id = static_cast<Index>(number(table.lines, parts[0], kMostRows - 1, "node"));
    auto& [row, label] = nodes[id];
    if (row.line > 0)
      table.lines.fail_here(
          fmt::format("node {} appears again (first in line {}); give each node "
                      "one line",
                      id, row.line));
    row.line = table.lines.line_number();
    if (!parts[1].empty()) {
      for (const std::string_view one : parts_of(parts[1], ','))
        row.values.push_back(
            static_cast<Index>(number(table.lines, one, kMostRows - 1, "feature")));
    }
    label = number(table.lines, parts[2], kMostRows, "label");
  }
  if (nodes.empty()) fail("{}: names no node; give at least one", path.string());
  const auto count = static_cast<Index>(nodes.size());
  if (nodes.rbegin()->first != count - 1) {
    Index missing = 0;
    while (nodes.contains(missing)) ++missing;
    fail("{}: node {} has no line, and {} has; number the nodes from 0", path.string(), missing,
         nodes.rbegin()->first);
  }
  std::vector<Row> rows;
  std::vector<std::int64_t> labels;
  for (auto& [id, entry] : nodes) {
    rows.push_back(std::move(entry.first));
    labels.push_back(entry.second);
  }
  const bool dense = std::ranges::all_of(rows, [&](const Row& row) {
    return !row.values.empty() && row.values.size() == rows[0].values.size() &&
           std::ranges::all_of(row.values, [](Index v) { return v <= 1; });
  });
  Csr features = dense ? dense_rows(rows, count) : listed_rows(path.string(), rows, count);
  check_claim(path.string(), features.cols, "features", table.lines.file_bytes());
  dataset.features = std::move(features);
  dataset.adjacency = from_edges(count, std::vector<Edge>{});  // until arcs are read
  check_features(dataset.features, count, path.string(), mode);
  set_labels(dataset, labels, {}, path.string());
}

void read_edges(const fs::path& path, Dataset& dataset) {
  Table table(path, 2, "node_id<tab>node_id");
  const Index nodes = static_cast<Index>(dataset.labels().size());
  std::vector<Edge> edges;
  std::vector<std::string_view> parts;
  while (table.next(parts)) {
    edges.push_back({static_cast<Index>(number(table.lines, parts[0], nodes - 1, "node")),
                     static_cast<Index>(number(table.lines, parts[1], nodes - 1, "node"))});
  }
  dataset.adjacency = from_edges(nodes, edges, std::vector<float>(edges.size(), 1.0f));
  dataset.repeated_arcs = static_cast<Offset>(edges.size()) - dataset.adjacency.entries();
}

// The files of splits by number, all of one NAME.
std::map<int, fs::path> split_files(const fs::path& folder) {
  std::map<int, fs::path> out;
  std::string stem;
  std::error_code problem;
  for (fs::directory_iterator at_entry(folder, problem), end; !problem && at_entry != end;
       at_entry.increment(problem)) {
    const fs::path& path = at_entry->path();
    const std::string name = path.filename().string();
    const std::size_t at = name.find(kSplit);
    if (at == std::string::npos || !name.ends_with(".npz")) continue;
    const std::string digits =
        name.substr(at + kSplit.size(), name.size() - 4 - at - kSplit.size());
    int k = -1;
    const auto [last, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), k);
    if (wrong != std::errc() || last != digits.data() + digits.size() || k < 0)
      fail("{}: the name ends with {} where the number of a split and .npz are needed; rename it",
           path.string(), in_quotes(digits + ".npz"));
    if (!stem.empty() && stem != name.substr(0, at))
      fail("{}: has splits of '{}' and of '{}'; leave those of one", folder.string(),
           std::min(stem, name.substr(0, at)), std::max(stem, name.substr(0, at)));
    stem = name.substr(0, at);
    out[k] = path;
  }
  if (problem) {
    fail("{}: the folder cannot be read ({}); check its permissions", folder.string(),
         problem.message());
  }
  if (!out.empty() && out.rbegin()->first != static_cast<int>(out.size()) - 1) {
    int missing = 0;
    while (out.contains(missing)) ++missing;
    fail("{}: split {} is missing ({}{}{}.npz), and {} is there; add it", folder.string(), missing,
         stem, kSplit, missing, out.rbegin()->first);
  }
  return out;
}

void read_splits(const fs::path& folder, ReadMode mode, Dataset& dataset) {
  for (const auto& [k, path] : split_files(folder)) {
    const NpzFile file(path);
    Split split = read_flag_masks(file, dataset.nodes());
    if (mode == ReadMode::kForUse)
      check_split(dataset, split, fmt::format("{}: split {}", file.name(), k));
    dataset.stored_splits.push_back(std::move(split));
  }
}

}  // namespace

bool is_geom_gcn_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / kEdges, ignored);
}

Dataset read_geom_gcn(const fs::path& folder, ReadMode mode) {
  const fs::path path = folder.has_filename() ? folder : folder.parent_path();
  Dataset dataset;
  dataset.name = path.filename().string();
  read_nodes(path / kNodes, mode, dataset);
  read_edges(path / kEdges, dataset);
  read_splits(path, mode, dataset);
  return dataset;
}

}  // namespace cupel
