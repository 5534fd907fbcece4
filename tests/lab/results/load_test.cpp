#include "cupel/lab/results/load.h"

#include <gtest/gtest.h>

#include "cupel/lab/run/scheduler.h"
#include "error_of.h"
#include "lab/small_plan.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::small;
using made::TempFolder;

TEST(Results, AreWhatWasAskedFor) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  EXPECT_THROW((void)load_results(store), Error);
  const Protocol protocol = small();
  execute(make_plan(protocol, {{"three"}, {"mlp", "fixed"}, {}, 2, 1}, fake_sources()), store,
          executor, {});
  Results results = load_results(store, protocol);
  ASSERT_EQ(results.tables.size(), 1u);
  EXPECT_EQ(results.tables[0].datasets, (std::vector<std::string>{"three"}));
  EXPECT_EQ(results.tables[0].models, (std::vector<std::string>{"mlp", "fixed"}));
  EXPECT_EQ(results.tables[0].cells[0].expected_n, 2);

  // Asked for in two steps: 2 splits x 1 init, then 1 split x 3 inits: an L, not a rectangle.
  execute(make_plan(protocol, {{"one", "three"}, {"mlp", "fixed"}, {}, 1, 3}, fake_sources()),
          store, executor, {});
  results = load_results(store, "small");
  EXPECT_EQ(results.tables[0].datasets, (std::vector<std::string>{"one", "three"}));
  const CellResults& cell = results.tables[0].cells.at(2);
  EXPECT_EQ(cell.dataset, "three");
  EXPECT_EQ(cell.model, "mlp");
  EXPECT_EQ(cell.expected_n, 4);
  ASSERT_EQ(cell.runs.size(), 4u);
  EXPECT_EQ(cell.runs[3].split, 1);
  EXPECT_EQ(cell.runs[3].init, 0);
  // A run that does not depend on the initialisation is there once a split.
  const CellResults& fixed = results.tables[0].cells.at(3);
  ASSERT_EQ(fixed.runs.size(), 2u);
  EXPECT_EQ(fixed.expected_n, 2);
  EXPECT_EQ(fixed.runs[1].split, 1);
  EXPECT_TRUE(fixed.deterministic);
  EXPECT_FALSE(cell.deterministic);

  EXPECT_THROW((void)load_results(store, "other"), Error);
  EXPECT_THROW((void)load_results(
                   store, parse_protocol("small", "s.toml",
                                         std::string(made::kSmallProtocol) + "dropout = 0.5")),
               Error);
}

TEST(Results, OfAnEditedProtocolAreThoseOfItsOlderVersion) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  const Protocol before = small();
  const Protocol after =
      parse_protocol("small", "small.toml", std::string(made::kSmallProtocol) + "hidden = 8\n");
  execute(make_plan(before, {}, fake_sources()), store, executor, {});
  const std::string said = error_of([&] { (void)load_results(store, after); });
  const std::string old = "small@" + before.version.substr(0, 12);
  for (const std::string& part :
       {after.version.substr(0, 12), before.version.substr(0, 12),
        "`cupel report " + (folder / "s").string() + " --protocol " + old})
    EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_EQ(load_results(store, old).tables.at(0).cells.at(0).runs.size(), 12u);
  // With both there, each is to be had; the one asked for last goes by the name alone.
  execute(make_plan(after, {{}, {"fixed"}, {}, 1, 1}, fake_sources()), store, executor, {});
  EXPECT_EQ(load_results(store, "small").tables.at(0).models.size(), 1u);
  EXPECT_EQ(load_results(store, old).tables.at(0).models.size(), 3u);
  EXPECT_EQ(stored_protocol(store, old).version, before.version);
  const std::string none = error_of([&] { (void)load_results(store, "small@0000"); });
  EXPECT_NE(none.find(old), std::string::npos) << none;
}

TEST(Results, ANameIsMeantToTheLetterFirst) {
  TempFolder folder;
  Store store(folder / "s");
  for (const char* name : {"Small", "my@home", "small"}) {
    const Protocol protocol = parse_protocol(
        name, "p.toml", std::string(made::kSmallProtocol) + "lr = 0.0" + std::to_string(name[0]));
    execute(make_plan(protocol, {{}, {"fixed"}, {}, 1, 1}, fake_sources()), store, FakeExecutor(),
            {});
  }
  for (const std::string name : {"Small", "small", "my@home"}) {
    EXPECT_EQ(stored_protocol(store, name).name, name);
    const std::string version = stored_protocol(store, name).version;
    EXPECT_EQ(stored_protocol(store, name + "@" + version.substr(0, 12)).name, name);
  }
  EXPECT_EQ(stored_protocol(store, "MY@HOME").name, "my@home");
  EXPECT_EQ(stored_protocol(store, "SMALL").name, "small") << "the one asked for last";
}

TEST(Results, NumbersOfOldDataAreNotMixedWithNewOnes) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  const Protocol protocol = small();
  execute(make_plan(protocol, {{}, {"gcn"}, {}, 0, 0}, fake_sources()), store, executor, {});
  PlanSources changed = fake_sources();
  changed.load = [](const std::string& name) { return made::ring(name, 199); };
  execute(make_plan(protocol, {{}, {"gcn"}, {}, 1, 2}, changed), store, executor, {});
  const Results results = load_results(store, protocol);
  EXPECT_EQ(results.tables[0].cells[0].expected_n, 2);
  EXPECT_EQ(results.tables[0].cells[0].runs.size(), 2u);
}

TEST(Results, KeepThePublishedValues) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  const Protocol protocol = parse_protocol(
      "small", "small.toml", std::string(made::kSmallProtocol) + "[published]\nfile = 'p.csv'",
      "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
      "1,one,gcn,accuracy,81.5,1.3,sd_ddof1_pooled_runs,2000,100\n");
  execute(make_plan(protocol, {}, fake_sources()), store, executor, {});
  const Results results = load_results(store);
  ASSERT_EQ(results.published.size(), 1u);
  EXPECT_EQ(results.published[0].mean, 81.5);
}

}  // namespace
}  // namespace cupel
