#include "cupel/data/formats/planetoid.h"

#include <algorithm>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/line_reader.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/pickle_arrays.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr Index kValidNodes = 500;
constexpr const char* kKinds[] = {"x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"};

fs::path file_of(const fs::path& stem, const char* kind) { return stem.string() + "." + kind; }

Csr sparse_of(const Matrix& dense) {
  Csr out;
  out.rows = dense.rows;
  out.cols = dense.cols;
  for (Index i = 0; i < dense.rows; ++i) {
    for (Index c = 0; c < dense.cols; ++c) {
      if (dense(i, c) == 0) continue;
      out.columns.push_back(c);
      out.values.push_back(dense(i, c));
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Csr read_matrix(const fs::path& stem, const char* kind) {
  const fs::path path = file_of(stem, kind);
  const Pickle pickle(path.string(), read_text_file(path));
  if (is_pickled_csr(pickle.root())) return pickled_csr(pickle.root(), pickle.where());
  if (is_pickled_array(pickle.root()))
    return sparse_of(make_dense(pickled_array(pickle.root(), pickle.where())));
  fail("{}: is {} where a SciPy csr_matrix or a numpy array is needed", pickle.where(),
       describe(pickle.root()));
}

std::vector<Index> read_test_index(const fs::path& path) {
  LineReader reader(path);
  std::vector<Index> out;
  for (std::string_view line; reader.next(line);) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    Index id = -1;
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), id);
    if (problem != std::errc() || end != line.data() + line.size() || id < 0)
      reader.fail_here(in_quotes(line) + " is no number of a node");
    out.push_back(id);
  }
  if (out.empty()) fail("{}: names no test node", path.string());
  return out;
}

// Which row of allx, or of tx (from `all` on), each node is; -1 for none.
std::vector<std::int64_t> rows_of_nodes(const std::vector<Index>& test, Index all, Index tested,
                                        const fs::path& path) {
  if (static_cast<std::size_t>(tested) != test.size()) {
    fail("{}: names {} nodes where tx has {} rows; give one for each", path.string(), test.size(),
         tested);
  }
  const auto [least, most] = std::ranges::minmax_element(test);
  // The nodes that are tested follow the others, maybe with some missing between them.
  const std::int64_t nodes = std::int64_t{*most} + 1;
  if (*least < all || nodes > std::int64_t{all} + 2 * std::int64_t{tested} + 1000) {
    fail("{}: names nodes {} to {}, where allx has the nodes below {} and tx {} more",
         path.string(), *least, *most, all, tested);
  }
  std::vector<std::int64_t> out(static_cast<std::size_t>(nodes), -1);
  for (Index i = 0; i < all; ++i) out[static_cast<std::size_t>(i)] = i;
  for (std::size_t k = 0; k < test.size(); ++k) {
    std::int64_t& row = out[static_cast<std::size_t>(test[k])];
    if (row >= 0) fail("{}: names node {} twice", path.string(), test[k]);
    row = all + static_cast<std::int64_t>(k);
  }
  return out;
}

