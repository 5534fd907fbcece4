// The recipes that come with the program, against tables of papers; and files of recipes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/recipe_file.h"
#include "cupel/data/prepare/prepare.h"
#include "data/catalog/expect_contains.h"
#include "error_of.h"
#include "temp_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// Table 3 of Shchur et al. 2018, typed from the paper.
struct Table3 {
  const char* name;
  std::int64_t classes, features, nodes, edges;
};
constexpr Table3 kTable3[] = {{"cora", 7, 1433, 2485, 5069},
                              {"citeseer", 6, 3703, 2110, 3668},
                              {"pubmed", 3, 500, 19717, 44324},
                              {"cora-full", 67, 8710, 18703, 62421},
                              {"coauthor-cs", 15, 6805, 18333, 81894},
                              {"coauthor-physics", 5, 8415, 34493, 247962},
                              {"amazon-computers", 10, 767, 13381, 245778},
                              {"amazon-photo", 8, 745, 7487, 119043}};

TEST(Recipes, EveryRecipeIsWellFormed) {
  ASSERT_GE(recipes().size(), 11u);
  std::set<std::string> names;
  for (const Recipe& recipe : recipes()) {
    SCOPED_TRACE(recipe.name);
    EXPECT_TRUE(names.insert(recipe.name).second);
    const bool graphs = recipe.raw_facts.contains("graphs");  // these keep the case users know
    EXPECT_EQ(recipe.name.find_first_not_of(graphs ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
                                                   : "abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string::npos);
    EXPECT_FALSE(recipe.files.empty());
    for (const Facts* facts : {&recipe.raw_facts, &recipe.facts}) {
      EXPECT_TRUE(facts->contains(graphs ? "graphs" : "nodes"));
      EXPECT_TRUE(facts->contains(is_over_time(recipe) ? "facts" : "classes"));
    }
    for (const RecipeFile& file : recipe.files) {
      EXPECT_EQ(file.mirrors.empty(), !recipe.origin.empty());
      for (const std::string& mirror : file.mirrors) {
        EXPECT_TRUE(mirror.starts_with("https://")) << mirror;
        EXPECT_TRUE(mirror.ends_with("/" + file.name)) << mirror;
      }
    }
    // The steps exist: a two-node graph goes through all of them that can leave it whole.
    for (const std::string& step : recipe.preparation) {
      bool known = false;
      for (const auto& [name, doc] : preparation_steps()) {
        known |= step.substr(0, step.find(':')) == name.substr(0, name.find(':'));
      }
      EXPECT_TRUE(known) << step;
    }
    EXPECT_EQ(find_recipe(recipe.name), &recipe);
    for (const std::string& alias : recipe.aliases) EXPECT_EQ(find_recipe(alias), &recipe) << alias;
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(Recipes, HaveTheCountsOfTable3) {
  for (const Table3& row : kTable3) {
    SCOPED_TRACE(row.name);
    const Recipe* recipe = find_recipe(row.name);
    ASSERT_TRUE(recipe);
    EXPECT_EQ(recipe->facts, (Facts{{"classes", row.classes},
                                    {"features", row.features},
                                    {"nodes", row.nodes},
                                    {"edges", row.edges}}));
  }
}

// Counts as others print them: Jin et al. 2020, Table 5 (facts of three parts), and SNAP's page.
TEST(Recipes, OfFactsOverTimeAreNoGraphs) {
  const auto counts = [](const char* name) { return find_recipe(name)->raw_facts; };
  EXPECT_EQ(counts("icews18"), (Facts{{"nodes", 23033},
                                      {"relations", 256},
                                      {"facts", 373018 + 45995 + 49545},
                                      {"steps", 304}}));
  EXPECT_EQ(
      counts("yago"),
      (Facts{
          {"nodes", 10623}, {"relations", 10}, {"facts", 161540 + 19523 + 20026}, {"steps", 189}}));
  EXPECT_EQ(counts("college-msg").at("facts"), 59835);
  EXPECT_EQ(counts("college-msg").at("nodes"), 1899);
  for (const char* name : {"icews18", "yago", "college-msg"}) {
    EXPECT_TRUE(is_over_time(*find_recipe(name)));
    EXPECT_NE(error_of([&] { (void)load_dataset(name, "/nowhere"); }).find("is facts over time"),
              std::string::npos);
    EXPECT_NE(error_of([&] { (void)facts_place(name, "/nowhere"); }).find("there is no /nowhere"),
              std::string::npos);
  }
  EXPECT_FALSE(is_over_time(*find_recipe("cora")));
  EXPECT_FALSE(facts_place("cora", "/nowhere"));
  EXPECT_FALSE(facts_place("./yago", "/nowhere"));
}

// A folder that has a recipe's files, and others, is held against what is known.
TEST(Recipes, FactsOverTimeAreHeldAgainstTheCatalog) {
  TempFolder folder;
  fs::create_directories(folder / "college-msg");
  const fs::path file = folder / "college-msg" / "CollegeMsg.txt";
  std::ofstream(file) << "1 2 10\n2 3 20\n";
  EXPECT_EQ(facts_place("CollegeMsg", folder / ""), file);
  const std::string message =
      error_of([&] { (void)load_recipe(*find_recipe("college-msg"), folder / "college-msg"); });
  EXPECT_NE(message.find("2 facts, expected 59835"), std::string::npos) << message;
  EXPECT_NE(message.find("name it by its path"), std::string::npos) << message;
}

TEST(Recipes, AreFoundInAnySpelling) {
  for (const char* spelling : {"amazon-photo", "Amazon_Photo", "AMAZON-PHOTO", "amazonphoto",
                               "amazon_electronics_photo"}) {
    const Recipe* found = find_recipe(spelling);
    ASSERT_TRUE(found) << spelling;
    EXPECT_EQ(found->name, "amazon-photo");
  }
  EXPECT_EQ(find_recipe("CoraFull"), find_recipe("cora_full"));
  EXPECT_EQ(find_recipe("cora-ful"), nullptr);
  EXPECT_EQ(find_recipe(""), nullptr);
}

// The sixteen sets of Li et al. 2024, as Table 1 names them and as users do: graphs and classes of
// its Table 1, but D&D (the table repeats HIV), and MNIST and CIFAR10 with all three parts.
TEST(Recipes, HaveTheSetsOfGraphs) {
  struct Row {
    const char* name;
    std::vector<const char*> aliases;
    std::int64_t graphs, classes;
  };
  const Row rows[] = {{"MUTAG", {"mutag"}, 188, 2},
                      {"PROTEINS", {"PROTEINS_full", "proteins-full"}, 1113, 2},
                      {"ENZYMES", {"Enzymes"}, 600, 6},
                      {"NCI1", {"nci1"}, 4110, 2},
                      {"DD", {"D&D", "dd"}, 1178, 2},
                      {"AIDS", {"aids"}, 2000, 2},
                      {"IMDB-BINARY", {"IMDB-B", "imdb_binary", "IMDBBINARY"}, 1000, 2},
                      {"IMDB-MULTI", {"IMDB-M", "imdb_multi"}, 1500, 3},
                      {"REDDIT-BINARY", {"REDDIT-B", "reddit_binary"}, 2000, 2},
                      {"COLLAB", {"collab"}, 5000, 3},
                      {"HIV", {"ogbg-molhiv", "ogbg_molhiv"}, 41127, 2},
                      {"BACE", {"ogbg-molbace"}, 1513, 2},
                      {"TOX21", {"ogbg-moltox21", "Tox21"}, 7831, 2},
                      {"PPA", {"ogbg-ppa"}, 158100, 37},
                      {"MNIST", {"MNIST-superpixels"}, 70000, 10},
                      {"CIFAR10", {"cifar-10"}, 60000, 10}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Recipe* recipe = find_recipe(row.name);
    ASSERT_TRUE(recipe);
    EXPECT_EQ(recipe->name, row.name);
    EXPECT_TRUE(recipe->any_format);
    for (const char* alias : row.aliases) EXPECT_EQ(find_recipe(alias), recipe) << alias;
    EXPECT_EQ(recipe->facts.at("graphs"), row.graphs);
    EXPECT_EQ(recipe->facts.at("classes"), row.classes);
  }
}

TEST(RecipeFile, MistakesAreNamed) {
  const std::string good =
      "name = 'x'\ntitle = 't'\ndescription = 'd'\nformat = 'f'\nlicence = 'l'\ncitation = 'c'\n";
  const auto message = [](const std::string& toml) {
    return error_of([&] { (void)parse_recipe("x.toml", toml); });
  };
  EXPECT_EQ(message(good + "[[files]]\nname = 'x.npz'"), "no error");
  expect_contains(message(good), "there is no [[files]]");
  expect_contains(message("name = ["), "x.toml: line 1");
  expect_contains(message("name = 3\n"), "'name' must be a text");
  expect_contains(message(good + "colour = 'red'"), "key 'colour' is unknown");
  expect_contains(message(good + "any_format = 'yes'"), "'any_format' must be true or false");
  expect_contains(message(good + "[[files]]\nname = '../x'"), "is not a file name");
  expect_contains(message(good + "[[files]]\nname = 'x'\nsha256 = 'ABC'"), "64 lower-case");
  expect_contains(message(good + "[[files]]\nname = 'x'\n[raw]\nnodez = 3"), "'nodez' is unknown");
  expect_contains(message(good + "[[files]]\nname = 'x'\n[raw]\nnodes = 3.5"), "whole number");
}

}  // namespace
}  // namespace cupel
