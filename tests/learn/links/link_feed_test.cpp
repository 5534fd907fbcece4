// Training of links, against a second way to compute each loss and on graphs that are learnt.
#include "cupel/learn/links/link_feed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "cupel/learn/links/link_parts.h"
#include "cupel/learn/model.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/train/trainer.h"
#include "data/links/made.h"
#include "error_of.h"
#include "learn/links/made_link_task.h"

namespace cupel {
namespace {

using Settings = std::map<std::string, OptionValue>;
using Numbers = std::vector<std::vector<double>>;

const ModelEntry& model(const char* name) { return *find_model(name); }

Options configured(const ModelEntry& entry, const Settings& given) {
  std::vector<OptionSpec> all = entry.options;
  for (const OptionSpec& more : link_feed_settings()) all.push_back(more);
  return Options(entry.name, all, given);
}

Numbers product(const Numbers& a, const Numbers& b) {
  Numbers out(a.size(), std::vector<double>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j) out[i][j] += a[i][k] * b[k][j];
  return out;
}

Numbers relu(Numbers a) {
  for (auto& row : a)
    for (double& x : row) x = std::max(x, 0.0);
  return a;
}

double softplus(double x) { return std::log1p(std::exp(-std::abs(x))) + std::max(x, 0.0); }

// The loss of a graph auto-encoder, in double and by the definitions.
struct SlowLoss {
  Numbers arcs = {}, features = {};  // arcs: 0 or 1, no loops
  std::string decoder, form;
  std::vector<Pair> pairs = {};  // positives first
  std::size_t positives = 0;

  Numbers embeddings(const std::vector<Numbers>& parameters) const {
    const std::size_t n = arcs.size();
    Numbers s = arcs;
    std::vector<double> degree(n, 1);
    for (std::size_t i = 0; i < n; ++i) s[i][i] = 1;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) degree[i] += arcs[i][j];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) s[i][j] /= std::sqrt(degree[i] * degree[j]);
    const Numbers h = relu(product(s, product(features, parameters[0])));
    return product(s, product(h, parameters[1]));
  }

  double score(const Numbers& z, Pair pair, const std::vector<Numbers>& parameters) const {
    const auto &a = z[static_cast<std::size_t>(pair.source)],
               &b = z[static_cast<std::size_t>(pair.target)];
    Numbers both(1, std::vector<double>(a.size()));
    for (std::size_t k = 0; k < a.size(); ++k) both[0][k] = a[k] * b[k];
    if (decoder == "dot") return std::accumulate(both[0].begin(), both[0].end(), 0.0);
    if (decoder == "distmult") return product(both, parameters[2])[0][0];
    Numbers hidden = product(both, parameters[2]);
    for (std::size_t k = 0; k < hidden[0].size(); ++k) hidden[0][k] += parameters[3][0][k];
    return product(relu(hidden), parameters[4])[0][0] + parameters[5][0][0];
  }

  double operator()(const std::vector<Numbers>& parameters) const {
    const Numbers z = embeddings(parameters);
    const auto n = static_cast<Index>(arcs.size());
    if (form == "all-pairs") {
      double m = 0, sum = 0;
      for (const auto& row : arcs) m += std::accumulate(row.begin(), row.end(), 0.0);
      const double all = double(n) * n, weight = (all - m) / m;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
          const double x = score(z, {i, j}, parameters);
          const bool linked = i == j || arcs[i][j] == 1;
          sum += linked ? weight * softplus(-x) : softplus(x);
        }
      return all / (2 * (all - m)) * sum / all;
    }
    double of_links = 0, of_others = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double x = score(z, pairs[p], parameters);
      (p < positives ? of_links : of_others) += softplus(p < positives ? -x : x);
    }
    const auto links = static_cast<double>(positives);
    const double others = static_cast<double>(pairs.size()) - links;
    return form != "sampled-means" ? (of_links + of_others) / (links + others)
                                   : of_links / links + of_others / others;
  }
};

