// Models of sets of graphs that read attributes of arcs and atoms, by their equations.
#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "error_of.h"
#include "learn/models/graphs/graph_oracle.h"

namespace cupel {
namespace {

using oracle::Dense;

struct Traced : oracle::TracedOnGraphs {
  using TracedOnGraphs::TracedOnGraphs;

  Dense w(const std::string& name) { return oracle::parameter(model, name); }
  Dense norm(const Dense& x, const std::string& name, bool as_trained) {
    return oracle::norm(model, x, "norm_" + name, as_trained);
  }

  // Sum over neighbours of weight(i, j) * relu(x_j + linear(arc)).
  template <class Weight>
  Dense messages(const Dense& x, const std::string& arc, const Weight& weight) {
    const Csr& a = task.view.adjacency();
    const Dense arcs = oracle::dense_of(task.view.graphs()->arc_attributes);
    const Dense mapped = arc.empty() ? Dense() : linear(arcs, arc);
    Dense out = oracle::zeros(x.size(), x[0].size());
    for (Index i = 0; i < a.rows; ++i)
      for (Offset e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e)
        for (std::size_t c = 0; c < x[0].size(); ++c) {
          const double m = x[a.columns[e]][c] + (arc.empty() ? 0.0 : mapped[e][c]);
          out[i][c] += m > 0 ? weight(i, a.columns[e]) * m : 0.0;
        }
    return out;
  }
  double degree(Index i) const { return task.view.adjacency().row_size(i) + 1.0; }

