#include "cupel/data/formats/ogb_dataset.h"

#include <optional>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/graph_union.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/formats/number_table.h"
#include "cupel/data/formats/ogb_splits.h"
#include "cupel/data/formats/parts.h"

namespace cupel {
namespace {

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// What either layout holds.
struct Raw {
  EdgeRows edges;
  std::optional<Matrix> node_features, edge_features;
  Matrix labels;
  std::string counts_name, edges_name, node_features_name, edge_features_name, labels_name;
  std::uint64_t bytes = 0;  // of the files of counts and edges

  Index graphs() const { return static_cast<Index>(edges.start.size()) - 1; }
};

// Sums from 0; `what` names a number that is negative or makes the sum too large.
template <class T>
std::vector<T> running_sums(const std::vector<std::int64_t>& counts, const std::string& where,
                            const char* what) {
  std::vector<T> out = {0};
  std::int64_t sum = 0;
  for (std::size_t g = 0; g < counts.size(); ++g) {
    if (counts[g] < 0 || counts[g] > kMostRows - sum) {
      fail("{}: graph {} has {} {}; all graphs together may have 0 to {}", where, g, counts[g],
           what, kMostRows);
    }
    out.push_back(static_cast<T>(sum += counts[g]));
  }
  return out;
}

void set_counts(Raw& raw, const std::vector<std::int64_t>& nodes, const std::string& nodes_name,
                const std::vector<std::int64_t>& edges, const std::string& edges_name) {
  if (nodes.empty()) fail("{}: lists no graph", nodes_name);
  if (nodes.size() != edges.size()) {
    fail("{}: lists {} graphs where {} lists {}; give the same graphs in both", edges_name,
         edges.size(), nodes_name, nodes.size());
  }
  if (nodes.size() > kMostRows) {
    fail("{}: lists {} graphs, at most {} are possible", nodes_name, nodes.size(), kMostRows);
  }
  raw.edges.start = running_sums<Index>(nodes, nodes_name, "nodes");
  raw.edges.row_start = running_sums<Offset>(edges, edges_name, "edges");
}

// The graphs' edge rows, one by one.
class EdgeSink {
 public:
  explicit EdgeSink(EdgeRows& edges) : edges_(edges) {}
  // Returns what is wrong with the row, or nothing and takes it.
  std::optional<std::string> add(std::int64_t source, std::int64_t target) {
    const Offset wanted = edges_.row_start.back();
    const auto row = static_cast<Offset>(edges_.rows.size());
    if (row >= wanted) return fmt::format("is one more than the {} edges of all graphs", wanted);
    while (edges_.row_start[graph_ + 1] <= row) ++graph_;
    const Index first = edges_.start[graph_], nodes = edges_.start[graph_ + 1] - first;
    for (const std::int64_t node : {source, target}) {
      if (node < 0 || node >= nodes)
        return fmt::format("node {} is not in graph {}, whose {} nodes are numbered from 0", node,
                           graph_, nodes);
    }
    edges_.rows.push_back({first + static_cast<Index>(source), first + static_cast<Index>(target)});
    return std::nullopt;
  }