// What link_feed.h says an epoch takes.
std::vector<Pair> pairs_of_epoch(const LinkView& view, StreamKey key, std::uint32_t epoch,
                                 bool corrupted) {
  std::vector<Pair> out;
  for (const Pair& link : view.train()) {
    out.push_back(link);
    if (!view.directed()) out.push_back({link.target, link.source});
  }
  const std::size_t positives = out.size();
  Stream stream(key, 2, epoch);
  const auto nodes = static_cast<std::uint32_t>(view.nodes());
  for (std::size_t i = 0; corrupted && i < positives; ++i) {
    out.push_back({out[i].source, static_cast<Index>(stream.next_below(nodes))});
    out.push_back({static_cast<Index>(stream.next_below(nodes)), out[i].target});
  }
  while (out.size() < 2 * positives) {
    const auto source = static_cast<Index>(stream.next_below(nodes));
    const auto target = static_cast<Index>(stream.next_below(nodes));
    if (source != target && !has_arc(view.adjacency(), {source, target}))
      out.push_back({source, target});
  }
  return out;
}

std::vector<Numbers> numbers_of(Feed& feed) {
  std::vector<Numbers> out;
  for (int slot = 0; slot < static_cast<int>(feed.values().count()); ++slot) {
    const DenseView view = feed.values().view(slot);
    Numbers rows;
    for (Index r = 0; r < view.rows; ++r) rows.emplace_back(view.row(r), view.row(r) + view.cols);
    out.push_back(rows);
  }
  return out;
}

struct Case {
  const char *decoder, *form;
};

class LinkStep : public testing::TestWithParam<Case> {};

// With a large epsilon a first step of Adam is a multiple of the gradient: of rate / epsilon = 0.1.
TEST_P(LinkStep, FollowsTheGradientOfItsLoss) {
  const auto [decoder, form] = GetParam();
  const made::LinkData made = made::link_data(13, 40, 3);
  const Task task = link_task(made.data);
  const auto& view = dynamic_cast<const LinkView&>(*task.view);
  const ModelEntry& gae = model("gae");
  const Options settings = configured(gae, {{"hidden", std::int64_t{6}},
                                            {"dimension", std::int64_t{4}},
                                            {"decoder", std::string(decoder)},
                                            {"pair_loss", std::string(form)}});
  const auto trained = gae.trainable(settings);
  const TrainRule rule;
  const auto feed =
      make_link_feed(task.view, trained->schedule(), {gae, settings, rule, "roc-auc"});
  const StreamKey key = stream_key("step");
  feed->restart(key);

  SlowLoss slow{.decoder = std::string(decoder).substr(0, std::string(decoder).find(':')),
                .form = form};
  slow.arcs.assign(13, std::vector<double>(13));
  for (Index i = 0; i < 13; ++i)
    for (const Index j : view.adjacency().row_columns(i)) slow.arcs[i][j] = 1;
  const auto& features = std::get<Matrix>(made.data.features);
  for (Index i = 0; i < 13; ++i)
    slow.features.emplace_back(features.row(i), features.row(i) + features.cols);
  slow.pairs = pairs_of_epoch(view, key, 0, slow.form == "corrupted");
  slow.positives = (view.directed() ? 1 : 2) * view.train().size();

  std::vector<Numbers> before = numbers_of(*feed);
  Adam adam(feed->parameters(), 1e5, {1e6, true});
  (void)feed->train(key, 0, adam);
  const std::vector<Numbers> after = numbers_of(*feed);
  double largest = 0;
  for (std::size_t p = 0; p < before.size(); ++p)
    for (std::size_t r = 0; r < before[p].size(); ++r)
      for (std::size_t c = 0; c < before[p][r].size(); ++c) {
        const double kept = before[p][r][c], by = 1e-6;
        before[p][r][c] = kept + by;
        const double up = slow(before);
        before[p][r][c] = kept - by;
        const double slope = (up - slow(before)) / (2 * by);
        before[p][r][c] = kept;
        EXPECT_NEAR((kept - after[p][r][c]) / 0.1, slope, 1e-5)
            << feed->parameters()[p].name << " " << r << " " << c;
        largest = std::max(largest, std::abs(slope));
      }
  EXPECT_GT(largest, 1e-2) << "there is no gradient to speak of";
}

