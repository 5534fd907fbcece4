// `cupel effectiveness` as a user meets it.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::json;

constexpr const char* kProtocol = R"(title = "Nodes"
[data]
datasets = ["csbm:classes=3", "csbm:classes=2"]
[split]
scheme = "per-class"
train = 5
valid = 5
count = 12
[train]
max_epochs = 10
inits = 1
[models.mlp]
hidden = 8
[models.labelprop]
[models.majority]
[[table]]
id = "1"
also = ["roc-auc", "balanced-accuracy"]
[published]
file = "nodes.csv"
)";

class EffectivenessTest : public testing::Test {
 protected:
  void SetUp() override {
    place_.write("nodes.toml", kProtocol);
    place_.write("nodes.csv",
                 "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
                 "1,csbm:classes=2,labelprop,accuracy,80,,none,12,12\n"
                 "1,csbm:classes=2,mlp,accuracy,60,,none,12,12\n");
    const Outcome run = place_.run({"run", "nodes.toml", "--no-report"});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  Workplace place_;
};

// The numbers are those of the report, put into the equation here.
TEST_F(EffectivenessTest, JsonIsEquationOneOfTheReportsMeans) {
  const Outcome outcome =
      place_.run({"effectiveness", "nodes.sqlite", "--attributes", "labelprop,majority", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  const json report = json::parse(place_.run({"report", "nodes.sqlite", "--json"}).out);
  const auto mean = [&](const json& dataset, const char* model) {
    for (const json& cell : report["tables"][0]["cells"])
      if (cell["dataset"] == dataset && cell["model"] == model && cell["metric"] == "accuracy")
        return cell["mean"].get<double>() / 100;
    return std::nan("");
  };
  ASSERT_EQ(found["datasets"].size(), 2u);
  EXPECT_TRUE(found["structure"].is_null());
  for (const json& of : found["datasets"]) {
    const double a = mean(of["dataset"], "labelprop"), b = mean(of["dataset"], "majority");
    const double classes = of["classes"], lower = std::min(a, b);
    EXPECT_EQ(of["metric"], "accuracy");
    EXPECT_NEAR(of["attributes"]["gap"].get<double>(), a - b, 1e-9);
    EXPECT_NEAR(of["effectiveness"].get<double>(),
                std::abs(a - b) / (lower * (classes - 1)) * (1 - lower) / (1 - 1 / classes), 1e-9);
    EXPECT_TRUE(of["structure"].is_null());
    ASSERT_EQ(of["interval"].size(), 2u);
    EXPECT_LE(of["interval"][0], of["effectiveness"]);
    EXPECT_GE(of["interval"][1], of["effectiveness"]);
    EXPECT_EQ(of["speaks_of"], "splits");
    const json& evidence = of["attributes"]["evidence"];
    EXPECT_LE(evidence["interval"][0], of["attributes"]["gap"]);
    EXPECT_EQ(of["p"], evidence["p"]) << "of one part";
    EXPECT_EQ(of["p"].get<double>() > 0.05, of["interval"][0] == 0.0);
    EXPECT_TRUE(of["published"].is_null());
  }
  EXPECT_GE(found["datasets"][0]["effectiveness"], found["datasets"][1]["effectiveness"]);
}

TEST_F(EffectivenessTest, TextHasPublishedValuesAndFitsAPage) {
  const Outcome outcome =
      place_.run({"effectiveness", "nodes.toml", "--structure", "labelprop+mlp,majority",
                  "--attributes", "labelprop,mlp", "--datasets", "CSBM:classes=2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // 0.2 / 0.6 * 0.4 / 0.5, but there is no published part for the structure.
  EXPECT_FALSE(contains(outcome.out, "0.2667")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "the best of labelprop, mlp over majority")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "Best: ")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "classes=3")) << outcome.out;
  const Outcome attributes =
      place_.run({"effectiveness", "nodes.toml", "--attributes", "labelprop,mlp"});
  EXPECT_TRUE(contains(attributes.out, "0.2667")) << attributes.out;
  EXPECT_TRUE(contains(attributes.out, "P_A")) << attributes.out;
  EXPECT_TRUE(contains(attributes.out, "this data set alone")) << attributes.out;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    const auto width =
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    EXPECT_LE(width, 100) << line;
  }
}

TEST_F(EffectivenessTest, ARowMayHaveTheCharactersThatPartRows) {
  std::string protocol = kProtocol;
  for (const char* row : {"[models.'label,prop']\nmodel = 'labelprop'\n",
                          "[models.'mlp+8']\nmodel = 'mlp'\nhidden = 8\n"})
    protocol.insert(protocol.find("[[table]]"), row);
  place_.write("nodes.toml", protocol);
  ASSERT_EQ(place_.run({"run", "nodes.toml", "--no-report"}).code, 0);
  const auto parts = [&](const char* rows) {
    json found = json::parse(
        place_.run({"effectiveness", "nodes.toml", "--attributes", rows, "--json"}).out);
    return std::pair(found["attributes"], found["datasets"][0]["attributes"]["gap"]);
  };
  const auto [plain, gap] = parts("labelprop,mlp");
  const auto [odd, odd_gap] = parts("label\\,prop,mlp\\+8");
  EXPECT_EQ(odd["gnn"], json::array({"label,prop"})) << odd;
  EXPECT_EQ(odd["baseline"], json::array({"mlp+8"})) << odd;
  EXPECT_EQ(odd_gap, gap);
  const Outcome refused =
      place_.run({"effectiveness", "nodes.toml", "--structure", "label,prop,mlp"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "a comma or plus of a name has a backslash")) << refused.err;
}

TEST_F(EffectivenessTest, CsvHasALineForEachDataSet) {
  const std::vector<std::string> command = {"effectiveness", "nodes.sqlite", "--attributes",
                                            "labelprop,mlp"};
  std::vector<std::string> csv = command, both = command, asked = command;
  csv.push_back("--csv");
  asked.push_back("--json");
  both.insert(both.end(), {"--csv", "--json"});
  const Outcome outcome = place_.run(csv);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::string line, head;
  std::getline(lines, head);
  const json found = json::parse(place_.run(asked).out);
  for (const json& of : found["datasets"]) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(head.begin(), head.end(), ','))
        << line;
    EXPECT_TRUE(line.starts_with(of["dataset"].get<std::string>() + ",1,accuracy,")) << line;
    EXPECT_TRUE(contains(line, fmt::format(",{},", of["attributes"]["gap"].get<double>()))) << line;
    EXPECT_TRUE(contains(line, fmt::format(",{},splits,", of["p"].get<double>()))) << line;
  }
  EXPECT_FALSE(std::getline(lines, line));
  EXPECT_EQ(place_.run(both).code, 2);
}

