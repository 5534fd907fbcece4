#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/parallel_arcs.h"

namespace cupel {
namespace {

using oracle::Dense;

// W of one head. Those of sparse inputs are one parameter, side by side.
Dense weights(TracedModel& model, const std::string& layer, std::size_t head, std::size_t width) {
  if (layer == "2") return oracle::parameter(model, "w2.0");
  Dense w = oracle::parameter(model, "w" + layer);
  for (oracle::Row& row : w) row = {row.begin() + head * width, row.begin() + (head + 1) * width};
  return w;
}

// Equations 1 to 6 for one node and head at a time.
Dense attention(TracedModel& model, const Dense& x, const Dense& a, const std::string& layer,
                std::size_t heads, std::size_t width) {
  const Dense receiver = oracle::parameter(model, "a_receiver" + layer);
  const Dense sender = oracle::parameter(model, "a_sender" + layer);
  const Dense receiver_bias = oracle::parameter(model, "beta_receiver" + layer);
  const Dense sender_bias = oracle::parameter(model, "beta_sender" + layer);
  const Dense bias = oracle::parameter(model, "b" + layer);
  Dense out = oracle::zeros(x.size(), heads * width);
  for (std::size_t k = 0; k < heads; ++k) {
    const Dense h = oracle::product(x, weights(model, layer, k, width));
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::vector<double> weight(x.size(), 0.0);
      double total = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (a[i][j] == 0) continue;
        double e = receiver_bias[0][k] + sender_bias[0][k];
        for (std::size_t c = 0; c < width; ++c)
          e += h[i][c] * receiver[k][c] + h[j][c] * sender[k][c];
        weight[j] = std::exp(e > 0 ? e : 0.2 * e);
        total += weight[j];
      }
      for (std::size_t c = 0; c < width; ++c) {
        for (std::size_t j = 0; j < x.size(); ++j)
          out[i][k * width + c] += weight[j] / total * h[j][c];
        out[i][k * width + c] += bias[0][k * width + c];
      }
    }
  }
  return out;
}

TEST(Gat, ComputesItsEquations) {
  const ClassTask task = made_task({.nodes = 6, .words = 5}, 3, 2);
  const ModelEntry& entry = *find_model("gat");
  TracedModel model(entry,
                    configure(entry, {{"heads", std::int64_t{3}}, {"hidden", std::int64_t{4}}}),
                    task.view);
  model.shake(0.5);
  const Dense a = oracle::adjacency_of(task.view, true);
  const Dense z = oracle::each(attention(model, oracle::words_of(task.view), a, "1", 3, 4),
                               [](double v) { return v > 0 ? v : std::expm1(v); });
  oracle::expect_near(model.evaluate(), attention(model, z, a, "2", 1, 3));
}

TEST(Gat, RegularisesWeightsAndAttentionOfBothLayersButNoBias) {
  const ModelEntry& entry = *find_model("gat");
  TracedModel model(entry, configure(entry, {{"heads", std::int64_t{2}}}), made_task().view);
  EXPECT_EQ(oracle::regularised(model, 0.01),
            (std::vector<std::string>{"w1", "a_receiver1", "a_sender1", "w2.0", "a_receiver2",
                                      "a_sender2"}));
}

double largest_of(const DenseView& view) {
  double largest = 0;
  for (Index r = 0; r < view.rows; ++r)
    for (Index c = 0; c < view.cols; ++c)
      largest = std::max(largest, std::abs(double{view.row(r)[c]}));
  return largest;
}

TEST(Gat, StackedParametersStartAsTheMatricesOfOneHeadThatTheyAre) {
  const ModelEntry& entry = *find_model("gat");
  TracedModel model(entry, configure(entry), made_task().view);
  // 8 x 1 matrices; what one of 8 x 8 would not exceed.
  EXPECT_LE(largest_of(model.view("a_receiver1")), std::sqrt(6.0 / 9));
  EXPECT_GT(largest_of(model.view("a_receiver1")), std::sqrt(6.0 / 16));
  // 40 x 8 matrices; what one of 40 x 64 would not exceed.
  EXPECT_LE(largest_of(model.view("w1")), std::sqrt(6.0 / 48));
  EXPECT_GT(largest_of(model.view("w1")), std::sqrt(6.0 / 104));
}

