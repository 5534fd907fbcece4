// Data sets held against their recipes: counts, content, patterns.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "cupel/base/hash.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/fetch/fetch.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/zip_writer.h"
#include "cupel/data/prepare/prepare.h"
#include "data/catalog/expect_contains.h"
#include "error_of.h"
#include "temp_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// A path of three nodes, an isolated pair, one self-loop; classes of three and two nodes.
Dataset small() {
  Dataset dataset;
  dataset.adjacency.rows = dataset.adjacency.cols = 5;
  dataset.adjacency.row_ptr = {0, 2, 3, 3, 4, 4};
  dataset.adjacency.columns = {0, 1, 2, 4};
  dataset.features = Matrix(5, 2);
  dataset.labels() = {0, 0, 0, 1, 1};
  dataset.class_names() = {"0", "1"};
  return dataset;
}

TEST(Facts, AreCounted) {
  EXPECT_EQ(facts_of(small()), (Facts{{"nodes", 5},
                                      {"arcs", 4},
                                      {"edges", 3},
                                      {"self_loops", 1},
                                      {"features", 2},
                                      {"feature_entries", 10},
                                      {"classes", 2},
                                      {"splits", 0}}));
}

TEST(Facts, DifferencesAreNamed) {
  Recipe recipe;
  recipe.name = "small";
  recipe.facts = {{"nodes", 5}, {"edges", 4}, {"classes", 3}};
  const std::string message = error_of([&] { check_facts(recipe, small()); });
  expect_contains(message, "2 classes, expected 3; 3 edges, expected 4");
  EXPECT_EQ(message.find("nodes,"), std::string::npos) << message;
}

TEST(LoadRecipe, AssertsContentAndFacts) {
  const TempFolder scratch;
  write_gnn_benchmark_npz(small(), scratch.path() / "small.npz");
  Recipe recipe;
  recipe.name = "small";
  recipe.files = {{"small.npz", "", 0, {"https://example.org/small.npz"}}};
  recipe.raw_facts = {{"nodes", 5}, {"arcs", 4}};
  recipe.content_hash = content_hash(small());
  EXPECT_EQ(load_recipe(recipe, scratch.path()).name, "small");
  recipe.raw_facts["arcs"] = 5;
  expect_contains(error_of([&] { (void)load_recipe(recipe, scratch.path()); }),
                  "4 arcs, expected 5");
  recipe.raw_facts["arcs"] = 4;
  recipe.content_hash[0] = recipe.content_hash[0] == '0' ? '1' : '0';
  const std::string message = error_of([&] { (void)load_recipe(recipe, scratch.path()); });
  expect_contains(message, content_hash(small()));
  expect_contains(message, recipe.content_hash);
}

// The same counts, other content: what a shuffle of labels or edges leaves.
TEST(LoadRecipe, AssertsTheContentOfTheCheckedCopy) {
  const TempFolder scratch;
  const Dataset good = small();
  Dataset shuffled = good;
  std::swap(shuffled.labels()[0], *std::find_if(shuffled.labels().begin(), shuffled.labels().end(),
                                                [&](Index l) { return l != good.labels()[0]; }));
  ASSERT_EQ(facts_of(shuffled), facts_of(good));
  Recipe recipe;
  recipe.name = "small";
  recipe.files = {{"small.npz", "", 0, {"https://example.org/small.npz"}}};
  recipe.raw_facts = facts_of(good);
  write_gnn_benchmark_npz(shuffled, scratch.path() / "small.npz");
  EXPECT_FALSE(is_pinned(recipe));
  EXPECT_EQ(load_recipe(recipe, scratch.path()).labels(), shuffled.labels()) << "counts alone pass";
  const auto refused = [&] { return error_of([&] { (void)load_recipe(recipe, scratch.path()); }); };

  recipe.checked_hashes = {std::string(64, '0'), content_hash(good)};
  EXPECT_TRUE(is_pinned(recipe));
  for (const char* part : {"small: ", "expected 0000", "labels", "./small.npz"})
    expect_contains(refused(), part);
  EXPECT_EQ(refused().find('\n'), std::string::npos);
  recipe.files[0].sha256 = sha256_file(scratch.path() / "small.npz");
  EXPECT_EQ(refused(), "no error") << "these are the released bytes";
  recipe.files[0].sha256 = std::string(64, '0');
  write_gnn_benchmark_npz(good, scratch.path() / "small.npz");
  EXPECT_EQ(refused(), "no error");
}

