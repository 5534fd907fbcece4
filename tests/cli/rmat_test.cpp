// A generated graph without features, from its folder through the commands that take it.
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::ordered_json;

TEST(RmatFolder, IsGeneratedMeasuredAndAudited) {
  const Workplace place;
  const Outcome made =
      place.run({"generate", "rmat", "--set", "scale=8", "--set", "edge-factor=3", "--out", "g"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(contains(made.out, "256 nodes")) << made.out;
  const Outcome again = place.run({"generate", "rmat:scale=8", "--out", "g/"});
  EXPECT_EQ(again.code, 0) << again.err;  // a folder of the generator's name in it
  EXPECT_TRUE(std::filesystem::exists(place.path("g/rmat/adj_indptr.npy")));
  std::filesystem::remove_all(place.path("g/rmat"));

  const Outcome direct = place.run({"stats", "rmat:scale=8,edge-factor=3", "--json"});
  const Outcome folder = place.run({"stats", "./g", "--json"});
  ASSERT_EQ(folder.code, 0) << folder.err;
  const ordered_json wanted = ordered_json::parse(direct.out),
                     found = ordered_json::parse(folder.out);
  for (const char* key : {"nodes", "edges", "components", "global_clustering", "diameter"})
    EXPECT_EQ(found[key], wanted[key]) << key;
  EXPECT_TRUE(found["edge_homophily"].is_null());

  const Outcome audit = place.run({"audit", "./g", "--json"});
  ASSERT_EQ(audit.code, 0) << audit.err;
  const ordered_json said = ordered_json::parse(audit.out);
  std::vector<std::string> ids;
  for (const auto& finding : said["findings"]) ids.push_back(finding["id"]);
  for (const char* id : {"stored-once", "isolated-nodes", "no-features"})
    EXPECT_EQ(std::ranges::count(ids, id), 1) << id;
}

// What is in no other format is written in that of its own.
TEST(RmatFolder, IsConverted) {
  const Workplace place;
  const auto hash = [&](const char* name) {
    const Outcome outcome = place.run({"show", name, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return ordered_json::parse(outcome.out)["found"]["content_hash"];
  };
  for (const char* name : {"rmat:scale=4", "rmat:classes=2,scale=4"}) {
    const Outcome outcome = place.run({"convert", name, "out"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "out  arrays: 16 nodes")) << outcome.out;
    EXPECT_EQ(hash("./out"), hash(name));
    std::filesystem::remove_all(place.path("out"));
    const Outcome text = place.run({"convert", name, "out", "--format", "csv"});
    EXPECT_EQ(text.code, 2);
    EXPECT_TRUE(contains(text.err, "take one of arrays")) << text.err;
  }
}

TEST(RmatFolder, OneOfAThingIsInTheSingular) {
  const Workplace place;
  const Outcome made = place.run({"generate", "rmat:classes=1,scale=1", "--out", "g"});
  EXPECT_TRUE(contains(made.out, ": 2 nodes, 1 edge, 0 features, 1 class\n")) << made.out;
}

TEST(RmatFolder, WhatCannotBeIsOneSentence) {
  const Workplace place;
  place.write("file", "x");
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"generate", "rmat", "--out", "file"}, "a graph without features is a folder of arrays"},
      {{"generate", "rmat", "--set", "scale=40", "--out", "g"}, "scale"},
      {{"generate", "rmat", "--set", "a=0.9", "--out", "g"}, "more than 1"}};
  for (const auto& [arguments, piece] : cases) {
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, piece)) << outcome.err;
  }
}

}  // namespace
}  // namespace cupel::test
