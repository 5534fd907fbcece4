#include "cupel/lab/plan/strata.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "cupel/data/split/split.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/learn/score/metrics.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::TempFolder;

// Node 2 is a copy of node 1: both point at 0 and have its label, and only 1 is pointed at.
Dataset directed() {
  Dataset out;
  out.name = "tiny-directed";
  out.adjacency.rows = out.adjacency.cols = 4;
  out.adjacency.row_ptr = {0, 1, 2, 3, 4};
  out.adjacency.columns = {1, 0, 0, 0};
  out.labels() = {0, 1, 1, 0};
  out.class_names() = {"a", "b"};
  out.features = Matrix(4, 1);
  return out;
}

Dataset undirected() {
  Dataset out = directed();
  out.name = "tiny";
  out.adjacency.row_ptr = {0, 3, 4, 5, 6};
  out.adjacency.columns = {1, 2, 3, 0, 0, 0};
  return out;
}

Dataset load_tiny(const std::string& name) {
  if (name == "tiny-directed") return directed();
  fail("no data set is called '{}'", name);
}

StrataSpec rule(const std::string& name) {
  StrataSpec out;
  out.name = "group";
  out.rule = name;
  out.graph = "{dataset}-directed";
  out.where = "p.toml:1: [strata.group]";
  return out;
}

TEST(Strata, DuplicatesAreFoundOnTheDirectedGraph) {
  const Dataset data = undirected();
  const auto group = make_stratum(rule("wikipedia-duplicates"), "tiny", data, data, load_tiny);
  EXPECT_EQ(group->inside, (std::vector<bool>{false, false, true, false}));
  const std::string missing = error_of(
      [&] { (void)make_stratum(rule("wikipedia-duplicates"), "huge", data, data, load_tiny); });
  EXPECT_NE(missing.find("huge-directed"), std::string::npos) << missing;
}

TEST(Strata, DegreesAreThoseOfThePreparedGraph) {
  const Dataset data = undirected();
  StrataSpec spec = rule("degree-at-least");
  spec.value = 2;
  EXPECT_EQ(make_stratum(spec, "tiny", data, data, load_tiny)->inside,
            (std::vector<bool>{true, false, false, false}));
  spec.rule = "degree-below";
  EXPECT_EQ(make_stratum(spec, "tiny", data, data, load_tiny)->inside,
            (std::vector<bool>{false, true, true, true}));
  spec.value = 9;
  EXPECT_NE(error_of([&] {
              (void)make_stratum(spec, "tiny", data, data, load_tiny);
            }).find("all nodes of 'tiny' are in the group"),
            std::string::npos);
}

TEST(Strata, AFileHasANodeOnEachLine) {
  TempFolder folder;
  const Dataset data = undirected();
  StrataSpec spec = rule("file");
  spec.nodes = folder / "{dataset}.txt";
  std::ofstream(folder / "tiny.txt") << "3\n\n1\r\n";
  const auto group = make_stratum(spec, "tiny", data, data, load_tiny);
  EXPECT_EQ(group->inside, (std::vector<bool>{false, true, false, true}));
  std::ofstream(folder / "tiny.txt") << "1\n4\n";
  const std::string said =
      error_of([&] { (void)make_stratum(spec, "tiny", data, data, load_tiny); });
  EXPECT_NE(said.find("tiny.txt:2: '4' is not a node id from 0 to 3"), std::string::npos) << said;
}

TEST(Strata, APreparationThatDropsNodesIsRefused) {
  const Dataset data = undirected();
  Dataset fewer = data;
  fewer.adjacency.rows = fewer.adjacency.cols = 3;
  fewer.adjacency.row_ptr = {0, 0, 0, 0};
  fewer.adjacency.columns.clear();
  fewer.labels().pop_back();
  const std::string said = error_of(
      [&] { (void)make_stratum(rule("wikipedia-duplicates"), "tiny", data, fewer, load_tiny); });
  EXPECT_NE(said.find("keeps 3 of its 4 nodes"), std::string::npos) << said;
}

