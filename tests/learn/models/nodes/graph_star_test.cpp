#include "cupel/data/graph/graph.h"
#include "cupel/learn/links/link_feed.h"
#include "cupel/learn/train/trainer.h"
#include "error_of.h"
#include "learn/links/made_link_task.h"
#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

using oracle::Dense;
using oracle::Row;

const ModelEntry& graph_star() { return *find_model("graph-star"); }

// The equations for one row after another.
struct SlowStar {
  TracedModel& model;
  std::size_t heads, layers;
  bool star = true, cross_layer = true;

  Dense p(const std::string& name) const { return oracle::parameter(model, name); }
  Dense linear(const Dense& x, const std::string& name) const {
    return oracle::sum(oracle::product(x, p(name + ".w")), p(name + ".b"));
  }
  // LayerNorm of each row.
  Dense norm(Dense x, const std::string& name) const {
    const Dense gain = p(name + ".gain"), shift = p(name + ".shift");
    for (Row& row : x) {
      const auto width = static_cast<double>(row.size());
      double mean = 0, variance = 0;
      for (const double v : row) mean += v / width;
      for (const double v : row) variance += (v - mean) * (v - mean) / width;
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = (row[c] - mean) / std::sqrt(variance + 1e-5) * gain[0][c] + shift[0][c];
    }
    return x;
  }
  // What `query` gets from keys and values, head by head.
  static Row attend(const Row& query, const Dense& keys, const Dense& values, std::size_t heads) {
    const std::size_t width = query.size() / heads;
    Row out(query.size(), 0.0);
    for (std::size_t h = 0; h < heads; ++h) {
      Row weights;
      double total = 0;
      for (const Row& key : keys) {
        double score = 0;
        for (std::size_t c = h * width; c < (h + 1) * width; ++c) score += query[c] * key[c];
        weights.push_back(std::exp(score / std::sqrt(static_cast<double>(width))));
        total += weights.back();
      }
      for (std::size_t k = 0; k < keys.size(); ++k)
        for (std::size_t c = h * width; c < (h + 1) * width; ++c)
          out[c] += weights[k] / total * values[k][c];
    }
    return out;
  }
  static Dense elu(const Dense& x) {
    return oracle::each(x, [](double v) { return v > 0 ? v : std::expm1(v); });
  }

  Dense first_star(const Dense& x) const {
    Dense mean = oracle::zeros(1, x[0].size());
    for (const Row& row : x)
      for (std::size_t c = 0; c < row.size(); ++c)
        mean[0][c] += row[c] / static_cast<double>(x.size());
    return norm(elu({attend(linear(mean, "star.query")[0], oracle::product(x, p("star.key.w")),
                            linear(x, "star.value"), 1)}),
                "star");
  }
  Dense next_star(Dense x, const Dense& s, const std::string& name) const {
    x.push_back(s[0]);
    return norm(oracle::sum(elu({attend(linear(s, name + ".query")[0],
                                        oracle::product(x, p(name + ".key.w")),
                                        linear(x, name + ".value"), heads)}),
                            s),
                name);
  }
  Dense layer(const Dense& x, const Dense& s, const Dense& a, const std::string& name) const {
    const Dense query = linear(x, name + ".query"), neighbour = linear(x, name + ".neighbour"),
                oneself = linear(x, name + ".oneself");
    Dense out;
    for (std::size_t i = 0; i < x.size(); ++i) {
      Dense keys = {oneself[i]};
      for (std::size_t j = 0; j < x.size(); ++j)
        if (a[i][j] != 0) keys.push_back(neighbour[j]);
      if (star) keys.push_back(linear(s, name + ".to_star")[0]);
      out.push_back(attend(query[i], keys, keys, heads));
    }
    return norm(oracle::sum(elu(out), x), name);
  }
  Dense embeddings(const TaskView& task) const {
    const Dense a = oracle::adjacency_of(task, false);
    Dense x = oracle::relu(linear(oracle::words_of(task), "input"));
    Dense s = star ? first_star(x) : x, sum = oracle::zeros(x.size(), x[0].size());
    std::vector<Dense> all;
    for (std::size_t l = 1; l <= layers; ++l) {
      const std::string name = "layer" + std::to_string(l);
      x = layer(x, s, a, name);
      sum = oracle::sum(sum, x);
      all.push_back(x);
      if (star && l < layers) s = next_star(x, s, name + ".star");
    }
    if (!cross_layer) return x;
    const auto count = static_cast<double>(layers);
    const Dense query =
        linear(oracle::each(sum, [&](double v) { return v / count; }), "across.query");
    for (std::size_t i = 0; i < x.size(); ++i) {
      Dense rows;
      for (const Dense& of_layer : all) rows.push_back(of_layer[i]);
      x[i] = attend(query[i], oracle::product(rows, p("across.key.w")),
                    linear(rows, "across.value"), heads);
    }
    return x;
  }
};

TEST(GraphStar, ComputesItsEquations) {
  const ClassTask task = made_task({.nodes = 12, .words = 9}, 4, 4);
  for (const bool star : {true, false})
    for (const bool cross_layer : {true, false}) {
      TracedModel model(graph_star(),
                        configure(graph_star(), {{"hidden", std::int64_t{6}},
                                                 {"heads", std::int64_t{3}},
                                                 {"layers", std::int64_t{3}},
                                                 {"star", star},
                                                 {"cross_layer", cross_layer}}),
                        task.view);
      model.shake(0.4);
      const SlowStar slow{model, 3, 3, star, cross_layer};
      oracle::expect_near(model.evaluate(), slow.linear(slow.embeddings(task.view), "output"));
    }
}

