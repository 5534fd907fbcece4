// The page of a whole store.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "cupel/data/audit/audit.h"
#include "cupel/judge/report/page/stored.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"
#include "real_data.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::TempFolder;

constexpr const char* kText = R"(
[data]
datasets = ["one", "three"]
[split]
count = 12
[models.gcn]
[models.mlp]
[[table]]
id = "1"
)";

TEST(StoredPage, HasEveryProtocolInItsNewestVersion) {
  const TempFolder folder;
  Store store(folder / "s");
  const auto run = [&](const char* name, const std::string& text) {
    execute(make_plan(parse_protocol(name, "p.toml", text), {}, fake_sources()), store,
            FakeExecutor(), {});
  };
  run("first", kText);
  run("second", kText);
  run("first", std::string("title = \"newer\"\n") + kText);
  const std::vector<Results> all = all_results(store);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].protocol, "first");
  EXPECT_EQ(all[0].title, "newer");
  EXPECT_EQ(all[1].protocol, "second");
  // Each data set once, although two protocols use it; without data what its runs say.
  const std::vector<CardAudit> audits = dataset_audits(store, all);
  ASSERT_EQ(audits.size(), 2u);
  for (const CardAudit& audit : audits) {
    EXPECT_FALSE(audit.of_data);
    EXPECT_TRUE(audit.facts.empty());
    EXPECT_EQ(audit.findings.size() + audit.notes.size(), 1u);
  }
  EXPECT_EQ(render_page(all, audits), render_page(all_results(store), dataset_audits(store, all)));
}

TEST(StoredPage, AuditsTheDataThatAreAtHand) {
  if (const std::string why = made::needs_data({"cora"}); !why.empty()) GTEST_SKIP() << why;
  const char* const data = std::getenv("CUPEL_DATA");
  const TempFolder folder;
  Store store(folder / "s");
  Selection selection;
  selection.tables = {"1"};
  selection.datasets = {"cora"};
  selection.models = {"majority"};
  selection.splits = 3;
  execute(make_plan(load_protocol("pitfalls"), selection, plan_sources(data)), store,
          FakeExecutor(), {});
  const std::vector<Results> all = all_results(store);
  const std::vector<CardAudit> audits = dataset_audits(store, all, {data});
  ASSERT_EQ(audits.size(), 1u);
  EXPECT_TRUE(audits[0].of_data);
  const Dataset cora = load_dataset("cora", data);
  EXPECT_EQ(audits[0].facts, facts_of(cora));
  EXPECT_EQ(audits[0].content, content_hash(cora));
  EXPECT_GE(audits[0].findings.size(), audit(AuditSubject(cora)).size());
  // A folder without the data is no error.
  EXPECT_FALSE(dataset_audits(store, all, {folder.path()})[0].of_data);
  // Too large for the asker's patience.
  const CardAudit large = dataset_audits(store, all, {data, 1000})[0];
  EXPECT_FALSE(large.of_data);
  EXPECT_NE(fmt::format("{}", fmt::join(large.notes, "\n")).find("--data DIR"), std::string::npos);
}

// Made facts stand in for CollegeMsg: their content is another one, which the card says.
constexpr const char* kEventsText = R"(
task = "events"
metric = "mrr"
[data]
datasets = ["FOLDER"]
[split]
scheme = "time"
quantiles = "0.5,0.75"
count = 1
[models.popularity]
)";

TEST(StoredPage, NothingIsSaidOfGraphsWhereRunsAreOfFacts) {
  const TempFolder folder;
  std::ofstream file(folder / "facts.txt");
  for (int t = 0; t < 40; ++t) file << t % 5 << ' ' << (t + 1) % 5 << ' ' << t << '\n';
  file.close();
  std::string text = kEventsText;
  text.replace(text.find("FOLDER"), 6, (folder / "facts.txt").string());
  Store store(folder / "s");
  const ExecuteSummary done =
      execute(make_plan(parse_protocol("e", "e.toml", text), {}, plan_sources(folder / "")), store,
              *make_executor(), {});
  ASSERT_EQ(done.ok, 1);
  for (const CardAudit& audit : dataset_audits(store, all_results(store))) {
    EXPECT_TRUE(audit.notes.empty()) << audit.notes[0];
    EXPECT_TRUE(audit.findings.empty());
  }
}

TEST(StoredPage, AuditsFactsByTheSplitOfTheRuns) {
  if (const std::string why = made::needs_data({"college-msg"}); !why.empty()) GTEST_SKIP() << why;
  const char* const data = std::getenv("CUPEL_DATA");
  const TempFolder folder;
  std::string text = kEventsText;
  text.replace(text.find("FOLDER"), 6, "college-msg");
  Store store(folder / "s");
  execute(make_plan(parse_protocol("e", "e.toml", text), {}, plan_sources(data)), store,
          *make_executor(), {});
  const std::vector<CardAudit> audits = dataset_audits(store, all_results(store), {data});
  ASSERT_EQ(audits.size(), 1u);
  EXPECT_TRUE(audits[0].of_data);
  EXPECT_EQ(audits[0].facts.at("facts"), 59835);
  // Only who knows the parts can say how much of test is repetition.
  EXPECT_TRUE(std::ranges::any_of(audits[0].findings, [](const Finding& finding) {
    return finding.id == "answered-by-repetition";
  }));
}

}  // namespace
}  // namespace cupel
