#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

using oracle::Dense;

TEST(MoNet, ComputesItsEquations) {
  const ClassTask task = made_task({.nodes = 7, .words = 5}, 3, 2);
  const ModelEntry& entry = *find_model("monet");
  const std::size_t kernels = 3, dims = 2;
  TracedModel model(entry,
                    configure(entry, {{"kernels", std::int64_t{3}},
                                      {"pseudo_dim", std::int64_t{2}},
                                      {"hidden", std::int64_t{4}}}),
                    task.view);
  model.shake(0.3);
  const Dense a = oracle::adjacency_of(task.view, true);
  const Dense m = oracle::parameter(model, "m"), c = oracle::parameter(model, "c");
  const Dense mu = oracle::parameter(model, "mu"), sigma = oracle::parameter(model, "sigma");
  // One kernel at a time, as a dense matrix of weights.
  std::vector<Dense> patch(kernels, oracle::zeros(a.size(), a.size()));
  for (std::size_t k = 0; k < kernels; ++k)
    for (std::size_t i = 0; i < a.size(); ++i) {
      double total = 1e-14;
      for (std::size_t j = 0; j < a.size(); ++j) {
        if (a[i][j] == 0) continue;
        const double u[2] = {1 / std::sqrt(oracle::row_sum(a, i)),
                             1 / std::sqrt(oracle::row_sum(a, j))};
        double weight = 1;
        for (std::size_t r = 0; r < dims; ++r) {
          const double v = std::tanh(u[0] * m[0][r] + u[1] * m[1][r] + c[0][r]);
          weight *= std::exp(-0.5 * (v - mu[k][r]) * (v - mu[k][r]) /
                             (1e-14 + sigma[k][r] * sigma[k][r]));
        }
        patch[k][i][j] = weight;
        total += weight;
      }
      for (double& weight : patch[k][i]) weight /= total;
    }
  const auto layer = [&](const Dense& x, const char* name, std::size_t width) {
    const Dense stacked = oracle::parameter(model, name);
    Dense out = oracle::zeros(x.size(), width);
    for (std::size_t k = 0; k < kernels; ++k) {
      Dense g = oracle::zeros(stacked.size(), width);
      for (std::size_t r = 0; r < g.size(); ++r)
        for (std::size_t j = 0; j < width; ++j) g[r][j] = stacked[r][k * width + j];
      out = oracle::sum(out, oracle::product(patch[k], oracle::product(x, g)));
    }
    return out;
  };
  const Dense z = oracle::relu(layer(oracle::words_of(task.view), "g1", 4));
  oracle::expect_near(model.evaluate(), layer(z, "g2", 3));
}

TEST(MoNet, KernelsStartWhereTheReleasedCodePutsThem) {
  const ModelEntry& entry = *find_model("monet");
  const ClassTask task = made_task();
  TracedModel two(entry, configure(entry), task.view);
  EXPECT_EQ(oracle::parameter(two, "mu"), (Dense{{-0.75, -0.75}, {0.25, 0.25}}));
  EXPECT_EQ(oracle::parameter(two, "sigma"), (Dense{{1, 1}, {1, 1}}));
  EXPECT_EQ(oracle::parameter(two, "c"), (Dense{{0, 0}}));
  TracedModel four(
      entry, configure(entry, {{"kernels", std::int64_t{4}}, {"pseudo_dim", std::int64_t{1}}}),
      task.view);
  EXPECT_EQ(oracle::parameter(four, "mu"), (Dense{{-0.875}, {-0.375}, {0.125}, {0.625}}));
}

TEST(MoNet, RegularisesTheFirstFiltersOnlyAndStartsEachAsItsOwnMatrix) {
  const ModelEntry& entry = *find_model("monet");
  TracedModel model(entry, configure(entry), made_task({.words = 500}).view);
  EXPECT_EQ(oracle::regularised(model, 0.05), std::vector<std::string>{"g1"});
  double largest = 0;
  const DenseView g = model.view("g1");
  for (Index r = 0; r < g.rows; ++r)
    for (Index c = 0; c < g.cols; ++c) largest = std::max(largest, std::abs(double{g.row(r)[c]}));
  EXPECT_LE(largest, std::sqrt(6.0 / (500 + 32)));
  EXPECT_GT(largest, std::sqrt(6.0 / (500 + 64)));
}

}  // namespace
}  // namespace cupel