constexpr Case kCases[] = {{"dot", "sampled"},
                           {"dot", "sampled-means"},
                           {"dot", "all-pairs"},
                           {"distmult", "sampled"},
                           {"distmult", "sampled-means"},
                           {"distmult", "corrupted"},
                           {"mlp:layers=2;hidden=5", "sampled"},
                           {"mlp:layers=2;hidden=5", "sampled-means"}};
INSTANTIATE_TEST_SUITE_P(Every, LinkStep, testing::ValuesIn(kCases));

Matrix trial(const Task& task, const Settings& given, int threads, int epochs = 5,
             const char* metric = "mrr") {
  const ModelEntry& gae = model("gae");
  TrainRule rule;
  rule.max_epochs = epochs;
  rule.patience = 0;
  rule.keep = "last";
  Trainer trainer(task.view, gae, configured(gae, given), rule, metric, {threads});
  return *trainer.run(stream_key("trial")).test_scores;
}

TEST(LinkFeed, SameBitsOnAnyNumberOfThreads) {
  const Task task = link_task(made::link_data(700, 6000, 5).data);
  for (const auto& [decoder, form] : kCases) {
    const Settings settings = {{"decoder", std::string(decoder)}, {"pair_loss", std::string(form)}};
    const Matrix one = trial(task, settings, 1);
    for (const int threads : {2, 8}) {
      const Matrix many = trial(task, settings, threads);
      ASSERT_EQ(many.values.size(), one.values.size());
      EXPECT_EQ(
          std::memcmp(many.values.data(), one.values.data(), one.values.size() * sizeof(float)), 0)
          << decoder << ", " << form << ", " << threads << " threads";
    }
  }
}

// A score is of its pair, whatever is asked beside it: 280 x 280 pairs take several blocks.
TEST(LinkFeed, AScoreDoesNotDependOnWhatIsAskedWithIt) {
  const made::LinkData made = made::link_data(280, 1500, 6);
  const Task few = link_task(made.data), all = link_task(made.data, {.negatives = "all"});
  const auto& one = dynamic_cast<const LinkView&>(*few.view);
  const auto& other = dynamic_cast<const LinkView&>(*all.view);
  for (const char* decoder : {"dot", "mlp:hidden=8"}) {
    const Settings settings = {{"decoder", std::string(decoder)}};
    const Matrix a = trial(few, settings, 1), b = trial(all, settings, 2);
    const Asked& asked = other.asked(LinkPart::kTest);
    ASSERT_GT(asked.rows(), 1 << 14);
    std::map<Pair, float> score_of;
    for (Offset row = 0; row < asked.rows(); ++row)
      score_of[asked.pair(row)] = b(static_cast<Index>(row), 0);
    int met = 0;
    for (Offset row = 0; row < one.test_rows(); ++row) {
      const auto found = score_of.find(one.asked(LinkPart::kTest).pair(row));
      if (found == score_of.end()) continue;
      EXPECT_EQ(a(static_cast<Index>(row), 0), found->second);
      ++met;
    }
    EXPECT_GT(met, 100);
  }
}

// Every pair within a clique is a link and none between them: what is held out can be told.
TEST(LinkFeed, LearnsTwoCliques) {
  constexpr Index kNodes = 24;
  Dataset data;
  data.name = "cliques";
  std::vector<Edge> edges;
  for (Index i = 0; i < kNodes; ++i)
    for (Index j = 0; j < kNodes; ++j)
      if (i != j && i % 2 == j % 2) edges.push_back({i, j});
  data.adjacency = from_edges(kNodes, edges);
  data.features = Matrix(kNodes, 1);
  const Task task = link_task(data, {.negatives = "uniform"});
  for (const auto& [decoder, form] : kCases) {
    const Matrix scores = trial(task,
                                {{"features", false},
                                 {"lr", 0.05},
                                 {"decoder", std::string(decoder)},
                                 {"pair_loss", std::string(form)}},
                                1, 40);
    const auto marking = task.answers->open();
    marking->take(scores);
    EXPECT_GT(marking->score("roc-auc"), 0.9) << decoder << ", " << form;
  }
}