// One word a node and weights of one: each head's output says whether it kept the word.
TEST(Gat, EveryHeadDropsInputsOfItsOwn) {
  const ClassTask task = made_task({.nodes = 500, .words_per_node = 1}, 400, 50);
  Builder b;
  GraphInputs in(b, task.view);
  const Value ones = b.parameter(
      {.name = "w", .rows = 40, .cols = 3, .init = Parameter::Init::kFill, .fill = {1.0f}});
  const Program program = b.finish(headwise_product(in.feature_matrix(), ones, 3, 0.4));
  ParameterSet values(program.parameters);
  initialise(program.parameters, {}, values);
  BoundProgram bound(compile(program, true),
                     {in.constants(), task.view.train, true, &values, nullptr});
  int kept[3] = {}, same = 0, draws = 0;
  for (std::uint32_t step = 0; step < 20; ++step) {
    bound.forward(stream_key("masks"), step);
    for (Index i = 0; i < 400; ++i, ++draws) {
      const float* heads = bound.output().row(i);
      for (int k = 0; k < 3; ++k) {
        kept[k] += heads[k] != 0;
        EXPECT_NEAR(heads[k], heads[k] == 0 ? 0 : 1 / 0.6, 1e-4);
      }
      same += heads[0] == heads[1];
    }
  }
  // Within four standard deviations.
  for (const int count : kept) EXPECT_NEAR(count, 0.6 * draws, 4 * std::sqrt(0.24 * draws));
  EXPECT_NEAR(same, 0.52 * draws, 4 * std::sqrt(0.25 * draws));
}

// The layer of the Deep Graph Library: no biases; arcs that are there twice are attended to twice.
Dense attention_of_dgl(TracedModel& model, const Dense& x, const Dense& counts,
                       const std::string& layer, std::size_t heads, std::size_t width,
                       bool residual) {
  const Dense receiver = oracle::parameter(model, "a_receiver" + layer);
  const Dense sender = oracle::parameter(model, "a_sender" + layer);
  const Dense h = oracle::product(x, oracle::parameter(model, "w" + layer));
  Dense out = oracle::zeros(x.size(), heads * width);
  for (std::size_t k = 0; k < heads; ++k) {
    const auto dot = [&](std::size_t i, const Dense& a) {
      double sum = 0;
      for (std::size_t c = 0; c < width; ++c) sum += h[i][k * width + c] * a[k][c];
      return sum;
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
      double total = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double e = dot(i, receiver) + dot(j, sender);
        const double weight = counts[i][j] * std::exp(e > 0 ? e : 0.2 * e);
        total += weight;
        for (std::size_t c = 0; c < width; ++c)
          out[i][k * width + c] += weight * h[j][k * width + c];
      }
      for (std::size_t c = 0; c < width && total > 0; ++c) out[i][k * width + c] /= total;
    }
  }
  if (!residual) return out;
  return oracle::sum(out, oracle::product(x, oracle::parameter(model, "w_residual")));
}

TEST(Gat, TheLayerOfTheDeepGraphLibraryComputesItsEquations) {
  const auto [data, counts] = oracle::ParallelArcs(5);
  const ClassTask task = task_of(data, leading_split(data, 2, 2));
  const ModelEntry& entry = *find_model("gat");
  for (const bool loops : {true, false}) {
    for (const bool residual : {false, true}) {
      const Options options = configure(entry, {{"heads", std::int64_t{3}},
                                                {"hidden", std::int64_t{4}},
                                                {"form", std::string("dgl")},
                                                {"self_loops", loops},
                                                {"residual", residual}});
      TracedModel model(entry, options, task.view);
      model.shake(0.5);
      Dense wanted = counts;
      for (std::size_t i = 0; i < 6; ++i)
        if (loops) wanted[i][i] = 1;
      const Dense z = oracle::each(
          attention_of_dgl(model, oracle::words_of(task.view), wanted, "1", 3, 4, false),
          [](double v) { return v > 0 ? v : std::expm1(v); });
      oracle::expect_near(model.evaluate(),
                          attention_of_dgl(model, z, wanted, "2", 1, 3, residual));
    }
  }
}

TEST(Gat, TheLayerOfTheDeepGraphLibraryStartsAndDecaysAsItDoesThere) {
  const ModelEntry& entry = *find_model("gat");
  const Options options = configure(entry, {{"heads", std::int64_t{5}},
                                            {"hidden", std::int64_t{14}},
                                            {"form", std::string("dgl")},
                                            {"l2", 5e-4}});
  TracedModel model(entry, options, made_task({.nodes = 60, .words = 300}).view);
  EXPECT_EQ(oracle::regularised(model, 5e-4),
            (std::vector<std::string>{"w1", "a_receiver1", "a_sender1", "w2", "a_receiver2",
                                      "a_sender2"}));
  EXPECT_EQ(model.program.parameters.size(), 6u) << "nothing but what decays";
  // sqrt(2) sqrt(2 / (fan in + fan out)): W of 300 x 70, and vectors that PyTorch keeps as 1 x 5 x
  // 14, of fans 70 and 14. Within four standard errors of a standard deviation.
  for (const auto& [name, variance] :
       {std::pair("w1", 4.0 / 370), std::pair("a_sender1", 4.0 / 84)}) {
    double squares = 0;
    const Dense values = oracle::parameter(model, name);
    const auto count = static_cast<double>(values.size() * values[0].size());
    for (const oracle::Row& row : values)
      for (const double value : row) squares += value * value;
    EXPECT_NEAR(squares / count / variance, 1, 4 * std::sqrt(2 / count)) << name;
  }
}

}  // namespace
}  // namespace cupel
