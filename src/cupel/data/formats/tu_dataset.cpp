#include "cupel/data/formats/tu_dataset.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/tu_arcs.h"
#include "cupel/data/formats/tu_one_hot.h"
#include "cupel/data/formats/tu_rows.h"

namespace cupel {
namespace {

using tu::OneHot;
using tu::Table;

const std::string kArcs = "_A.txt", kIndicator = "_graph_indicator.txt",
                  kGraphLabels = "_graph_labels.txt";

[[noreturn]] void wrong_rows(const std::string& file, Index rows, Index wanted, const char* what,
                             const std::string& other) {
  fail("{}: has {} rows for the {} {} of {}; get both files again", file, rows, wanted, what,
       other);
}

// ---- nodes --------------------------------------------------------------------------------------

// The nodes of each graph, together and in order.
struct Nodes {
  std::vector<Index> start;  // graphs + 1
  std::vector<Index> graph;  // per node of the file
  std::vector<Index> place;  // per node of the file: its number; empty if that is the file's

  Index count() const { return static_cast<Index>(graph.size()); }
  Index place_of(Index i) const { return place.empty() ? i : place[static_cast<std::size_t>(i)]; }
};

Nodes read_nodes(const TuFiles& files, Index graphs) {
  LineBlocks text = files.open(kIndicator);
  Nodes out;
  tu::for_each_row(text, [&](const char* p, std::uint64_t line) {
    const char* const field = p;
    std::uint64_t graph = 0;
    if (!tu::take_natural(p, graph) || *(p = tu::skip_blanks(p)) != '\n') {
      text.fail_at(line, fmt::format("{} is no number of a graph; give each node one graph",
                                     in_quotes(tu::line_at(field))));
    }
    if (graph < 1 || graph > static_cast<std::uint64_t>(graphs)) {
      text.fail_at(line,
                   fmt::format("graph {} is not one of 1 to {}, the graphs of {}; get both "
                               "files again",
                               in_quotes(tu::line_at(field)), graphs, files.name(kGraphLabels)));
    }
    out.graph.push_back(static_cast<Index>(graph - 1));
    return p;
  });
  out.start.assign(static_cast<std::size_t>(graphs) + 1, 0);
  for (const Index g : out.graph) ++out.start[static_cast<std::size_t>(g) + 1];
  for (std::size_t g = 1; g < out.start.size(); ++g) out.start[g] += out.start[g - 1];
  if (!std::is_sorted(out.graph.begin(), out.graph.end())) {
    std::vector<Index> next(out.start.begin(), out.start.end() - 1);
    out.place.reserve(out.graph.size());
    for (const Index g : out.graph) out.place.push_back(next[static_cast<std::size_t>(g)]++);
  }
  return out;
}

// One-hot rows as a pattern.
Csr node_labels(const TuFiles& files, const Nodes& nodes) {
  Csr out;
  out.rows = nodes.count();
  out.row_ptr.assign(static_cast<std::size_t>(out.rows) + 1, 0);
  std::optional<LineBlocks> text = files.find("_node_labels.txt");
  if (!text) return out;
  const OneHot labels = tu::one_hot(tu::read_whole_numbers(*text), text->name());
  if (labels.rows != out.rows) {
    wrong_rows(text->name(), labels.rows, out.rows, "nodes", files.name(kIndicator));
  }
  out.cols = labels.width;
  out.columns.resize(labels.codes.size());
  for (Index i = 0; i < out.rows; ++i) {
    const Offset each = labels.columns;
    std::copy_n(labels.row(i), each, out.columns.begin() + each * nodes.place_of(i));
    out.row_ptr[i + 1] = each * (i + 1);
  }
  return out;
}

Matrix node_attributes(const TuFiles& files, const Nodes& nodes) {
  std::optional<LineBlocks> text = files.find("_node_attributes.txt");
  if (!text) return Matrix(nodes.count(), 0);
  const Table<float> table = tu::read_floats(*text);
  if (table.rows != nodes.count()) {
    wrong_rows(text->name(), table.rows, nodes.count(), "nodes", files.name(kIndicator));
  }
  Matrix out(table.rows, table.columns);
  for (Index i = 0; i < table.rows; ++i) {
    std::copy_n(table.row(i), table.columns, out.row(nodes.place_of(i)));
  }
  return out;
}

// ---- arcs ---------------------------------------------------------------------------------------

// Says what is wrong with a line of two nodes.
[[noreturn]] void refuse_arc(const LineBlocks& text, std::uint64_t line, const char* row,
                             const Nodes& nodes, const TuFiles& files) {
  std::uint64_t ends[2] = {};
  const char* p = row;
  for (int side = 0; side < 2; ++side) {
    p = tu::skip_blanks(p);
    const char* const field = p;
    const bool taken = tu::take_natural(p, ends[side]);
    p = tu::skip_blanks(p);
    if (!taken || *p != (side == 0 ? ',' : '\n')) {
      text.fail_at(line, fmt::format("{} is no arc; write the numbers of two nodes with a comma "
                                     "between them",
                                     in_quotes(tu::line_at(row))));
    }
    if (ends[side] < 1 || ends[side] > static_cast<std::uint64_t>(nodes.count())) {
      text.fail_at(
          line, fmt::format("node {} is not one of 1 to {}, the nodes of {}; get both "
                            "files again",
                            in_quotes(tu::field_at(field)), nodes.count(), files.name(kIndicator)));
    }
    ++p;
  }
  text.fail_at(line, fmt::format("joins node {} of graph {} to node {} of graph {}; an edge must "
                                 "stay within its graph",
                                 ends[0], nodes.graph[ends[0] - 1] + 1, ends[1],
                                 nodes.graph[ends[1] - 1] + 1));
}

// Nothing if the arcs do not come graph after graph, and that was asked for.
std::optional<tu::SimpleGraph> try_read_arcs(const TuFiles& files, const Nodes& nodes,
                                             bool with_origin, tu::GraphsBuilder::Order order,
                                             Index& lines) {
  LineBlocks text = files.open(kArcs);
  tu::GraphsBuilder builder(nodes.start, with_origin, order);
  const auto count = static_cast<std::uint64_t>(nodes.count());
  const Index* const graph = nodes.graph.data();
  bool in_order = true, expected = false;
  const std::uint64_t rows = tu::for_each_row(text, [&](const char* p, std::uint64_t line) {
    const char* const row = p;
    std::uint64_t u = 0, v = 0;
    // Numbers count from 1: 0 becomes the largest one.
    const bool good = tu::take_natural(p, u) && *(p = tu::skip_blanks(p)) == ',' &&
                      (p = tu::skip_blanks(p + 1), tu::take_natural(p, v)) &&
                      *(p = tu::skip_blanks(p)) == '\n' && u - 1 < count && v - 1 < count &&
                      graph[u - 1] == graph[v - 1];
    if (!good) refuse_arc(text, line, row, nodes, files);
    const Edge arc{nodes.place_of(static_cast<Index>(u - 1)),
                   nodes.place_of(static_cast<Index>(v - 1))};
    in_order = in_order && builder.add(graph[u - 1], arc);
    if (!expected && builder.finished_arcs() > 0) {
      expected = true;
      builder.expect(1.1 * double(text.bytes()) / double(text.passed()));
    }
    return p;
  });
  lines = static_cast<Index>(rows);
  if (!in_order) return std::nullopt;
  return builder.finish();
}

tu::SimpleGraph read_arcs(const TuFiles& files, const Nodes& nodes, bool with_origin,
                          Index& lines) {
  using Order = tu::GraphsBuilder::Order;
  auto graph = try_read_arcs(files, nodes, with_origin, Order::kByGraph, lines);
  if (!graph) graph = try_read_arcs(files, nodes, with_origin, Order::kAny, lines);
  return *std::move(graph);
}

// What the lines of arcs carry: one-hot labels, then attributes.
struct ArcColumns {
  OneHot labels;
  Table<float> attributes;