// The epoch that is kept has the best score of all, whether small is good or large.
TEST(LinkFeed, IsKeptAtItsBestPlace) {
  const Task task = link_task(made::link_data(60, 300, 12).data);
  const ModelEntry& gae = model("gae");
  const Options settings = configured(gae, {{"lr", 0.05}});
  for (const char* metric : {"mean-rank", "mrr"}) {
    const auto outcome = [&](TrainRule rule) {
      rule.patience = 0;
      Trainer trainer(task.view, gae, settings, rule, metric);
      return trainer.run(stream_key("best"));
    };
    constexpr int kEpochs = 12;
    int best = 0;
    std::vector<double> scores;
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      scores.push_back(outcome({.max_epochs = epoch + 1, .keep = "last"}).valid_score);
      if (scale_of_metric(metric).is_better(scores.back(), scores[static_cast<std::size_t>(best)]))
        best = epoch;
    }
    const TrialOutcome kept =
        outcome({.max_epochs = kEpochs, .stop_on = "valid-score", .ties_improve = false});
    EXPECT_EQ(kept.best_epoch, best) << metric;
    EXPECT_EQ(kept.valid_score, scores[static_cast<std::size_t>(best)]) << metric;
    const auto [least, most] = std::ranges::minmax(scores);
    EXPECT_LT(least, most) << "no epoch is better than another";
  }
}

// One step at a rate that no protocol may have makes embeddings that overflow when they are
// multiplied, the next one parameters that are no numbers: the run is scored as one without any
// epoch.
TEST(LinkFeed, TrainingThatDivergesIsScoredWithTheBestParametersBefore) {
  for (const char* negatives : {"uniform", "corrupt:count=4", "all"}) {
    const Task task = link_task(made::link_data(60, 300, 12).data, {.negatives = negatives});
    ModelEntry gcn = model("gcn");
    for (OptionSpec& option : gcn.options)
      if (option.name == "lr") option.max = 1e30;
    const auto outcome = [&](double rate, TrainRule rule) {
      rule.stop_on = "valid-score";
      Trainer trainer(task.view, gcn, configured(gcn, {{"lr", rate}}), rule, "mrr");
      return trainer.run(stream_key("diverging"));
    };
    const TrialOutcome untrained = outcome(0.01, {.max_epochs = 0});
    const TrialOutcome restored = outcome(1e30, {.max_epochs = 20});
    EXPECT_EQ(restored.status, TrialStatus::kDiverged) << negatives;
    EXPECT_LT(restored.epochs, 20) << negatives;
    EXPECT_EQ(restored.best_epoch, -1) << negatives;
    ASSERT_TRUE(restored.scored) << negatives;
    EXPECT_EQ(restored.test_scores->values, untrained.test_scores->values) << negatives;
    EXPECT_EQ(restored.valid_score, untrained.valid_score) << negatives;
    const TrialOutcome failed = outcome(1e30, {.max_epochs = 20, .on_divergence = "fail"});
    EXPECT_EQ(failed.status, TrialStatus::kDiverged) << negatives;
    EXPECT_FALSE(failed.scored) << negatives;
  }
}

