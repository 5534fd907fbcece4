// Rows of one column are of the same data, and verdicts follow the published values of the store.
#include <gtest/gtest.h>

#include "cupel/lab/results/load.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/verify/verify.h"
#include "error_of.h"
#include "lab/small_plan.h"
#include "raw_sql.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::raw_sql;
using made::small;
using made::TempFolder;

using Names = std::vector<std::string>;

PlanSources other_data() {
  PlanSources out = fake_sources();
  out.load = [](const std::string& name) { return made::ring(name, 199); };
  return out;
}

// One run of a row of the small protocol on data set "one".
void run_row(Store& store, const std::string& row, const PlanSources& sources) {
  execute(make_plan(small(), {{"one"}, {row}, {}, 1, 1}, sources), store, FakeExecutor(), {});
}

TEST(StoreColumns, WhereTheDataChangedEveryRowOfTheOldOnesGoes) {
  TempFolder folder;
  Store store(folder / "s");
  run_row(store, "mlp", fake_sources());
  run_row(store, "gcn", other_data());
  EXPECT_EQ(load_results(store).tables.at(0).models, Names{"gcn"});
  EXPECT_EQ(store.run_count(), 2) << "what was computed stays";
  run_row(store, "mlp", other_data());
  EXPECT_EQ(load_results(store).tables.at(0).models, (Names{"gcn", "mlp"}));
}

TEST(StoreColumns, MergingTakesNoCellOfOtherDataAndNamesIt) {
  for (const bool turned : {false, true}) {
    TempFolder folder;
    Store store(folder / "gcn");
    run_row(store, "gcn", turned ? other_data() : fake_sources());
    {
      Store other(folder / "mlp");
      run_row(other, "mlp", turned ? fake_sources() : other_data());
    }
    const MergeSummary merged = store.merge(folder / "mlp");
    EXPECT_EQ(merged.cells, Names{"row 'mlp' on 'one' in table '1'"});
    EXPECT_EQ(merged.added, 1);
    EXPECT_EQ(load_results(store).tables.at(0).models, Names{"gcn"});
  }
}

TEST(StoreColumns, AStoreThatMixesThemIsNotReported) {
  TempFolder folder;
  const auto path = folder / "s";
  Store store(path);
  execute(make_plan(small(), {{"one"}, {"gcn"}, {}, 1, 1}, fake_sources()), store, FakeExecutor(),
          {});
  execute(make_plan(small(), {{"three"}, {"mlp"}, {}, 1, 1}, fake_sources()), store, FakeExecutor(),
          {});
  raw_sql(path, "UPDATE cell_seals SET hash = ''; UPDATE cells SET dataset = 'one'");
  const std::string said = error_of([&] { (void)load_results(store); });
  EXPECT_NE(said.find("rows 'gcn' and 'mlp' of 'one' in table '1' were computed on different data"),
            std::string::npos)
      << said;
}

TEST(StoreColumns, OtherPublishedValuesThanTheProgramsAreTold) {
  TempFolder folder;
  PlanSources sources = fake_sources();
  sources.model = [](ModelRow row, const TaskKind& kind) {
    row.settings.clear();  // the fake model has none of these
    return fake_sources().model(row, kind);
  };
  const auto register_at = [&](const char* name) {
    Store(folder / name)
        .register_plan(
            make_plan(load_protocol("quickstart"), {{"cora"}, {"gcn"}, {}, 1, 1}, sources));
  };
  register_at("ours");
  EXPECT_TRUE(check_store(folder / "ours").other_published.empty());
  for (const char* edit :
       {"published = replace(published, '81.', '71.')", "text = 'delta = 9' || char(10) || text"}) {
    std::filesystem::remove(folder / "theirs");
    register_at("theirs");
    raw_sql(folder / "theirs", std::string("UPDATE protocols SET ") + edit);
    const StoreCheck check = check_store(folder / "theirs");
    EXPECT_TRUE(check.problems.empty()) << edit << ": " << check.problems.front();
    EXPECT_EQ(check.other_published, Names{"quickstart"}) << edit;
    EXPECT_EQ(Store(folder / "ours").merge(folder / "theirs").published, Names{"quickstart"});
  }
}

}  // namespace
}  // namespace cupel
