// What `stats` prints, and what it refuses.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::ordered_json;

// Other programs read these.
const char* const kKeys[] = {"nodes",
                             "edges",
                             "features",
                             "classes",
                             "average_degree",
                             "components",
                             "global_clustering",
                             "local_clustering",
                             "diameter",
                             "edge_homophily",
                             "node_homophily",
                             "class_homophily",
                             "adjusted_homophily",
                             "label_informativeness"};

const char* const kGraph = "csbm:classes=3,features=60,nodes=300,seed=2";

// A triangle with a tail, and two nodes apart; 7 edges as stored, one of them a loop.
const char* const kEdges = "# small\n10 11\n11 12\n12 10\n12 13\n13,12\n20\t21\n20 20\n";

ordered_json stats(const Workplace& place, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "stats");
  arguments.push_back("--json");
  const Outcome outcome = place.run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_FALSE(contains(outcome.out, "nan") || contains(outcome.out, "inf,")) << outcome.out;
  return ordered_json::parse(outcome.out);
}

TEST(Stats, TheFixedKeysComeFirst) {
  const Workplace place;
  const ordered_json found = stats(place, {kGraph});
  auto key = found.begin();
  for (const char* wanted : kKeys) EXPECT_EQ((key++).key(), wanted);
  EXPECT_EQ(found["nodes"], 300);
  EXPECT_EQ(found["features"], 60);
  EXPECT_EQ(found["classes"], 3);
  EXPECT_EQ(found["class_sizes"].size(), 3u);
  for (const char* wanted : kKeys) EXPECT_TRUE(found[wanted].is_number()) << wanted;
}

TEST(Stats, AnEdgeListHasNoLabels) {
  const Workplace place;
  place.write("graph.txt", kEdges);
  for (const char* name : {"graph.txt", "./graph.txt"}) {
    const ordered_json found = stats(place, {name});
    EXPECT_EQ(found["nodes"], 6);
    EXPECT_EQ(found["edges"], 5);
    EXPECT_EQ(found["arcs"], 7);
    EXPECT_EQ(found["self_loops"], 1);
    EXPECT_EQ(found["reciprocal_pairs"], 1);
    EXPECT_EQ(found["features"], 0);
    EXPECT_EQ(found["classes"], 0);
    EXPECT_EQ(found["components"], 2);
    EXPECT_EQ(found["largest_component"], 4);
    EXPECT_EQ(found["triangles"], 1);
    EXPECT_EQ(found["global_clustering"], 3.0 / 5);
    EXPECT_DOUBLE_EQ(found["local_clustering"], (1 + 1 + 1.0 / 3) / 6);
    EXPECT_EQ(found["diameter"], 2);
    EXPECT_TRUE(found["diameter_exact"]);
    EXPECT_DOUBLE_EQ(found["average_shortest_path"]["value"], 8.0 / 6);
    for (const char* key :
         {"edge_homophily", "node_homophily", "class_homophily", "adjusted_homophily",
          "label_informativeness", "feature_density", "same_class_share"})
      EXPECT_TRUE(found[key].is_null()) << key;
  }
  const std::string text = place.run({"stats", "graph.txt"}).out;
  EXPECT_TRUE(contains(text, "within the largest component")) << text;
  EXPECT_TRUE(contains(text, "no labels")) << text;
}

// A file of text or bytes is an edge list only if no format knows it.
TEST(Stats, TakesEveryFileThatRunTakes) {
  const Workplace place;
  const std::string fixtures = CUPEL_SOURCE_DIR "/tests/data/formats/fixtures/";
  for (const char* name : {"networkx.graphml", "sparse.mat", "ind.tiny2.graph", "torch.pt"}) {
    const ordered_json found = stats(place, {fixtures + name});
    EXPECT_EQ(found["nodes"], 8) << name;
    EXPECT_EQ(found["classes"], 3) << name;
  }
}

