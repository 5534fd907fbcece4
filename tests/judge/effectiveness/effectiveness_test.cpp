#include "cupel/judge/effectiveness/effectiveness.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cupel/base/error.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

using made::cell;

CellResults classed(const std::string& dataset, const std::string& model, int classes,
                    const std::vector<double>& scores) {
  CellResults out = cell(dataset, model, scores);
  out.classes = classes;
  return out;
}

// MUTAG has attributes, IMDB has not; GIN and the kernel trade places.
Results two_datasets() {
  Results results;
  results.protocol = "effectiveness";
  results.title = "Effectiveness";
  results.tables = {made::scores_table({
      classed("MUTAG", "gin-s", 2, {.8, .9, .7, .8}),
      classed("MUTAG", "kernel-s", 2, {.9, .9, .9, .9}),
      classed("MUTAG", "baseline-s", 2, {.7, .7, .7, .7}),
      classed("MUTAG", "gin-a", 2, {.8, .8, .8, .8}),
      classed("MUTAG", "baseline-a", 2, {.9, .8, .9, 1.0}),
      classed("IMDB", "gin-s", 3, {.6, .6, .5, .5}),
      classed("IMDB", "kernel-s", 3, {.5, .5, .4, .4}),
      classed("IMDB", "baseline-s", 3, {.4, .4, .4, .4}),
  })};
  results.published = {made::published("1", "MUTAG", "gin-s", 86.71, 4.67),
                       made::published("1", "MUTAG", "baseline-s", 79.18, 9.83),
                       made::published("1", "MUTAG", "gin-a", 84.07, 6.26),
                       made::published("1", "MUTAG", "baseline-a", 83.7, 8.35),
                       made::published("1", "IMDB", "gin-s", 45.93, 1.0)};
  return results;
}

EffectivenessRequest both() {
  EffectivenessRequest request;
  request.structure = EffectivenessRows{{"gin-s"}, {"baseline-s"}};
  request.attributes = EffectivenessRows{{"gin-a"}, {"baseline-a"}};
  return request;
}

const DatasetEffectiveness& on(const EffectivenessReport& report, const std::string& dataset) {
  for (const DatasetEffectiveness& one : report.datasets)
    if (one.dataset == dataset) return one;
  throw std::logic_error("no such data set");
}