// As the released code gives embeddings to its decoder.
TEST(GraphStar, WithoutAWidthOfItsOwnTheLastLayerIsTheOutput) {
  const ClassTask task = made_task({.nodes = 12, .words = 9, .classes = 4}, 4, 4);
  TracedModel model(
      graph_star(),
      configure(graph_star(),
                {{"hidden", std::int64_t{0}}, {"heads", std::int64_t{2}}, {"cross_layer", false}}),
      task.view);
  model.shake(0.4);
  oracle::expect_near(model.evaluate(), SlowStar{model, 2, 2, true, false}.embeddings(task.view));
}

// Two rings of ten nodes: what is known of one node of the first, with another word.
TEST(GraphStar, NodesThatNoPathJoinsKnowOfEachOtherByTheStarAlone) {
  const auto logits = [](bool star, Index word) {
    Dataset data = made_dataset({.nodes = 20});
    std::vector<Edge> edges;
    for (Index i = 0; i < 20; ++i) edges.push_back({i, i / 10 * 10 + (i + 1) % 10});
    data.adjacency = symmetrise(from_edges(20, edges));
    std::vector<std::vector<Index>> words;
    for (Index i = 0; i < 20; ++i) words.push_back({i == 3 ? word : i});
    data.features = test::csr_of(std::move(words), 40);
    const Split split = leading_split(data, 6, 6);
    TracedModel model(graph_star(),
                      configure(graph_star(), {{"hidden", std::int64_t{16}}, {"star", star}}),
                      task_of(std::move(data), split).view);
    model.shake(0.3);
    return model.evaluate();
  };
  for (const bool star : {true, false}) {
    const Matrix before = logits(star, 30), after = logits(star, 31);
    for (Index i = 0; i < 20; ++i) {
      double moved = 0;
      for (Index c = 0; c < before.cols; ++c)
        moved = std::max(moved, std::abs(double{before(i, c)} - after(i, c)));
      const bool near = i >= 1 && i <= 5;  // two hops from node 3
      if (star || near)
        EXPECT_GT(moved, 1e-6) << "node " << i;
      else
        EXPECT_EQ(moved, 0) << "node " << i;
    }
  }
}

TEST(GraphStar, RegularisesEveryParameter) {
  TracedModel model(graph_star(), configure(graph_star()), made_task().view);
  EXPECT_EQ(oracle::regularised(model, 2e-3).size(), model.program.parameters.size());
}

// The decoder of the released code reads embeddings of which half are dropped.
TEST(GraphStar, DropsEmbeddingsInTrainingAlone) {
  const ClassTask task = made_task({.nodes = 300, .classes = 8}, 100, 100);
  TracedModel model(
      graph_star(),
      configure(graph_star(),
                {{"hidden", std::int64_t{0}}, {"dropout", 0.0}, {"embedding_dropout", 0.5}}),
      task.view);
  const Matrix trained = model.evaluate(true), evaluated = model.evaluate();
  int kept = 0;
  for (std::size_t k = 0; k < trained.values.size(); ++k) {
    if (trained.values[k] == 0) continue;
    ++kept;
    EXPECT_FLOAT_EQ(trained.values[k], 2 * evaluated.values[k]);
  }
  const double all = 300 * 8;
  EXPECT_NEAR(kept, 0.5 * all, 4 * std::sqrt(0.25 * all));
}

// Two cliques, told apart by what is known of their nodes: as the released code learns links.
TEST(GraphStar, LearnsLinksWithItsDecoder) {
  constexpr Index kNodes = 24;
  Dataset data;
  data.name = "cliques";
  std::vector<Edge> edges;
  Matrix words(kNodes, 2);
  for (Index i = 0; i < kNodes; ++i) {
    words(i, i % 2) = 1;
    for (Index j = 0; j < kNodes; ++j)
      if (i != j && i % 2 == j % 2) edges.push_back({i, j});
  }
  data.adjacency = from_edges(kNodes, edges);
  data.features = std::move(words);
  const Task task = link_task(std::move(data));
  std::vector<OptionSpec> all = graph_star().options;
  for (const OptionSpec& more : link_feed_settings()) all.push_back(more);
  const Options settings("graph-star", all,
                         {{"hidden", std::int64_t{0}},
                          {"dimension", std::int64_t{32}},
                          {"heads", std::int64_t{4}},
                          {"cross_layer", false},
                          {"dropout", 0.0},
                          {"embedding_dropout", 0.5},
                          {"lr", 0.01},
                          {"l2", 0.0},
                          {"decoder", std::string("distmult")},
                          {"pair_loss", std::string("corrupted")}});
  TrainRule rule;
  rule.max_epochs = 100;
  rule.patience = 0;
  rule.keep = "last";
  rule.clip_norm = 0.01;
  Trainer trainer(task.view, graph_star(), settings, rule, "auc-ap-mean:positives=2");
  const auto marking = task.answers->open();
  marking->take(*trainer.run(stream_key("cliques")).test_scores);
  EXPECT_GT(marking->score("roc-auc"), 0.95);
}

TEST(GraphStar, RefusesAWidthThatHeadsCannotShare) {
  const auto message = [](Settings settings) {
    return error_of([&] {
      TracedModel(graph_star(), configure(graph_star(), std::move(settings)), made_task().view);
    });
  };
  EXPECT_NE(message({{"hidden", std::int64_t{20}}}).find("hidden = 20 cannot be shared out to "),
            std::string::npos);
  EXPECT_NE(message({{"hidden", std::int64_t{0}}})
                .find("the width of the output, 3, which cannot be shared out to heads = 8"),
            std::string::npos);
}

}  // namespace
}  // namespace cupel
