#include "cupel/data/formats/csv_graph.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/text_labels.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

using NodeNumbers = std::unordered_map<std::string, Index>;

// What cannot be looked at counts as there, so that reading it says why.
bool is_there(const std::filesystem::path& path) {
  std::error_code problem;
  return std::filesystem::exists(path, problem) || problem;
}

constexpr std::string_view kUnknownNode =
    "is not in labels.csv; add it there with its label or correct the name";

void expect_header(const CsvReader& csv, const std::vector<std::string>& wanted) {
  if (csv.header() != wanted) {
    csv.fail_here(fmt::format("the header is {} where '{}' is needed", quoted_list(csv.header()),
                              fmt::join(wanted, ",")));
  }
}

Index node_number(const CsvReader& csv, std::size_t column, const NodeNumbers& nodes) {
  const auto found = nodes.find(std::string(csv.fields()[column]));
  if (found == nodes.end()) {
    csv.fail_here(fmt::format("node {} {}", in_quotes(csv.fields()[column]), kUnknownNode));
  }
  return found->second;
}

NodeNumbers read_labels(const std::filesystem::path& path, Dataset& dataset) {
  CsvReader csv(path);
  expect_header(csv, {"node", "label"});
  NodeNumbers nodes;
  std::vector<std::string> labels;
  while (csv.next()) {
    if (csv.fields()[0].empty()) csv.fail_here("the node has no name; give it one");
    if (static_cast<std::int64_t>(nodes.size()) == kMostRows) {
      csv.fail_here(fmt::format("there are more than {} nodes; use a smaller graph", kMostRows));
    }
    const auto id = static_cast<Index>(nodes.size());
    if (!nodes.emplace(csv.fields()[0], id).second) {
      csv.fail_here(fmt::format("node {} appears again; give each node one line",
                                in_quotes(csv.fields()[0])));
    }
    labels.emplace_back(csv.fields()[1]);
  }
  if (nodes.empty()) fail("{}: names no node; give at least one", path.string());
  set_text_labels(dataset, labels, path.string());
  return nodes;
}

Csr read_edges(const std::filesystem::path& path, const NodeNumbers& nodes, Offset& repeats) {
  CsvReader csv(path);
  const bool weighted = csv.header().size() == 3;
  if (weighted) {
    expect_header(csv, {"source", "target", "weight"});
  } else {
    expect_header(csv, {"source", "target"});
  }
  std::vector<Edge> edges;
  std::vector<float> weights;
  while (csv.next()) {
    edges.push_back({node_number(csv, 0, nodes), node_number(csv, 1, nodes)});
    weights.push_back(weighted ? csv.number(2) : 1.0f);
  }
  Csr out = from_edges(static_cast<Index>(nodes.size()), edges, weights);
  repeats = static_cast<Offset>(edges.size()) - out.entries();
  if (!std::ranges::all_of(out.values, [](float v) { return std::isfinite(v); })) {
    fail("{}: the weights of a repeated edge sum to more than a float32 holds; use smaller weights",
         path.string());
  }
  return out;
}

Matrix read_features(const std::filesystem::path& path, const NodeNumbers& nodes) {
  CsvReader csv(path);
  if (csv.header()[0] != "node" || csv.header().size() < 2) {
    csv.fail_here(fmt::format("the header is {} where 'node' and at least one feature are needed",
                              quoted_list(csv.header())));
  }
  const std::uint64_t columns = csv.header().size() - 1;
  // A number takes a digit and a separator, so this bounds the matrix by the size of the file.
  if (2 * columns * nodes.size() > csv.file_size()) {
    fail("{}: its {} bytes are too few for {} features of {} nodes; give a line for every node",
         path.string(), csv.file_size(), columns, nodes.size());
  }
  Matrix out(static_cast<Index>(nodes.size()), static_cast<Index>(columns));
  std::vector<char> seen(nodes.size(), 0);
  while (csv.next()) {
    const Index node = node_number(csv, 0, nodes);
    if (seen[node]++) {
      csv.fail_here(fmt::format("node {} appears again; give each node one line",
                                in_quotes(csv.fields()[0])));
    }
    for (Index c = 0; c < out.cols; ++c) out(node, c) = csv.number(static_cast<std::size_t>(c) + 1);
  }
  for (const auto& [name, node] : nodes) {
    if (!seen[node]) fail("{}: node {} has no line; give one", path.string(), in_quotes(name));
  }
  return out;
}

