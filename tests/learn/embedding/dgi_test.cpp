// What training makes of graphs whose blocks are known, and what is promised of it.
#include "cupel/learn/embedding/dgi.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <numeric>

#include "error_of.h"
#include "learn/embedding/dgi_graphs.h"

namespace cupel {
namespace {

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
  EXPECT_EQ(
      said(odd, settings),
      "data set 'small': Deep Graph Infomax gave scores that are not finite in epoch 0; scale "
      "the features");
  EXPECT_EQ(said(odd, {{3}, 5, 1e-3, 0}),
            "data set 'small': Deep Graph Infomax gave an embedding that is not finite; scale the "
            "features");
  const auto of = [&](DgiSettings wrong) { return said(small_graph(), wrong); };
  EXPECT_NE(of({{}, 5, 1e-3, 2}).find("no hidden layer"), std::string::npos);
  EXPECT_NE(of({{3, 0}, 5, 1e-3, 2}).find("a hidden width of 0"), std::string::npos);
  EXPECT_NE(of({{3}, 5000, 1e-3, 2}).find("a dimension of 5000"), std::string::npos);
  EXPECT_NE(of({{3}, 5, 0.0, 2}).find("a learning rate of 0"), std::string::npos);
  EXPECT_NE(of({{3}, 5, 1e-3, -1}).find("-1 epochs"), std::string::npos);
}

}  // namespace
}  // namespace cupel
