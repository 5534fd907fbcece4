// Cells that choose among configurations, as a store has them.
#include <gtest/gtest.h>

#include "cupel/lab/results/load.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"
#include "lab/plan/cell_of.h"

namespace cupel {
namespace {

using made::cell_of;
using made::fake_sources;
using made::TempFolder;

const char* kProtocol = R"(
[data]
datasets = ["one"]
[split]
count = 3
[models.gcn]
[models.gcn.choices]
lr = [0.1, 0.2, 0.3]
[models.peeking]
model = "gcn"
reading_of = "gcn"
choose_by = "test-score"
[models.peeking.choices]
lr = [0.1, 0.2, 0.3]
[models.plain]
model = "gcn"
lr = 0.2
)";

Protocol protocol() { return parse_protocol("p", "p.toml", kProtocol); }

// Validation prefers lr 0.2, test 0.3.
class Graded : public Executor {
 public:
  std::function<void(double lr, int split)> on_run;
  std::size_t estimate_memory(const RunGroup&) const override { return 0; }
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads) const override {
    class Session : public RunSession {
     public:
      Session(const Graded& owner, const RunGroup& group) : owner_(owner), group_(group) {}
      RunRecord run(int, StreamKey, const RunLimits&) override {
        const double lr = group_.family->model.settings.real("lr");
        if (owner_.on_run) owner_.on_run(lr, group_.split);
        RunRecord out;
        out.valid_score = lr == 0.2 ? 0.9 : 0.5;
        out.test_score = lr + 0.001 * group_.split;
        return out;
      }

     private:
      const Graded& owner_;
      RunGroup group_;
    };
    return std::make_unique<Session>(*this, group);
  }
};

TEST(ChosenCells, RowsThatChooseDifferentlyShareTheirRuns) {
  TempFolder folder;
  Store store(folder / "s");
  const Plan plan = make_plan(protocol(), {}, fake_sources());
  EXPECT_EQ(plan.cells.size(), 7u);
  EXPECT_EQ(execute(plan, store, Graded(), {}).done, 3 * 3);  // and the plain row is one of them
  const Results results = load_results(store, protocol());
  const CellResults& fair = cell_of(results, "gcn");
  ASSERT_TRUE(fair.choice);
  EXPECT_EQ(fair.choice->chosen, "lr=0.2");
  EXPECT_EQ(fair.choice->by, "valid-score");
  EXPECT_EQ(fair.choice->complete, 3);
  EXPECT_EQ(fair.choice->grid, 3);
  ASSERT_EQ(fair.runs.size(), 3u);
  EXPECT_EQ(fair.runs[1].record.test_score, 0.2 + 0.001);
  const CellResults& peeking = cell_of(results, "peeking");
  EXPECT_EQ(peeking.choice->chosen, "lr=0.3");
  EXPECT_EQ(peeking.expected_n, 3);
  EXPECT_FALSE(cell_of(results, "plain").choice);
  EXPECT_EQ(results.reading_of.at("peeking"), "gcn");
}

TEST(ChosenCells, MayTakeAnotherConfigurationOnEachSplit) {
  TempFolder folder;
  std::string text = kProtocol;
  text.replace(text.find("[models.gcn]"), 12, "[models.gcn]\nchoose_by = \"valid-score-by-split\"");
  const Protocol by_split = parse_protocol("p", "p.toml", text);
  const Plan plan = make_plan(by_split, {}, fake_sources());
  Store store(folder / "s");
  store.register_plan(plan);
  for (const PlannedCell& cell : plan.cells) {
    for (int split = 0; split < 3; ++split) {
      RunRecord record;
      record.metric = "accuracy";
      const double lr = cell.family->model.settings.real("lr");
      record.valid_score = lr == (split == 1 ? 0.3 : 0.1) ? 0.8 : 0.7;
      record.test_score = lr;
      store.put(cell.family->identity, split, 0, record);
    }
  }
  const Results results = load_results(store, by_split);
  const CellResults& cell = cell_of(results, "gcn");
  EXPECT_EQ(cell.choice->chosen, "lr=0.1 on 2 splits, lr=0.3 on 1 splits");
  ASSERT_EQ(cell.runs.size(), 3u);
  EXPECT_EQ(cell.runs[0].record.test_score, 0.1);
  EXPECT_EQ(cell.runs[1].record.test_score, 0.3);
  EXPECT_EQ(cell.runs[2].record.test_score, 0.1);
  EXPECT_EQ(cell.runs[0].configuration, "lr=0.1");
  EXPECT_EQ(cell.runs[1].configuration, "lr=0.3");
}

