// A row of published values alone, from a user's shell.
#include <nlohmann/json.hpp>

#include "cli/run_place.h"

namespace cupel::test {
namespace {

using nlohmann::json;

class QuotedTest : public RunTest {
 protected:
  QuotedTest() {
    place_.write("mine.toml",
                 "extends = \"small.toml\"\n[models.paper]\nquoted = true\n[published]\nfile = "
                 "\"values.csv\"\n");
    place_.write("values.csv",
                 "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
                 "1,\"csbm:classes=3,features=60,nodes=200\",paper,accuracy,84.5,0.7,"
                 "sd_over_splits,10,10\n");
  }
};

TEST_F(QuotedTest, IsShownAndNeverRun) {
  const Outcome outcome = place_.run({"run", "mine.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "10 runs done")) << outcome.err;
  EXPECT_EQ(stored("mine.sqlite"), kSmallRuns);
  EXPECT_TRUE(contains(outcome.out, "paper (quoted)")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "84.5 ± 0.7")) << outcome.out;
  EXPECT_EQ(place_.run({"verify", "mine.sqlite", "--rerun", "2"}).code, 0);
  const Outcome again = place_.run({"run", "mine.toml", "--models", "paper"});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(contains(again.err, "quoted rows are not run: paper")) << again.err;
  EXPECT_EQ(place_.run({"compare", "mine.sqlite", "paper", "mlp"}).code, 2);
  for (const char* format : {"markdown", "latex", "html", "json", "csv"})
    EXPECT_TRUE(contains(place_.run({"report", "mine.sqlite", "--format", format}).out, "84.5"))
        << format;
}

TEST_F(QuotedTest, IsToldByItsCard) {
  const Outcome text = place_.run({"show", "./mine.toml"});
  EXPECT_TRUE(contains(text.out, "quoted: published values alone")) << text.out;
  EXPECT_TRUE(contains(text.out, "3 models x 1 data set")) << text.out;
  const json card = json::parse(place_.run({"show", "./mine.toml", "--json"}).out);
  EXPECT_EQ(card["models"].back(), (json{{"name", "paper"}, {"quoted", true}}));
}

}  // namespace
}  // namespace cupel::test
