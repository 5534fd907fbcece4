// Rows that choose between configurations, readings, ranks and groups of nodes, from the command
// line to every format.
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "real_data.h"

namespace cupel::test {
namespace {

using nlohmann::json;

constexpr const char* kChoosing = R"(
title = "Choosing"
metric = "accuracy"
metric_two_classes = "roc-auc"
[data]
datasets = ["csbm:classes=2", "csbm:classes=3"]
prepare = ["symmetrise"]
[split]
train = 10
valid = 10
count = 3
[train]
max_epochs = 15
inits = 1
[models.mlp]
choices = { hidden = [2, 4, 8] }
[models.mlp-released]
model = "mlp"
reading_of = "mlp"
choose_by = "test-score"
train = { keep = "last", patience = 0 }
choices = { hidden = [2, 4, 8] }
[[models.mlp-released.on]]
datasets = ["csbm:classes=3"]
hidden = 4
[models.majority]
[strata.hubs]
rule = "degree-at-least"
value = 5
[[table]]
id = "1"
[[table]]
id = "1-ranks"
kind = "ranks"
source = "1"
models = ["mlp", "majority"]
[[table]]
id = "1-readings"
kind = "readings"
source = "1"
[[table]]
id = "hubs"
models = ["mlp"]
strata = "hubs"
[published]
file = "choosing.csv"
)";

class ChoicesTest : public ::testing::Test {
 protected:
  ChoicesTest() {
    place_.write("choosing.toml", kChoosing);
    place_.write("choosing.csv",
                 "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
                 "1,csbm:classes=2,mlp,roc-auc,1.5,0.1,sd_over_splits,3,3\n");
  }
  Workplace place_;
};

json table_of(const json& report, const std::string& id) {
  for (const json& table : report["tables"]) {
    if (table["id"] == id) return table;
  }
  return {};
}

TEST_F(ChoicesTest, AReportHasEveryTable) {
  const Outcome outcome = place_.run({"run", "choosing.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  for (const char* part :
       {"Configurations chosen, table 1", "hidden=", "ROC AUC", "as designed", "as released",
        "csbm:classes=2 ROC AUC on hubs", "csbm:classes=3 accuracy on others",
        "which is optimistic", "first of equals: mlp."})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  const json report = json::parse(place_.run({"report", "choosing.toml", "--format", "json"}).out);
  ASSERT_EQ(report["tables"].size(), 4u);
  const json readings = table_of(report, "1-readings");
  ASSERT_EQ(readings["readings"].size(), 2u);
  EXPECT_EQ(readings["readings"][0]["printed"], "undecided");  // fewer than ten splits
  EXPECT_EQ(readings["readings"][1]["printed"], "not published");
  for (const json& cell : table_of(report, "1")["cells"]) {
    if (cell["model"] == "mlp") {
      EXPECT_EQ(cell["choice"]["configurations"].size(), 3u);
      EXPECT_EQ(cell["choice"]["chosen_by"], "valid-score");
    }
    // On one data set the setting has a value of its own, so that nothing is chosen there.
    if (cell["model"] == "mlp-released") {
      EXPECT_EQ(cell.contains("choice"), cell["dataset"] == "csbm:classes=2") << cell;
    }
  }
  for (const char* format : {"text", "markdown", "html", "csv", "latex"}) {
    const Outcome made = place_.run({"report", "choosing.toml", "--format", format});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(contains(made.out, "undecided")) << format;
    EXPECT_TRUE(contains(made.out, "hidden=")) << format;
  }
}

// The parts of a score, weighted by their nodes, are the whole.
TEST_F(ChoicesTest, ScoresOnAGroupAreKeptBesideTheRun) {
  place_.run({"run", "choosing.toml", "--models", "mlp", "--tables", "hubs", "--no-report"});
  const json store = json::parse(place_.run({"show", "choosing.sqlite", "--json"}).out);
  int seen = 0;
  for (const json& cell : store["protocols"][0]["cells"]) {
    if (cell["metric"] != "accuracy") continue;
    for (const json& run : cell["runs"]) {
      const json card =
          json::parse(place_.run({"show", run["id"], "--store", "choosing.sqlite", "--json"}).out);
      ASSERT_EQ(card["strata"].size(), 1u);
      const json& part = card["strata"][0];
      const double in = part["inside_nodes"], out = part["outside_nodes"];
      EXPECT_NEAR((in * double(part["inside"]) + out * double(part["outside"])) / (in + out),
                  double(card["test_score"]), 1e-12);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 3 * 3);
}

TEST_F(ChoicesTest, CanBeNarrowed) {
  const auto plan = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = {"run", "choosing.toml", "--dry-run", "--json"};
    command.insert(command.end(), more.begin(), more.end());
    return json::parse(place_.run(command).out);
  };
  // Three configurations of mlp on two data sets, three of its reading on one, one on the other;
  // the majority is run once a split.
  EXPECT_EQ(plan({})["runs"], 3 * (3 * 2 + 3 + 1 + 2));
  EXPECT_EQ(plan({"--models", "mlp", "--choices", "hidden=4"})["runs"], 3 * 2);
  EXPECT_EQ(plan({"--models", "mlp", "--choices", "hidden=4"})["to_do"][0]["configurations"], 1);
  const Outcome text =
      place_.run({"run", "choosing.toml", "--models", "mlp", "--choices", "mlp.hidden=4,2"});
  EXPECT_TRUE(contains(text.out, "a part of the protocol's configurations: mlp (2 of 3)"))
      << text.out;
  const Outcome wrong = place_.run({"run", "choosing.toml", "--choices", "hidden=5"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "hidden is one of 2, 4, 8")) << wrong.err;
}

TEST_F(ChoicesTest, AProtocolsCardTellsThem) {
  const Outcome card = place_.run({"show", "choosing.toml"});
  ASSERT_EQ(card.code, 0) << card.err;
  for (const char* part : {"hidden from 2 | 4 | 8", "chosen by mean test score", "a reading of mlp",
                           "train.keep=last", "on csbm:classes=3: hidden=4",
                           "hubs, nodes of degree at least 5", "roc-auc of data sets with two"})
    EXPECT_TRUE(contains(card.out, part)) << part << "\n" << card.out;
  const json data = json::parse(place_.run({"show", "choosing.toml", "--json"}).out);
  EXPECT_EQ(data["models"][0]["choices"][0]["values"].size(), 3u);
  EXPECT_EQ(data["strata"][0]["value"], 5);
}

TEST(Heterophily, IsShippedWithItsReadings) {
  Workplace place;
  const json card = json::parse(place.run({"show", "heterophily", "--json"}).out);
  int readings = 0;
  for (const json& model : card["models"]) readings += model.contains("reading_of");
  EXPECT_EQ(readings, 8);
  EXPECT_EQ(card["models"].size(), 9u + 2 * 8);
  EXPECT_EQ(card["metric_two_classes"], "roc-auc");
}

// One data set of the protocol can be run where the others are not there.
TEST(Heterophily, RunsOnWhatThereIs) {
  if (const std::string why = made::needs_data({"minesweeper"}); !why.empty()) GTEST_SKIP() << why;
  Workplace place;
  place.set("CUPEL_DATA", std::getenv("CUPEL_DATA"));
  const Outcome plan =
      place.run({"run", "heterophily", "--datasets", "minesweeper", "--models", "sage,resnet",
                 "--splits", "2", "--choices", "layers=1", "--dry-run", "--json"});
  ASSERT_EQ(plan.code, 0) << plan.err;
  EXPECT_EQ(json::parse(plan.out)["runs"], 4);
  const Outcome rest = place.run({"run", "heterophily", "--tables", "4", "--dry-run"});
  EXPECT_EQ(rest.code, 2);
  EXPECT_TRUE(contains(rest.err, "roman-empire")) << rest.err;
}

}  // namespace
}  // namespace cupel::test
