// What every reader promises of what it returns. A promise that is broken ends the process, which
// is how a fuzzer learns of it.
#pragma once

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel::fuzz {

inline void demand(bool holds, const char* promise) {
  if (holds) return;
  std::cerr << "broken promise: " << promise << std::endl;
  std::abort();
}

inline void check_csr(const Csr& m) {
  demand(m.row_ptr.size() == static_cast<std::size_t>(m.rows) + 1 && m.row_ptr[0] == 0,
         "a matrix has a start for each row");
  demand(m.entries() == static_cast<Offset>(m.columns.size()), "starts end with the entries");
  demand(m.values.empty() || m.values.size() == m.columns.size(), "a value for each entry");
  for (Index i = 0; i < m.rows; ++i) {
    demand(m.row_ptr[i] <= m.row_ptr[i + 1], "starts ascend");
    for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
      demand(m.columns[at] >= 0 && m.columns[at] < m.cols, "columns are in range");
      demand(at == m.row_ptr[i] || m.columns[at - 1] < m.columns[at], "columns ascend");
    }
  }
  for (const float v : m.values) demand(std::isfinite(v), "values are finite");
}

inline void check_matrix(const Matrix& m) {
  demand(m.values.size() == static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.cols),
         "a dense matrix has its values");
}

inline void check_answers(const Dataset& data) {
  const auto examples = static_cast<std::size_t>(data.examples());
  if (data.has_tasks()) {
    const Matrix& answers = data.task_answers();
    check_matrix(answers);
    demand(answers.cols > 0 && static_cast<std::size_t>(answers.rows) == examples,
           "answers to each task of each example");
    for (const float v : answers.values)
      demand(v == 0 || v == 1 || std::isnan(v), "answers are yes, no or unknown");
    return;
  }
  demand(data.labels().empty() || data.labels().size() == examples, "a label for each example");
  for (const Index label : data.labels())
    demand(label >= -1 && label < data.classes(), "labels are classes");
}

inline void check(const Dataset& data, ReadMode mode) {
  demand(data.nodes() > 0 || data.graphs.has_value(), "there is a node");
  demand(data.adjacency.rows == data.adjacency.cols, "an adjacency is square");
  check_csr(data.adjacency);
  if (const auto* sparse = std::get_if<Csr>(&data.features)) {
    check_csr(*sparse);
    demand(sparse->rows == data.nodes(), "a row of features for each node");
  } else {
    check_matrix(std::get<Matrix>(data.features));
    demand(std::get<Matrix>(data.features).rows == data.nodes(), "a row of features for each node");
    for (const float v : std::get<Matrix>(data.features).values)
      demand(std::isfinite(v), "features are finite");
  }
  if (data.graphs) {
    demand(data.graphs->start.back() == data.nodes(), "graphs have all nodes");
    check_matrix(data.graphs->node_attributes);
    check_matrix(data.graphs->arc_attributes);
    demand(data.graphs->arc_attributes.rows == data.adjacency.entries(), "a row for each arc");
  }
  check_answers(data);
  for (const Split& split : data.stored_splits) {
    std::vector<char> seen(static_cast<std::size_t>(data.examples()), 0);
    for (const auto* part : split.parts()) {
      demand(mode == ReadMode::kForAudit || part == &split.stopping || !part->empty(),
             "parts are not empty");
      for (const Index i : *part) {
        demand(i >= 0 && i < data.examples(), "a split names examples");
        demand(mode == ReadMode::kForAudit || seen[static_cast<std::size_t>(i)]++ == 0,
               "parts have nothing in common");
      }
    }
  }
}

}  // namespace cupel::fuzz
