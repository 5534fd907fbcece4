#include "cupel/data/formats/tu_writer.h"

#include <fmt/compile.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/data/formats/file.h"

namespace cupel {

std::vector<std::string> tu_label_texts(const Dataset& dataset) {
  std::vector<std::string> texts = dataset.class_names();
  std::int64_t before = 0;
  for (std::size_t c = 0; c < texts.size(); ++c) {
    std::int64_t value = 0;
    const char* const end = texts[c].data() + texts[c].size();
    const auto [at, error] = std::from_chars(texts[c].data(), end, value);
    const bool whole = error == std::errc() && at == end && texts[c] == std::to_string(value);
    if (!whole || (c > 0 && value <= before)) {
      for (std::size_t k = 0; k < texts.size(); ++k) texts[k] = std::to_string(k);
      return texts;
    }
    before = value;
  }
  return texts;
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 20;

// Lines of one file, which appears whole.
class Lines {
 public:
  explicit Lines(const fs::path& path) : file_(path) {}

  template <class... Args>
  void add(Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), std::forward<Args>(args)...);
    if (buffer_.size() >= kBlock) flush();
  }
  void finish() {
    flush();
    file_.commit();
  }

 private:
  void flush() {
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  OutputFile file_;
  fmt::memory_buffer buffer_;
};

void write_numbers(Lines& lines, const Matrix& matrix) {
  for (Index i = 0; i < matrix.rows; ++i) {
    for (Index j = 0; j < matrix.cols; ++j) {
      if (j > 0) lines.add(FMT_COMPILE(", "));
      if (std::isnan(matrix(i, j))) {
        lines.add(FMT_COMPILE("nan"));
      } else {
        lines.add(FMT_COMPILE("{}"), matrix(i, j));
      }
    }
    lines.add(FMT_COMPILE("\n"));
  }
}

Index one_hot_column(const Features& features, Index node, const fs::path& folder) {
  Index column = -1;
  const auto see = [&](Index j, float value) {
    if (value == 0) return;
    if (column >= 0 || value != 1) {
      fail("{}: the features of node {} are not one-hot, and this format holds no others",
           folder.string(), node);
    }
    column = j;
  };
  if (const auto* sparse = std::get_if<Csr>(&features)) {
    for (Offset at = sparse->row_ptr[node]; at < sparse->row_ptr[node + 1]; ++at)
      see(sparse->columns[static_cast<std::size_t>(at)], sparse->value(at));
  } else {
    const auto& dense = std::get<Matrix>(features);
    for (Index j = 0; j < dense.cols; ++j) see(j, dense(node, j));
  }
  if (column < 0) {
    fail("{}: the features of node {} are all 0, and this format needs one-hot ones",
         folder.string(), node);
  }
  return column;
}

}  // namespace

std::vector<Index> tu_node_labels(const Dataset& dataset, const fs::path& folder) {
  std::vector<Index> labels;
  if (feature_count(dataset.features) == 0) return labels;
  for (Index i = 0; i < dataset.nodes(); ++i)
    labels.push_back(one_hot_column(dataset.features, i, folder));
  return labels;
}

namespace {

class Writer {
 public:
  Writer(const Dataset& dataset, const fs::path& folder)
      : data_(dataset), set_(*dataset.graphs), folder_(folder) {
    const fs::path whole = absolute_path(folder).lexically_normal();
    prefix_ = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  }

  void write() {
    if (data_.stored_splits.size() > 1) {
      fail("{}: {} splits are stored with the data, and this format holds one", folder_.string(),
           data_.stored_splits.size());
    }
    if (data_.adjacency.entries() == 0) {
      fail(
          "{}: none of the {} graphs has an edge, and this format holds no such set; keep "
          "it in the format that it has",
          folder_.string(), set_.size());
    }
    const std::vector<Index> node_labels = tu_node_labels(data_, folder_);
    std::error_code error;
    fs::create_directory(folder_, error);
    if (!fs::is_directory(folder_, error)) {
      fail("{}: the folder cannot be made; give a path in a folder that you may write to",
           folder_.string());
    }
    remove_old();
    write_graphs(node_labels);
    write_split();
    write_labels();
  }

 private:
  fs::path path(const char* ending) const { return folder_ / (prefix_ + ending); }

  void remove_old() const {
    for (const char* ending :
         {"_graph_labels.txt", "_A.txt", "_graph_indicator.txt", "_node_labels.txt",
          "_edge_labels.txt", "_node_attributes.txt", "_edge_attributes.txt", "_scaffold_train.txt",
          "_scaffold_valid.txt", "_scaffold_test.txt"}) {
      std::error_code error;
      fs::remove(path(ending), error);
      if (error) fail("{}: cannot be replaced: {}", path(ending).string(), error.message());
    }
  }

  void write_graphs(const std::vector<Index>& node_labels) const {
    Lines arcs(path("_A.txt"));
    for (Index i = 0; i < data_.nodes(); ++i) {
      for (const Index j : data_.adjacency.row_columns(i))
        arcs.add(FMT_COMPILE("{}, {}\n"), i + 1, j + 1);
    }
    arcs.finish();
    Lines indicator(path("_graph_indicator.txt"));
    for (Index g = 0; g < set_.size(); ++g) {
      for (Index i = set_.start[g]; i < set_.start[g + 1]; ++i)
        indicator.add(FMT_COMPILE("{}\n"), g + 1);
    }
    indicator.finish();
    if (!node_labels.empty()) {
      Lines labels(path("_node_labels.txt"));
      for (const Index label : node_labels) labels.add(FMT_COMPILE("{}\n"), label);
      labels.finish();
    }
    for (const auto& [ending, matrix] :
         {std::pair<const char*, const Matrix*>{"_node_attributes.txt", &set_.node_attributes},
          {"_edge_attributes.txt", &set_.arc_attributes}}) {
      if (matrix->cols == 0) continue;
      Lines lines(path(ending));
      write_numbers(lines, *matrix);
      lines.finish();
    }
  }

  void write_split() const {
    if (data_.stored_splits.empty()) return;
    const Split& split = data_.stored_splits[0];
    for (const auto& [ending, ids] :
         {std::pair<const char*, const std::vector<Index>*>{"_scaffold_train.txt", &split.train},
          {"_scaffold_valid.txt", &split.valid},
          {"_scaffold_test.txt", &split.test}}) {
      Lines lines(path(ending));
      for (const Index id : *ids) lines.add(FMT_COMPILE("{}\n"), id);
      lines.finish();
    }
  }

  void write_labels() const {
    Lines lines(path("_graph_labels.txt"));
    if (data_.has_tasks()) {
      write_numbers(lines, data_.task_answers());
    } else {
      const std::vector<std::string> texts = tu_label_texts(data_);
      for (const Index label : data_.labels())
        lines.add(FMT_COMPILE("{}\n"), texts[static_cast<std::size_t>(label)]);
    }
    lines.finish();
  }

  const Dataset& data_;
  const GraphSet& set_;
  const fs::path folder_;
  std::string prefix_;
};

}  // namespace

void write_tu_dataset(const Dataset& dataset, const fs::path& folder) {
  if (!dataset.graphs) throw std::logic_error("write_tu_dataset: no set of graphs");
  Writer(dataset, folder).write();
}

}  // namespace cupel
