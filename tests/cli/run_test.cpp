// Runs of the real program: what it prints, keeps, resumes and leaves behind.
#include <nlohmann/json.hpp>

#include "cli/run_place.h"
#include "cli/stored_scores.h"

namespace cupel::test {
namespace {

using nlohmann::json;

TEST_F(RunTest, PrintsTheReportAndKeepsTheRuns) {
  const Outcome outcome = place_.run({"run", "small.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"Small", "mlp", "labelprop", "majority", "csbm"})
    EXPECT_TRUE(contains(outcome.out, part)) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "10 runs done")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "small.sqlite"));
  EXPECT_FALSE(contains(outcome.err, "\r")) << "no progress line where there is no terminal";
  EXPECT_EQ(stored("small.sqlite"), kSmallRuns);
}

TEST_F(RunTest, TheSecondTimeAddsNothingAndPrintsTheSame) {
  const Outcome first = place_.run({"run", "small.toml"});
  const Outcome second = place_.run({"run", "small.toml"});
  EXPECT_EQ(second.code, 0);
  EXPECT_EQ(first.out, second.out);
  EXPECT_TRUE(contains(second.err, "0 runs done")) << second.err;
  EXPECT_EQ(stored("small.sqlite"), kSmallRuns);
}

TEST_F(RunTest, NumbersDoNotDependOnJobsOrOnTheWayThere) {
  const std::string at_once = place_.run({"run", "small.toml", "--jobs", "1", "--json"}).out;
  place_.run({"run", "small.toml", "--store", "b.sqlite", "--splits", "1", "--no-report"});
  place_.run({"run", "small.toml", "--store", "b.sqlite", "--models", "mlp", "--no-report"});
  const std::string in_parts =
      place_.run({"run", "small.toml", "--store", "b.sqlite", "--jobs", "4", "--json"}).out;
  EXPECT_EQ(without_cost(json::parse(at_once)), without_cost(json::parse(in_parts)));
}

TEST_F(RunTest, DryRunRunsNothingAndLeavesNoFile) {
  const auto before = place_.files();
  const Outcome text = place_.run({"run", "small.toml", "--dry-run"});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "10 runs planned, 0 in the store, 10 to do")) << text.out;
  const json plan = json::parse(place_.run({"run", "small.toml", "--dry-run", "--json"}).out);
  EXPECT_EQ(plan["runs"], kSmallRuns);
  EXPECT_EQ(plan["to_do"].size(), 3u);
  EXPECT_EQ(place_.files(), before);
}

TEST_F(RunTest, DryRunCountsWhatIsThere) {
  place_.run({"run", "small.toml", "--splits", "1"});
  const json plan = json::parse(place_.run({"run", "small.toml", "--dry-run", "--json"}).out);
  EXPECT_EQ(plan["runs"], kSmallRuns);
  EXPECT_EQ(plan["stored"], kSmallRuns / 2);
  for (const json& line : plan["to_do"]) EXPECT_GT(line["measured_runs"], 0) << line;
}

TEST_F(RunTest, SelectionsMultiplyOut) {
  place_.run({"run", "small.toml", "--models", "mlp,majority", "--splits", "1", "--inits", "2"});
  EXPECT_EQ(stored("small.sqlite"), 2 + 1);
}

TEST_F(RunTest, AUsersOwnFileIsAColumn) {
  place_.run({"generate", "csbm", "--set", "nodes=150", "--set", "classes=3", "--set",
              "features=40", "--out", "mine.npz"});
  const Outcome outcome = place_.run({"run", "small.toml", "--datasets",
                                      "./mine.npz,csbm:classes=3,features=50,nodes=160", "--models",
                                      "majority", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "mine")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "nodes=160")) << outcome.out;
  EXPECT_EQ(stored("small.sqlite"), 2 * 2);
}

TEST_F(RunTest, ShardsMergeIntoTheWhole) {
  const std::string whole = place_.run({"run", "small.toml", "--json"}).out;
  for (const char* part : {"1", "2", "3"}) {
    const std::string shard = std::string(part) + "/3";
    const Outcome outcome = place_.run({"run", "small.toml", "--shard", shard, "--store",
                                        std::string("part") + part + ".sqlite", "--no-report"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  const Outcome merged =
      place_.run({"merge", "all.sqlite", "part1.sqlite", "part2.sqlite", "part3.sqlite", "--json"});
  ASSERT_EQ(merged.code, 0) << merged.err;
  const json summary = json::parse(merged.out);
  EXPECT_EQ(summary["runs"], kSmallRuns);
  std::int64_t added = 0;
  for (const json& one : summary["merged"]) added += one["added"].get<std::int64_t>();
  EXPECT_EQ(added, kSmallRuns) << "no run is done twice";
  const std::string report =
      place_.run({"report", "small.toml", "--store", "all.sqlite", "--json"}).out;
  EXPECT_EQ(without_cost(json::parse(report)), without_cost(json::parse(whole)));
}

TEST_F(RunTest, APathThatTheProtocolNamesIsAColumn) {
  place_.run({"generate", "csbm", "--set", "nodes=150", "--set", "classes=3", "--set",
              "features=40", "--out", "data.npz"});
  std::filesystem::create_directory(place_.path("sub"));
  std::string text = kSmallProtocol;
  text.replace(text.find("prepare ="), 0, "mine = { path = \"../data.npz\" }\n");
  place_.write("sub/p.toml", text);
  const Outcome outcome =
      place_.run({"run", "sub/p.toml", "--datasets", "MINE", "--models", "majority"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "\n              mine\n") || contains(outcome.out, " mine\n"))
      << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "data.npz")) << outcome.out;
  EXPECT_FALSE(
      contains(place_.run({"report", "p.sqlite", "--format", "html"}).out, "--datasets PATH"))
      << "the protocol's name of it is enough";
  // The same file by its path: nothing is done again.
  const Outcome by_path =
      place_.run({"run", "sub/p.toml", "--datasets", "./data.npz", "--models", "majority"});
  EXPECT_TRUE(contains(by_path.err, "0 runs done")) << by_path.err;
  EXPECT_EQ(
      place_.run({"run", "small.toml", "--datasets", "./data.npz", "--models", "majority"}).code,
      0);
  EXPECT_TRUE(
      contains(place_.run({"report", "small.sqlite", "--format", "html"}).out, "--datasets PATH"));
  // The store's own copy of the protocol reads without the file.
  EXPECT_EQ(place_.run({"report", "p.sqlite"}).code, 0);
}

// Results in a store that is gone with the program would be work for nothing.
TEST_F(RunTest, AStoreInMemoryIsRefused) {
  ASSERT_EQ(place_.run({"run", "small.toml", "--no-report"}).code, 0);
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"run", "small.toml", "--store", ":memory:"}, {"merge", ":memory:", "small.sqlite"}}) {
    const Outcome outcome = place_.run(command);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, ":memory:: is no file")) << outcome.err;
  }
  EXPECT_EQ(place_.run({"merge", "./:memory:", "small.sqlite"}).code, 0);
  EXPECT_EQ(place_.run({"verify", "./:memory:"}).code, 0);
}

}  // namespace
}  // namespace cupel::test