// The rows of `first` and then of `second`, brought into the order of the nodes.
Csr joined(const Csr& first, const Csr& second, const std::vector<std::int64_t>& rows) {
  Csr out;
  out.rows = static_cast<Index>(rows.size());
  out.cols = first.cols;
  const bool pattern = first.is_pattern() && second.is_pattern();
  for (const std::int64_t row : rows) {
    if (row >= 0) {
      const Csr& from = row < first.rows ? first : second;
      const auto i = static_cast<Index>(row < first.rows ? row : row - first.rows);
      for (Offset at = from.row_ptr[i]; at < from.row_ptr[i + 1]; ++at) {
        out.columns.push_back(from.columns[static_cast<std::size_t>(at)]);
        if (!pattern) out.values.push_back(from.value(at));
      }
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Csr read_graph(const fs::path& path, Index nodes, Offset& repeats) {
  const Pickle pickle(path.string(), read_text_file(path));
  const std::string& where = pickle.where();
  // collections.defaultdict has its items where a dict has them.
  const PickleNode* dict = node_of(pickle.root(), PickleNode::Kind::kDict);
  if (!dict) dict = record_of(pickle.root(), "collections.defaultdict");
  if (!dict) {
    fail("{}: is {} where a dict of lists is needed", where, describe(pickle.root()));
  }
  const auto node = [&](const PickleValue& value) {
    if (value.is_integer() && value.integer >= 0 && value.integer < nodes)
      return static_cast<Index>(value.integer);
    fail("{}: {} is not one of the {} nodes, which are numbered from 0", where, describe(value),
         nodes);
  };
  std::vector<Edge> edges;
  for (std::size_t i = 0; i + 1 < dict->items.size(); i += 2) {
    const Index source = node(dict->items[i]);
    const PickleNode* list = node_of(dict->items[i + 1], PickleNode::Kind::kList);
    if (!list) {
      fail("{}: node {} has {} where a list of neighbours is needed", where, source,
           describe(dict->items[i + 1]));
    }
    // An entry takes a byte at least, unless lists are shared to make much of little.
    if (edges.size() + list->items.size() > pickle.size())
      fail("{}: its lists have more entries than its {} bytes", where, pickle.size());
    for (const PickleValue& target : list->items) edges.push_back({source, node(target)});
  }
  Csr out = from_edges(nodes, edges, std::vector<float>(edges.size(), 1.0f));
  repeats = static_cast<Offset>(edges.size()) - out.entries();
  return out;
}

void check_same(const fs::path& stem, const char* a, std::int64_t of_a, const char* b,
                std::int64_t of_b, const char* what) {
  if (of_a == of_b) return;
  fail("{}: has {} {} where {} has {}; get the files again", file_of(stem, a).string(), of_a, what,
       file_of(stem, b).filename().string(), of_b);
}

std::optional<fs::path> stem_with(const fs::path& path, const char* kind) {
  const std::string name = path.filename().string(), end = std::string(".") + kind;
  if (!name.starts_with("ind.") || !name.ends_with(end) || name.size() <= 4 + end.size())
    return std::nullopt;
  return path.parent_path() / name.substr(0, name.size() - end.size());
}

}  // namespace

std::optional<fs::path> planetoid_stem_of_file(const fs::path& path) {
  for (const char* kind : kKinds) {
    if (auto stem = stem_with(path, kind)) return stem;
  }
  return std::nullopt;
}

std::optional<fs::path> planetoid_stem(const fs::path& folder) {
  std::optional<fs::path> found;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const std::optional<fs::path> stem = stem_with(at->path(), "graph");
    if (!stem) continue;
    if (found) {
      fail("{}: the folder has {} and {}; give the path of the file ind.NAME.graph to read",
           folder.string(), std::min(*found, *stem).filename().string(),
           std::max(*found, *stem).filename().string());
    }
    found = stem;
  }
  return found;
}

Dataset read_planetoid(const fs::path& stem, ReadMode mode) {
  const Csr x = read_matrix(stem, "x"), tx = read_matrix(stem, "tx"),
            allx = read_matrix(stem, "allx");
  const Csr y = read_matrix(stem, "y"), ty = read_matrix(stem, "ty"),
            ally = read_matrix(stem, "ally");
  check_same(stem, "tx", tx.cols, "allx", allx.cols, "features");
  check_same(stem, "ty", ty.cols, "ally", ally.cols, "classes");
  check_same(stem, "y", y.rows, "x", x.rows, "rows");
  check_same(stem, "ty", ty.rows, "tx", tx.rows, "rows");
  check_same(stem, "ally", ally.rows, "allx", allx.rows, "rows");
  if (x.rows > allx.rows)
    fail("{}: has {} rows, more than allx with {}", file_of(stem, "x").string(), x.rows, allx.rows);

  const fs::path index = file_of(stem, "test.index");
  std::vector<Index> test = read_test_index(index);
  const auto rows = rows_of_nodes(test, allx.rows, tx.rows, index);

  Dataset dataset;
  dataset.name = stem.filename().string().substr(4);
  const fs::path graph = file_of(stem, "graph");
  dataset.adjacency = read_graph(graph, static_cast<Index>(rows.size()), dataset.repeated_arcs);
  Csr features = joined(allx, tx, rows);
  check_features(features, dataset.nodes(), file_of(stem, "allx").string(), mode);
  dataset.features = std::move(features);
  const std::string ally_name = file_of(stem, "ally").string();
  set_labels(dataset, one_hot_columns(joined(ally, ty, rows), ally_name), {}, ally_name);

  Split split;
  const Index valid_end = std::min(allx.rows, x.rows + kValidNodes);
  for (Index i = 0; i < x.rows; ++i) split.train.push_back(i);
  for (Index i = x.rows; i < valid_end; ++i) split.valid.push_back(i);
  std::ranges::sort(test);
  split.test = std::move(test);
  if (mode == ReadMode::kForUse)
    check_split(dataset, split,
                fmt::format("{}: the split of x, allx and test.index", stem.string()));
  dataset.stored_splits.push_back(std::move(split));
  return dataset;
}

}  // namespace cupel