  bool any() const { return labels.width + attributes.columns > 0; }
};

ArcColumns read_arc_columns(const TuFiles& files) {
  ArcColumns out;
  if (auto text = files.find("_edge_labels.txt")) {
    out.labels = tu::one_hot(tu::read_whole_numbers(*text), text->name());
  }
  if (auto text = files.find("_edge_attributes.txt")) out.attributes = tu::read_floats(*text);
  return out;
}

void check_arc_rows(const TuFiles& files, const ArcColumns& columns, Index arcs) {
  if (columns.labels.width > 0 && columns.labels.rows != arcs) {
    wrong_rows(files.name("_edge_labels.txt"), columns.labels.rows, arcs, "arcs",
               files.name(kArcs));
  }
  if (columns.attributes.columns > 0 && columns.attributes.rows != arcs) {
    wrong_rows(files.name("_edge_attributes.txt"), columns.attributes.rows, arcs, "arcs",
               files.name(kArcs));
  }
}

Matrix arc_attributes(const ArcColumns& columns, const tu::SimpleGraph& graph, Offset lines,
                      const TuFiles& files) {
  const Offset entries = graph.adjacency.entries();
  const Offset width = Offset{columns.labels.width} + columns.attributes.columns;
  if (entries > std::numeric_limits<Index>::max()) {
    fail("{}: has {} arcs, at most {} are possible; use a smaller data set", files.name(kArcs),
         entries, std::numeric_limits<Index>::max());
  }
  // One-hot labels are many numbers of few bytes: that many are free, or for each line of arcs.
  constexpr Offset kFree = Offset{1} << 24;
  constexpr Offset kMostPerLine = 256;
  const Offset most = std::max(kFree, kMostPerLine * lines);
  if (entries * columns.labels.width > most) {
    fail(
        "{}: {} different edge labels of {} arcs would be a column of zeros and ones each, at most "
        "{} are read of so many arcs; leave out the file of edge labels",
        files.name("_edge_labels.txt"), columns.labels.width, entries, most / entries);
  }
  Matrix out(static_cast<Index>(entries), static_cast<Index>(width));
  if (width == 0) return out;
  for (Index e = 0; e < out.rows; ++e) {
    const Index row = graph.origin[static_cast<std::size_t>(e)];
    float* to = out.row(e);
    for (Index c = 0; c < columns.labels.columns; ++c) to[columns.labels.row(row)[c]] = 1.0f;
    std::copy_n(columns.attributes.row(row), columns.attributes.columns, to + columns.labels.width);
  }
  return out;
}

// ---- graphs -------------------------------------------------------------------------------------

void set_classes(Dataset& dataset, const Table<double>& table) {
  std::vector<double> classes(table.values);
  sort_unique(classes);
  for (const double c : classes) {
    dataset.class_names().push_back(fmt::format("{}", static_cast<std::int64_t>(c)));
  }
  for (const double v : table.values) {
    dataset.labels().push_back(
        static_cast<Index>(std::ranges::lower_bound(classes, v) - classes.begin()));
  }
}

void set_tasks(Dataset& dataset, const Table<double>& table, const LineBlocks& text) {
  dataset.target = BinaryTasks{Matrix(table.rows, table.columns)};
  Matrix& answers = dataset.task_answers();
  for (Index g = 0; g < table.rows; ++g) {
    for (Index t = 0; t < table.columns; ++t) {
      const double v = table.row(g)[t];
      if (v != 0 && v != 1 && !std::isnan(v)) {
        text.fail_at(static_cast<std::uint64_t>(g) + 1,
                     fmt::format("{} is a label of a set with several tasks or unknown labels, "
                                 "where only 0, 1 and nan are possible; correct it",
                                 static_cast<std::int64_t>(v)));
      }
      answers(g, t) = static_cast<float>(v);
    }
  }
}

Index read_graph_labels(const TuFiles& files, Dataset& dataset) {
  LineBlocks text = files.open(kGraphLabels);
  const Table<double> table = tu::read_labels(text);
  const bool all_known = std::ranges::none_of(table.values, [](double v) { return std::isnan(v); });
  if (table.columns == 1 && all_known) {
    set_classes(dataset, table);
  } else {
    set_tasks(dataset, table, text);
  }
  return table.rows;
}

void read_scaffold_split(const TuFiles& files, ReadMode mode, Dataset& dataset) {
  Split split;
  const std::pair<const char*, std::vector<Index>*> parts[] = {
      {"train", &split.train}, {"valid", &split.valid}, {"test", &split.test}};
  std::vector<std::string> absent;
  for (const auto& [name, ids] : parts) {
    const std::string ending = fmt::format("_scaffold_{}.txt", name);
    std::optional<LineBlocks> text = files.find_beside(ending);
    if (!text) {
      absent.push_back(files.prefix() + ending);
      continue;
    }
    const Table<std::int64_t> table = tu::read_whole_numbers(*text);
    for (std::size_t k = 0; k < table.values.size(); ++k) {
      const std::int64_t id = table.values[k];
      if (table.columns == 1 && id >= 0 && id < dataset.examples()) {
        ids->push_back(static_cast<Index>(id));
        continue;
      }
      text->fail_at(k / static_cast<std::size_t>(table.columns) + 1,
                    fmt::format("graph {} is not one of 0 to {}; give one graph in each line", id,
                                dataset.examples() - 1));
    }
  }
  if (absent.size() == std::size(parts)) return;
  if (!absent.empty()) {
    fail("{}: the stored split lacks {}; give all three parts or none",
         files.name("_scaffold_*.txt"), quoted_list(absent));
  }
  std::ranges::sort(split.test);
  if (mode == ReadMode::kForUse) check_split(dataset, split, files.name("_scaffold_*.txt"));
  dataset.stored_splits.push_back(std::move(split));
}

}  // namespace

Dataset read_tu_dataset(const TuFiles& files, ReadMode mode) {
  Dataset dataset;
  dataset.name = files.prefix();
  const Index graphs = read_graph_labels(files, dataset);
  const Nodes nodes = read_nodes(files, graphs);
  dataset.features = node_labels(files, nodes);
  GraphSet set;
  set.start = nodes.start;
  set.node_attributes = node_attributes(files, nodes);

  const ArcColumns columns = read_arc_columns(files);
  Index lines = 0;
  tu::SimpleGraph graph = read_arcs(files, nodes, columns.any(), lines);
  check_arc_rows(files, columns, lines);
  set.arc_attributes = arc_attributes(columns, graph, lines, files);
  set.dropped_loops = graph.loops;
  dataset.repeated_arcs = graph.repeats;
  dataset.adjacency = std::move(graph.adjacency);
  dataset.graphs = std::move(set);
  read_scaffold_split(files, mode, dataset);
  return dataset;
}

std::vector<std::string> tu_left_out(const TuFiles& files) {
  std::vector<std::string> out;
  if (auto text = files.find("_node_labels.txt")) {
    const Table<std::int64_t> table = tu::read_whole_numbers(*text);
    for (Index c = 0; c < table.columns; ++c) {
      std::vector<std::int64_t> values;
      for (Index i = 0; i < table.rows; ++i) values.push_back(table.row(i)[c]);
      sort_unique(values);
      if (values.front() == 0 && values.back() == std::ssize(values) - 1) continue;
      const auto shown = std::min<std::size_t>(values.size(), 5);
      out.push_back(fmt::format(
          "the values of its node labels ({}{}), which are numbered from 0",
          fmt::join(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
          values.size() > shown ? ", ..." : ""));
    }
  }
  if (files.find("_edge_labels.txt"))
    out.push_back("labels of edges, which are attributes of 0 and 1");
  return out;
}

}  // namespace cupel