std::string message(const Results& results, const EffectivenessRequest& request) {
  try {
    (void)assess_effectiveness(results, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(EffectivenessOfResults, ByHand) {
  const EffectivenessReport report = assess_effectiveness(two_datasets(), both());
  ASSERT_EQ(report.datasets.size(), 2u);
  const DatasetEffectiveness& mutag = on(report, "MUTAG");
  EXPECT_NEAR(mutag.structure->value.gap, .1, 1e-12);
  EXPECT_NEAR(mutag.structure->value.factor, .3 / .5, 1e-12);
  EXPECT_NEAR(mutag.structure->value.effectiveness, .1 / .7 * .6, 1e-12);
  EXPECT_NEAR(mutag.attributes->value.gap, -.1, 1e-12);
  EXPECT_NEAR(*mutag.effectiveness, .1 / .7 * .6 + .1 / .8 * .4, 1e-12);
  EXPECT_EQ(mutag.measure, Measure{"accuracy"});
  EXPECT_EQ(mutag.splits, 4);
  const DatasetEffectiveness& imdb = on(report, "IMDB");
  EXPECT_FALSE(imdb.attributes.has_value());
  EXPECT_NEAR(*imdb.effectiveness, .15 / (.4 * 2) * (.6 / (2. / 3)), 1e-12);
  EXPECT_EQ(report.datasets.front().dataset, "IMDB") << "the most effective first";
}

TEST(EffectivenessOfResults, ThePublishedCounterpartIsFromPublishedMeans) {
  const EffectivenessReport report = assess_effectiveness(two_datasets(), both());
  EXPECT_NEAR(*on(report, "MUTAG").published.effectiveness, .0410, 2e-4);
  EXPECT_NEAR(on(report, "MUTAG").published.attributes->value.gap, .0037, 1e-9);
  EXPECT_FALSE(on(report, "IMDB").published.effectiveness.has_value()) << "no baseline published";
  // Readings share the published value of the row they are a reading of.
  Results results = two_datasets();
  results.reading_of = {{"kernel-s", "gin-s"}};
  EffectivenessRequest request;
  request.structure = EffectivenessRows{{"kernel-s"}, {"baseline-s"}};
  const EffectivenessReport shared = assess_effectiveness(results, request);
  EXPECT_NEAR(on(shared, "MUTAG").published.structure->gnn_score, .8671, 1e-12);
}

TEST(EffectivenessOfResults, OfSeveralTheBestStandsForThem) {
  EffectivenessRequest request = both();
  request.structure->gnn = {"gin-s", "kernel-s"};
  const EffectivenessReport report = assess_effectiveness(two_datasets(), request);
  EXPECT_EQ(on(report, "MUTAG").structure->gnn, "kernel-s");
  EXPECT_NEAR(on(report, "MUTAG").structure->value.gap, .2, 1e-12);
  EXPECT_EQ(on(report, "IMDB").structure->gnn, "gin-s");
}

// Twelve splits under each scheme: a gap of .1 on all of them but for a little.
TEST(EffectivenessOfResults, EvidenceIsOfTheSignedGapAndTheSchemeSaysOfWhat) {
  Results results;
  std::vector<double> graph, plain;
  for (int i = 0; i < 12; ++i) {
    plain.push_back(.5 + .03 * (i % 4));
    graph.push_back(plain.back() - .1 + .002 * (i % 3));
  }
  results.tables = {made::scores_table({
      classed("D", "graph", 2, graph),
      classed("D", "plain", 2, plain),
  })};
  EffectivenessRequest request;
  request.attributes = EffectivenessRows{{"graph"}, {"plain"}};
  double last = 0;
  for (const auto& [design, scope] : {std::pair{SplitDesign{}, ErrorScope::kSplits},
                                      {SplitDesign{0, 12, 1.0 / 11}, ErrorScope::kOtherData},
                                      {SplitDesign{0, 4, 1.0 / 3}, ErrorScope::kRepetitions}}) {
    results.tables[0].design = design;
    const DatasetEffectiveness of = assess_effectiveness(results, request).datasets.front();
    EXPECT_EQ(of.scope, scope);
    ASSERT_TRUE(of.attributes->evidence.has_value());
    const GapEvidence& evidence = *of.attributes->evidence;
    EXPECT_LT(evidence.interval.high, 0) << "the baseline is ahead";
    EXPECT_LT(evidence.interval.low, of.attributes->value.gap);
    EXPECT_LT(*of.p, 1e-3);
    EXPECT_GT(of.interval->low, 0);
    EXPECT_NE(evidence.standard_error, last) << "each scheme has an error of its own";
    last = evidence.standard_error;
  }
}

// Gaps .1, .3 and -.3: ranks by hand.
TEST(EffectivenessOfResults, RanksOfEAndOfGaps) {
  Results results;
  results.tables = {made::scores_table({
      classed("A", "g", 2, {.7}),
      classed("A", "b", 2, {.6}),
      classed("B", "g", 2, {.8}),
      classed("B", "b", 2, {.5}),
      classed("C", "g", 2, {.4}),
      classed("C", "b", 2, {.7}),
  })};
  EffectivenessRequest request;
  request.structure = EffectivenessRows{{"g"}, {"b"}};
  const EffectivenessReport report = assess_effectiveness(results, request);
  // E: A .133, B .6, C .9; gaps rank 2, 3, 1: 1 - 6 (1 + 1 + 4) / (3 * 8).
  EXPECT_NEAR(*report.correlations.structure, -.5, 1e-9);
  EXPECT_EQ(report.correlations.structure, report.correlations.both);
  EXPECT_FALSE(report.correlations.attributes.has_value());
  ASSERT_EQ(on(report, "A").structure->gaps.size(), 1u);
  EXPECT_NEAR(on(report, "A").structure->gaps[0].second, .1, 1e-12);
  request.datasets = {"A", "B"};
  EXPECT_FALSE(assess_effectiveness(results, request).correlations.structure.has_value());
}

TEST(EffectivenessOfResults, OnlySplitsThatAllRowsHaveCount) {
  Results results = two_datasets();
  auto& runs = results.tables[0].cells[0].runs;  // gin-s on MUTAG
  runs[2] = made::bad_run(2, 0, RunStatus::kFailed);
  const EffectivenessReport report = assess_effectiveness(results, both());
  const DatasetEffectiveness& mutag = on(report, "MUTAG");
  EXPECT_NEAR(mutag.structure->gnn_score, (.8 + .9 + .8) / 3, 1e-12);
  EXPECT_NEAR(mutag.attributes->baseline_score, .9, 1e-12) << "its own four splits";
  EXPECT_EQ(mutag.splits, 4);
  // No split in common: no part, and a word on it.
  auto& others = results.tables[0].cells[2].runs;  // baseline-s on MUTAG
  others.erase(std::remove_if(others.begin(), others.end(),
                              [](const PlacedRun& run) { return run.split != 2; }),
               others.end());
  const EffectivenessReport none = assess_effectiveness(results, both());
  EXPECT_FALSE(on(none, "MUTAG").structure.has_value());
  EXPECT_NE(on(none, "MUTAG").notes.at(0).find("structure"), std::string::npos);
  EXPECT_NEAR(*on(none, "MUTAG").effectiveness, .1 / .8 * .4, 1e-12);
  EXPECT_FALSE(on(none, "MUTAG").published.effectiveness.has_value()) << "of other parts than ours";
}

TEST(EffectivenessOfResults, FewSplitsHaveNoInterval) {
  Results results = two_datasets();
  for (CellResults& one : results.tables[0].cells) one.runs.resize(1);
  const EffectivenessReport report = assess_effectiveness(results, both());
  EXPECT_FALSE(on(report, "MUTAG").interval.has_value());
  EXPECT_FALSE(on(report, "MUTAG").p.has_value());
  EXPECT_FALSE(on(report, "MUTAG").structure->evidence.has_value());
  EXPECT_NEAR(*on(report, "MUTAG").effectiveness, .1 / .7 * .6 + .1 / .8 * .4, 1e-12);
}

// Many splits of one part are no evidence of the other.
TEST(EffectivenessOfResults, APartOfFewSplitsHasNoEvidence) {
  const auto of = [](std::size_t splits) {
    std::vector<double> few(splits, .7), many(12, .6);
    Results results;
    results.tables = {made::scores_table({
        classed("D", "gin-s", 2, many),
        classed("D", "baseline-s", 2, std::vector<double>(12, .5)),
        classed("D", "gin-a", 2, few),
        classed("D", "baseline-a", 2, std::vector<double>(splits, .5)),
    })};
    return assess_effectiveness(results, both()).datasets.front();
  };
  EXPECT_TRUE(of(12).p.has_value());
  for (const std::size_t splits : {2u, 9u}) {
    const DatasetEffectiveness found = of(splits);
    EXPECT_TRUE(found.effectiveness.has_value());
    EXPECT_FALSE(found.p.has_value() || found.interval.has_value()) << splits;
    EXPECT_FALSE(found.attributes->evidence.has_value()) << splits;
  }
}

TEST(EffectivenessOfResults, AScoreOfZeroHasNoEffectiveness) {
  Results results = two_datasets();
  for (PlacedRun& run : results.tables[0].cells[2].runs) run.record.test_score = 0;
  DatasetEffectiveness mutag = on(assess_effectiveness(results, both()), "MUTAG");
  EXPECT_FALSE(mutag.structure.has_value());
  EXPECT_NE(mutag.notes.at(0).find("divide"), std::string::npos);
  // One score above 0 is enough for E.
  results.tables[0].cells[2].runs[1].record.test_score = .4;
  mutag = on(assess_effectiveness(results, both()), "MUTAG");
  EXPECT_TRUE(mutag.structure.has_value());
}

TEST(EffectivenessOfResults, MissingRowsAreTold) {
  Results results = two_datasets();
  results.tables[0].cells[1].runs.clear();  // kernel-s on MUTAG
  EffectivenessRequest request = both();
  request.structure->gnn = {"gin-s", "kernel-s"};
  const EffectivenessReport report = assess_effectiveness(results, request);
  EXPECT_EQ(on(report, "MUTAG").structure->gnn, "gin-s");
  EXPECT_EQ(on(report, "MUTAG").notes, (std::vector<std::string>{"kernel-s has no runs"}));
  results.tables[0].cells[1].runs = {made::bad_run(0, 0, RunStatus::kFailed)};
  EXPECT_EQ(on(assess_effectiveness(results, request), "MUTAG").notes,
            (std::vector<std::string>{"kernel-s has no run with a score"}));
  const auto& notes = on(report, "IMDB").notes;
  EXPECT_NE(std::find(notes.begin(), notes.end(), "gin-a was not asked for"), notes.end());
}

TEST(EffectivenessOfResults, OtherMetricsAndWhatTheyNeed) {
  Results results = two_datasets();
  std::vector<CellResults> auc = results.tables[0].cells;
  for (CellResults& one : auc) {
    one.measure = {"roc-auc"};
    for (PlacedRun& run : one.runs) run.record.test_score = 1 - (1 - *run.record.test_score) / 2;
    if (one.dataset == "IMDB") one.runs.clear();
  }
  for (const CellResults& one : auc) results.tables[0].cells.push_back(one);
  EffectivenessRequest request = both();
  request.metric = "roc-auc";
  const EffectivenessReport report = assess_effectiveness(results, request);
  EXPECT_NEAR(on(report, "MUTAG").structure->value.effectiveness,
              pair_effectiveness_auc(.9, .85).effectiveness, 1e-12);
  EXPECT_FALSE(on(report, "IMDB").effectiveness.has_value());
  EXPECT_EQ(report.datasets.back().dataset, "IMDB");
  EXPECT_NE(on(report, "IMDB").notes.at(0).find("two classes"), std::string::npos);
  EXPECT_EQ(on(assess_effectiveness(results, both()), "MUTAG").measure, Measure{"accuracy"});
}

// A metric that is shown beside the protocol's is not what it goes by.
TEST(EffectivenessOfResults, MetricsBesideTheProtocolsAreNotAskedFor) {
  Results results = two_datasets();
  const Results alone = results;
  for (const CellResults& one : alone.tables[0].cells) {
    results.tables[0].cells.push_back(one);
    results.tables[0].cells.back().measure = {"macro-f1"};
  }
  EXPECT_EQ(on(assess_effectiveness(results, both()), "MUTAG").effectiveness,
            on(assess_effectiveness(alone, both()), "MUTAG").effectiveness);
  EffectivenessRequest request = both();
  request.metric = "macro-f1";
  EXPECT_NE(message(results, request).find("not for 'macro-f1'"), std::string::npos);
}

TEST(EffectivenessOfResults, RefusesWhatIsNotThere) {
  EffectivenessRequest request = both();
  request.structure->gnn = {"gin-z"};
  EXPECT_NE(message(two_datasets(), request).find("'gin-z'; did you mean"), std::string::npos);
  request = both();
  request.structure->gnn = {"baseline_S"};
  EXPECT_NE(message(two_datasets(), request).find("compared with itself"), std::string::npos);
  EXPECT_NE(message(two_datasets(), {}).find("gin-s, kernel-s"), std::string::npos);
  request = both();
  request.datasets = {"MUTAGG"};
  EXPECT_NE(message(two_datasets(), request).find("data set 'MUTAGG'; did you mean 'MUTAG'?"),
            std::string::npos);
  request = both();
  request.metric = "f1";
  EXPECT_NE(message(two_datasets(), request).find("equation 1 is for accuracy"), std::string::npos);
  request.metric = "macro-f1";
  EXPECT_NE(message(two_datasets(), request).find("equation 1 is for accuracy"), std::string::npos);
  request.metric = "balanced-accuracy";
  EXPECT_NE(message(two_datasets(), request).find("only by accuracy; name it in `also`"),
            std::string::npos);
  request = both();
  request.table = "7";
  EXPECT_NE(message(two_datasets(), request).find("table '7'"), std::string::npos);
  Results old = two_datasets();
  for (CellResults& one : old.tables[0].cells) one.classes = 0;
  EXPECT_NE(message(old, both()).find("number of classes of 'MUTAG'"), std::string::npos);
}

TEST(EffectivenessOfResults, DataSetsCanBeNamed) {
  EffectivenessRequest request = both();
  request.datasets = {"mutag"};
  const EffectivenessReport report = assess_effectiveness(two_datasets(), request);
  ASSERT_EQ(report.datasets.size(), 1u);
  EXPECT_EQ(report.datasets[0].dataset, "MUTAG");
}

// Where a data set is in several tables, the first with runs of the rows is read.
TEST(EffectivenessOfResults, ReadsTheTableThatHasRuns) {
  Results results = two_datasets();
  TableResults empty = results.tables[0];
  empty.id = "0";
  for (CellResults& one : empty.cells) one.runs.clear();
  results.tables.insert(results.tables.begin(), empty);
  EXPECT_EQ(on(assess_effectiveness(results, both()), "MUTAG").table, "1");
  EffectivenessRequest request = both();
  request.table = "0";
  EXPECT_FALSE(on(assess_effectiveness(results, request), "MUTAG").effectiveness.has_value());
}

}  // namespace
}  // namespace cupel
