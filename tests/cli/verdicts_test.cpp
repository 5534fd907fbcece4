// Verdicts as a user meets them: run --until decided, report --delta, compare.
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

// Label propagation and SGC on a small generated graph; one published value is near, one far.
constexpr const char* kProtocol = R"(
[data]
datasets = ["csbm:nodes=300,seed=5"]
[split]
train = 10
valid = 10
count = 40
[train]
max_epochs = 20
inits = 2
[models.labelprop]
[models.sgc]
[models.majority]
[published]
file = "p.csv"
)";

void write_protocol(const Workplace& place, const std::string& labelprop) {
  place.write("p.toml", kProtocol);
  place.write(
      "p.csv",
      "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
      "1,\"csbm:nodes=300,seed=5\",labelprop,accuracy," +
          labelprop +
          ",1.0,sd_ddof1_pooled_runs,100,100\n"
          "1,\"csbm:nodes=300,seed=5\",sgc,accuracy,5.0,1.0,sd_ddof1_pooled_runs,100,100\n");
}

TEST(Verdicts, RunsUntilDecidedAndSaysAtWhichLook) {
  const Workplace place;
  write_protocol(place, "20.0");
  const Outcome first = place.run({"run", "./p.toml", "--until", "decided", "--json"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("2 cells: 0 equivalent, 2 different, 0 undecided"), std::string::npos)
      << first.err;
  EXPECT_NE(first.err.find("not run: majority"), std::string::npos) << first.err;
  const auto json = nlohmann::json::parse(first.out);
  for (const auto& cell : json["tables"][0]["cells"]) {
    EXPECT_EQ(cell["verdict"], "different");
    EXPECT_EQ(cell["look"]["at"], 1);
    EXPECT_EQ(cell["n"], 10);
  }
  // Nothing is left to do, and another largest size is not what was paid for.
  const Outcome again = place.run({"run", "./p.toml", "--until", "decided"});
  EXPECT_NE(again.err.find("0 runs done"), std::string::npos) << again.err;
  const Outcome other = place.run({"run", "./p.toml", "--until", "decided", "--max-splits", "80"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("at most 40 splits"), std::string::npos) << other.err;
}

TEST(Verdicts, OptionsThatDoNotGoTogetherAreRefused) {
  const Workplace place;
  write_protocol(place, "20.0");
  for (const std::vector<std::string>& wrong : {
           std::vector<std::string>{"--until", "tomorrow"},
           {"--until", "decided", "--splits", "5"},
           {"--until", "decided", "--shard", "1/2"},
           {"--max-splits", "5"},
           {"--delta", "-1"},
           {"--delta", "wide"},
           {"--until", "decided", "--models", "majority"},
       }) {
    std::vector<std::string> words = {"run", "./p.toml"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const Outcome outcome = place.run(words);
    EXPECT_EQ(outcome.code, 2) << wrong[0] << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place.path("p.sqlite"))) << wrong[0];
  }
}

TEST(Verdicts, DeltaIsAskedOfTheReportAlone) {
  const Workplace place;
  write_protocol(place, "20.0");
  ASSERT_EQ(place.run({"run", "./p.toml", "--splits", "12", "--no-report"}).code, 0);
  const auto verdicts = [&](const std::string& delta) {
    const Outcome outcome = place.run({"report", "./p.toml", "--delta", delta, "--json"});
    std::vector<std::string> out;
    const auto json = nlohmann::json::parse(outcome.out);
    for (const auto& cell : json["tables"][0]["cells"])
      if (!cell["published"]["mean"].is_null()) out.push_back(cell["verdict"]);
    return out;
  };
  EXPECT_EQ(verdicts("1"), (std::vector<std::string>{"different", "different"}));
  EXPECT_EQ(verdicts("100"), (std::vector<std::string>{"equivalent", "equivalent"}));
}

TEST(Verdicts, TwoRowsAreCompared) {
  const Workplace place;
  write_protocol(place, "20.0");
  ASSERT_EQ(place.run({"run", "./p.toml", "--splits", "9", "--no-report"}).code, 0);
  const Outcome few = place.run({"compare", "./p.toml", "labelprop", "majority"});
  EXPECT_NE(few.out.find("Splits to decide:"), std::string::npos) << few.out;
  const auto open = nlohmann::json::parse(
      place.run({"compare", "p.sqlite", "labelprop", "majority", "--json"}).out);
  EXPECT_EQ(open["comparisons"][0]["splits_to_decide"], 10);

  ASSERT_EQ(place.run({"run", "./p.toml", "--splits", "12", "--no-report"}).code, 0);
  const Outcome text = place.run({"compare", "./p.toml", "labelprop", "majority"});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("labelprop higher"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("labelprop − majority, in points;"), std::string::npos) << text.out;
  const auto forward = nlohmann::json::parse(
      place.run({"compare", "p.sqlite", "labelprop", "majority", "--json"}).out);
  const auto back = nlohmann::json::parse(
      place.run({"compare", "p.sqlite", "majority", "LabelProp", "--json"}).out);
  const auto& a = forward["comparisons"][0];
  const auto& b = back["comparisons"][0];
  EXPECT_EQ(a["splits"], 12);
  EXPECT_EQ(a["difference"].get<double>(), -b["difference"].get<double>());
  EXPECT_EQ(a["interval_90"][0].get<double>(), -b["interval_90"][1].get<double>());
  EXPECT_TRUE(a["splits_to_decide"].is_null());
  EXPECT_NE(text.out.find("SPLITS TO DECIDE"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("Splits to decide:"), std::string::npos) << text.out;
  EXPECT_EQ(place.run({"compare", "p.sqlite", "sgc", "sgc"}).code, 2);
  EXPECT_EQ(place.run({"compare", "p.sqlite", "sgc", "nobody"}).code, 2);
}

}  // namespace
}  // namespace cupel::test
