// Deep Graph Infomax against its equations in double, written without any of the engine, and what
// training makes of graphs whose blocks are known.
#include "cupel/learn/embedding/dgi.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "cupel/data/graph/graph.h"
#include "cupel/engine/program/passes.h"
#include "error_of.h"

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

// Nine nodes: a triangle, a path that hangs on it, a pair and one alone.
std::shared_ptr<Dataset> small_graph(bool sparse_features = false) {
  auto data = std::make_shared<Dataset>();
  data->name = "small";
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {6, 7}};
  data->adjacency = symmetrise(from_edges(9, edges));
  Matrix x(9, 4);
  for (std::size_t i = 0; i < x.values.size(); ++i)
    x.values[i] = static_cast<float>(std::sin(1.0 + 1.7 * static_cast<double>(i)));
  if (sparse_features) {
    Csr csr;
    csr.rows = 9;
    csr.cols = 4;
    for (Index i = 0; i < 9; ++i) {
      csr.columns.push_back(i % 4);
      csr.values.push_back(x(i, i % 4));
      csr.row_ptr.push_back(i + 1);
    }
    data->features = csr;
  } else {
    data->features = x;
  }
  return data;
}

const StreamKey kKey = stream_key("infomax");

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

// Two blocks of `half` nodes, five times as many links inside as between. Features say the block of
// a node by a shift that is half a standard deviation of the noise.
std::shared_ptr<Dataset> two_blocks(Index half) {
  auto data = std::make_shared<Dataset>();
  data->name = "blocks";
  Stream random(stream_key("two blocks"), 0);
  std::vector<Edge> edges;
  const auto nodes = static_cast<std::uint32_t>(2 * half);
  const auto block = [&](Index i) { return i >= half; };
  for (int kept = 0; kept < 8 * half;) {
    const auto i = static_cast<Index>(random.next_below(nodes));
    const auto j = static_cast<Index>(random.next_below(nodes));
    if (i == j || (block(i) != block(j) && random.next_unit() > 0.2)) continue;
    edges.push_back({i, j});
    ++kept;
  }
  data->adjacency = symmetrise(from_edges(2 * half, edges));
  Matrix x(2 * half, 10);
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j)
      x(i, j) = static_cast<float>(random.next_normal() + (block(i) ? 0.15 : -0.15));
  data->features = std::move(x);
  return data;
}

// Of the odd nodes, how many lie on their own block's side of the hyperplane halfway between the
// means of the even ones.
double separated(const Matrix& x) {
  const Index half = x.rows / 2;
  std::vector<double> mean[2] = {std::vector<double>(static_cast<std::size_t>(x.cols)),
                                 std::vector<double>(static_cast<std::size_t>(x.cols))};
  for (Index i = 0; i < x.rows; i += 2)
    for (Index j = 0; j < x.cols; ++j)
      mean[i >= half][static_cast<std::size_t>(j)] += x(i, j) / (half / 2);
  int right = 0;
  for (Index i = 1; i < x.rows; i += 2) {
    double side = 0;
    for (Index j = 0; j < x.cols; ++j) {
      const double a = mean[0][static_cast<std::size_t>(j)],
                   b = mean[1][static_cast<std::size_t>(j)];
      side += (b - a) * (x(i, j) - (a + b) / 2);
    }
    right += (side > 0) == (i >= half);
  }
  return right / static_cast<double>(half);
}

const DgiSettings kModest = {{16, 24}, 32, 3e-3, 120};

TEST(Dgi, LossFalls) {
  DgiTraining training(two_blocks(150), kModest, kKey, {});
  std::vector<double> losses;
  for (int epoch = 0; epoch < kModest.epochs; ++epoch) {
    losses.push_back(training.loss(epoch));
    training.step();
  }
  const auto mean = [&](auto from, auto to) { return std::accumulate(from, to, 0.0) / 10; };
  const double first = mean(losses.begin(), losses.begin() + 10);
  const double last = mean(losses.end() - 10, losses.end());
  EXPECT_NEAR(losses[0], 2 * std::log(2.0), 0.1);  // nothing is told apart yet
  EXPECT_LT(last, 0.9 * first);
}

TEST(Dgi, EmbeddingSeparatesBlocksBetterThanFeatures) {
  const auto data = two_blocks(150);
  const Matrix z = dgi_embedding(data, kModest, kKey, {});
  EXPECT_EQ(z.rows, 300);
  EXPECT_EQ(z.cols, 32);
  const double raw = separated(std::get<Matrix>(data->features)), learnt = separated(z);
  EXPECT_LT(raw, 0.8);
  EXPECT_GT(learnt, 0.9);
}

TEST(Dgi, ThreadsDoNotChangeBits) {
  const auto data = two_blocks(400);
  DgiSettings settings;
  settings.epochs = 6;
  const Matrix one = dgi_embedding(data, settings, kKey, Threads{1});
  ASSERT_EQ(one.cols, 512);
  for (const int threads : {2, 3}) {
    const Matrix many = dgi_embedding(data, settings, kKey, Threads{threads});
    ASSERT_EQ(many.values.size(), one.values.size());
    EXPECT_EQ(std::memcmp(many.values.data(), one.values.data(), one.values.size() * 4), 0);
  }
  EXPECT_NE(dgi_embedding(data, settings, stream_key("another"), {}).values, one.values);
}

