#include "cupel/data/export/set_tables.h"

#include <cmath>

#include "cupel/data/formats/csv_writer.h"
#include "cupel/data/formats/text_file.h"
#include "cupel/data/formats/tu_writer.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

void add_names(TextFile& out, const char* name, Index columns) {
  for (Index c = 0; c < columns; ++c) out.add(",{}{}", name, c);
  out.add("\n");
}

void add_row(TextFile& out, const Matrix& matrix, Index row) {
  for (Index c = 0; c < matrix.cols; ++c) {
    if (std::isnan(matrix(row, c)))
      out.add(",");
    else
      out.add(",{}", matrix(row, c));
  }
  out.add("\n");
}

void write_graphs(const Dataset& dataset, const fs::path& path) {
  TextFile out(path);
  if (dataset.has_tasks()) {
    const Matrix& answers = dataset.task_answers();
    out.add("graph");
    add_names(out, "task", answers.cols);
    for (Index g = 0; g < answers.rows; ++g) {
      out.add("{}", g);
      add_row(out, answers, g);
    }
  } else {
    const std::vector<std::string> texts = tu_label_texts(dataset);
    out.add("graph,label\n");
    for (std::size_t g = 0; g < dataset.labels().size(); ++g)
      out.add("{},{}\n", g, texts[static_cast<std::size_t>(dataset.labels()[g])]);
  }
  out.finish();
}

void write_nodes(const Dataset& dataset, const fs::path& path) {
  const GraphSet& set = *dataset.graphs;
  const std::vector<Index> labels = tu_node_labels(dataset, path.parent_path());
  TextFile out(path);
  out.add("node,graph{}", labels.empty() ? "" : ",label");
  add_names(out, "a", set.node_attributes.cols);
  for (Index g = 0; g < set.size(); ++g) {
    const auto at = static_cast<std::size_t>(g);
    for (Index i = set.start[at]; i < set.start[at + 1]; ++i) {
      out.add("{},{}", i, g);
      if (!labels.empty()) out.add(",{}", labels[static_cast<std::size_t>(i)]);
      add_row(out, set.node_attributes, i);
    }
  }
  out.finish();
}

void write_arcs(const Dataset& dataset, const fs::path& path) {
  const Csr& graph = dataset.adjacency;
  const Matrix& attributes = dataset.graphs->arc_attributes;
  TextFile out(path);
  out.add("source,target");
  add_names(out, "a", attributes.cols);
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      out.add("{},{}", i, graph.columns[static_cast<std::size_t>(at)]);
      add_row(out, attributes, static_cast<Index>(at));
    }
  }
  out.finish();
}

}  // namespace

void write_set_tables(const Dataset& dataset, const fs::path& folder) {
  write_graphs(dataset, folder / "graphs.csv");
  write_nodes(dataset, folder / "nodes.csv");
  write_arcs(dataset, folder / "arcs.csv");
  if (!dataset.stored_splits.empty()) write_splits(dataset.stored_splits, folder / "splits.json");
}

}  // namespace cupel
