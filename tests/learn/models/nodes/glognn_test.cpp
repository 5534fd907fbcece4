#include "cupel/base/error.h"
#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"

namespace cupel {
namespace {

using oracle::Dense;

// Gauss-Jordan.
Dense inverted(Dense a) {
  const std::size_t n = a.size();
  Dense out = oracle::zeros(n, n);
  for (std::size_t i = 0; i < n; ++i) out[i][i] = 1;
  for (std::size_t p = 0; p < n; ++p) {
    const double pivot = a[p][p];
    for (std::size_t j = 0; j < n; ++j) a[p][j] /= pivot, out[p][j] /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = i == p ? 0 : a[i][p];
      for (std::size_t j = 0; j < n; ++j)
        a[i][j] -= factor * a[p][j], out[i][j] -= factor * out[p][j];
    }
  }
  return out;
}

// The layer as the paper derives it (equations 6 and 8), with the nodes x nodes coefficients that
// the closed form avoids: Z* = (g H H^T + beta P - gamma g H0 H^T) Q', Q' = (c^-1 I + g^2 H H^T)^-1
// applied to what is weighed. By Woodbury, Q = (I/(g c) + g H H^T)^-1 H.
Dense layer(const Dense& h, const Dense& h0, const Dense& p, double c, double beta, double gamma) {
  const double g = 1 - gamma;
  const Dense gram = oracle::product(h, oracle::transposed(h));
  Dense system = oracle::each(gram, [&](double v) { return g * v; });
  for (std::size_t i = 0; i < system.size(); ++i) system[i][i] += 1 / (g * c);
  const Dense q = oracle::product(inverted(system), h);
  const auto scaled = [](const Dense& a, double by) {
    return oracle::each(a, [&](double v) { return by * v; });
  };
  Dense out = scaled(oracle::product(gram, q), g);
  out = oracle::sum(out, scaled(oracle::product(p, q), beta));
  out = oracle::sum(
      out, scaled(oracle::product(oracle::product(h0, oracle::transposed(h)), q), -gamma * g));
  return oracle::sum(out, scaled(h0, gamma));
}

void expect_equations(double alpha, double beta, double gamma, double delta) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("glognn");
  TracedModel model(
      entry,
      configure(entry, {{"alpha", alpha}, {"beta", beta}, {"gamma", gamma}, {"delta", delta}}),
      task.view);
  model.shake(0.2);
  const auto w = [&](const char* name) { return oracle::parameter(model, name); };
  Dense p = oracle::undirected(oracle::adjacency_of(task.view, false));
  for (std::size_t i = 0; i < p.size(); ++i) p[i][i] += 1;
  p = oracle::mean_over_rows(p);
  Dense first = oracle::zeros(p.size(), 64);
  const auto add = [&](const Dense& x, const std::string& name, double by) {
    const Dense part = oracle::sum(oracle::product(x, oracle::parameter(model, "w_" + name)),
                                   oracle::parameter(model, "b_" + name));
    first = oracle::sum(first, oracle::each(part, [&](double v) { return by * v; }));
  };
  if (delta > 0) add(oracle::mean_over_rows(oracle::words_of(task.view)), "features", delta);
  if (delta < 1) add(p, "adjacency", 1 - delta);
  const Dense h0 = oracle::sum(oracle::product(oracle::relu(first), w("w_2")), w("b_2"));
  Dense h = h0;
  for (int k = 0; k < 2; ++k) h = layer(h, h0, p, 1 / (alpha + beta), beta, gamma);
  double largest = 0;
  for (const auto& row : h)
    for (const double v : row) largest = std::max(largest, std::abs(v));
  oracle::expect_near(model.evaluate(), h, 2e-4 * std::max(1.0, largest));
}

TEST(GloGnn, ComputesItsEquationsWithFeaturesAndGraph) { expect_equations(0, 1, 0, 1); }
TEST(GloGnn, ComputesItsEquationsWithAllTerms) { expect_equations(0.7, 0.6, 0.3, 0.4); }
TEST(GloGnn, CanReadTheAdjacencyAlone) { expect_equations(1, 1, 0, 0); }
TEST(GloGnn, CanReadTheFeaturesAlone) { expect_equations(1, 0, 0, 1); }

TEST(GloGnn, RefusesWeightsThatDivideByZero) {
  const ModelEntry& entry = *find_model("glognn");
  EXPECT_THROW(entry.trainable(configure(entry, {{"alpha", 0.0}, {"beta", 0.0}})), Error);
}

}  // namespace
}  // namespace cupel