TEST(Dgi, NoEpochsGiveTheInitialEmbedding) {
  const auto data = small_graph();
  DgiSettings settings = {{3, 6}, 5, 1e-3, 0};
  DgiTraining training(data, settings, kKey, {});
  const Matrix initial = training.embedding();
  EXPECT_EQ(dgi_embedding(data, settings, kKey, {}).values, initial.values);
  settings.epochs = 1;
  EXPECT_NE(dgi_embedding(data, settings, kKey, {}).values, initial.values);
}

// As PyTorch Geometric's layers and its module's matrix of scores start.
TEST(Dgi, InitialWeightsAreInTheirRanges) {
  DgiTraining training(small_graph(), {{32, 64}, 512, 1e-3, 0}, kKey, {});
  const std::vector<std::pair<std::string, double>> limits = {
      {"w1", std::sqrt(6.0 / 36)},  {"b1", 0.0}, {"w2", std::sqrt(6.0 / 96)},       {"b2", 0.0},
      {"w3", std::sqrt(6.0 / 576)}, {"b3", 0.0}, {"scores", 1.0 / std::sqrt(512.0)}};
  ASSERT_EQ(training.parameters().size(), limits.size());
  for (std::size_t slot = 0; slot < limits.size(); ++slot) {
    EXPECT_EQ(training.parameters()[slot].name, limits[slot].first);
    const DenseView w = training.values().view(static_cast<int>(slot));
    double largest = 0;
    for (Index r = 0; r < w.rows; ++r)
      for (Index c = 0; c < w.cols; ++c)
        largest = std::max(largest, std::abs(static_cast<double>(w.row(r)[c])));
    EXPECT_LE(largest, limits[slot].second * (1 + 1e-6)) << limits[slot].first;
    EXPECT_GE(largest, 0.9 * limits[slot].second) << limits[slot].first;
  }
}

TEST(Dgi, SummaryTakesTheFirstStoredTrainingPart) {
  const auto data = small_graph();
  EXPECT_EQ(dgi_summary_nodes(*data).size(), 9u);
  data->stored_splits = {{{5, 0}, {1}, {2}}, {{3}, {4}, {6}}};
  EXPECT_EQ(dgi_summary_nodes(*data), (std::vector<Index>{5, 0}));
  data->stored_splits = {{{}, {1}, {2}}};
  EXPECT_EQ(dgi_summary_nodes(*data).size(), 9u);
}

TEST(Dgi, TellsItsProgressAndStopsWhenTold) {
  const auto data = small_graph();
  const DgiSettings settings = {{3}, 5, 1e-3, 7};
  std::vector<int> told;
  std::atomic<bool> stop = false;
  const auto listen = [&](int done, int all) {
    EXPECT_EQ(all, 7);
    told.push_back(done);
    stop = done == 3;
  };
  RunLimits limits;
  limits.interrupt = &stop;
  EXPECT_THROW((void)dgi_embedding(data, settings, kKey, {}, limits, listen), Interrupted);
  EXPECT_EQ(told, (std::vector<int>{1, 2, 3}));
  limits = {};
  limits.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  EXPECT_THROW((void)dgi_embedding(data, settings, kKey, {}, limits), TimedOut);
  told.clear();
  (void)dgi_embedding(data, settings, kKey, {}, {}, listen);
  EXPECT_EQ(told.size(), 7u);
}

TEST(Dgi, RefusesWhatItCannotEmbed) {
  const auto said = [](const std::shared_ptr<Dataset>& data, const DgiSettings& settings) {
    return error_of([&] { (void)dgi_embedding(data, settings, kKey, {}); });
  };
  const DgiSettings settings = {{3}, 5, 1e-3, 2};
  const auto set = small_graph();
  set->graphs.emplace();
  set->graphs->start = {0, 6, 9};
  EXPECT_EQ(said(set, settings),
            "data set 'small': Deep Graph Infomax embeds the nodes of one graph, and this is a set "
            "of 2");
  const auto bare = small_graph();
  bare->features = Matrix(9, 0);
  EXPECT_EQ(said(bare, settings),
            "data set 'small': Deep Graph Infomax tells nodes by their features, and they have "
            "none; take a data set with features");
  EXPECT_NE(said(std::make_shared<Dataset>(), settings).find("there are none"), std::string::npos);
  const auto odd = small_graph();
  std::get<Matrix>(odd->features)(4, 1) = std::nanf("");
  EXPECT_NE(said(odd, settings).find("not finite in epoch 0"), std::string::npos);
  const auto of = [&](DgiSettings wrong) { return said(small_graph(), wrong); };
  EXPECT_NE(of({{}, 5, 1e-3, 2}).find("no hidden layer"), std::string::npos);
  EXPECT_NE(of({{3, 0}, 5, 1e-3, 2}).find("a hidden width of 0"), std::string::npos);
  EXPECT_NE(of({{3}, 5000, 1e-3, 2}).find("a dimension of 5000"), std::string::npos);
  EXPECT_NE(of({{3}, 5, 0.0, 2}).find("a learning rate of 0"), std::string::npos);
  EXPECT_NE(of({{3}, 5, 1e-3, -1}).find("-1 epochs"), std::string::npos);
}

}  // namespace
}  // namespace cupel