// Embeddings of 1e30 have products that are infinite. The last of `places` is the worst.
TEST(LinkFeed, ScoresThatAreNotFiniteAreWorthTheLeast) {
  const struct {
    const char* negatives;
    int places;
  } cases[] = {{"uniform", 11}, {"corrupt:count=4", 5}, {"all", 29}};
  for (const auto& [negatives, places] : cases)
    for (const char* metric : {"mrr", "mean-rank"}) {
      const Task task = link_task(made::link_data(30, 120, 7).data, {.negatives = negatives});
      const ModelEntry& gae = model("gae");
      const Options settings = configured(gae, {});
      const auto trained = gae.trainable(settings);
      const TrainRule rule = {.stop_on = "valid-score"};
      const auto feed =
          make_link_feed(task.view, trained->schedule(), {gae, settings, rule, metric});
      feed->restart(stream_key("least"));
      const Feed::Evaluation before = feed->validate({}, 0);
      EXPECT_TRUE(std::isfinite(before.loss));
      std::ranges::fill(feed->values().block(), 1e30f);
      feed->taken_up();
      const Feed::Evaluation after = feed->validate({}, 0);
      EXPECT_TRUE(std::isnan(after.loss)) << negatives;
      const MetricScale scale = scale_of_metric(metric);
      EXPECT_TRUE(scale.is_in_bounds(after.score)) << after.score;
      EXPECT_TRUE(scale.is_better(before.score, after.score)) << metric << " " << after.score;
      if (scale.larger_is_better) {
        EXPECT_EQ(after.score, 0);
      } else {
        EXPECT_GE(after.score, places);
      }
    }
}

// The estimate has room for what validation holds of a pair: its score, twice where ranks are
// counted and once more for the loss, and its answer.
TEST(LinkFeed, ItsEstimateCountsTheScoresOfValidation) {
  const made::LinkData made = made::link_data(300, 2000, 4);
  const ModelEntry& gae = model("gae");
  const Options settings = configured(gae, {});
  const auto estimate = [&](const Task& task) {
    return static_cast<double>(
        estimate_memory(*task.view, gae, settings, {.stop_on = "valid-score"}));
  };
  const Task few = link_task(made.data, {.negatives = "corrupt:count=150"});
  const Task many = link_task(made.data, {.negatives = "corrupt:count=250"});
  ASSERT_GT(few.view->valid_rows(), 1 << 14) << "less than is decoded at a time";
  const auto valid = static_cast<double>(many.view->valid_rows() - few.view->valid_rows());
  const auto test = static_cast<double>(many.view->test_rows() - few.view->test_rows());
  ASSERT_GT(valid, 1000);
  EXPECT_GE(estimate(many) - estimate(few), sizeof(float) * (4 * valid + 2 * test));
}

std::string refusal(const Task& task, const ModelEntry& entry, const Settings& settings,
                    const TrainRule& rule, const char* metric = "mrr") {
  const Options options = configured(entry, settings);
  return error_of([&] {
    find_task_kind("links")->check_settings("models.row", *task.view,
                                            {entry, options, rule, metric});
  });
}

// Before anything is asked, too: so plans refuse it.
TEST(LinkFeed, GoesByNoLossWhereThereIsNone) {
  const made::LinkData made = made::link_data(30, 120, 7);
  const ModelEntry& gcn = model("gcn");
  for (const bool asked : {true, false}) {
    const Task all = link_task(made.data, {.negatives = "all", .asked = asked});
    for (const char* stop_on : {"valid-objective", "valid-loss"}) {
      const std::string says =
          std::string("models.row: stop_on = \"") + stop_on +
          "\" goes by a validation loss, and there is none where validation links are ranked among "
          "all nodes; set stop_on = \"valid-score\"";
      EXPECT_EQ(refusal(all, gcn, {}, {.stop_on = stop_on}), says);
      EXPECT_EQ(refusal(all, gcn, {}, {.patience = 0, .stop_on = stop_on}), says);
      EXPECT_EQ(refusal(all, gcn, {}, {.stop_on = stop_on, .keep = "last"}), says);
      // Nothing is decided by it.
      EXPECT_EQ(refusal(all, gcn, {}, {.patience = 0, .stop_on = stop_on, .keep = "last"}),
                "no error");
    }
    EXPECT_EQ(refusal(all, gcn, {}, {.stop_on = "valid-score"}), "no error");
    EXPECT_EQ(refusal(all, model("katz"), {}, {}), "no error");
    const Task tested =
        link_task(made.data, {.negatives = "all", .valid_negatives = "uniform", .asked = asked});
    EXPECT_EQ(refusal(tested, gcn, {}, {}), "no error");
    const Task validated =
        link_task(made.data, {.negatives = "uniform", .valid_negatives = "all", .asked = asked});
    EXPECT_NE(refusal(validated, gcn, {}, {}, "roc-auc"), "no error");
  }
}

