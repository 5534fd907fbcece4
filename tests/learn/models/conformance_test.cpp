// Every model of the registry: a new one is tested here without being named.
#include "learn/models/conformance.h"

namespace cupel {
namespace {

// Models of facts over time are tried in events/event_models_test.cpp.
class ModelOfAnyWay : public ConformanceOfModel {};

TEST_P(ModelOfAnyWay, SaysWhatItIs) {
  const ModelEntry& e = entry();
  EXPECT_EQ(find_model(e.name), &e);
  EXPECT_FALSE(e.title.empty());
  EXPECT_FALSE(e.citation.empty());
  EXPECT_FALSE(e.equations.empty());
  EXPECT_EQ((e.trainable != nullptr) + (e.direct != nullptr) + (e.scorer != nullptr) +
                (e.events != nullptr),
            1)
      << "exactly one way to make it";
  if (e.scorer != nullptr) {
    EXPECT_TRUE(of_pairs(e)) << "a score of pairs";
  }
  EXPECT_EQ(e.events != nullptr, e.unit == Unit::kFact);
  EXPECT_EQ(e.events != nullptr, e.event_bytes != nullptr);
  for (const OptionSpec& option : e.options) {
    EXPECT_TRUE(option.doc.ends_with('.')) << option.name << ": " << option.doc;
    // A default has to pass the checks that a given value passes.
    EXPECT_NO_THROW(configure(e, {{option.name, option.fallback}})) << option.name;
  }
  for (const Exemption& x : e.exemptions) {
    EXPECT_TRUE(x.reason.ends_with('.')) << x.option << ": " << x.reason;
    EXPECT_NO_THROW(configure(e, {{x.option, x.value}})) << x.option;
  }
  for (const Disagreement& d : e.disagreements) {
    EXPECT_FALSE(d.text.empty());
    if (d.setting.starts_with('(')) continue;       // "(no setting)"
    if (d.setting.starts_with("train.")) continue;  // of the training rule
    const std::string named = d.setting.substr(0, d.setting.find(' '));
    EXPECT_TRUE(std::any_of(e.options.begin(), e.options.end(),
                            [&](const OptionSpec& o) { return o.name == named; }))
        << "there is no setting '" << named << "'";
  }
}

class Model : public ConformanceOfModel {};

// Scores of the test examples, from a whole trial.
Matrix trial_scores(const std::shared_ptr<const View>& view, const ModelEntry& entry,
                    const Options& options, Threads threads) {
  TrainRule rule;
  rule.max_epochs = 6;
  if (of_graphs(entry)) rule.batch_size = 32;
  Trainer trainer(view, entry, options, rule, view->kind().metric, threads);
  return *trainer.run(stream_key("trial")).test_scores;
}

Matrix scores_of_trial(const ClassTask& task, const ModelEntry& entry, const Options& options) {
  return trial_scores(std::make_shared<const TaskView>(task.view), entry, options, {1});
}

TEST_P(Model, SameBitsOnAnyNumberOfThreadsAndAgain) {
  // Large enough that loops are split.
  const auto view = view_for(entry(), {.nodes = 900, .words = 200, .words_per_node = 30}, 300, 200);
  const Matrix one = trial_scores(view, entry(), options(), {1});
  EXPECT_TRUE(same_bits(one, trial_scores(view, entry(), options(), {1})));
  EXPECT_TRUE(same_bits(one, trial_scores(view, entry(), options(), {2})));
  EXPECT_TRUE(same_bits(one, trial_scores(view, entry(), options(), {8})));
}

TEST_P(Model, MemoryStaysBelowItsEstimate) {
  const auto view = view_for(entry(), {.nodes = 300, .words = 100, .words_per_node = 20}, 60, 90);
  TrainRule rule;
  rule.max_epochs = 2;
  Trainer trainer(view, entry(), options(), rule, view->kind().metric);
  (void)trainer.run(stream_key("trial"));
  EXPECT_LE(trainer.memory_bytes(), estimate_memory(*view, entry(), options(), rule));
}

// What is far too much keeps runs from machines that could do them. Wide features, of which only
// products are ever held; without those of models that have none, 64 KiB are too little to matter.
TEST_P(Model, MemoryIsNotFarBelowItsEstimateOnAGraph) {
  if (of_graphs(entry()) || entry().trainable == nullptr) return;
  const auto view =
      view_for(entry(), {.nodes = 600, .words = 2000, .words_per_node = 20}, 120, 180);
  TrainRule rule;
  rule.max_epochs = 2;
  Trainer trainer(view, entry(), options(), rule, view->kind().metric);
  (void)trainer.run(stream_key("trial"));
  EXPECT_LE(estimate_memory(*view, entry(), options(), rule),
            2 * trainer.memory_bytes() + (64 << 10));
}

bool all_finite(const Matrix& scores) {
  return std::all_of(scores.values.begin(), scores.values.end(),
                     [](float v) { return std::isfinite(v); });
}

// Arcs one way only, a node that arcs lead to but not from, one without any, and one without words.
Dataset poor_dataset() {
  Dataset data = made_dataset();
  const Index sink = 50, hermit = 51, wordless = 52;
  std::vector<Edge> arcs = {{3, sink}, {49, sink}};
  for (Index i = 0; i < data.nodes(); ++i)
    for (const Index j : data.adjacency.row_columns(i))
      if (i != sink && i != hermit && j != hermit && (i < j || i % 3 == 0)) arcs.push_back({i, j});
  data.adjacency = from_edges(data.nodes(), arcs);
  const Csr all = std::get<Csr>(data.features);
  Csr words;
  words.rows = all.rows;
  words.cols = all.cols;
  for (Index i = 0; i < all.rows; ++i) {
    const auto row = all.row_columns(i);
    if (i != wordless) words.columns.insert(words.columns.end(), row.begin(), row.end());
    words.row_ptr.push_back(static_cast<Offset>(words.columns.size()));
  }
  data.features = std::move(words);
  return data;
}

Dataset dense_dataset() {
  Dataset data = made_dataset();
  const Csr& words = std::get<Csr>(data.features);
  Matrix dense(words.rows, words.cols);
  for (Index i = 0; i < words.rows; ++i)
    for (const Index word : words.row_columns(i)) dense(i, word) = 0.5f;
  data.features = std::move(dense);
  return data;
}

// Graphs without any arc, and one without nodes.
Dataset poor_graphs() {
  Dataset data = drawn_graphs();
  data.adjacency.columns.clear();
  std::fill(data.adjacency.row_ptr.begin(), data.adjacency.row_ptr.end(), 0);
  data.graphs->arc_attributes = Matrix(0, data.graphs->arc_attributes.cols);
  data.graphs->start.push_back(data.nodes());
  data.labels().push_back(0);
  return data;
}

TEST_P(Model, ScoresEveryExampleHoweverPoorAndDenseFeaturesToo) {
  if (of_graphs(entry())) {
    for (const Dataset& data : {poor_graphs(), drawn_graphs()}) {
      const ClassTask task = task_of(data, leading_graphs(data, 20, 20));
      EXPECT_TRUE(all_finite(scores_of_trial(task, entry(), options())));
    }
    return;
  }
  if (of_pairs(entry())) {
    Dataset both_ways = poor_dataset();
    both_ways.adjacency = symmetrise(both_ways.adjacency);
    for (const auto& view : {link_task(poor_dataset(), {.directed = true}).view,
                             link_task(both_ways).view, link_task(dense_dataset()).view})
      EXPECT_TRUE(all_finite(trial_scores(view, entry(), options(), {1})));
    return;
  }
  for (const Dataset& data : {poor_dataset(), dense_dataset()}) {
    const ClassTask task = task_of(data, leading_split(data, 20, 20));
    EXPECT_TRUE(all_finite(scores_of_trial(task, entry(), options())));
  }
}

class TrainedModelOf : public Model {};

// Identities rely on it: without the setting, or at 0, the loss and the objective are one.
TEST_P(TrainedModelOf, HasNoPenaltyWithoutL2) {
  Settings none;
  for (const OptionSpec& option : entry().options)
    if (option.name == "l2") none[option.name] = 0.0;
  TracedModel traced(entry(), options(none), task_for(entry()).view);
  traced.shake(0.3);
  EXPECT_EQ(regulariser(traced.program.parameters, traced.values), 0);
}

class DirectModelOf : public Model {};

TEST_P(DirectModelOf, RenumberedExamplesGetTheSameScores) {
  const Dataset data = of_graphs(entry()) ? drawn_graphs() : made_dataset();
  std::vector<Index> places(static_cast<std::size_t>(data.examples()));
  for (Index i = 0; i < data.examples(); ++i)
    places[i] = (i * 7 + 3) % data.examples();  // 7 and 60 coprime
  const Split split = data.graphs ? leading_graphs(data, 20, 20) : leading_split(data, 20, 20);
  Split moved = split;
  for (auto* part : {&moved.train, &moved.valid, &moved.test})
    for (Index& node : *part) node = places[node];
  const auto fit = [&](const Dataset& d, const Split& s) {
    return entry().direct(options())->fit_predict(task_of(d, s).view);
  };
  const auto a = fit(data, split), b = fit(renumbered_examples(data, places), moved);
  ASSERT_EQ(a.test_scores.values.size(), b.test_scores.values.size());
  for (std::size_t i = 0; i < a.test_scores.values.size(); ++i)
    EXPECT_NEAR(a.test_scores.values[i], b.test_scores.values[i], 1e-6);
}

class ScorerOf : public Model {
 protected:
  std::vector<float> scores(const Dataset& data, const std::vector<Pair>& pairs,
                            std::size_t block) const {
    const auto scorer = entry().scorer({data.adjacency, data.features}, options(), {});
    std::vector<float> out(pairs.size());
    for (std::size_t first = 0; first < pairs.size(); first += block) {
      const std::size_t count = std::min(block, pairs.size() - first);
      scorer->score(std::span(pairs).subspan(first, count), std::span(out).subspan(first, count),
                    {});
    }
    return out;
  }
  static std::vector<Pair> every_pair(Index nodes) {
    std::vector<Pair> out;
    for (Index i = 0; i < nodes; ++i)
      for (Index j = 0; j < nodes; ++j)
        if (i != j) out.push_back({i, j});
    return out;
  }
};

TEST_P(ScorerOf, AScoreIsOfThePairAlone) {
  const Dataset data = made_dataset();
  std::vector<Pair> pairs = every_pair(data.nodes());
  const std::vector<float> whole = scores(data, pairs, pairs.size());
  EXPECT_EQ(scores(data, pairs, 7), whole);
  EXPECT_EQ(scores(data, pairs, 1), whole);
  std::ranges::reverse(pairs);
  const std::vector<float> backwards = scores(data, pairs, 1000);
  EXPECT_TRUE(std::ranges::equal(backwards.rbegin(), backwards.rend(), whole.begin(), whole.end()));
}

// Sums over neighbours are taken in another order.
TEST_P(ScorerOf, RenumberedNodesGetTheSameScores) {
  const Dataset data = made_dataset();
  std::vector<Index> places(static_cast<std::size_t>(data.nodes()));
  for (Index i = 0; i < data.nodes(); ++i)
    places[static_cast<std::size_t>(i)] = (i * 7 + 3) % data.nodes();  // 7 and 60 are coprime
  const std::vector<Pair> pairs = every_pair(data.nodes());
  std::vector<Pair> moved = pairs;
  for (Pair& pair : moved)
    pair = {places[static_cast<std::size_t>(pair.source)],
            places[static_cast<std::size_t>(pair.target)]};
  const std::vector<float> a = scores(data, pairs, pairs.size());
  const std::vector<float> b = scores(renumbered(data, places), moved, pairs.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 2e-6 * std::max(1.0f, std::abs(a[i])));
  const auto [least, most] = std::ranges::minmax(a);
  EXPECT_LT(least, most) << "all pairs have the same score";
}

INSTANTIATE_TEST_SUITE_P(Trainable, ModelOfAnyWay, testing::ValuesIn(variants(Way::kTrained)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Direct, ModelOfAnyWay, testing::ValuesIn(variants(Way::kDirect)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Scored, ModelOfAnyWay, testing::ValuesIn(variants(Way::kScored)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Foretold, ModelOfAnyWay, testing::ValuesIn(variants(Way::kForetold)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Trainable, Model, testing::ValuesIn(variants(Way::kTrained)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Direct, Model, testing::ValuesIn(variants(Way::kDirect)), variant_name);
INSTANTIATE_TEST_SUITE_P(Scored, Model, testing::ValuesIn(variants(Way::kScored)), variant_name);
INSTANTIATE_TEST_SUITE_P(Registry, TrainedModelOf, testing::ValuesIn(variants(Way::kTrained)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Registry, DirectModelOf, testing::ValuesIn(variants(Way::kDirect)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Registry, ScorerOf, testing::ValuesIn(variants(Way::kScored)),
                         variant_name);

}  // namespace
}  // namespace cupel
