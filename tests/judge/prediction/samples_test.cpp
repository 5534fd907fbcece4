#include "cupel/judge/prediction/samples.h"

#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "cupel/judge/prediction/features.h"
#include "data/made_graph_sets.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

constexpr const char* kProtocol = R"(title = "Graphs"
task = "graph-classification"
[data]
datasets = ["a", "b", "c"]
prepare = ["drop-edgeless-graphs"]
[split]
scheme = "stratified-kfold"
folds = 4
valid = 10
count = 4
[models.gin-s]
[models.baseline-s]
[models.gin-a]
[models.baseline-a]
[[table]]
id = "1"
)";

// Rings of 3 to 8 nodes; every seventh graph has no edge.
Dataset rings(Index shift) {
  std::vector<test::MadeGraph> graphs;
  for (Index g = 0; g < 42; ++g) {
    const Index size = 3 + (g * shift) % 6;
    test::MadeGraph graph{size, {}, (g / 2 + shift) % 2};
    for (Index i = 0; i < size && g % 7 != 0; ++i) graph.edges.push_back({i, (i + 1) % size});
    graphs.push_back(graph);
  }
  return test::made_set(graphs);
}

PlanSources sources() {
  PlanSources out;
  out.load = [](const std::string& name) { return rings(name == "a" ? 1 : name == "b" ? 5 : 7); };
  // Without the graphs that have no edge: what is left, made anew.
  out.prepare = [](const std::string&, Dataset dataset, const std::vector<std::string>& steps) {
    EXPECT_EQ(steps, std::vector<std::string>{"drop-edgeless-graphs"});
    std::vector<test::MadeGraph> graphs;
    const std::vector<Index>& start = dataset.graphs->start;
    for (Index g = 0; g < dataset.graphs->size(); ++g) {
      if (g % 7 == 0) continue;
      const Index size = start[g + 1] - start[g];
      test::MadeGraph graph{size, {}, dataset.labels()[g]};
      for (Index i = 0; i < size; ++i) graph.edges.push_back({i, (i + 1) % size});
      graphs.push_back(graph);
    }
    return test::made_set(graphs);
  };
  return out;
}

CellResults scores(const std::string& dataset, const std::string& model,
                   const std::vector<double>& values) {
  CellResults out = made::cell(dataset, model, values);
  out.classes = 2;
  return out;
}

// `a` has both parts, and no attribute score of the baseline on split 3.
Results results() {
  Results out;
  out.protocol = "graphs";
  out.tables = {made::scores_table({
      scores("a", "gin-s", {.8, .9, .7, .8}),
      scores("a", "baseline-s", {.7, .6, .7, .9}),
      scores("a", "gin-a", {.8, .8, .8, .8}),
      scores("a", "baseline-a", {.9, .8, .5}),
      scores("b", "gin-s", {.6, .6, .5, .5}),
      scores("b", "baseline-s", {.5, .8, .5, .4}),
      scores("c", "gin-s", {.9, .9}),
      scores("c", "baseline-s", {.8, .5}),
  })};
  return out;
}

EffectivenessRequest request() {
  EffectivenessRequest out;
  out.structure = {{"gin-s"}, {"baseline-s"}};
  out.attributes = {{"gin-a"}, {"baseline-a"}};
  return out;
}

// Equation 1 for two classes.
double equation(double a, double b) {
  const double lower = std::min(a, b);
  return std::abs(a - b) / lower * (1 - lower) * 2;
}

class PredictionSamples : public testing::TestWithParam<int> {};

// Whatever split the protocol calls its first.
TEST_P(PredictionSamples, AreSplitsWithTheirOwnEffectivenessAndTheirTrainingGraphs) {
  std::string text = kProtocol;
  text.replace(text.find("count = 4"), 0, "first = " + std::to_string(GetParam()) + "\n");
  const Protocol protocol = parse_protocol("graphs", "graphs.toml", text);
  const PredictionData found = prediction_data(results(), protocol, request(), sources(), {1});
  const std::vector<std::tuple<std::string, int, double>> expected = {
      {"a", 0, (equation(.8, .7) + equation(.8, .9)) / 2},
      {"a", 1, equation(.9, .6) / 2},
      {"a", 2, equation(.8, .5) / 2},
      {"b", 0, equation(.6, .5)},
      {"b", 1, equation(.6, .8)},
      {"b", 2, 0},
      {"b", 3, equation(.5, .4)},
      {"c", 0, equation(.9, .8)},
      {"c", 1, equation(.9, .5)}};
  ASSERT_EQ(found.samples.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const PredictionSample& sample = found.samples[i];
    const auto& [name, number, value] = expected[i];
    EXPECT_EQ(sample.dataset, name);
    EXPECT_EQ(sample.split, number);
    EXPECT_NEAR(sample.effectiveness, value, 1e-12) << name << " " << number;

    const PlanSources from = sources();
    const Dataset dataset = from.prepare(name, from.load(name), {"drop-edgeless-graphs"});
    SplitScheme scheme = protocol.split;
    scheme.first = 0, scheme.count = 20;
    const Split split = make_split(dataset, scheme, GetParam() + number);
    std::vector<bool> tested(36, false);
    for (const Index g : split.test) tested[static_cast<std::size_t>(g)] = true;
    std::vector<Index> rest;
    for (Index g = 0; g < 36; ++g)
      if (!tested[static_cast<std::size_t>(g)]) rest.push_back(g);
    const auto features = prediction_features(dataset, graph_properties(dataset, {1}), rest);
    for (std::size_t f = 0; f < features.size(); ++f)
      EXPECT_NEAR(sample.features[f], features[f], 1e-9) << prediction_feature_names()[f];
  }
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("1 splits of a"), std::string::npos) << found.notes[0];
}

INSTANTIATE_TEST_SUITE_P(First, PredictionSamples, testing::Values(0, 2, 10));

TEST(PredictionData, ADataSetIsLoadedFromThePathThatTheProtocolGives) {
  std::string text = kProtocol;
  text.replace(text.find("[split]"), 0, "[data.a]\npath = \"elsewhere/a\"\n");
  const Protocol protocol = parse_protocol("graphs", "graphs.toml", text);
  PlanSources from = sources();
  std::vector<std::string> loaded;
  from.load = [&, load = from.load](const std::string& name) {
    loaded.push_back(name);
    return load(name);
  };
  (void)dataset_of(protocol, "1", "a", from);
  (void)dataset_of(protocol, "1", "b", from);
  EXPECT_EQ(loaded, (std::vector<std::string>{protocol.reference("a"), "b"}));
  EXPECT_TRUE(loaded[0].ends_with("elsewhere/a")) << loaded[0];
}

TEST(PredictionData, TooFewDataSetsAreRefusedBeforeDataAreRead) {
  EffectivenessRequest two = request();
  two.datasets = {"a", "b"};
  PlanSources none = sources();
  none.load = [](const std::string&) -> Dataset { throw std::logic_error("read"); };
  const Protocol protocol = parse_protocol("graphs", "graphs.toml", kProtocol);
  EXPECT_THROW((void)prediction_data(results(), protocol, two, none, {1}), Error);
}

}  // namespace
}  // namespace cupel