// ---- splits.json --------------------------------------------------------------------------------

using nlohmann::json;

const json& member(const json& object, const char* key, const std::string& where) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_array()) {
    fail("{}: lacks the list '{}'; see docs/formats.md", where, key);
  }
  return object[key];
}

std::vector<Index> read_part(const json& split, const char* key, const std::string& where,
                             const NodeNumbers& nodes) {
  std::vector<Index> out;
  for (const json& item : member(split, key, where)) {
    if (!item.is_string() && !item.is_number_integer()) {
      fail("{}: '{}' holds something that is no node name; give names as texts or whole numbers",
           where, key);
    }
    const std::string name = item.is_string() ? item.get<std::string>() : item.dump();
    const auto found = nodes.find(name);
    if (found == nodes.end()) fail("{}: node {} {}", where, in_quotes(name), kUnknownNode);
    out.push_back(found->second);
  }
  return out;
}

void read_splits(const std::filesystem::path& path, const NodeNumbers& nodes, ReadMode mode,
                 Dataset& dataset) {
  const std::string name = path.string();
  const auto called = [&](Index id) {
    return in_quotes(std::ranges::find(nodes, id, &NodeNumbers::value_type::second)->first);
  };
  const json document = read_strict_json(path);
  const json& list = member(document, "splits", name);
  check_keys(document, name, {"splits"});
  for (const json& item : list) {
    const std::string where = fmt::format("{}: split {}", name, dataset.stored_splits.size());
    Split split{read_part(item, "train", where, nodes), read_part(item, "valid", where, nodes),
                read_part(item, "test", where, nodes)};
    check_keys(item, where, {"train", "valid", "test", "stopping"});
    if (item.contains("stopping")) split.stopping = read_part(item, "stopping", where, nodes);
    std::ranges::sort(split.test);
    if (mode == ReadMode::kForUse) check_split(dataset, split, where, called);
    dataset.stored_splits.push_back(std::move(split));
  }
}

}  // namespace

Dataset read_csv_graph(const std::filesystem::path& folder, ReadMode mode) {
  Dataset dataset;
  // "data/mine/" has an empty file name.
  const std::filesystem::path path = folder.has_filename() ? folder : folder.parent_path();
  dataset.name = path.filename().string();
  const NodeNumbers nodes = read_labels(path / "labels.csv", dataset);
  dataset.adjacency = read_edges(path / "edges.csv", nodes, dataset.repeated_arcs);
  if (is_there(path / "features.csv")) {
    dataset.features = read_features(path / "features.csv", nodes);
  } else {
    dataset.features = identity_features(static_cast<Index>(nodes.size()));
  }
  if (is_there(path / "splits.json")) {
    read_splits(path / "splits.json", nodes, mode, dataset);
  }
  return dataset;
}

std::vector<std::string> csv_graph_left_out(const std::filesystem::path& folder) {
  std::vector<std::string> out;
  NamesLeftOut nodes("nodes");
  CsvReader labels(folder / "labels.csv");
  while (labels.next()) nodes.add(labels.fields()[0]);
  nodes.tell(out);
  if (!is_there(folder / "features.csv")) return out;
  NamesLeftOut features("features", "x");
  const CsvReader table(folder / "features.csv");
  for (std::size_t c = 1; c < table.header().size(); ++c) features.add(table.header()[c]);
  features.tell(out);
  return out;
}

}  // namespace cupel
