// Plain loops in double for models of sets of graphs.
#pragma once

#include "learn/drawn_graphs.h"
#include "learn/models/dense_oracle.h"

namespace cupel::oracle {

// Attributes of nodes, or of arcs.
inline Dense dense_of(const Matrix& matrix) {
  Dense out = zeros(static_cast<std::size_t>(matrix.rows), static_cast<std::size_t>(matrix.cols));
  for (Index i = 0; i < matrix.rows; ++i)
    for (Index c = 0; c < matrix.cols; ++c) out[i][c] = matrix(i, c);
  return out;
}

inline Dense degrees_of(const TaskView& task) {
  Dense out;
  for (Index i = 0; i < task.nodes(); ++i)
    out.push_back({static_cast<double>(task.adjacency().row_size(i))});
  return out;
}

// Rows of graphs from rows of their nodes.
inline Dense pool(const TaskView& task, const Dense& h, const std::string& how) {
  const std::vector<Index>& start = task.graphs()->start;
  Dense out;
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    Row row(h[0].size(), 0.0);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (how == "max") row[j] = h[start[g]][j];
      for (Index i = start[g]; i < start[g + 1]; ++i)
        row[j] = how == "max" ? std::max(row[j], h[i][j]) : row[j] + h[i][j];
      if (how == "mean") row[j] /= start[g + 1] - start[g];
    }
    out.push_back(row);
  }
  return out;
}

// x W + b of the parameters w_name and b_name.
inline Dense linear(TracedModel& model, const Dense& x, const std::string& name) {
  return sum(product(x, parameter(model, "w_" + name)), parameter(model, "b_" + name));
}

// Batch normalisation by the running moments, or `as_trained` by those of x.
inline Dense norm(TracedModel& model, Dense x, const std::string& name, bool as_trained) {
  const Dense gain = parameter(model, name + ".gain"), shift = parameter(model, name + ".shift");
  const Dense running = parameter(model, name + ".running");
  const auto n = static_cast<double>(x.size());
  for (std::size_t j = 0; j < x[0].size(); ++j) {
    double mean = 0, variance = 0;
    for (const Row& row : x) mean += row[j] / n;
    for (const Row& row : x) variance += (row[j] - mean) * (row[j] - mean) / n;
    if (!as_trained) {
      mean = running[0][j];
      variance = running[1][j];
    }
    for (Row& row : x)
      row[j] = (row[j] - mean) / std::sqrt(variance + 1e-5) * gain[0][j] + shift[0][j];
  }
  return x;
}

// Compares what `equations(as_trained)` gives with the model, evaluated and as trained. The model's
// dropout must be 0.
template <class Equations>
void expect_equations(TracedModel& model, const Equations& equations, double tolerance = 1e-4) {
  for (const bool as_trained : {false, true}) {
    SCOPED_TRACE(as_trained ? "as trained" : "evaluated");
    const Dense expected = equations(as_trained);  // before running moments move
    expect_near(model.evaluate(as_trained), expected, tolerance);
  }
}

// A model with dropout 0 and narrow layers, shaken, on a few graphs.
struct TracedOnGraphs {
  ClassTask task = drawn_task({.graphs = 12}, 4, 4);
  TracedModel model;

  TracedOnGraphs(const std::string& name, Settings settings)
      : model(*find_model(name), configured(name, std::move(settings)), task.view) {
    model.shake(0.2);
  }
  static Options configured(const std::string& name, Settings settings) {
    const ModelEntry& entry = *find_model(name);
    for (const OptionSpec& option : entry.options) {
      if (option.name == "hidden") settings.emplace("hidden", std::int64_t{7});
      if (option.name == "dropout") settings.emplace("dropout", 0.0);
    }
    return configure(entry, settings);
  }
  Dense linear(const Dense& x, const std::string& name) { return oracle::linear(model, x, name); }
};

}  // namespace cupel::oracle