TEST(Stats, PathsWithinAllComponentsAndSelfLoopsStandBesideTheOthers) {
  const Workplace place;
  place.write("graph.txt", std::string(kEdges) + "30 31\n");
  const ordered_json found = stats(place, {"graph.txt"});
  EXPECT_EQ(found["average_shortest_path"]["value"], 8.0 / 6);
  const auto& all = found["average_shortest_path_reachable"];
  EXPECT_DOUBLE_EQ(all["value"], 20.0 / 16) << "12 pairs of four nodes, and twice two";
  EXPECT_TRUE(all["exact"]);
  EXPECT_EQ(found["reachable_pairs"], 16);
  EXPECT_EQ(found["average_degree"], 12.0 / 8);
  EXPECT_EQ(found["average_degree_with_self_loops"], 14.0 / 8);
  EXPECT_TRUE(found["same_class_share_25"].is_null());
  const std::string text = place.run({"stats", "graph.txt"}).out;
  EXPECT_TRUE(contains(text, "within all components")) << text;
  EXPECT_TRUE(contains(text, "1.2500")) << text;
  EXPECT_TRUE(contains(text, "1.7500")) << text;
  place.write("joined.txt", "0 1\n1 2\n");
  const std::string joined = place.run({"stats", "joined.txt"}).out;
  EXPECT_FALSE(contains(joined, "within all components") || contains(joined, "self-loop is"))
      << joined;
}

TEST(Stats, SharesAreInTheJsonAndInTheFigure) {
  const Workplace place;
  const Outcome outcome = place.run({"stats", kGraph, "--json", "--svg", "shares.svg"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const ordered_json shares =
      ordered_json::parse(outcome.out)["same_class_share_25_with_self_loops"];
  ASSERT_EQ(shares["bins"].size(), 25u);
  std::int64_t nodes = 0, bars = 0;
  for (const auto& bin : shares["bins"]) nodes += bin.get<int>(), bars += bin.get<int>() > 0;
  EXPECT_EQ(shares["nodes"], nodes);
  EXPECT_EQ(shares["nodes"].get<int>() + shares["without_neighbours"].get<int>(), 300);
  const std::string svg = place.read("shares.svg");
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n")) << svg;
  EXPECT_TRUE(contains(svg, fmt::format("mean {:.3f}<", shares["mean"].get<double>()))) << svg;
  std::int64_t drawn = 0, said = 0;
  for (std::size_t at = 0; (at = svg.find("<rect ", at)) != std::string::npos; ++at) {
    ++drawn;
    const std::size_t count = svg.find(": ", at) + 2;
    said += std::stoll(svg.substr(count));
  }
  EXPECT_EQ(drawn, bars);
  EXPECT_EQ(said, nodes) << "every bar says how many nodes it stands for";
  EXPECT_EQ(place.run({"stats", kGraph, "--svg", "again.svg"}).code, 0);
  EXPECT_EQ(place.read("again.svg"), svg);
}

TEST(Stats, AFigureThatCannotBeIsRefusedAndNothingIsWritten) {
  const Workplace place;
  place.write("graph.txt", kEdges);
  ASSERT_EQ(place.run({"convert", kGraph, "mine.npz"}).code, 0);
  const std::string mine = place.read("mine.npz");
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{"graph.txt", "--svg", "out.svg"}, "no labels"},
      {{"syn-degree:graphs=4", "--svg", "out.svg"}, "set of 4 graphs"},
      {{kGraph, "--svg", "none/out.svg"}, "none"},
      {{"./mine.npz", "--svg", "mine.npz"}, "mine.npz is what is read"}};
  for (auto [arguments, says] : mistakes) {
    arguments.insert(arguments.begin(), "stats");
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, says)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place.path("out.svg")));
  }
  EXPECT_EQ(place.read("mine.npz"), mine);
}

