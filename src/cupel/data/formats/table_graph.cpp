#include "cupel/data/formats/table_graph.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/node_graph.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/text_labels.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

using NodeNumbers = std::unordered_map<std::string, Index>;

constexpr std::string_view kIds[] = {"id", "node", "nodeid", "name"};
constexpr std::string_view kLabels[] = {"label", "class", "target", "y"};
constexpr std::pair<std::string_view, std::string_view> kEnds[] = {
    {"source", "target"}, {"src", "dst"}, {"from", "to"},
    {"u", "v"},           {"id1", "id2"}, {"fromnodeid", "tonodeid"}};

// Lower case, without _, - and blanks.
std::string plain(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == '_' || c == '-' || c == ' ') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// The one column with one of these names; the first name that is there decides.
template <std::size_t N>
std::optional<std::size_t> column_of(const CsvReader& csv, const std::string_view (&names)[N]) {
  for (const std::string_view name : names) {
    for (std::size_t c = 0; c < csv.header().size(); ++c) {
      if (plain(csv.header()[c]) == name) return c;
    }
  }
  return std::nullopt;
}

// Places of the two columns of nodes.csv that are no features.
struct NodeColumns {
  std::size_t id, label;
};

NodeColumns node_columns(const CsvReader& csv, const std::string& label_name) {
  const auto id = column_of(csv, kIds);
  auto label = column_of(csv, kLabels);
  if (!label_name.empty()) {
    const auto found = std::ranges::find(csv.header(), label_name);
    if (found == csv.header().end()) {
      csv.fail_here(fmt::format("the header is {}, without the column {} of labels",
                                quoted_list(csv.header()), in_quotes(label_name)));
    }
    label = static_cast<std::size_t>(found - csv.header().begin());
  }
  if (id && label == id) csv.fail_here("the column of ids cannot be that of labels");
  if (!id || !label) {
    csv.fail_here(fmt::format("the header is {} where a column of {} is needed; name one of them",
                              quoted_list(csv.header()),
                              !id ? "ids ('id', 'node', 'node_id' or 'name')"
                                  : "labels ('label', 'class', 'target' or 'y')"));
  }
  return {*id, *label};
}

NodeNumbers read_nodes(const fs::path& path, const std::string& label_name, Dataset& dataset) {
  CsvReader csv(path);
  const auto [id, label] = node_columns(csv, label_name);
  NodeNumbers nodes;
  std::vector<std::string> labels;
  const std::size_t columns = csv.header().size() - 2;
  AlignedVector<float> values;
  while (csv.next()) {
    const std::string_view name = csv.fields()[id];
    if (name.empty()) csv.fail_here("the node has no id; give it one");
    if (static_cast<std::int64_t>(nodes.size()) == kMostRows)
      csv.fail_here(fmt::format("there are more than {} nodes; use a smaller graph", kMostRows));
    if (!nodes.emplace(name, static_cast<Index>(nodes.size())).second)
      csv.fail_here(fmt::format("node {} appears again; give each node one line", in_quotes(name)));
    labels.emplace_back(csv.fields()[label]);
    for (std::size_t c = 0; c < csv.header().size(); ++c) {
      if (c != id && c != label) values.push_back(csv.number(c));
    }
  }
  if (nodes.empty()) fail("{}: names no node; give at least one", path.string());
  set_text_labels(dataset, labels, path.string());
  if (columns == 0) {
    dataset.features = identity_features(static_cast<Index>(nodes.size()));
  } else {
    Matrix features;
    features.rows = static_cast<Index>(nodes.size());
    features.cols = static_cast<Index>(columns);
    features.values = std::move(values);
    dataset.features = std::move(features);
  }
  return nodes;
}

Csr read_edges(const fs::path& path, const NodeNumbers& nodes, Offset& repeats) {
  CsvReader csv(path);
  const std::vector<std::string>& header = csv.header();
  const bool known = header.size() >= 2 && std::ranges::any_of(kEnds, [&](const auto& ends) {
                       return plain(header[0]) == ends.first && plain(header[1]) == ends.second;
                     });
  const bool weighted = header.size() == 3 && plain(header[2]) == "weight";
  if (!known || (header.size() > 2 && !weighted)) {
    csv.fail_here(
        fmt::format("the header is {} where 'source,target' (or src,dst; from,to; u,v; id1,id2) "
                    "and maybe 'weight' are needed",
                    quoted_list(header)));
  }
  std::vector<Index> sources, targets;
  AlignedVector<float> weights;
  const auto node = [&](std::size_t column) {
    const auto found = nodes.find(std::string(csv.fields()[column]));
    if (found == nodes.end()) {
      csv.fail_here(fmt::format("node {} is not in nodes.csv; add it there or correct the id",
                                in_quotes(csv.fields()[column])));
    }
    return found->second;
  };
  while (csv.next()) {
    sources.push_back(node(0));
    targets.push_back(node(1));
    if (weighted) weights.push_back(csv.number(2));
  }
  return arcs_of_pairs(static_cast<Index>(nodes.size()), sources, targets, weights, path.string(),
                       repeats);
}

}  // namespace

bool is_table_graph(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "nodes.csv", ignored) && fs::exists(folder / "edges.csv", ignored) &&
         !fs::exists(folder / "labels.csv", ignored);
}

Dataset read_table_graph(const fs::path& folder, ReadMode, const std::string& label) {
  const fs::path path = folder.has_filename() ? folder : folder.parent_path();
  Dataset dataset;
  dataset.name = path.filename().string();
  const NodeNumbers nodes = read_nodes(path / "nodes.csv", label, dataset);
  dataset.adjacency = read_edges(path / "edges.csv", nodes, dataset.repeated_arcs);
  return dataset;
}

std::vector<std::string> table_graph_left_out(const fs::path& folder, const std::string& label) {
  CsvReader csv(folder / "nodes.csv");
  const NodeColumns columns = node_columns(csv, label);
  NamesLeftOut nodes("nodes"), features("features", "x");
  while (csv.next()) nodes.add(csv.fields()[columns.id]);
  for (std::size_t c = 0; c < csv.header().size(); ++c) {
    if (c != columns.id && c != columns.label) features.add(csv.header()[c]);
  }
  std::vector<std::string> out;
  nodes.tell(out);
  features.tell(out);
  return out;
}

}  // namespace cupel
