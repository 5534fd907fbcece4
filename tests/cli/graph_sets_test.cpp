// Sets of graphs: what `stats` and `generate` print of them, and what they refuse.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::ordered_json;

// Two triangles that share a node, a square, a path: classes 0, 1, 1.
void write_set(const Workplace& place) {
  std::filesystem::create_directory(place.path("set"));
  std::string arcs;
  for (const auto& [a, b] : {std::pair{1, 2},
                             {2, 3},
                             {3, 1},
                             {3, 4},
                             {4, 5},
                             {5, 3},
                             {6, 7},
                             {7, 8},
                             {8, 9},
                             {9, 6},
                             {10, 11},
                             {11, 12}})
    arcs += std::to_string(a) + ", " + std::to_string(b) + "\n" + std::to_string(b) + ", " +
            std::to_string(a) + "\n";
  place.write("set/set_A.txt", arcs);
  place.write("set/set_graph_indicator.txt", "1\n1\n1\n1\n1\n2\n2\n2\n2\n3\n3\n3\n");
  place.write("set/set_graph_labels.txt", "0\n1\n1\n");
}

ordered_json json_of(const Workplace& place, const std::vector<std::string>& arguments) {
  const Outcome outcome = place.run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return ordered_json::parse(outcome.out);
}

// Other programs read these.
TEST(GraphSets, TheFixedKeysComeFirst) {
  const Workplace place;
  write_set(place);
  const ordered_json found = json_of(place, {"stats", "./set", "--json"});
  auto key = found.begin();
  for (const char* wanted :
       {"graphs", "classes", "average_nodes", "average_edges", "nodes", "edges", "degree",
        "clustering", "cycles_3", "cycles_4", "cycles_5", "cycles_6"})
    EXPECT_EQ((key++).key(), wanted);
  EXPECT_EQ(found["graphs"], 3);
  EXPECT_EQ(found["classes"], 2);
  EXPECT_EQ(found["average_nodes"], 4);
  EXPECT_EQ(found["average_edges"], 4);
  EXPECT_DOUBLE_EQ(found["degree"]["mean"], (12.0 / 5 + 2 + 4.0 / 3) / 3);
  EXPECT_NEAR(found["clustering"]["mean"], (4 + 1.0 / 3) / 5 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(found["cycles_3"]["mean"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(found["cycles_4"]["mean"], 1.0 / 3);
  EXPECT_DOUBLE_EQ(found["cycles_3"]["pearson"], -1);
  EXPECT_DOUBLE_EQ(found["nodes"]["pearson"], -std::sqrt(0.75));
  EXPECT_TRUE(found["cycles_5"]["spearman"].is_null());
  EXPECT_EQ(found["class_sizes"][1]["graphs"], 2);
}

TEST(GraphSets, StatsArePrintedAndKnowTheirOptions) {
  const Workplace place;
  write_set(place);
  const Outcome card = place.run({"stats", "./set"});
  EXPECT_EQ(card.code, 0) << card.err;
  for (const char* part : {"average nodes", "cycles of length 6", "undefined", "-1.000", "66.7 %"})
    EXPECT_TRUE(contains(card.out, part)) << part << card.out;
  for (const char* option : {"--seconds", "--seed"}) {
    const Outcome refused = place.run({"stats", "./set", option, "1"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, option)) << refused.err;
  }
  const Outcome one_graph = place.run({"stats", "csbm:nodes=100", "--drop-outliers"});
  EXPECT_EQ(one_graph.code, 2);
  EXPECT_TRUE(contains(one_graph.err, "--drop-outliers")) << one_graph.err;
  EXPECT_EQ(place.run({"stats", "./set", "--drop-outliers"}).code, 0);
}

// The set above with each graph once more, the path's copy in another class, and two faulty lines.
void write_copies(const Workplace& place) {
  std::filesystem::create_directory(place.path("twice"));
  const std::vector<std::pair<int, int>> edges = {{1, 2}, {2, 3}, {3, 1},   {3, 4},
                                                  {4, 5}, {5, 3}, {6, 7},   {7, 8},
                                                  {8, 9}, {9, 6}, {10, 11}, {11, 12}};
  std::string arcs = "1, 2\n4, 4\n", nodes;
  for (const int from : {0, 12}) {
    for (const auto& [a, b] : edges)
      arcs += std::to_string(from + b) + ", " + std::to_string(from + a) + "\n" +
              std::to_string(from + a) + ", " + std::to_string(from + b) + "\n";
  }
  for (const int graph : {1, 2, 3, 4, 5, 6}) {
    for (int k = 0; k < (graph % 3 == 1 ? 5 : graph % 3 == 2 ? 4 : 3); ++k)
      nodes += std::to_string(graph) + "\n";
  }
  place.write("twice/twice_A.txt", arcs);
  place.write("twice/twice_graph_indicator.txt", nodes);
  place.write("twice/twice_graph_labels.txt", "3\n5\n5\n3\n5\n3\n");
}

TEST(GraphSets, AuditHasWhatScriptsGoBy) {
  const Workplace place;
  write_copies(place);
  const ordered_json report = json_of(place, {"audit", "./twice", "--json"});
  EXPECT_EQ(report["dataset"], "twice");
  ordered_json copies;
  std::vector<std::string> ids;
  for (const ordered_json& finding : report["findings"]) {
    for (const char* key : {"id", "severity", "count", "evidence", "advice"})
      EXPECT_TRUE(finding.contains(key)) << finding.dump();
    EXPECT_TRUE(finding["evidence"]["text"].is_string());
    ids.push_back(finding["id"]);
    if (finding["id"] == "duplicate-graphs") copies = finding;
  }
  for (const char* id : {"duplicate-graphs", "duplicate-edges", "self-loops", "small-class",
                         "no-features", "too-small", "labels-renumbered"})
    EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 1) << id;
  EXPECT_EQ(copies["count"], 3);
  EXPECT_EQ(copies["severity"], "error");
  EXPECT_EQ(copies["evidence"]["graphs_contradicted"], 2);
  EXPECT_DOUBLE_EQ(copies["evidence"]["best_accuracy"], 5.0 / 6);
  const std::string text = place.run({"audit", "./twice"}).out;
  for (const std::string& id : ids) EXPECT_TRUE(contains(text, " " + id)) << id;
  EXPECT_EQ(place.run({"audit", "./twice", "--fail-on", "error"}).code, 1);
}

TEST(GraphSets, ACleanedCopyIsAFolderThatIsReadBack) {
  const Workplace place;
  write_copies(place);
  const ordered_json report =
      json_of(place, {"audit", "./twice", "--fix", "--out", "clean/", "--json"});
  const ordered_json provenance = ordered_json::parse(place.read("clean.provenance.json"));
  EXPECT_EQ(report["fixed"]["provenance"], provenance);
  EXPECT_EQ(provenance["result"]["folder"], "clean");
  EXPECT_EQ(provenance["result"]["graphs"], 4);
  EXPECT_EQ(provenance["result"]["labels"]["5"], "5");
  std::vector<int> counts;
  for (const ordered_json& operation : provenance["operations"])
    counts.push_back(operation["count"]);
  EXPECT_EQ(counts, (std::vector<int>{1, 1, 2})) << "a repeated arc, a loop, two graphs";
  const ordered_json again = json_of(place, {"audit", "./clean", "--json"});
  EXPECT_EQ(again["content_hash"], provenance["result"]["content_hash"]);
  for (const ordered_json& finding : again["findings"]) {
    EXPECT_NE(finding["id"], "duplicate-edges");
    EXPECT_NE(finding["id"], "self-loops");
  }
  // Once more over itself, and in words.
  const Outcome words = place.run(
      {"audit", "./twice", "--fix=contradicting-graphs,duplicate-graphs", "--out", "clean"});
  EXPECT_EQ(words.code, 0) << words.err;
  EXPECT_TRUE(contains(words.out, "2 graphs of 6")) << words.out;
}

TEST(GraphSets, NoCopyOverWhatIsAuditedOrOverAFile) {
  const Workplace place;
  write_copies(place);
  place.write("file", "x");
  for (const char* out : {"twice", "./twice", "file", "no/where"}) {
    const Outcome outcome = place.run({"audit", "./twice", "--fix", "--out", out});
    EXPECT_EQ(outcome.code, 2) << out;
    EXPECT_TRUE(contains(outcome.err, out)) << outcome.err;
  }
  EXPECT_EQ(place.files(), (std::vector<std::string>{"file", "twice"}));
}

TEST(GraphSets, GeneratedOnesAreFoldersThatAreReadBack) {
  const Workplace place;
  const ordered_json made = json_of(place, {"generate", "syn-degree", "--set", "graphs=80", "--set",
                                            "r=1", "--seed", "3", "--out", "made", "--json"});
  EXPECT_EQ(made["path"], "made");
  EXPECT_EQ(made["generator"], "syn-degree:graphs=80,r=1,seed=3");
  EXPECT_EQ(made["correlations"][0]["property"], "degree");
  EXPECT_EQ(made["correlations"][0]["requested"], 1);
  // A number that two classes halve: sqrt(3) / 2.
  EXPECT_NEAR(made["correlations"][0]["pearson"], 0.866, 0.05);
  EXPECT_TRUE(std::filesystem::exists(place.path("made/made_graph_labels.txt")));

  const ordered_json found = json_of(place, {"stats", "./made", "--json"});
  EXPECT_EQ(found["graphs"], 80);
  EXPECT_EQ(found["average_edges"], made["average_edges"]);
  EXPECT_EQ(found["degree"]["pearson"], made["correlations"][0]["pearson"]);
  const ordered_json same = json_of(place, {"stats", "syn-degree:r=1,graphs=80,seed=3", "--json"});
  EXPECT_EQ(same["degree"], found["degree"]);
}

TEST(GraphSets, ASecondOneIsNotPutIntoTheFirst) {
  const Workplace place;
  const std::vector<std::string> command = {"generate", "syn-cc:graphs=50", "--out", "made"};
  ASSERT_EQ(place.run(command).code, 0);
  const Outcome again = place.run(command);
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(contains(again.err, "made: a data set is there already")) << again.err;
  EXPECT_FALSE(std::filesystem::exists(place.path("made/syn-cc")));
  // With a '/' it is asked for.
  const std::vector<std::string> inside = {"generate", "syn-cc:graphs=50", "--out", "made/"};
  EXPECT_EQ(place.run(inside).code, 0);
  const Outcome over = place.run(inside);
  EXPECT_EQ(over.code, 2);
  EXPECT_TRUE(contains(over.err, "made/syn-cc: holds something already")) << over.err;
}

TEST(GraphSets, GenerateSaysWhatWasAskedAndWhatCame) {
  const Workplace place;
  const Outcome made =
      place.run({"generate", "syn-cc", "--set", "graphs=200", "--set", "r=0.5", "--out", "sets/"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(contains(made.out, "REQUESTED")) << made.out;
  EXPECT_TRUE(contains(made.out, "+0.500")) << made.out;
  EXPECT_TRUE(std::filesystem::exists(place.path("sets/syn-cc/syn-cc_A.txt")));
  const Outcome too_much = place.run(
      {"generate", "syn-mixed", "--set", "r_nodes=0.9", "--set", "r_degree=0.9", "--out", "other"});
  EXPECT_EQ(too_much.code, 2);
  EXPECT_TRUE(contains(too_much.err, "is more than 1")) << too_much.err;
  EXPECT_EQ(place.files(), (std::vector<std::string>{"sets"}));
  place.write("file", "x");
  EXPECT_EQ(place.run({"generate", "syn-cc", "--set", "graphs=200", "--out", "file"}).code, 2);
}

}  // namespace
}  // namespace cupel::test