TEST(Stats, TextShowsTheNumbersOfTheJson) {
  const Workplace place;
  const ordered_json found = stats(place, {kGraph});
  const std::string text = place.run({"stats", kGraph}).out;
  for (const char* key : {"average_degree", "global_clustering", "local_clustering",
                          "edge_homophily", "node_homophily", "class_homophily",
                          "adjusted_homophily", "label_informativeness", "feature_density"})
    EXPECT_TRUE(contains(text, fmt::format(" {:.4f}", found[key].get<double>()))) << key;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Stats, ThreadsDoNotChangeAByte) {
  const Workplace place;
  const std::string one = place.run({"stats", kGraph, "--threads", "1", "--json"}).out;
  EXPECT_TRUE(nlohmann::json::accept(one)) << one;
  EXPECT_EQ(place.run({"stats", kGraph, "--threads", "2", "--json"}).out, one);
  EXPECT_EQ(place.run({"stats", kGraph, "--threads", "9", "--json"}).out, one);
}

TEST(Stats, ADiameterThatIsNotSettledIsNoDiameter) {
  const Workplace place;
  std::string ring;
  for (int v = 0; v < 40000; ++v) ring += fmt::format("{} {}\n", v, (v + 1) % 40000);
  place.write("ring.txt", ring);
  const ordered_json found = stats(place, {"ring.txt", "--seconds", "0.0001"});
  ASSERT_FALSE(found["diameter_exact"]);
  EXPECT_TRUE(found["diameter"].is_null());
  EXPECT_LE(found["diameter_lower"], 20000);
  EXPECT_GE(found["diameter_upper"], 20000);
  EXPECT_FALSE(found["average_shortest_path"]["exact"]);
  const std::string text = place.run({"stats", "ring.txt", "--seconds", "0.0001"}).out;
  EXPECT_TRUE(contains(text, "bounds")) << text;
  EXPECT_TRUE(contains(text, "estimate from")) << text;
}

TEST(Stats, MistakesAreOneSentence) {
  const Workplace place;
  place.write("bad.txt", "0 1\n1 two\n");
  place.write("wide.txt", "0 1 5\n");
  place.write("facts.txt", "0 1 1\n1 2 2\n0 2 3\n2 1 4\n");
  place.write("three.txt", "0 1 1\n1 two 2\n");
  std::filesystem::create_directories(place.path("../data/college-msg"));
  place.write("../data/college-msg/CollegeMsg.txt", "1 2 3\n2 1 4\n1 3 5\n");
  place.write("large.txt", "0 4000000000\n");
  place.write("half.txt", "9 2 1082040961.5\n");
  place.write("heads.csv", "time,from,to\n1,2,3\n");
  place.write("cut.npz", "PK\3\4 and then nothing");
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{"bad.txt"}, "line 2"},
      {{"wide.txt"}, "of edges without a time keep the columns of the nodes"},
      {{"half.txt"}, "source, target and time"},
      {{"heads.csv"}, "names 'timestamp', 'source' and 'target'"},
      {{"large.txt"}, "too large"},
      {{"cut.npz"}, "cut.npz"},
      {{"corra"}, "'cora'"},
      {{"./none.txt"}, "none.txt"},
      {{"cora"}, "cupel fetch cora"},
      {{kGraph, "--seed", "x"}, "'x'"},
      {{kGraph, "--split", "1,2,3"}, "--split is about facts over time, and this is none"},
      {{"cora", "--splits", "3"}, "--splits is about facts over time, and this is none"},
      {{"syn-degree:graphs=40", "--published", "acl"}, "--published is about facts over time"},
      {{"facts.txt", "--split", "2,3,4", "--svg", "x.svg"}, "--svg is about graphs"},
      {{"facts.txt", "--split", "2,3,4", "--drop-outliers"}, "--drop-outliers is about graphs"},
      {{"facts.txt", "--split", "2,3,4", "--seed", "1"}, "--seed is about graphs"},
      {{"college-msg", "--split", "0.5,0.7"}, "it is not the data set that published numbers"},
      {{"three.txt", "--split", "2,3,4"}, "three.txt: line 2"},
      {{kGraph, "--seconds", "0"}, "'0'"},
      {{kGraph, "--threads", "0"}, "'0'"}};
  for (auto [arguments, says] : mistakes) {
    arguments.insert(arguments.begin(), "stats");
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, says)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace cupel::test