 private:
  EdgeRows& edges_;
  std::size_t graph_ = 0;
};

std::vector<std::int64_t> read_counts(const std::filesystem::path& path) {
  std::vector<std::int64_t> out;
  read_integer_rows(path, 1,
                    [&](LineReader&, std::span<const std::int64_t> row) { out.push_back(row[0]); });
  return out;
}

Raw read_csv_layout(const std::filesystem::path& folder) {
  Raw raw;
  const auto nodes = ogb_table(folder, "num-node-list"), edges = ogb_table(folder, "num-edge-list");
  set_counts(raw, read_counts(nodes), nodes.string(), read_counts(edges), edges.string());
  const auto rows = ogb_table(folder, "edge");
  raw.counts_name = nodes.string();
  for (const auto& path : {nodes, edges, rows}) raw.bytes += InputFile(path).size();
  raw.edges_name = rows.string();
  EdgeSink sink(raw.edges);
  read_integer_rows(rows, 2, [&](LineReader& reader, std::span<const std::int64_t> row) {
    if (const auto problem = sink.add(row[0], row[1])) reader.fail_here(*problem);
  });
  const auto features = [&](const char* stem, std::optional<Matrix>& out, std::string& name) {
    const auto path = ogb_table(folder, stem);
    name = path.string();
    if (is_there(path)) out = read_number_table(path, Gaps::kRefused);
  };
  features("node-feat", raw.node_features, raw.node_features_name);
  features("edge-feat", raw.edge_features, raw.edge_features_name);
  const auto labels = ogb_table(folder, "graph-label");
  raw.labels_name = labels.string();
  raw.labels = read_number_table(labels, Gaps::kUnknown);
  return raw;
}

Raw read_npz_layout(const std::filesystem::path& folder) {
  Raw raw;
  const NpzFile file(folder / "data.npz");
  set_counts(raw, to_integers(file.read("num_nodes_list")), file.where("num_nodes_list"),
             to_integers(file.read("num_edges_list")), file.where("num_edges_list"));
  raw.counts_name = file.where("num_nodes_list");
  raw.edges_name = file.where("edge_index");
  raw.bytes = InputFile(folder / "data.npz").size();
  const NpyArray index = file.read("edge_index");
  if (index.shape.size() != 2 || index.shape[0] != 2) {
    fail("{}: has the shape ({}); it needs two rows, sources and targets", index.where,
         fmt::join(index.shape, ", "));
  }
  const std::vector<std::int64_t> ends = to_integers(index);
  const std::size_t rows = ends.size() / 2;
  EdgeSink sink(raw.edges);
  for (std::size_t i = 0; i < rows; ++i) {
    if (const auto problem = sink.add(ends[i], ends[rows + i]))
      fail("{}: column {}: {}", index.where, i, *problem);
  }
  const auto features = [&](const char* key, std::optional<Matrix>& out, std::string& name) {
    name = file.where(key);
    if (file.has(key)) out = read_dense(file, key);
  };
  features("node_feat", raw.node_features, raw.node_features_name);
  features("edge_feat", raw.edge_features, raw.edge_features_name);
  const NpzFile labels(folder / "graph-label.npz");
  raw.labels_name = labels.where("graph_label");
  raw.labels = label_table(labels.read("graph_label"));
  return raw;
}

void check_rows(const std::optional<Matrix>& table, std::int64_t wanted, const std::string& where,
                const char* what) {
  if (!table || table->rows == wanted) return;
  fail("{}: has {} rows for {} {}; give one for each", where, table->rows, wanted, what);
}

}  // namespace

bool is_ogb_folder(const std::filesystem::path& folder) {
  const auto raw = folder / "raw";
  return is_there(raw / "data.npz") || is_there(ogb_table(raw, "edge"));
}

Dataset read_ogb_dataset(const std::filesystem::path& folder, ReadMode mode) {
  const std::filesystem::path path = folder.has_filename() ? folder : folder.parent_path();
  const std::filesystem::path files = path / "raw";
  Raw raw = is_there(ogb_table(files, "edge")) ? read_csv_layout(files) : read_npz_layout(files);
  if (static_cast<Offset>(raw.edges.rows.size()) != raw.edges.row_start.back()) {
    fail("{}: has {} rows where the graphs have {} edges; one of the files is cut off",
         raw.edges_name, raw.edges.rows.size(), raw.edges.row_start.back());
  }
  check_rows(raw.node_features, raw.edges.start.back(), raw.node_features_name, "nodes");
  if (!raw.node_features || raw.node_features->cols == 0) {
    check_claim(raw.counts_name, raw.edges.start.back(), "nodes", raw.bytes);
  }
  check_rows(raw.edge_features, raw.edges.row_start.back(), raw.edge_features_name, "edges");
  if (raw.edge_features) raw.edges.attributes = &*raw.edge_features;
  Dataset dataset;
  dataset.name = path.filename().string();
  set_graphs(dataset, raw.edges, raw.edges_name);
  if (raw.node_features) dataset.graphs->node_attributes = std::move(*raw.node_features);
  set_graph_labels(dataset, raw.labels, raw.labels_name);
  dataset.stored_splits = read_ogb_splits(path / "split", raw.graphs(), "graph");
  if (mode == ReadMode::kForUse) {
    for (std::size_t s = 0; s < dataset.stored_splits.size(); ++s) {
      check_split(dataset, dataset.stored_splits[s],
                  fmt::format("{}: split {}", (path / "split").string(), s));
    }
  }
  return dataset;
}

}  // namespace cupel