// A choice by validation is the same whatever the test scores are, absent ones included.
TEST(ChosenCells, AChoiceByValidationDoesNotSeeTestScores) {
  TempFolder folder;
  const Plan plan = make_plan(protocol(), {}, fake_sources());
  std::vector<std::string> chosen;
  for (const double test : {0.0, 1.0, -1.0}) {
    Store store(folder / fmt::format("s{}", test));
    store.register_plan(plan);
    for (const PlannedCell& cell : plan.cells) {
      for (int split = 0; split < 3; ++split) {
        RunRecord record;
        record.metric = "accuracy";
        const double lr = cell.family->model.settings.real("lr");
        record.valid_score = lr == 0.1 ? 0.8 : 0.7;
        if (test >= 0) record.test_score = test * lr;
        store.put(cell.family->identity, split, 0, record);
      }
    }
    chosen.push_back(cell_of(load_results(store, protocol()), "gcn").choice->chosen);
  }
  EXPECT_EQ(chosen, (std::vector<std::string>{"lr=0.1", "lr=0.1", "lr=0.1"}));
}

TEST(ChosenCells, SayWhatIsMissing) {
  TempFolder folder;
  Store store(folder / "s");
  Graded executor;
  executor.on_run = [](double lr, int split) {
    if (lr == 0.2 && split == 1) fail("no memory");
  };
  (void)execute(make_plan(protocol(), {}, fake_sources()), store, executor, {});
  const Results results = load_results(store, protocol());
  const CellResults& cell = cell_of(results, "gcn");
  EXPECT_EQ(cell.choice->chosen, "lr=0.1");  // the first of equals among the complete ones
  EXPECT_EQ(cell.choice->complete, 2);
  EXPECT_EQ(cell.choice->configurations[1].runs, 2);
}

TEST(ChosenCells, CanBeNarrowedAndFilledUp) {
  TempFolder folder;
  Store store(folder / "s");
  Selection narrow;
  narrow.models = {"gcn"};
  narrow.choices = parse_choice_filters({"lr=0.3"});
  const Plan part = make_plan(protocol(), narrow, fake_sources());
  ASSERT_EQ(part.cells.size(), 1u);
  EXPECT_EQ(part.cells[0].configuration, "lr=0.3");
  EXPECT_EQ(execute(part, store, Graded(), {}).done, 3);
  Results partial = load_results(store, protocol());
  EXPECT_EQ(cell_of(partial, "gcn").choice->chosen, "lr=0.3");
  EXPECT_EQ(cell_of(partial, "gcn").choice->configurations.size(), 1u);
  EXPECT_EQ(cell_of(partial, "gcn").choice->grid, 3);
  EXPECT_EQ(execute(make_plan(protocol(), {}, fake_sources()), store, Graded(), {}).done, 6);
  EXPECT_EQ(cell_of(load_results(store, protocol()), "gcn").choice->chosen, "lr=0.2");

  for (const auto& [filter, message] :
       {std::pair{"lr=0.5", "lr=0.5 is no choice of the protocol; lr is one of 0.1, 0.2, 0.3"},
        std::pair{"depth=1", "no row chooses 'depth'; chosen are: lr"},
        std::pair{"gnc.lr=0.1", "did you mean 'gcn'?"}}) {
    narrow.choices = parse_choice_filters({filter});
    try {
      (void)make_plan(protocol(), narrow, fake_sources());
      ADD_FAILURE() << filter;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

TEST(ChosenCells, AreOneLineOfAnEstimate) {
  TempFolder folder;
  Store store(folder / "s");
  const PlanEstimate estimate =
      estimate_plan(make_plan(protocol(), {}, fake_sources()), store, Graded(), {});
  EXPECT_EQ(estimate.runs, 9);
  ASSERT_EQ(estimate.lines.size(), 1u);  // the other rows ask for the same runs
  EXPECT_EQ(estimate.lines[0].model, "gcn");
  EXPECT_EQ(estimate.lines[0].configurations, 3);
  EXPECT_EQ(estimate.lines[0].runs, 9);
}

}  // namespace
}  // namespace cupel
