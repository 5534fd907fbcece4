// Deep Graph Infomax against its equations in double, written without any of the engine.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "cupel/engine/program/passes.h"
#include "cupel/learn/embedding/dgi.h"
#include "learn/embedding/dgi_graphs.h"

namespace cupel {
namespace {

using Rows = std::vector<std::vector<double>>;  // [row][column]

Rows multiply(const Rows& a, const Rows& b) {
  Rows out(a.size(), std::vector<double>(b[0].size(), 0.0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j) out[i][j] += a[i][k] * b[k][j];
  return out;
}

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// The equations of the header as they stand: every z of every node, a dense S, a shuffled X.
struct Oracle {
  Rows s, x;
  std::vector<std::size_t> summary, order;  // row i of the corrupted X is row order[i] of X
  std::map<std::string, Rows> w;            // by name; "scores" is W transposed

  Rows encode(const Rows& features) const {
    Rows h = features;
    const std::size_t layers = (w.size() - 1) / 2;
    for (std::size_t layer = 1; layer <= layers; ++layer) {
      h = multiply(s, multiply(h, w.at("w" + std::to_string(layer))));
      const std::vector<double>& bias = w.at("b" + std::to_string(layer))[0];
      for (std::vector<double>& row : h)
        for (std::size_t j = 0; j < row.size(); ++j) {
          row[j] += bias[j];
          if (layer < layers && row[j] < 0) row[j] = std::exp(row[j]) - 1;
        }
    }
    return h;
  }

  double loss() const {
    Rows corrupted;
    for (const std::size_t row : order) corrupted.push_back(x[row]);
    const Rows z = encode(x), other = encode(corrupted);
    std::vector<double> mean(z[0].size(), 0.0);
    for (const std::size_t i : summary)
      for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += z[i][j];
    const auto score = [&](const std::vector<double>& node) {
      double sum = 0;
      for (std::size_t j = 0; j < node.size(); ++j)
        for (std::size_t k = 0; k < mean.size(); ++k)
          sum += node[j] * w.at("scores")[k][j] *
                 logistic(mean[k] / static_cast<double>(summary.size()));
      return logistic(sum);
    };
    double out = 0;
    for (std::size_t i = 0; i < z.size(); ++i)
      out -= std::log(score(z[i]) + 1e-15) + std::log(1 - score(other[i]) + 1e-15);
    return out / static_cast<double>(z.size());
  }
};

double& feature(Rows& rows, Index i, Index j) {
  return rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
}

Rows dense(const Features& features) {
  Rows out;
  if (const auto* matrix = std::get_if<Matrix>(&features)) {
    for (Index i = 0; i < matrix->rows; ++i)
      out.emplace_back(matrix->row(i), matrix->row(i) + matrix->cols);
    return out;
  }
  const Csr& csr = std::get<Csr>(features);
  out.assign(static_cast<std::size_t>(csr.rows),
             std::vector<double>(static_cast<std::size_t>(csr.cols), 0.0));
  for (Index i = 0; i < csr.rows; ++i)
    for (Offset e = csr.row_ptr[i]; e < csr.row_ptr[i + 1]; ++e)
      feature(out, i, csr.columns[static_cast<std::size_t>(e)]) = csr.value(e);
  return out;
}

// D^-1/2 (A + I) D^-1/2.
Rows normalised(const Csr& arcs) {
  Rows out(static_cast<std::size_t>(arcs.rows),
           std::vector<double>(static_cast<std::size_t>(arcs.rows), 0.0));
  for (Index i = 0; i < arcs.rows; ++i) {
    feature(out, i, i) = 1;
    for (const Index j : arcs.row_columns(i)) feature(out, i, j) = 1;
  }
  std::vector<double> degree;
  for (const auto& row : out) degree.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j) out[i][j] /= std::sqrt(degree[i] * degree[j]);
  return out;
}

// The order that the first shuffle of a program draws for this key and step.
std::vector<std::size_t> drawn_order(Index nodes, StreamKey key, int epoch) {
  Matrix numbers(nodes, 1);
  std::iota(numbers.values.begin(), numbers.values.end(), 0.0f);
  std::vector<Index> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  Builder b;
  const Value x = b.constant("numbers", {Layout::kDense, b.space("node"), 0, 1});
  BoundProgram bound(compile(b.finish(shuffle_rows(x)), true), Binding{{{nullptr, &numbers}}, all});
  bound.forward(key, static_cast<std::uint32_t>(epoch));
  std::vector<std::size_t> out;
  for (Index i = 0; i < nodes; ++i) out.push_back(static_cast<std::size_t>(*bound.output().row(i)));
  return out;
}

// Biases are not 0 and no weight is special.
void disturb(DgiTraining& training) {
  Stream random(stream_key("disturbed"), 1);
  for (int slot = 0; slot < static_cast<int>(training.values().count()); ++slot) {
    const DenseView view = training.values().view(slot);
    for (Index i = 0; i < view.rows * view.cols; ++i)
      view.data[i] += static_cast<float>(0.3 * random.next_normal());
  }
}

Oracle oracle_of(const Dataset& data, DgiTraining& training, int epoch) {
  Oracle out;
  out.s = normalised(data.adjacency);
  out.x = dense(data.features);
  for (const Index i : dgi_summary_nodes(data)) out.summary.push_back(static_cast<std::size_t>(i));
  out.order = drawn_order(data.nodes(), kKey, epoch);
  for (std::size_t slot = 0; slot < training.parameters().size(); ++slot) {
    const DenseView view = training.values().view(static_cast<int>(slot));
    Rows& w = out.w[training.parameters()[slot].name];
    for (Index r = 0; r < view.rows; ++r) w.emplace_back(view.row(r), view.row(r) + view.cols);
  }
  return out;
}

struct Case {
  std::string name;
  std::vector<Index> hidden;
  bool sparse = false, masked = false;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class DgiOracle : public testing::TestWithParam<Case> {};

TEST_P(DgiOracle, LossAndGradientAreThoseOfTheEquations) {
  const auto data = small_graph(GetParam().sparse);
  if (GetParam().masked) data->stored_splits = {{{5, 0, 8}, {1}, {2}}, {{3}, {4}, {6}}};
  DgiTraining training(data, {GetParam().hidden, 5, 1e-3, 1}, kKey, {});
  disturb(training);
  for (const int epoch : {0, 3}) {
    Oracle oracle = oracle_of(*data, training, epoch);
    EXPECT_EQ(oracle.summary.size(), GetParam().masked ? 3u : 9u);
    EXPECT_NEAR(training.loss(epoch), oracle.loss(), 2e-6);
    for (std::size_t slot = 0; slot < training.parameters().size(); ++slot) {
      const std::string& name = training.parameters()[slot].name;
      const DenseView got = training.gradients().view(static_cast<int>(slot));
      double largest = 0;
      for (Index r = 0; r < got.rows; ++r)
        for (Index c = 0; c < got.cols; ++c) {
          double& w = feature(oracle.w.at(name), r, c);
          const double kept = w, h = 1e-5;
          w = kept + h;
          const double up = oracle.loss();
          w = kept - h;
          const double expected = (up - oracle.loss()) / (2 * h);
          w = kept;
          EXPECT_NEAR(got.row(r)[c], expected, 3e-6 + 1e-5 * std::abs(expected))
              << name << " " << r << " " << c;
          largest = std::max(largest, std::abs(expected));
        }
      EXPECT_GT(largest, 1e-3) << name << " has no gradient to speak of";
    }
  }
}

TEST_P(DgiOracle, EmbeddingIsTheEncodersOutput) {
  const auto data = small_graph(GetParam().sparse);
  DgiTraining training(data, {GetParam().hidden, 5, 1e-3, 1}, kKey, {});
  disturb(training);
  const Oracle oracle = oracle_of(*data, training, 0);
  const Rows expected = oracle.encode(oracle.x);
  const Matrix got = training.embedding();
  ASSERT_EQ(got.rows, 9);
  ASSERT_EQ(got.cols, 5);
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 5; ++j)
      EXPECT_NEAR(got(i, j), expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)],
                  3e-6);
}

INSTANTIATE_TEST_SUITE_P(Cases, DgiOracle,
                         testing::Values(Case{"two_hidden", {3, 6}},
                                         Case{"one_hidden_sparse", {3}, true},
                                         Case{"three_hidden_masked", {7, 2, 4}, false, true},
                                         Case{"sparse_masked", {3, 6}, true, true}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace cupel
