// Predictions instead of numbers. What a program wrote in a run of its own is submitted: its scores
// must be those that the run was given.
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "programs.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kProtocol = R"(
[data]
datasets = ["csbm:classes=3,features=60,nodes=200"]
prepare = ["largest-component"]
[split]
scheme = "per-class"
train = 5
valid = 5
count = 2
[train]
inits = 2
[models.own]
command = ["python3", "keep.py", "{task}"]
isolation = "none"
hops = 1
)";

// Runs the example, and keeps a copy of what it wrote as a submission.
constexpr const char* kKeep = R"(
import json, os, shutil, subprocess, sys
task = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
subprocess.run([sys.executable, here + "/own_model.py", task], check=True)
info = json.load(open(task + "/task.json"))
folder = "%s/sub/split-%d/init-%d" % (here, info["split"], info["init"])
os.makedirs(folder)
for name in ("scores.npy", "valid_scores.npy"):
    shutil.copy(task + "/" + name, folder)
)";

constexpr const char* kSubmission = R"(protocol = "../own.toml"
dataset = "csbm:classes=3,features=60,nodes=200"
model = "class means"
citation = "A. Author: Means of classes. 2026."
)";

class SubmitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = testing::needs_program("python3"); !why.empty())
      GTEST_SKIP() << why;
    place_.write("own.toml", kProtocol);
    place_.write("keep.py", kKeep);
    fs::copy_file(fs::path(CUPEL_SOURCE_DIR) / "examples/own_model.py",
                  place_.path("own_model.py"));
    fs::create_directory(place_.path("sub"));
    place_.write("sub/submission.toml", kSubmission);
    const Outcome run = place_.run({"run", "own.toml", "--no-report"});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  json checked(int code) const {
    const Outcome outcome = place_.run({"submit", "check", "sub", "--json"});
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }
  Workplace place_;
};

TEST_F(SubmitTest, PredictionsHaveTheScoresOfTheRunThatMadeThem) {
  const Outcome report = place_.run({"report", "own.sqlite", "--json"});
  ASSERT_EQ(report.code, 0) << report.err;
  const json cell = json::parse(report.out)["tables"][0]["cells"][0];
  ASSERT_EQ(cell["n"], 4) << cell;
  const json card = checked(0);
  EXPECT_EQ(card["suitable"], true);
  EXPECT_EQ(card["asked"], 4);
  EXPECT_EQ(card["scored"], 4);
  EXPECT_EQ(card["metric"], "accuracy");
  EXPECT_NEAR(card["mean"].get<double>(), cell["mean"].get<double>(), 1e-9) << card << cell;
  EXPECT_NEAR(card["sd"].get<double>(), cell["sd"].get<double>(), 1e-9) << card << cell;
  EXPECT_GT(card["mean"].get<double>(), 34) << "or the example has learnt nothing";
  const Outcome text = place_.run({"submit", "check", "sub"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(contains(text.out, "\nSUITABLE\n")) << text.out;
}

TEST_F(SubmitTest, EachMissingOrBrokenPredictionIsNamed) {
  fs::remove(place_.path("sub/split-1/init-1/scores.npy"));
  place_.write("sub/split-0/init-1/scores.npy", "no array");
  const json card = checked(1);
  EXPECT_EQ(card["suitable"], false);
  EXPECT_EQ(card["scored"], 2);
  ASSERT_EQ(card["faults"].size(), 2u) << card;
  EXPECT_EQ(card["faults"][0]["split"], 0);
  EXPECT_EQ(card["faults"][0]["init"], 1);
  EXPECT_TRUE(contains(card["faults"][1]["text"], "split-1/init-1/scores.npy")) << card;
  const Outcome text = place_.run({"submit", "check", "sub"});
  EXPECT_TRUE(contains(text.out, "NOT SUITABLE: 2 of 4 predictions")) << text.out;
}

TEST_F(SubmitTest, ARightShapeIsDemanded) {
  // Validation scores in place of test scores: rows of another part.
  fs::copy_file(place_.path("sub/split-0/init-0/valid_scores.npy"),
                place_.path("sub/split-0/init-0/scores.npy"), fs::copy_options::overwrite_existing);
  const json card = checked(1);
  ASSERT_EQ(card["faults"].size(), 1u) << card;
  EXPECT_TRUE(contains(card["faults"][0]["text"], "has the shape")) << card;
}

TEST_F(SubmitTest, TasksSayWhatEachSplitAsks) {
  const Outcome outcome = place_.run({"submit", "tasks", "sub"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "2 tasks written")) << outcome.out;
  for (const char* split : {"0", "1"}) {
    const std::string folder = std::string("sub/split-") + split;
    EXPECT_EQ(json::parse(place_.read(folder + "/task.json"))["split"], std::stoi(split));
    EXPECT_GT(fs::file_size(place_.path(folder + "/task.npz")), 1000u);
  }
  EXPECT_TRUE(contains(place_.run({"submit", "tasks", "sub"}).out, "0 tasks written"));
  EXPECT_EQ(checked(0)["suitable"], true) << "tasks are in nobody's way";
}

TEST_F(SubmitTest, MistakesAreSentences) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = kSubmission;
    text.replace(text.find(from), from.size(), to);
    place_.write("sub/submission.toml", text);
    const Outcome outcome = place_.run({"submit", "check", "sub"});
    EXPECT_EQ(outcome.code, 2) << to << outcome.out;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_TRUE(contains(refused("model =", "modle ="), "'model' is not said"));
  EXPECT_TRUE(contains(refused("citation", "scores = 99.9\ncitation"), "scores"));
  EXPECT_TRUE(contains(refused("nodes=200\"", "nodes=201\""), "is no data set of protocol"));
  EXPECT_TRUE(contains(refused("model =", "table = \"7\"\nmodel ="), "table '7'"));
  EXPECT_TRUE(contains(refused("../own.toml", "nowhere.toml"), "nowhere.toml"));
  EXPECT_EQ(place_.run({"submit", "chekc", "sub"}).code, 2);
  EXPECT_EQ(place_.run({"submit", "check", "nowhere"}).code, 2);
}

}  // namespace
}  // namespace cupel::test
