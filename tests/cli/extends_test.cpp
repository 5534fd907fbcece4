// A protocol that extends another, from a user's shell: what is run, kept, planned and shown.
#include <nlohmann/json.hpp>

#include "cli/run_place.h"
#include "cli/stored_scores.h"

namespace cupel::test {
namespace {

using nlohmann::json;

class ExtendsTest : public RunTest {
 protected:
  ExtendsTest() {
    place_.write("mine.toml",
                 "extends = \"small.toml\"\n[models.wide]\nmodel = \"mlp\"\nhidden = 16\n");
  }
};

// Rows of the base that were run are there; the new one has six runs.
TEST_F(ExtendsTest, RunsTheNewRowAlone) {
  ASSERT_EQ(place_.run({"run", "small.toml", "--store", "s.sqlite", "--no-report"}).code, 0);
  const Outcome mine = place_.run({"run", "mine.toml", "--store", "s.sqlite"});
  ASSERT_EQ(mine.code, 0) << mine.err;
  EXPECT_TRUE(contains(mine.err, "6 runs done")) << mine.err;
  EXPECT_EQ(stored("s.sqlite"), kSmallRuns + 6);
  for (const char* row : {"mlp", "labelprop", "majority", "wide"})
    EXPECT_TRUE(contains(mine.out, row)) << mine.out;
}

// What is kept needs no second file.
TEST_F(ExtendsTest, StoresAndPlansNeedNoFile) {
  const Outcome planned = place_.run({"plan", "mine.toml", "--shards", "2"});
  ASSERT_EQ(planned.code, 0) << planned.err;
  ASSERT_EQ(place_.run({"run", "mine.toml", "--no-report"}).code, 0);
  const std::string before = report_of(place_, "mine.sqlite");
  for (const char* file : {"small.toml", "mine.toml"}) std::filesystem::remove(place_.path(file));
  EXPECT_EQ(report_of(place_, "mine.sqlite"), before);
  EXPECT_NE(before, "");
  const Outcome checked = place_.run({"verify", "mine.sqlite"});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  for (const char* shard : {"1/2", "2/2"}) {
    const Outcome done = place_.run({"work", "mine.plan", "--shard", shard});
    EXPECT_EQ(done.code, 0) << done.err;
  }
  ASSERT_EQ(place_.run({"merge", "all.sqlite", "mine.shards"}).code, 0);
  EXPECT_EQ(report_of(place_, "all.sqlite"), before);
}

TEST_F(ExtendsTest, IsShownWithTheRowsOfBoth) {
  const json card = json::parse(place_.run({"show", "./mine.toml", "--json"}).out);
  EXPECT_EQ(card["title"], "Small");
  EXPECT_EQ(card["models"].size(), 4u) << card;
  const Outcome text = place_.run({"show", "./mine.toml"});
  EXPECT_TRUE(contains(text.out, "wide")) << text.out;
  EXPECT_TRUE(contains(text.out, "labelprop")) << text.out;
}

TEST_F(ExtendsTest, AMistakeIsToldWithItsFile) {
  place_.write("mine.toml", "extends = \"smal.toml\"\n");
  const Outcome gone = place_.run({"run", "mine.toml"});
  EXPECT_EQ(gone.code, 2);
  EXPECT_TRUE(contains(gone.err, "mine.toml:1: 'extends': ")) << gone.err;
  // A setting that the model has not is told when the plan is made.
  place_.write("mine.toml", "extends = \"small.toml\"\n\n[models.mlp]\nhiden = 3\n");
  const Outcome setting = place_.run({"run", "mine.toml", "--dry-run"});
  EXPECT_EQ(setting.code, 2);
  EXPECT_TRUE(contains(setting.err, "hiden")) << setting.err;
  EXPECT_TRUE(contains(setting.err, "mine.toml:4: [models.mlp]")) << setting.err;
}

}  // namespace
}  // namespace cupel::test