// Accuracy on the parts, weighted by their sizes, is accuracy on the whole.
TEST(Strata, ScoresOfTheTwoPartsMakeTheWhole) {
  const SealedLabels labels({0, 1, 1, 0, 1});
  Scores scores(5, 2);
  for (int i = 0; i < 5; ++i) scores(i, i % 2) = 1;  // says 0 1 0 1 0
  const std::unique_ptr<Marking> marking = labels.open();
  marking->take(scores);
  auto group = std::make_shared<Stratum>();
  group->id = "g";
  group->inside = {false, true, true, false, true, false, true};
  const std::vector<Index> test = {1, 2, 3, 5, 6};  // inside: rows 0, 1, 4
  const auto split = score_strata({group}, *marking, "accuracy", test);
  ASSERT_EQ(split.size(), 1u);
  EXPECT_EQ(split[0].inside_nodes, 3);
  EXPECT_EQ(split[0].outside_nodes, 2);
  EXPECT_DOUBLE_EQ(*split[0].inside, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*split[0].outside, 0.0);
  EXPECT_DOUBLE_EQ((3 * *split[0].inside + 2 * *split[0].outside) / 5,
                   labels.score("accuracy", scores));
  // A group without both classes has no ROC AUC.
  group->inside = {false, false, true, true, false, false, true};
  EXPECT_EQ(score_strata({group}, *marking, "roc-auc", test)[0].inside, std::nullopt);
}

// --- in a protocol ---

const char* kProtocol = R"(
[data]
datasets = ["one"]
[split]
count = 2
[models.gcn]
[models.mlp]
[strata.odd]
rule = "file"
nodes = "odd.txt"
[[table]]
id = "all"
[[table]]
id = "split"
models = ["gcn"]
strata = "odd"
)";

class Scoring : public Executor {
 public:
  double shift = 0;
  std::size_t estimate_memory(const RunGroup&) const override { return 0; }
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads) const override {
    class Session : public RunSession {
     public:
      Session(RunGroup group, double shift) : group_(std::move(group)), shift_(shift) {}
      RunRecord run(int, StreamKey, const RunLimits&) override {
        RunRecord out;
        out.valid_score = 0.5;
        out.test_score = 0.4 + 0.1 * group_.split + shift_;
        out.other_scores = {{"macro-f1", 0.3}};
        for (const auto& stratum : group_.strata)
          out.strata.push_back({stratum->id, 0.25, 0.75, 10, 20});
        return out;
      }

     private:
      RunGroup group_;
      double shift_;
    };
    return std::make_unique<Session>(group, shift);
  }
};

TEST(StrataOfAProtocol, RunsWithoutThemAreDoneAgainAndMustBeTheSame) {
  TempFolder folder;
  std::ofstream(folder / "odd.txt") << "1\n3\n5\n";
  const Protocol protocol = parse_protocol("p", "p.toml", kProtocol, {}, folder / "");
  Store store(folder / "s");
  Selection first;
  first.tables = {"all"};
  EXPECT_EQ(execute(make_plan(protocol, first, fake_sources()), store, Scoring(), {}).done, 4);

  const Plan plan = make_plan(protocol, {}, fake_sources());
  EXPECT_EQ(pending_runs(plan, store).stored, 2);  // the two of mlp, of which nothing is asked
  Scoring other;
  other.shift = 0.25;
  ExecuteOptions in_order;
  in_order.jobs = 1;  // of several runs that differ, one is named: here the first
  const std::string said = error_of([&] { (void)execute(plan, store, other, in_order); });
  EXPECT_NE(said.find("its test score is 0.65, not 0.4 as stored"), std::string::npos) << said;

  const ExecuteSummary summary = execute(plan, store, Scoring(), {});
  EXPECT_EQ(summary.done, 2);
  EXPECT_EQ(pending_runs(plan, store).groups.size(), 0u);
  const Results results = load_results(store, protocol);
  ASSERT_EQ(results.tables.size(), 2u);
  EXPECT_EQ(results.tables[1].strata, "odd");
  ASSERT_EQ(results.tables[1].cells.size(), 2u);
  const CellResults& inside = results.tables[1].cells[0];
  EXPECT_EQ(inside.measure, (Measure{"accuracy", "odd"}));
  ASSERT_EQ(inside.runs.size(), 2u);
  EXPECT_EQ(inside.runs[0].record.test_score, 0.25);
  EXPECT_EQ(results.tables[1].cells[1].measure, (Measure{"accuracy", "others"}));
  EXPECT_EQ(results.tables[1].cells[1].runs[1].record.test_score, 0.75);
  EXPECT_EQ(results.tables[0].cells[0].runs[1].record.test_score, 0.5);  // the whole stays
}

