#include "cupel/api/shown.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "temp_folder.h"

namespace cupel {
namespace {

TEST(Shown, ANameStandsForOneThing) {
  EXPECT_EQ(shown_by("cora").recipe, find_recipe("cora"));
  EXPECT_EQ(shown_by("gcn").model, find_model("gcn"));
  EXPECT_EQ(shown_by("pitfalls").protocol, "pitfalls");
  EXPECT_EQ(shown_by("my.toml").protocol, "my.toml");
  EXPECT_EQ(shown_by("csbm:nodes=30").generator.canonical_name(), "csbm:nodes=30");
  const Shown nothing = shown_by("no-such-thing");
  EXPECT_TRUE(nothing.recipe == nullptr && nothing.model == nullptr && nothing.protocol.empty() &&
              nothing.generator.generator == nullptr && !nothing.is_store && !nothing.is_path);
  EXPECT_NE(error_of([] { (void)shown_by("csbm:node=30"); }), "no error");
}

TEST(Shown, ADataSetAndAProtocolMayHaveOneName) {
  const Shown both = shown_by("wiki-cs");
  ASSERT_NE(both.recipe, nullptr);
  EXPECT_EQ(both.recipe->name, "wiki-cs");
  EXPECT_EQ(both.protocol, "wiki-cs");
}

TEST(Shown, PathsAreTakenForStoresByWhatTheyHold) {
  const TempFolder folder;
  std::ofstream(folder / "x") << "SQLite format 3 and so on";
  std::ofstream(folder / "cora") << "0 1\n";
  EXPECT_TRUE(shown_by((folder / "x").string()).is_store);
  const Shown path = shown_by((folder / "cora").string());
  EXPECT_TRUE(path.is_path && path.recipe == nullptr);
  EXPECT_TRUE(shown_by("./not/there").is_path) << "who reads it says so";
}

TEST(Shown, TheCardIsOfWhatTheDataCameFrom) {
  const Dataset data = generate(parse_generator_call("csbm:nodes=60"));
  EXPECT_EQ(card_json(data, "csbm:nodes=60", {}, {})["kind"], "generator");
  EXPECT_EQ(card_json(data, "cora", {}, {})["kind"], "dataset");
  EXPECT_EQ(card_json(data, "./csbm:nodes=30", {}, {})["kind"], "file");
  const auto made = card_json(data, "", {}, {});
  EXPECT_EQ(made["kind"], "file");
  EXPECT_EQ(made["name"], data.name);
}

}  // namespace
}  // namespace cupel
