// What `picture` writes, and what it refuses.
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/program.h"
#include "cupel/lab/store/store.h"

namespace cupel::test {
namespace {

using nlohmann::json;

const char* const kGraph = "csbm:classes=3,features=60,nodes=200";

// A lens that takes a moment.
std::vector<std::string> quick(std::vector<std::string> more = {}, const std::string& of = kGraph) {
  std::vector<std::string> out = {"picture", of};
  for (const char* setting : {"epochs=8", "dimension=16", "iterations=60", "intervals=6"}) {
    out.emplace_back("--set");
    out.emplace_back(setting);
  }
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

Outcome refused(const Workplace& place, const std::vector<std::string>& arguments) {
  const Outcome outcome = place.run(arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  return outcome;
}

TEST(Picture, WritesSvgAndJsonTheSameOnAnyNumberOfThreads) {
  const Workplace place;
  const Outcome one = place.run(quick({"--out", "a", "--threads", "1"}));
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_TRUE(contains(one.out, "a.svg") && contains(one.out, "a.json")) << one.out;
  EXPECT_EQ(one.err, "");
  ASSERT_EQ(place.run(quick({"--out", "b", "--threads", "3"})).code, 0);
  EXPECT_EQ(place.read("a.svg"), place.read("b.svg"));
  EXPECT_EQ(place.read("a.json"), place.read("b.json"));
  ASSERT_EQ(place.run(quick({"--out", "c.json", "--seed", "7"})).code, 0);
  EXPECT_NE(place.read("c.json"), place.read("a.json"));
  EXPECT_EQ(place.files(),
            (std::vector<std::string>{"a.json", "a.svg", "b.json", "b.svg", "c.json"}));

  const json found = json::parse(place.read("a.json"));
  const int nodes = found["nodes"];
  std::set<int> seen;
  for (const json& cluster : found["clusters"])
    for (const json& v : cluster["nodes"]) seen.insert(v.get<int>());
  EXPECT_EQ(static_cast<int>(seen.size()), nodes) << "every node is in a cluster";
  EXPECT_EQ(found["settings"]["intervals"], 6);
  EXPECT_EQ(found["settings"]["seed"], "0");
  EXPECT_EQ(found["panels"][0]["title"], "classes");
  for (const json& point : found["lens"])
    for (const json& value : point) EXPECT_TRUE(value >= 0 && value < 1) << value;
}

TEST(Picture, IsCalledAfterItsDataAndToldAsJson) {
  const Workplace place;
  ASSERT_EQ(place.run({"generate", "csbm", "--out", "mine.npz", "--set", "nodes=100"}).code, 0);
  const Outcome outcome = place.run(quick({"--json"}, "./mine.npz"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json said = json::parse(outcome.out);
  EXPECT_EQ(said["files"], json({"mine.svg", "mine.json"}));
  EXPECT_EQ(said["nodes"], 100);
  EXPECT_EQ(place.files(), (std::vector<std::string>{"mine.json", "mine.npz", "mine.svg"}));
}

// Runs are done again; what they predict on their test nodes is what the store has a score of.
TEST(Picture, ColoursByWhatRowsAndRunsPredict) {
  const Workplace place;
  place.write("small.toml", kSmallProtocol);
  ASSERT_EQ(place.run({"run", "small.toml", "--no-report"}).code, 0);
  const Outcome rows =
      place.run(quick({"--out", "x.json", "--labels", "classes", "--labels", "small.sqlite:mlp",
                       "--labels", "small.sqlite:labelprop", "--labels", "small.sqlite:majority"}));
  ASSERT_EQ(rows.code, 0) << rows.err;
  const json found = json::parse(place.read("x.json"));
  ASSERT_EQ(found["panels"].size(), 4u);
  const Store store(place.path("small.sqlite"), Store::Mode::kOpen);
  for (std::size_t p = 1; p < 4; ++p) {
    const json& panel = found["panels"][p];
    EXPECT_EQ(panel["of_node"].size(), found["nodes"]);
    const std::string id = panel["source"]["run"];
    const auto record = store.find(id);
    ASSERT_TRUE(record && record->test_score);
    EXPECT_EQ(std::stod(panel["source"]["test_score"].get<std::string>()), *record->test_score);
    // 15 nodes each are for training and validation. Right ones of all nodes are at least those
    // of the test part, and at most 30 more.
    int right = 0;
    for (std::size_t v = 0; v < panel["of_node"].size(); ++v)
      right += panel["of_node"][v] == found["labels"][v];
    const int tested = found["nodes"].get<int>() - 30;
    EXPECT_GE(right, std::lround(tested * *record->test_score));
    EXPECT_LE(right, std::lround(tested * *record->test_score) + 30);
    EXPECT_EQ(panel["nodes_of_another_class"], found["nodes"].get<int>() - right);
    // By its id the same run gives the same.
    ASSERT_EQ(place.run(quick({"--out", "y.json", "--labels", "small.sqlite:" + id})).code, 0);
    EXPECT_EQ(json::parse(place.read("y.json"))["panels"][0], panel);
  }
  std::set<int> majority;
  for (const json& one : found["panels"][3]["of_node"]) majority.insert(one.get<int>());
  EXPECT_EQ(majority.size(), 1u);
}

TEST(Picture, SaysWhatIsWrongAndWritesNothing) {
  const Workplace place;
  place.write("small.toml", kSmallProtocol);
  ASSERT_EQ(place.run({"run", "small.toml", "--no-report"}).code, 0);
  const auto said = [&](const std::vector<std::string>& more, const std::string& of = kGraph) {
    return refused(place, quick(more, of)).err;
  };
  EXPECT_TRUE(contains(said({"--set", "interval=3"}), "did you mean 'intervals'?"));
  EXPECT_TRUE(contains(said({"--set", "overlap=2"}), "outside [0, 1]"));
  EXPECT_TRUE(contains(said({"--set", "epsilon=nan"}), "epsilon"));
  EXPECT_TRUE(contains(said({"--set", "edges=arcs"}), "shared-arcs, shared-nodes"));
  EXPECT_TRUE(contains(said({"--set", "perplexity=500"}), "perplexity=N"));
  EXPECT_TRUE(contains(said({"--out", "x.png"}), ".svg or .json"));
  EXPECT_TRUE(contains(said({"--out", "none/x.svg"}), "there is no folder none"));
  EXPECT_TRUE(contains(said({"--labels", "mlp"}), "results.sqlite:"));
  EXPECT_TRUE(contains(said({"--labels", "none.sqlite:mlp"}), "none.sqlite"));
  EXPECT_TRUE(contains(said({"--labels", "small.sqlite:mpl"}), "did you mean 'mlp'?"));
  EXPECT_TRUE(contains(said({"--labels", "small.sqlite:mlp"}, "csbm:nodes=150"), "has no run on"));
  EXPECT_TRUE(contains(said({}, "syn-degree:graphs=80"), "a set of graphs"));
  EXPECT_TRUE(contains(said({}, "no-such-data"), "no-such-data"));
  const std::string graph =
      R"({"features": [[1], [0], [1]], "labels": [0, 1, 0], "links": [[1], [2], []],
          "train_masks": [[true, false, false]], "stopping_masks": [[false, false, false]],
          "val_masks": [[false, true, false]], "test_mask": [false, false, true]})";
  place.write("graph.json", graph);
  EXPECT_TRUE(contains(said({"--out", "graph.json"}, "./graph.json"), "is what is read"));
  EXPECT_EQ(place.read("graph.json"), graph);
  std::filesystem::remove(place.path("graph.json"));
  EXPECT_EQ(place.files(), (std::vector<std::string>{"small.sqlite", "small.toml"}));
}

}  // namespace
}  // namespace cupel::test