TEST_F(EffectivenessTest, DrawsBars) {
  for (const char* file : {"bars.svg", "bars.json"}) {
    const Outcome outcome = place_.run(
        {"effectiveness", "nodes.sqlite", "--attributes", "labelprop,mlp", "--figure", file});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, file));
  }
  EXPECT_TRUE(contains(place_.read("bars.svg"), "csbm:classes=3"));
  EXPECT_EQ(json::parse(place_.read("bars.json"))["vconcat"].size(), 2u);
}

TEST_F(EffectivenessTest, WritesTheFiguresOfThePaper) {
  const Outcome outcome = place_.run({"effectiveness", "nodes.sqlite", "--attributes",
                                      "labelprop+mlp,majority", "--figures", "drawn"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"gaps", "effectiveness", "equation", "theorem"}) {
    EXPECT_TRUE(contains(outcome.err, fmt::format("{}.json", name)));
    EXPECT_TRUE(place_.read(fmt::format("drawn/{}.svg", name)).ends_with("</svg>\n")) << name;
    EXPECT_FALSE(json::parse(place_.read(fmt::format("drawn/{}.json", name)))["vconcat"].empty());
  }
  EXPECT_TRUE(contains(place_.read("drawn/gaps.svg"), ">mlp<")) << "a box of its own";
  EXPECT_EQ(place_
                .run({"effectiveness", "nodes.sqlite", "--attributes", "labelprop,mlp", "--figures",
                      "nodes.toml"})
                .code,
            2);
}

TEST_F(EffectivenessTest, RefusesWithAWayOut) {
  const auto refused = [&](std::vector<std::string> arguments, const std::string& with) {
    arguments.insert(arguments.begin(), {"effectiveness", "nodes.sqlite"});
    const Outcome outcome = place_.run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, with)) << outcome.err;
  };
  refused({}, "mlp, labelprop, majority");  // gin-s and the like are not there
  refused({"--attributes", "labelprop"}, "no pair of rows");
  refused({"--attributes", "a,b,c"}, "no pair of rows");
  refused({"--attributes", ",mlp"}, "no pair of rows");
  refused({"--attributes", "labelprop,mpl"}, "did you mean 'mlp'?");
  refused({"--attributes", "labelprop,mlp", "--metric", "f1"}, "balanced-accuracy");
  refused({"--attributes", "labelprop,mlp", "--figure", "bars.png"}, ".svg");
  refused({"--attributes", "labelprop,mlp", "--figure", "none/bars.svg"}, "none");
  refused({"--attributes", "labelprop,mlp", "--store", "other.sqlite"}, "a store already");
  EXPECT_EQ(place_.run({"effectiveness", "none.sqlite"}).code, 2);
}

TEST_F(EffectivenessTest, OtherMetricsAreOfTheSameRuns) {
  const json found = json::parse(place_
                                     .run({"effectiveness", "nodes.sqlite", "--attributes",
                                           "labelprop,mlp", "--metric", "roc-auc", "--json"})
                                     .out);
  const json& two = found["datasets"][0];
  EXPECT_EQ(two["classes"], 2);
  EXPECT_EQ(two["metric"], "roc-auc");
  EXPECT_TRUE(two["effectiveness"].is_number());
  EXPECT_TRUE(found["datasets"][1]["effectiveness"].is_null()) << "three classes";
}

}  // namespace
}  // namespace cupel::test
