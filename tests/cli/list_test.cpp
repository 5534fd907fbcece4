// What `list` prints.
#include <nlohmann/json.hpp>

#include "cli/card_words.h"
#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::json;

const char* const kProtocolModels[] = {"gcn",        "gat",          "monet", "gs-mean",
                                       "gs-maxpool", "gs-meanpool",  "mlp",   "logreg",
                                       "labelprop",  "labelprop-nl", "sgc",   "majority"};

TEST(List, HasTheDataSetsModelsAndProtocolsOfThePaper) {
  const Workplace place;
  const Outcome outcome = place.run({"list", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const json all = json::parse(outcome.out);
  const auto datasets = names_of(all.at("datasets")), models = names_of(all.at("models"));
  for (const char* name : {"cora", "citeseer", "pubmed", "cora-full", "coauthor-cs",
                           "coauthor-physics", "amazon-computers", "amazon-photo", "cora-planetoid",
                           "citeseer-planetoid", "pubmed-planetoid", "csbm"})
    EXPECT_TRUE(datasets.contains(name)) << name;
  for (const char* name : kProtocolModels) EXPECT_TRUE(models.contains(name)) << name;
  EXPECT_TRUE(names_of(all.at("protocols")).contains("pitfalls"));
}

TEST(List, TextShowsEveryNameOfTheJson) {
  const Workplace place;
  const json all = json::parse(place.run({"list", "--json"}).out);
  const std::string text = place.run({"list"}).out;
  for (const auto& [kind, list] : all.items()) {
    for (const std::string& name : names_of(list))
      EXPECT_TRUE(contains(text, "\n  " + name + " ")) << name;
  }
}

TEST(List, PartsAreTheWhole) {
  const Workplace place;
  const std::string whole = place.run({"list"}).out;
  for (const char* part : {"datasets", "models", "protocols"})
    EXPECT_TRUE(contains(whole, place.run({"list", part}).out)) << part;
}

TEST(List, TellsWhichFilesAreThere) {
  Workplace place;
  place.set("CUPEL_DATA", place.path("data").string());
  const auto present = [&](const std::string& wanted) {
    const json all = json::parse(place.run({"list", "datasets", "--json"}).out);
    for (const json& one : all["datasets"]) {
      if (one.at("name") == wanted) return one.at("present").get<bool>();
    }
    return false;
  };
  EXPECT_FALSE(present("citeseer"));
  std::filesystem::create_directories(place.path("data/citeseer"));
  place.write("data/citeseer/citeseer.npz", "");
  EXPECT_TRUE(present("citeseer"));
}

TEST(List, HasTheKindsThatProtocolsName) {
  const Workplace place;
  const std::map<std::string, std::set<std::string>> wanted = {
      {"decoders", {"distmult", "dot", "mlp"}},
      {"negatives",
       {"all", "corrupt", "file", "heart", "historical", "inductive", "random", "uniform"}},
      {"splits",
       {"file", "links", "per-class", "planetoid", "random", "scaffold", "stored", "stratified",
        "stratified-kfold"}},
      {"tasks", {"graph-classification", "links", "node-classification"}}};
  for (const auto& [what, names] : wanted) {
    const json list = json::parse(place.run({"list", what, "--json"}).out).at(what);
    const std::string text = place.run({"list", what}).out;
    for (const std::string& name : names) {
      EXPECT_TRUE(names_of(list).contains(name)) << what << " " << name;
      EXPECT_TRUE(contains(text, "\n  " + name + " ")) << text;
    }
    for (const json& kind : list) {
      EXPECT_FALSE(kind.at("doc").get<std::string>().empty());
      EXPECT_EQ(contains(text, "\nSettings of " + kind.at("name").get<std::string>() + "\n"),
                !kind.at("settings").empty());
    }
  }
  const json heart = json::parse(place.run({"list", "negatives", "--json"}).out)["negatives"];
  const auto found =
      std::ranges::find_if(heart, [](const json& kind) { return kind["name"] == "heart"; });
  EXPECT_EQ((*found)["settings"][0]["name"], "count");
  EXPECT_EQ((*found)["settings"][0]["default"], 500);
  const std::string negatives = flat(place.run({"list", "negatives"}).out);
  for (const char* setting : {"among ends", "avoid false", "source kept"})
    EXPECT_TRUE(contains(negatives, setting)) << setting;
  EXPECT_TRUE(contains(flat(place.run({"list", "tasks"}).out), "dimension 16"));
  const Outcome typo = place.run({"list", "negative"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(contains(typo.err, "datasets, models, protocols, decoders, negatives"));
}

}  // namespace
}  // namespace cupel::test