// A form of ROC AUC for two classes is none of pairs; other metrics have no such form.
TEST(LinkFeed, RefusesToRankByOneOfSeveralOutputs) {
  const Task task = link_task(made::link_data(30, 120, 7).data);
  const Settings column = {{"ranking", std::string("column")}};
  for (const char* name : {"fsgnn", "jacobiconv"}) {
    EXPECT_EQ(
        refusal(task, model(name), column, {}, "roc-auc"),
        "models.row: ranking = \"column\" ranks by single outputs for two classes, and a pair "
        "has one score; leave ranking out");
    EXPECT_EQ(refusal(task, model(name), column, {}, "mrr"), "no error");
    EXPECT_EQ(refusal(task, model(name), {}, {}, "roc-auc"), "no error");
  }
}

// Two columns are no pair of classes here.
TEST(LinkFeed, EveryEncoderGivesAsManyColumnsAsItIsAskedFor) {
  const Task task = link_task(made::link_data(30, 120, 7).data);
  const auto& view = dynamic_cast<const LinkView&>(*task.view);
  for (const Index dimension : {1, 2, 3, 8}) {
    int met = 0;
    for (const ModelEntry* entry : models()) {
      if (entry->unit != Unit::kNode || entry->trainable == nullptr) continue;
      const Options settings = configured(*entry, {{"dimension", std::int64_t{dimension}}});
      const auto trained = entry->trainable(settings);
      const Schedule schedule = trained->schedule();
      if (schedule.phases.size() > 1) continue;
      try {
        const LinkParts parts(view, schedule, settings);
        const Program& program = parts.encoder->program;
        EXPECT_EQ(program.nodes[static_cast<std::size_t>(program.output)].shape.cols, dimension)
            << entry->name;
        ++met;
      } catch (const Error&) {  // it reads labels, or has a width for each head
      }
    }
    EXPECT_GT(met, 15) << dimension;
  }
}

TEST(LinkFeed, RefusesWhatDoesNotGoTogether) {
  const Task task = link_task(made::link_data(30, 120, 7).data);
  const auto refused = [&](const Task& of, const Settings& given) {
    return error_of([&] { (void)trial(of, given, 1, 1); });
  };
  EXPECT_EQ(refused(task, {{"pair_loss", std::string("all-pairs")},
                           {"decoder", std::string("distmult")}}),
            "model 'gae': pair_loss = \"all-pairs\" goes with decoder = \"dot\", not "
            "\"distmult\"; take \"sampled\"");
  EXPECT_EQ(refused(task, {{"decoder", std::string("dots")}}).substr(0, 46),
            "model 'gae': no decoder is called 'dots'; know");
  const Task directed = link_task(made::link_data(30, 120, 7, true).data, {.directed = true});
  EXPECT_EQ(refused(directed, {{"pair_loss", std::string("all-pairs")}}),
            "model 'gae': pair_loss = \"all-pairs\" is of undirected links; take \"sampled\"");
  Dataset complete = made::link_data(12, 4000, 8).data;
  EXPECT_EQ(error_of([&] {
              (void)trial(
                  link_task(complete,
                            {.negatives = "corrupt:count=1;filtered=false", .valid = 3, .test = 3}),
                  {}, 1, 1);
            }),
            "made: nearly all pairs of nodes are linked, so that none can be drawn that is not");
}

}  // namespace
}  // namespace cupel
