// Searches of the real program.
#include <map>

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
  const std::string best = place_.read("best.toml");
  EXPECT_TRUE(contains(best, "extends = \"small.toml\"")) << best;
  EXPECT_TRUE(contains(best, "[models.mlp]")) << best;

  const Outcome second = place_.run({"tune", "small.toml", "--json"});
  EXPECT_EQ(second.out, first.out);
  EXPECT_TRUE(contains(second.err, "0 runs done")) << second.err;
  EXPECT_EQ(place_.run({"report", "small.toml", "--json"}).out, table);
  const Outcome text = place_.run({"tune", "small.toml"});
  EXPECT_TRUE(contains(text.out, "For the protocol file:\n\n# Found by grid search")) << text.out;
}

constexpr const char* kTwo = R"(title = "Two"
[data]
datasets = ["csbm:classes=3,features=60,nodes=200,seed=1", "csbm:classes=3,features=60,nodes=200,seed=2"]
[split]
scheme = "per-class"
train = 5
valid = 5
count = 2
[train]
max_epochs = 20
[models.mlp]
choices = { hidden = [4, 8] }
[models.labelprop]
[tune]
splits = 1
[tune.grid.mlp]
hidden = [1, 2, 16]
lr = [0.001, 0.1]
)";

// What is written is run as it is, by its path and from another folder.
TEST_F(RunTest, WhatIsFoundIsAProtocolThatRuns) {
  place_.write("two.toml", kTwo);
  std::filesystem::create_directory(place_.path("found"));
  std::string said = kTwo;
  said.replace(said.find("splits = 1"), 10, "splits = 1\nby_dataset = true");
  place_.write("said.toml", said);
  // Lines are wrapped.
  EXPECT_TRUE(contains(place_.run({"show", "said.toml"}).out, "alone"));
  EXPECT_FALSE(contains(place_.run({"show", "two.toml"}).out, "alone"));
  const Outcome tuned = place_.run({"tune", "two.toml", "--by-dataset", "--json", "--store",
                                    "t.sqlite", "--out", "found/best.toml"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const std::string text = place_.read("found/best.toml");
  EXPECT_TRUE(contains(text, "extends = \"../two.toml\"")) << text;
  const json model = json::parse(tuned.out)["models"][0];
  const json datasets = json::parse(tuned.out)["datasets"];
  // The oracle is the list of trials.
  std::map<std::string, json> best;
  for (std::size_t d = 0; d < 2; ++d) {
    double most = -1;
    for (const json& trial : model["trials"]) {
      if (trial["by_dataset"][d].get<double>() <= most) continue;
      most = trial["by_dataset"][d];
      best[datasets[d]] = trial["settings"];
      EXPECT_EQ(trial["number"].get<int>() > model["best_by_dataset"][d].get<int>(), false);
    }
  }
  const Outcome run = place_.run({"run", "found/best.toml", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(stored("best.sqlite"), 2 * 2 * 2) << "nothing is chosen any more";
  const Store store(place_.path("best.sqlite"), Store::Mode::kOpen);
  int rows = 0;
  for (const StoredCell& cell : store.cells(store.protocols().front().version)) {
    if (cell.model != "mlp") continue;
    ++rows;
    EXPECT_EQ(cell.configuration, "");
    const json settings = json::parse(store.identity(cell.family))["model"]["settings"];
    for (const auto& [name, value] : best[cell.dataset].items())
      EXPECT_EQ(settings[name], value) << cell.dataset << name;
  }
  EXPECT_EQ(rows, 2);
}

TEST_F(RunTest, WhatIsFoundGoesToANewFileThatCanHoldIt) {
  const std::string text = std::string(kSmallProtocol) + kTune;
  place_.write("small.toml", text);
  place_.write("mine.toml", "# my own\n");
  const Outcome there = place_.run({"tune", "small.toml", "--out", "mine.toml"});
  EXPECT_EQ(there.code, 2);
  EXPECT_TRUE(contains(there.err, "mine.toml: is there already")) << there.err;
  EXPECT_EQ(place_.read("mine.toml"), "# my own\n");
  const Outcome nowhere = place_.run({"tune", "small.toml", "--out", "none/best.toml"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_TRUE(contains(nowhere.err, "none/best.toml: cannot be written")) << nowhere.err;
  // A data set that the protocol does not name has no place in a file that extends it.
  const Outcome other = place_.run(
      {"tune", "small.toml", "--datasets", "csbm:nodes=90", "--by-dataset", "--out", "best.toml"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "'csbm:nodes=90' is no data set of this protocol")) << other.err;
  // Programs are found from the folder of their protocol.
  place_.write("fails.sh", "exit 3\n");
  place_.write("prog.toml", std::string(kSmallProtocol) +
                                "[models.own]\ncommand = [\"sh\", \"fails.sh\"]\n[tune]\nbudget = "
                                "1\nsplits = 1\n[tune.grid.own]\nc = [1]\n");
  std::filesystem::create_directory(place_.path("found"));
  const Outcome far = place_.run({"tune", "prog.toml", "--out", "found/best.toml"});
  EXPECT_EQ(far.code, 2);
  EXPECT_TRUE(contains(far.err, "put both into one folder")) << far.err;
  for (const char* store : {"small.sqlite", "prog.sqlite"})
    EXPECT_FALSE(std::filesystem::exists(place_.path(store))) << "it is told before the work";
  // Nothing is written where nothing was found.
  const Outcome none = place_.run({"tune", "prog.toml", "--out", "best.toml"});
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(contains(none.err, "best.toml is not written, as no trial is complete")) << none.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("best.toml")));
}

// As that of a run: by the clock, and by past runs once there are some.
TEST_F(RunTest, ASearchIsTriedOutBeforeItIsEstimated) {
  place_.write("small.toml", std::string(kSmallProtocol) + kTune);
  const auto basis = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"tune", "small.toml", "--dry-run"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = place_.run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string tried = basis({});
  EXPECT_TRUE(contains(tried, "tried")) << tried;
  EXPECT_FALSE(contains(tried, "rough")) << tried;
  EXPECT_TRUE(contains(basis({"--pilot", "5s"}), "tried"));
  EXPECT_TRUE(contains(basis({"--pilot", "none"}), "good to a factor of ten"));
  const json lines = json::parse(basis({"--json"}))["to_do"];
  EXPECT_EQ(lines.size(), 5u) << "a line a trial";
  EXPECT_FALSE(std::filesystem::exists(place_.path("small.sqlite"))) << "nothing is kept";
  const Outcome wrong = place_.run({"tune", "small.toml", "--dry-run", "--pilot", "soon"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "--pilot: 'soon' is not a time")) << wrong.err;
}

constexpr const char* kGraphs = R"(task = "graph-classification"
[data]
datasets = ["syn-degree:graphs=40,nodes=12,low=2,high=8"]
[split]
scheme = "stratified-kfold"
folds = 4
valid = 25
count = 1
[train]
max_epochs = 3
[models.gin]
features = "degree"
hidden = "8"
)";

// Of a search nothing is tested, whatever it is of.
TEST_F(RunTest, SetsOfGraphsAreSearchedToo) {
  place_.write("graphs.toml", std::string(kGraphs) +
                                  "[tune]\nsplits = 1\n[tune.grid.gin]\nlr = [0.1, 0.01]\n"
                                  "features = [\"degree\", \"degree,random:width=2\"]\n");
  const Outcome done = place_.run({"tune", "graphs.toml", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json trials = json::parse(done.out)["models"][0]["trials"];
  ASSERT_EQ(trials.size(), 4u);
  for (const json& trial : trials) EXPECT_TRUE(trial["score"].is_number()) << trial;
}

// What only a model tells of its settings is bad input of a plan, and no failed run.
TEST_F(RunTest, WhatAModelRefusesIsRefusedBeforeAnythingRuns) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = kGraphs;
    place_.write("graphs.toml", text.replace(text.find(from), from.size(), to));
    const Outcome outcome = place_.run({"run", "graphs.toml", "--dry-run"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, "graphs.toml:11: [models.gin]: ")) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(contains(refused("\"degree\"", "\"degre\""), "did you mean 'degree'?"));
  EXPECT_TRUE(contains(refused("\"degree\"", "\"degree:foo=1\""), "no setting is called 'foo'"));
  EXPECT_TRUE(contains(refused("\"degree\"", "\"average-degree\""), "belongs to graphs"));
  EXPECT_TRUE(contains(refused("hidden = \"8\"", "hidden = \"x\""), "hidden = \"x\""));
}

TEST_F(RunTest, TheSettingsThatAreFoundDoNotReplaceWhatIsRead) {
  const std::string text = std::string(kSmallProtocol) + kTune;
  place_.write("small.toml", text);
  ASSERT_EQ(place_.run({"convert", "csbm:nodes=200", "mine.npz"}).code, 0);
  const std::string data = place_.read("mine.npz");
  for (const char* out : {"./small.toml", "mine.npz"}) {
    const Outcome refused =
        place_.run({"tune", "small.toml", "--datasets", "./mine.npz", "--out", out});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, std::string(out) + ": is there already")) << refused.err;
  }
  EXPECT_EQ(place_.read("small.toml"), text);
  EXPECT_EQ(place_.read("mine.npz"), data);
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