  Dense gin(const Dense& x, const std::string& l, bool edges, bool as_trained) {
    const double eps = w("eps_" + l)[0][0];
    const Dense m = messages(x, edges ? "arc_" + l : "", [](Index, Index) { return 1.0; });
    const Dense own = oracle::each(x, [&](double v) { return (1 + eps) * v; });
    const Dense h = norm(linear(oracle::sum(own, m), l + "a"), l + "a", as_trained);
    return linear(oracle::relu(h), l + "b");
  }
  Dense gcn(const Dense& x, const std::string& l, bool edges, bool root) {
    const Dense z = linear(x, l);
    Dense own = oracle::relu(root ? oracle::sum(z, w("root_" + l)) : z);
    for (std::size_t i = 0; i < own.size(); ++i)
      for (double& v : own[i]) v /= degree(static_cast<Index>(i));
    return oracle::sum(
        messages(z, edges ? "arc_" + l : "",
                 [&](Index i, Index j) { return 1 / std::sqrt(degree(i) * degree(j)); }),
        own);
  }
  Dense atoms() {
    const Matrix& values = task.view.graphs()->node_attributes;
    Dense out = oracle::zeros(static_cast<std::size_t>(values.rows), 7);
    for (Index t = 0; t < 9; ++t) {
      const Dense table = w("atom" + std::to_string(t));
      for (Index i = 0; i < values.rows; ++i)
        for (std::size_t c = 0; c < 7; ++c)
          out[i][c] += table[static_cast<std::size_t>(values(i, t))][c];
    }
    return out;
  }
  Dense pooled(const Dense& x, const std::string& how = "mean") {
    return oracle::pool(task.view, x, how);
  }
};

TEST(GraphGcn, ComputesItsEquations) {
  for (const bool edges : {false, true}) {
    Traced t("graph-gcn", {{"layers", std::int64_t{2}}, {"edge_features", edges}});
    oracle::expect_equations(t.model, [&](bool as_trained) {
      Dense x = oracle::relu(t.linear(oracle::words_of(t.task.view), "node"));
      x = oracle::relu(t.norm(t.gcn(x, "1", edges, false), "1", as_trained));
      x = t.norm(t.gcn(x, "2", edges, false), "2", as_trained);
      return t.linear(t.pooled(x), "out");
    });
  }
}

void expect_ogb(const std::string& convolution, const std::string& encoder, bool edges) {
  SCOPED_TRACE(convolution + " " + encoder);
  Settings settings = {{"layers", std::int64_t{2}},
                       {"convolution", convolution},
                       {"encoder", encoder},
                       {"edge_features", edges}};
  if (encoder == "linear") settings["features"] = std::string("labels");
  Traced t("ogb-gnn", settings);
  oracle::expect_equations(t.model, [&](bool as_trained) {
    Dense x;
    if (encoder == "atoms") x = t.atoms();
    if (encoder == "linear") x = t.linear(oracle::words_of(t.task.view), "node");
    if (encoder == "embedding")
      x = Dense(static_cast<std::size_t>(t.task.view.nodes()), t.w("node")[0]);
    for (const std::string& l : {std::string("1"), std::string("2")}) {
      x = convolution == "gin" ? t.gin(x, l, edges, as_trained) : t.gcn(x, l, edges, true);
      x = t.norm(x, l, as_trained);
      if (l == "1") x = oracle::relu(x);
    }
    return t.linear(t.pooled(x), "out");
  });
}

TEST(OgbGnn, ComputesItsEquations) {
  expect_ogb("gin", "embedding", true);
  expect_ogb("gcn", "embedding", true);
  expect_ogb("gin", "atoms", false);
  expect_ogb("gcn", "linear", false);
}

TEST(AtomMlp, ComputesItsEquations) {
  Traced t("atom-mlp", {});
  oracle::expect_equations(t.model, [&](bool as_trained) {
    Dense x = oracle::norm(t.model, t.pooled(t.atoms(), "sum"), "norm", as_trained);
    x = oracle::relu(t.linear(x, "1"));
    return t.linear(oracle::relu(t.linear(x, "2")), "out");
  });
}

TEST(AtomMlp, MapsFurtherColumnsLinearly) {
  Traced t("atom-mlp", {{"features", std::string("attributes,degree")}});
  oracle::expect_equations(t.model, [&](bool as_trained) {
    Dense x = oracle::sum(t.atoms(), t.linear(oracle::degrees_of(t.task.view), "more"));
    x = oracle::norm(t.model, t.pooled(x, "sum"), "norm", as_trained);
    x = oracle::relu(t.linear(x, "1"));
    return t.linear(oracle::relu(t.linear(x, "2")), "out");
  });
}

TEST(Egnn, ComputesItsEquations) {
  Traced t("egnn", {{"layers", std::int64_t{2}}});
  oracle::expect_equations(t.model, [&](bool as_trained) {
    Dense x = oracle::relu(t.norm(t.gin(t.atoms(), "1", false, as_trained), "1", as_trained));
    const Dense g = t.pooled(t.gin(x, "2", false, as_trained));
    return t.linear(oracle::relu(t.linear(oracle::relu(g), "graph")), "out");
  });
}

std::string error_of(const std::string& name, const Dataset& data, const Settings& settings = {}) {
  const ClassTask task = task_of(data, leading_graphs(data, 4, 4));
  return cupel::error_of(
      [&] { TracedModel(*find_model(name), configure(*find_model(name), settings), task.view); });
}

TEST(Messages, WantWhatTheyRead) {
  Dataset data = drawn_graphs({.graphs = 12});
  EXPECT_EQ(error_of("ogb-gnn", data), "no error");
  Dataset none = data;
  none.graphs->arc_attributes = Matrix(data.graphs->arc_attributes.rows, 0);
  EXPECT_NE(error_of("ogb-gnn", none).find("'drawn-graphs' has none"), std::string::npos);
  EXPECT_EQ(error_of("ogb-gnn", none, {{"edge_features", false}}), "no error");
  EXPECT_NE(error_of("atom-mlp", data, {{"features", std::string("labels")}}).find("5 columns"),
            std::string::npos);
  for (const float wrong : {119.0f, -1.0f, 0.5f}) {
    data.graphs->node_attributes(3, 0) = wrong;
    EXPECT_NE(error_of("atom-mlp", data).find("attribute 0 of node 3"), std::string::npos) << wrong;
  }
  data.graphs->node_attributes(3, 0) = std::nanf("");  // no feature is anything but finite
  EXPECT_NE(error_of("atom-mlp", data).find("it has nan for a value"), std::string::npos);
}

}  // namespace
}  // namespace cupel