// All runs on the data set are split while they are scored, since it costs nothing then.
TEST(StrataOfAProtocol, EveryRunOnTheDataIsSplit) {
  TempFolder folder;
  std::ofstream(folder / "odd.txt") << "1\n3\n5\n";
  const Protocol protocol = parse_protocol("p", "p.toml", kProtocol, {}, folder / "");
  const Plan plan = make_plan(protocol, {}, fake_sources());
  const Store store(folder / "s");
  for (const RunGroup& group : pending_runs(plan, store).groups)
    EXPECT_EQ(group.strata.size(), 1u) << group.family->row;
}

// In the names of files and of directed graphs, by the name that the protocol gives a path.
TEST(StrataOfAProtocol, AreFoundByTheNameOfTheDataSet) {
  TempFolder folder;
  std::ofstream(folder / "mine.txt") << "1\n3\n";
  std::ofstream(folder / "other.txt") << "1\n3\n5\n";
  const auto text = [](const std::string& strata) {
    return "[data]\ndatasets = ['mine']\n[data.mine]\npath = 'd/x.npz'\n[data.mine-directed]\n"
           "path = 'd/y.npz'\n[split]\ncount = 1\n[models.gcn]\n[strata.odd]\n" +
           strata + "[[table]]\nid = '1'\nstrata = 'odd'\n";
  };
  const Protocol of_file = parse_protocol(
      "p", "p.toml", text("rule = 'file'\nnodes = '{dataset}.txt'\n"), {}, folder / "");
  Selection selection;
  selection.datasets = {"mine", "elsewhere/other.npz"};
  selection.tables = {"1"};
  const Plan plan = make_plan(of_file, selection, fake_sources());
  ASSERT_EQ(plan.cells.size(), 2u);
  const auto inside = [](const PlannedCell& cell) {
    return std::ranges::count(cell.stratum->inside, true);
  };
  EXPECT_EQ(inside(plan.cells[0]), 2);
  EXPECT_EQ(inside(plan.cells[1]), 3);

  const Protocol of_graph = parse_protocol(
      "p", "p.toml", text("rule = 'wikipedia-duplicates'\ngraph = '{dataset}-directed'\n"), {},
      folder / "");
  PlanSources sources = fake_sources();
  sources.load = [load = sources.load](const std::string& name) {
    if (name.ends_with("d/y.npz")) fail("the directed graph is asked for");
    return load(name);
  };
  EXPECT_NE(error_of([&] { (void)make_plan(of_graph, {}, sources); }).find("is asked for"),
            std::string::npos);
}

TEST(StrataOfAProtocol, OtherMetricsStandBesideThem) {
  TempFolder folder;
  std::ofstream(folder / "odd.txt") << "1\n3\n5\n";
  const Protocol protocol = parse_protocol(
      "p", "p.toml", std::string(kProtocol) + "also = ['macro-f1']\n", {}, folder / "");
  Store store(folder / "s");
  execute(make_plan(protocol, {}, fake_sources()), store, Scoring(), {});
  const TableResults& table = load_results(store, protocol).tables[1];
  std::vector<std::string> measures;
  for (const CellResults& cell : table.cells) measures.push_back(cell.measure.word());
  EXPECT_EQ(measures,
            (std::vector<std::string>{"accuracy_on_odd", "accuracy_on_others", "macro-f1"}));
  EXPECT_EQ(table.cells.at(2).runs.at(0).record.test_score, 0.3);
}

TEST(StrataOfAProtocol, SurviveAMerge) {
  TempFolder folder;
  std::ofstream(folder / "odd.txt") << "1\n3\n5\n";
  const Protocol protocol = parse_protocol("p", "p.toml", kProtocol, {}, folder / "");
  const Plan plan = make_plan(protocol, {}, fake_sources());
  Store here(folder / "here");
  {
    Store there(folder / "there");
    (void)execute(plan, there, Scoring(), {});
  }
  EXPECT_EQ(here.merge(folder / "there").added, 4);
  EXPECT_EQ(pending_runs(plan, here).stored, 4);
  EXPECT_EQ(load_results(here, protocol).tables[1].cells[0].runs.size(), 2u);
}

}  // namespace
}  // namespace cupel
