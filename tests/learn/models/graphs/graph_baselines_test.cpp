// Models of sets of graphs that see no edge, and GraphSAGE, by their equations.
#include <gtest/gtest.h>

#include "learn/models/graphs/graph_oracle.h"

namespace cupel {
namespace {

using oracle::Dense;

using Traced = oracle::TracedOnGraphs;

void expect_baseline(const std::string& name, bool norm, bool output_relu) {
  SCOPED_TRACE(name);
  Traced t(name, {{"norm", norm}, {"output_relu", output_relu}});
  const TaskView& task = t.task.view;
  const Dense g = name == "graph-mlp" ? oracle::pool(task, oracle::degrees_of(task), "mean")
                                      : oracle::pool(task, oracle::words_of(task), "sum");
  oracle::expect_equations(t.model, [&](bool as_trained) {
    const Dense x = norm ? oracle::norm(t.model, g, "norm", as_trained) : g;
    const Dense out = t.linear(oracle::relu(t.linear(x, "1")), "2");
    return output_relu ? oracle::relu(out) : out;
  });
}

TEST(GraphBaselines, ComputeTheirEquations) {
  for (const std::string name : {"graph-mlp", "molecular-fingerprint"}) {
    expect_baseline(name, true, false);
    expect_baseline(name, true, true);
    expect_baseline(name, false, false);
  }
}

TEST(DeepMultisets, ComputesItsEquations) {
  Traced t("deep-multisets", {});
  const Dense x = oracle::words_of(t.task.view);
  oracle::expect_equations(t.model, [&](bool) {
    const Dense g = oracle::pool(t.task.view, oracle::relu(t.linear(x, "node")), "sum");
    return t.linear(oracle::relu(t.linear(g, "graph")), "out");
  });
}

void expect_sage(const std::string& aggregation, bool layer_relu) {
  SCOPED_TRACE(aggregation);
  Traced t("graph-sage", {{"aggregation", aggregation}, {"layer_relu", layer_relu}});
  const TaskView& task = t.task.view;
  const Dense a = oracle::adjacency_of(task, true);
  const auto aggregate = [&](const Dense& x) {
    if (aggregation == "sum") return oracle::product(a, x);
    if (aggregation == "mean") return oracle::product(oracle::mean_over_rows(a), x);
    Dense out = x;  // the node itself is a neighbour
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < a.size(); ++j)
        for (std::size_t c = 0; a[i][j] != 0 && c < x[i].size(); ++c)
          out[i][c] = std::max(out[i][c], x[j][c]);
    return out;
  };
  oracle::expect_equations(t.model, [&](bool) {
    Dense x = oracle::words_of(task), all;
    for (const int l : {1, 2, 3}) {
      x = t.linear(aggregate(x), std::to_string(l));
      if (aggregation == "max")
        x = oracle::relu(t.linear(x, "max"));
      else if (layer_relu)
        x = oracle::relu(x);
      all = l == 1 ? x : oracle::beside(all, x);
    }
    return t.linear(oracle::relu(t.linear(oracle::pool(task, all, "max"), "graph")), "out");
  });
}

TEST(GraphLevelSage, ComputesItsEquations) {
  expect_sage("mean", false);
  expect_sage("mean", true);
  expect_sage("sum", false);
  expect_sage("max", false);
}

}  // namespace
}  // namespace cupel