TEST(LoadRecipe, APatternIsOfAllButTheValuesOfFeatures) {
  const TempFolder scratch;
  Dataset good = small();
  std::get<Matrix>(good.features)(1, 0) = 0.3333333f;
  Recipe recipe;
  recipe.name = "small";
  recipe.files = {{"small.npz", "", 0, {"https://example.org/small.npz"}}};
  recipe.raw_facts = facts_of(good);
  recipe.pattern_hash = content_hash(prepare(good, {"binarise-features"}));
  const auto refused = [&](const Dataset& data) {
    write_gnn_benchmark_npz(data, scratch.path() / "small.npz");
    return error_of([&] { (void)load_recipe(recipe, scratch.path()); });
  };
  EXPECT_EQ(refused(good), "no error");
  std::get<Matrix>(good.features)(1, 0) = 0.333f;
  EXPECT_EQ(refused(good), "no error") << "rounded";
  Dataset shuffled = good;
  std::swap(shuffled.labels()[0], *std::find_if(shuffled.labels().begin(), shuffled.labels().end(),
                                                [&](Index l) { return l != good.labels()[0]; }));
  expect_contains(refused(shuffled), "with features of 0 and 1");
}

TEST(LoadRecipe, AZipOrTheTextFilesInIt) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"X_A.txt", "1,2\n2,1\n"},
      {"X_graph_indicator.txt", "1\n1\n2\n"},
      {"X_graph_labels.txt", "1\n2\n"}};
  const TempFolder zipped, unpacked, empty;
  ZipWriter zip(zipped.path() / "X.zip");
  for (const auto& [name, text] : texts) {
    zip.add("X/" + name, std::as_bytes(std::span(text)));
    std::ofstream(unpacked.path() / name) << text;
  }
  zip.finish();
  Recipe recipe;
  recipe.name = "Y";
  recipe.files = {{"X.zip", "", 0, {"https://example.org/X.zip"}}};
  recipe.raw_facts = {{"graphs", 2}, {"nodes", 3}, {"edges", 1}};
  recipe.any_format = true;
  EXPECT_TRUE(recipe_present(recipe, zipped.path()));
  EXPECT_TRUE(recipe_present(recipe, unpacked.path()));
  EXPECT_FALSE(recipe_present(recipe, empty.path()));
  EXPECT_EQ(load_recipe(recipe, zipped.path()).name, "Y");
  EXPECT_EQ(content_hash(load_recipe(recipe, unpacked.path())),
            content_hash(load_recipe(recipe, zipped.path())));
  expect_contains(error_of([&] { (void)load_recipe(recipe, empty.path()); }), "cupel fetch Y");
  const TempFolder home;  // what is there in another form is not fetched
  fs::copy(unpacked.path(), home.path() / "Y");
  FetchOptions offline;
  offline.offline = true;
  EXPECT_EQ(fetch(recipe, home.path(), offline).size(), texts.size());
  recipe.raw_facts["graphs"] = 3;
  expect_contains(error_of([&] { (void)load_recipe(recipe, unpacked.path()); }),
                  "2 graphs, expected 3");
  expect_contains(error_of([&] { (void)fetch(recipe, home.path()); }), "2 graphs, expected 3");
  recipe.any_format = false;
  EXPECT_FALSE(recipe_present(recipe, unpacked.path()));
  expect_contains(error_of([&] { (void)load_recipe(recipe, unpacked.path()); }), "there is no");
}

TEST(Facts, OfASetOfGraphsCountGraphs) {
  EXPECT_FALSE(facts_of(small()).contains("graphs"));
  Dataset set = small();
  set.graphs = GraphSet{};
  set.graphs->start = {0, 3, 5};
  set.graphs->node_attributes = Matrix(5, 4);
  EXPECT_EQ(facts_of(set).at("graphs"), 2);
  EXPECT_EQ(facts_of(set).at("node_attributes"), 4);
  EXPECT_EQ(facts_of(set).at("arc_attributes"), 0);
  EXPECT_FALSE(facts_of(set).contains("tasks"));
  Recipe recipe;
  recipe.facts = {{"graphs", 2}};
  expect_contains(error_of([&] { check_facts(recipe, small()); }), "0 graphs, expected 2");
}

}  // namespace
}  // namespace cupel
