// Searches of the real program.
#include <nlohmann/json.hpp>

#include "cli/run_place.h"

namespace cupel::test {
namespace {

using nlohmann::json;

const char* const kTune = R"([tune]
datasets = ["csbm:classes=3,features=60,nodes=200"]
budget = 3
splits = 2
[tune.grid.mlp]
hidden = [2, 4, 8, 16]
[tune.grid.labelprop]
iterations = [2, 10]
)";

TEST_F(RunTest, ASearchHasAnEqualBudgetResumesAndStaysOutOfTheTables) {
  place_.write("small.toml", std::string(kSmallProtocol) + kTune);
  const std::string table = place_.run({"run", "small.toml", "--json"}).out;
  const Outcome first = place_.run({"tune", "small.toml", "--json", "--out", "best.toml"});
  ASSERT_EQ(first.code, 0) << first.err;
  // mlp: 3 of its 4 configurations x 2 splits; labelprop: both of its two x 2 splits.
  EXPECT_TRUE(contains(first.err, "10 runs done")) << first.err;
  EXPECT_EQ(stored("small.sqlite"), kSmallRuns + 10);
  const json result = json::parse(first.out);
  EXPECT_EQ(result["models"][0]["trials"].size(), 3u);
  EXPECT_EQ(result["models"][1]["trials"].size(), 2u);
  EXPECT_GE(result["first_split"], 2) << "the tables use splits 0 and 1";
  for (const json& model : result["models"]) {
    double best = 0;
    for (const json& trial : model["trials"]) best = std::max(best, trial["score"].get<double>());
    EXPECT_EQ(model["trials"][model["best"].get<std::size_t>() - 1]["score"], best);
  }
  EXPECT_TRUE(contains(place_.read("best.toml"), "[models.mlp]"));

  const Outcome second = place_.run({"tune", "small.toml", "--json"});
  EXPECT_EQ(second.out, first.out);
  EXPECT_TRUE(contains(second.err, "0 runs done")) << second.err;
  EXPECT_EQ(place_.run({"report", "small.toml", "--json"}).out, table);
  const Outcome text = place_.run({"tune", "small.toml"});
  EXPECT_TRUE(contains(text.out, place_.read("best.toml"))) << text.out;
}

TEST_F(RunTest, WithoutASearchThereIsNothingToTune) {
  const auto before = place_.files();
  const Outcome outcome = place_.run({"tune", "small.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "[tune]")) << outcome.err;
  EXPECT_EQ(place_.files(), before);
}

}  // namespace
}  // namespace cupel::test
