// What `convert` writes, tells and refuses.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "cupel/data/formats/npz.h"

namespace cupel::test {
namespace {

using nlohmann::ordered_json;

const char* const kGraph = "csbm:classes=3,features=60,nodes=120,seed=2";

std::string hash_of(const Workplace& place, const std::string& path) {
  const Outcome outcome = place.run({"show", path, "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return ordered_json::parse(outcome.out)["found"]["content_hash"];
}

TEST(Convert, ThroughEveryFormatAndBack) {
  const Workplace place;
  const Outcome first = place.run({"convert", kGraph, "a.npz"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.err, "");
  EXPECT_TRUE(contains(first.out, "a.npz  gnn-benchmark: 120 nodes")) << first.out;
  // Features are dense from here on.
  const Outcome dense = place.run({"convert", "./a.npz", "b.npz", "--format", "heterophilous"});
  EXPECT_EQ(dense.code, 0) << dense.err;
  EXPECT_EQ(place.run({"convert", "./b.npz", "c.npz", "--format", "pyg"}).code, 0);
  EXPECT_EQ(place.run({"convert", "./c.npz", "d"}).code, 0);
  EXPECT_EQ(place.run({"convert", "./d", "e.npz"}).code, 0);
  const std::string wanted = hash_of(place, "./b.npz");
  for (const char* path : {"./c.npz", "./d", "./e.npz"}) EXPECT_EQ(hash_of(place, path), wanted);
  EXPECT_EQ(place.files(), (std::vector<std::string>{"a.npz", "b.npz", "c.npz", "d", "e.npz"}));
}

TEST(Convert, WhatAFormatDoesNotHoldIsTold) {
  const Workplace place;
  std::filesystem::create_directory(place.path("g"));
  place.write("g/labels.csv", "node,label\na,tea\nb,ale\nc,\n");
  place.write("g/edges.csv", "source,target,weight\na,b,0.5\nb,c,1\n");
  const Outcome pyg = place.run({"convert", "./g", "a.npz", "--format", "pyg", "--json"});
  EXPECT_EQ(pyg.code, 0);
  EXPECT_TRUE(contains(pyg.err, "'pyg' is written without the names of its classes")) << pyg.err;
  EXPECT_TRUE(contains(pyg.err, "sparse features")) << pyg.err;
  EXPECT_EQ(ordered_json::parse(pyg.out)["written"]["not_held"].size(), 3u);
  const Outcome refused = place.run({"convert", "./g", "b.npz", "--format", "heterophilous"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "0.5")) << refused.err;
  EXPECT_EQ(place.files(), (std::vector<std::string>{"a.npz", "g"}));
}

// Names of nodes and features, of each format that has some.
TEST(Convert, NamesThatAreLostAreTold) {
  const Workplace place;
  const auto told = [&](const std::string& path, const std::string& out,
                        std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"convert", path, out});
    const Outcome outcome = place.run(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  std::filesystem::create_directory(place.path("g"));
  place.write("g/labels.csv", "node,label\nann,tea\nbob,ale\n\"cy, jr.\",tea\ndee,tea\n");
  place.write("g/edges.csv", "source,target\nann,bob\n");
  place.write("g/features.csv", "node,age,height\nann,1,2\nbob,1,3\n\"cy, jr.\",4,5\ndee,0,0\n");
  const std::string text = told("./g", "text");
  EXPECT_TRUE(contains(text,
                       "'csv' is written without the names of its nodes ('ann', 'bob', 'cy, "
                       "jr.', ...)"))
      << text;
  EXPECT_TRUE(contains(text,
                       "'csv' is written without the names of its features ('age', "
                       "'height')"))
      << text;
  EXPECT_EQ(told("./text", "again"), "") << "these are the names that are written";

  std::filesystem::create_directory(place.path("t"));
  place.write("t/nodes.csv", "id,town,x1,y\n0,Rome,1,2\n1,Oslo,2,3\n");
  place.write("t/edges.csv", "source,target\n0,1\n");
  const std::string tables = told("./t", "t.npz", {"--label", "town"});
  EXPECT_TRUE(contains(tables, "without the names of its features ('x1', 'y')")) << tables;
  EXPECT_FALSE(contains(tables, "nodes")) << tables;

  place.write("a.graphml",
              "<graphml><key id='l' for='node' attr.name='label' attr.type='string'/>"
              "<key id='h' for='node' attr.name='height' attr.type='double'/><graph>"
              "<node id='n0'><data key='l'>a</data><data key='h'>1</data></node>"
              "<node id='n1'><data key='l'>b</data><data key='h'>2</data></node>"
              "<edge source='n0' target='n1'/></graph></graphml>");
  const std::string graphml = told("./a.graphml", "a");
  EXPECT_TRUE(contains(graphml, "names of its nodes ('n0', 'n1')")) << graphml;
  EXPECT_TRUE(contains(graphml, "names of its features ('height')")) << graphml;

  std::filesystem::create_directory(place.path("T"));
  place.write("T/T_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n");
  place.write("T/T_graph_indicator.txt", "1\n1\n1\n2\n");
  place.write("T/T_graph_labels.txt", "0\n1\n");
  place.write("T/T_node_labels.txt", "6\n8\n17\n6\n");
  place.write("T/T_edge_labels.txt", "0\n0\n1\n1\n");
  const std::string set = told("./T", "S");
  EXPECT_TRUE(contains(set, "'tu' is written without the values of its node labels (6, 8, 17)"))
      << set;
  EXPECT_TRUE(contains(set, "'tu' is written without labels of edges")) << set;
  EXPECT_EQ(told("./S", "U"), "");
}

TEST(Convert, AnotherNameOfTheLabels) {
  const Workplace place;
  std::filesystem::create_directory(place.path("g"));
  place.write("g/nodes.csv", "id,x,town\na,1,Rome\nb,2,Oslo\nc,3,\n");
  place.write("g/edges.csv", "src,dst\na,b\nb,c\n");
  EXPECT_EQ(place.run({"convert", "./g", "out"}).code, 2);
  const Outcome outcome = place.run({"convert", "./g", "out", "--label", "town"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(place.read("out/labels.csv"), "node,label\n0,\"Rome\"\n1,\"Oslo\"\n2,\n");
  EXPECT_EQ(place.read("out/features.csv"), "node,x0\n0,1\n1,2\n2,3\n");
}

TEST(Convert, PreparedAndSplit) {
  const Workplace place;
  const Outcome outcome = place.run(
      {"convert", kGraph, "a.npz", "--prepare", "symmetrise,largest-component", "--scheme",
       "per-class", "--set", "train=5,valid=6", "--set", "count=3", "--splits", "splits.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "3 splits")) << outcome.out;
  const auto splits = ordered_json::parse(place.read("splits.json"));
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_EQ(splits[0]["train"].size(), 15u);
  EXPECT_EQ(splits[0]["valid"].size(), 18u);
  // Read as a file of splits they are the same, and so are those that the data set now stores.
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--scheme", "file", "--set", "file=splits.json"}, {}}) {
    std::vector<std::string> all = {"convert", "./a.npz", "--splits", "again.json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome again = place.run(all);
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(place.read("again.json"), place.read("splits.json"));
  }
}

TEST(Convert, SplitsOfLinksAreAFileOfPairs) {
  const Workplace place;
  const std::vector<std::string> links = {"--scheme", "links", "--set",
                                          "directed=false,count=3,seed=7"};
  std::vector<std::string> all = {"convert",    kGraph,     "--prepare",
                                  "symmetrise", "--splits", "s.json"};
  all.insert(all.end(), links.begin(), links.end());
  const Outcome outcome = place.run(all);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "3 splits")) << outcome.out;
  const auto file = ordered_json::parse(place.read("s.json"));
  EXPECT_EQ(file["unit"], "pair");
  EXPECT_EQ(file["directed"], false);
  ASSERT_EQ(file["splits"].size(), 3u);
  const auto& split = file["splits"][0];
  const auto found = split["train"].size() + split["valid"].size() + split["test"].size();
  EXPECT_EQ(split["test"].size(), found / 10);
  EXPECT_EQ(split["valid"].size(), found / 20);
  EXPECT_LT(split["test"][0][0].get<int>(), split["test"][0][1].get<int>());
  const Outcome again = place.run({"convert", kGraph, "--prepare", "symmetrise", "--splits",
                                   "again.json", "--scheme", "file", "--set", "file=s.json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(place.read("again.json"), place.read("s.json"));
}

// The folder has what a run's program gets, and no test label.
TEST(Convert, ATaskForAProgram) {
  const Workplace place;
  const Outcome outcome = place.run({"convert", kGraph, "--task", "task", "--split", "1",
                                     "--scheme", "random", "--set", "train=50,valid=25,count=2"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto description = ordered_json::parse(place.read("task/task.json"));
  EXPECT_EQ(description["classes"], 3);
  EXPECT_EQ(description["nodes"], 120);
  EXPECT_EQ(description["split"], 1);
  const NpzFile task(place.path("task/task.npz"));
  EXPECT_EQ(task.read("idx_train").items(), 60);
  EXPECT_EQ(task.read("y_train").items(), 60);
  EXPECT_EQ(task.read("idx_test").items(), 30);
  EXPECT_FALSE(task.has("y_test"));
  EXPECT_EQ(task.read("adj_indptr").items(), 121);

  // It is what a run gives: a program of a protocol compares the two.
  place.write("compare.sh", "#!/bin/sh\ncmp \"$1/task.npz\" " +
                                place.path("task/task.npz").string() + " && echo the same > " +
                                place.path("same").string() + "\nexit 1\n");
  place.write("one.toml", fmt::format(R"(title = "One"
[data]
datasets = ["{}"]
prepare = []
[split]
scheme = "random"
train = 50
valid = 25
count = 1
first = 1
[models.program]
isolation = "none"  # it writes beside the protocol
command = ["/bin/sh", "compare.sh", "{{task}}"]
)",
                                      kGraph));
  const Outcome run = place.run({"run", "one.toml"});
  EXPECT_EQ(place.read("same"), "the same\n") << run.out << run.err;
}

TEST(Convert, Refusals) {
  const Workplace place;
  place.run({"convert", kGraph, "a.npz"});
  const auto refused = [&](std::vector<std::string> arguments, const std::string& piece) {
    arguments.insert(arguments.begin(), "convert");
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, piece)) << outcome.err;
  };
  refused({"./a.npz"}, "nothing is to be written");
  refused({"./a.npz", "a.npz"}, "is what is read");
  refused({"./a.npz", "--splits", "a.npz", "--scheme", "per-class", "--set", "train=2"},
          "a.npz is what is read");
  refused({kGraph, "both.npz", "--splits", "./both.npz", "--scheme", "per-class"},
          "both.npz is given for two things");
  refused({kGraph, "new", "--format", "csv", "--task", "new/", "--scheme", "random"},
          "new/ is given for two things");
  refused({"./a.npz", "b.npz", "--format", "npz"}, "format 'npz' is unknown");
  refused({"./a.npz", "b.mat"}, "b.mat: files of this kind are not written");
  refused({"./a.npz", "b", "--format", "tu"}, "'tu' holds sets of graphs");
  refused({"./a.npz", "--format", "pyg", "--splits", "s.json"}, "--format goes with a path");
  refused({"./a.npz", "--splits", "s.json"}, "no split is stored");
  refused({"./a.npz", "--splits", "s.json", "--set", "train=3"}, "--set goes with --scheme");
  refused({"./a.npz", "--splits", "s.json", "--scheme", "stored"},
          "it has no stored splits; choose another scheme");
  refused({"./a.npz", "--splits", "s.json", "--scheme", "per-clas"}, "per-class");
  refused({"./a.npz", "--splits", "s.json", "--scheme", "per-class", "--set", "trian=3"}, "trian");
  refused({"./a.npz", "--splits", "s.json", "--scheme", "per-class", "--set", "train=2,train=3"},
          "'train' is set twice");
  refused({"./a.npz", "--splits", "s.json", "--scheme", "per-class", "--set", "train=500"},
          "too few");
  refused({"./a.npz", "--splits", "no/s.json", "--scheme", "random"}, "no/s.json");
  refused({"./a.npz", "b.npz", "--scheme", "links"}, "leave out b.npz");
  refused({"./a.npz", "--task", "t", "--scheme", "links"}, "leave out --task");
  refused({"./a.npz", "--splits", "s.json", "--scheme", "links", "--set", "directed=true"},
          "every arc has its way back");
  refused({"./a.npz", "b.npz", "--split", "0"}, "--split goes with --task");
  refused({"./a.npz", "--task", "t", "--scheme", "random", "--set", "train=50,valid=25,count=2",
           "--split", "2"},
          "--split '2' is none of the 2 splits");
  refused({"./a.npz", "b.npz", "--prepare", "symetrise"}, "did you mean 'symmetrise'");
  EXPECT_EQ(place.files(), std::vector<std::string>{"a.npz"});
}

}  // namespace
}  // namespace cupel::test
