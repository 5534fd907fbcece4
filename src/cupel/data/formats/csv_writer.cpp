#include "cupel/data/formats/csv_writer.h"

#include <algorithm>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/text_file.h"
#include "cupel/data/formats/text_labels.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// A text that can stand in one field of one line.
bool fits_a_field(const std::string& text) {
  return !text.empty() && text.find_first_of("\r\n") == std::string::npos &&
         text.find('\0') == std::string::npos && decode_utf8(text).has_value();
}

// One text per class, which reading numbers as the classes are.
std::vector<std::string> label_texts(const Dataset& dataset) {
  const std::vector<std::string>& names = dataset.class_names();
  std::vector<std::string> numbers;
  for (std::size_t c = 0; c < names.size(); ++c) numbers.push_back(std::to_string(c));
  if (names.empty() || !std::ranges::all_of(names, fits_a_field)) return numbers;
  Dataset read;
  set_text_labels(read, names, "");
  return read.class_names() == names ? names : numbers;
}

void write_labels(const Dataset& dataset, const fs::path& path) {
  const std::vector<std::string> texts = label_texts(dataset);
  TextFile out(path);
  out.add("node,label\n");
  for (Index i = 0; i < dataset.nodes(); ++i) {
    const Index label = dataset.labels()[static_cast<std::size_t>(i)];
    out.add("{},{}\n", i,
            label == kNoLabel ? "" : csv_quoted(texts[static_cast<std::size_t>(label)]));
  }
  out.finish();
}

void write_edges(const Csr& graph, const fs::path& path) {
  TextFile out(path);
  const bool weighted = !graph.is_pattern();
  out.add("source,target{}\n", weighted ? ",weight" : "");
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      const Index j = graph.columns[static_cast<std::size_t>(at)];
      weighted ? out.add("{},{},{}\n", i, j, graph.value(at)) : out.add("{},{}\n", i, j);
    }
  }
  out.finish();
}

bool is_unit_matrix(const Features& features) {
  const auto* sparse = std::get_if<Csr>(&features);
  if (!sparse || !sparse->is_pattern() || sparse->rows != sparse->cols) return false;
  const Csr unit = identity_features(sparse->rows);
  return sparse->row_ptr == unit.row_ptr && sparse->columns == unit.columns;
}

void write_features(const Features& features, const fs::path& path) {
  TextFile out(path);
  const Index columns = feature_count(features);
  out.add("node");
  for (Index c = 0; c < columns; ++c) out.add(",x{}", c);
  out.add("\n");
  const auto* sparse = std::get_if<Csr>(&features);
  std::vector<float> row(static_cast<std::size_t>(columns));
  const Index nodes = std::visit([](const auto& m) { return m.rows; }, features);
  for (Index i = 0; i < nodes; ++i) {
    if (sparse) {
      std::ranges::fill(row, 0.0f);
      for (Offset at = sparse->row_ptr[i]; at < sparse->row_ptr[i + 1]; ++at)
        row[static_cast<std::size_t>(sparse->columns[static_cast<std::size_t>(at)])] =
            sparse->value(at);
    } else {
      std::copy_n(std::get<Matrix>(features).row(i), columns, row.begin());
    }
    out.add("{}", i);
    for (const float value : row) out.add(",{}", value);
    out.add("\n");
  }
  out.finish();
}

}  // namespace

void write_splits(const std::vector<Split>& splits, const fs::path& path) {
  TextFile out(path);
  out.add("{{\"splits\": [");
  for (std::size_t s = 0; s < splits.size(); ++s) {
    out.add("{}\n{{", s == 0 ? "" : ",");
    const std::pair<const char*, const std::vector<Index>*> parts[] = {
        {"train", &splits[s].train},
        {"valid", &splits[s].valid},
        {"test", &splits[s].test},
        {"stopping", &splits[s].stopping}};
    for (const auto& [name, ids] : parts) {
      if (ids == &splits[s].stopping && ids->empty()) continue;
      out.add("{}\"{}\": [{}]", ids == &splits[s].train ? "" : ", ", name, fmt::join(*ids, ", "));
    }
    out.add("}}");
  }
  out.add("\n]}}\n");
  out.finish();
}

void write_csv_graph(const Dataset& dataset, const fs::path& folder) {
  if (dataset.graphs) throw std::logic_error("a set of graphs is no text graph");
  std::error_code problem;
  fs::create_directory(folder, problem);
  if (problem)
    fail("{}: cannot be made ({}); give another path", folder.string(), problem.message());
  write_edges(dataset.adjacency, folder / "edges.csv");
  if (!is_unit_matrix(dataset.features) && feature_count(dataset.features) > 0)
    write_features(dataset.features, folder / "features.csv");
  if (!dataset.stored_splits.empty()) write_splits(dataset.stored_splits, folder / "splits.json");
  write_labels(dataset, folder / "labels.csv");
}

}  // namespace cupel
