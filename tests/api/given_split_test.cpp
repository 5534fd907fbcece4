// A protocol of facts over time with cuts of the user's own.
#include "cupel/api/given_split.h"

#include <gtest/gtest.h>

#include "cupel/lab/protocol/of_program.h"
#include "error_of.h"

namespace cupel {
namespace {

constexpr const char* kTables = R"(task = "events"
[data]
datasets = ["./papers"]
[split]
scheme = "time"
quantiles = "0.7,0.85"
holdout = 0.1
[models.popularity]
[[table]]
id = "a"
[[table]]
id = "b"
split = { scheme = "time", cuts = "2018,2019,2021", count = 7 }
[published]
file = "p.csv"
)";
constexpr const char* kPublished =
    "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
    "a,./papers,popularity,mrr,50,NA,NA,1,1\n";

Protocol tables() { return parse_protocol("x", "x.toml", kTables, kPublished, "/somewhere"); }

std::string identity(const Protocol& protocol, const char* table) {
  return protocol.find_table(table)->split.identity();
}

TEST(GivenSplit, CutsEveryTableAnew) {
  const Protocol asked = tables();
  const Protocol cut = with_split(asked, "2009,2010,2012", "--split");
  EXPECT_EQ(identity(cut, "a"), "time cuts=2009,2010,2012 quantiles= holdout=0.1");
  EXPECT_EQ(identity(cut, "b"), "time cuts=2009,2010,2012 quantiles=");
  EXPECT_EQ(cut.find_table("b")->split.count, 7);
  EXPECT_EQ(cut.folder, asked.folder);
  // Values of other cuts are no values of these, and what a store keeps says the same.
  EXPECT_TRUE(cut.published.empty() && cut.published_text.empty());
  EXPECT_NE(cut.version, asked.version);
  EXPECT_EQ(parse_protocol("x", "x.toml", cut.text).version, cut.version);
  EXPECT_EQ(identity(with_split(cut, "2012,2013,2015", "--split"), "b"),
            "time cuts=2012,2013,2015 quantiles=");
  EXPECT_EQ(with_split(asked, "", "--split").version, asked.version);
}

TEST(GivenSplit, LeavesRowsInTheirOrderAndWithTheirNames) {
  std::string text = kTables;
  text.replace(
      text.find("[models.popularity]\n"), 20,
      "[models.zeta]\nmodel = \"popularity\"\n[models.\"it's\"]\nmodel = \"popularity\"\n");
  text.erase(text.find("[published]"));
  const Protocol cut =
      with_split(parse_protocol("x", "x.toml", text, std::nullopt, "/somewhere"), "0.6,0.8", "s");
  EXPECT_EQ(cut.find_table("a")->models, (std::vector<std::string>{"zeta", "it's"}));
  EXPECT_EQ(identity(cut, "a"), "time cuts= quantiles=0.6,0.8 holdout=0.1");
}

// Such a protocol is in no file that a command could name.
TEST(GivenSplit, OfAProgramIsOfAProgram) {
  std::string text = kTables;
  text.erase(text.find("[published]"));
  text += kOfProgram;
  const Protocol asked = parse_protocol("x", "x", text, std::nullopt, "/somewhere");
  EXPECT_TRUE(is_of_program(with_split(asked, "0.6,0.8", "split").text));
  EXPECT_FALSE(is_of_program(with_split(tables(), "0.6,0.8", "split").text));
}

TEST(GivenSplit, TakesSharesAndPublishedGraphs) {
  EXPECT_EQ(identity(with_split(tables(), "0.6,0.8", "--split"), "b"),
            "time cuts= quantiles=0.6,0.8");
  // Section 1 of the paper.
  for (const auto& [graph, cuts] : {std::pair("acl", "2018,2019,2021"),
                                    {"icml", "2019,2020,2021"},
                                    {"ICLR", "2019,2020,2021"},
                                    {"neurips", "2018,2019,2020"},
                                    {"wos", "2018,2019,2020"},
                                    {"scopus", "2018,2019,2021"},
                                    {"osti", "2018,2019,2020"}})
    EXPECT_EQ(identity(with_split(tables(), graph, "--split"), "b"),
              std::string("time cuts=") + cuts + " quantiles=")
        << graph;
  // One that says nothing of splits.
  const Protocol bare = parse_protocol(
      "y", "y.toml", "task = 'events'\n[data]\ndatasets = ['./m']\n[models.popularity]\n");
  EXPECT_EQ(identity(with_split(bare, "3,4,5", "--split"), "1"), "time cuts=3,4,5 quantiles=");
}

TEST(GivenSplit, RefusesWhatIsNone) {
  EXPECT_EQ(error_of([] { (void)with_split(tables(), "0.9,0.8", "--split"); }),
            "--split: '0.9,0.8' are not two ascending shares between 0 and 1; write \"0.7,0.85\"");
  const Protocol nodes =
      parse_protocol("n", "n.toml", "[data]\ndatasets = ['cora']\n[models.gcn]\n");
  EXPECT_EQ(
      error_of([&] { (void)with_split(nodes, "1,2,3", "split"); }),
      "split: cuts facts over time, and protocol 'n' is about classes of nodes; leave it out, or "
      "say splits for a number of splits");
}

}  // namespace
}  // namespace cupel
