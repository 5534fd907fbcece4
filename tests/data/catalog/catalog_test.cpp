#include "cupel/data/catalog/catalog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>

#include "csr_of.h"
#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/data/catalog/recipe_file.h"
#include "cupel/data/fetch/fetch.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/zip_writer.h"
#include "cupel/data/prepare/prepare.h"
#include "error_of.h"
#include "temp_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

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
      EXPECT_TRUE(facts->contains("classes"));
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

TEST(LoadDataset, AbsentAndUnknownSayWhatToDo) {
  const TempFolder scratch;
  const std::string absent = error_of([&] { (void)load_dataset("cora", scratch.path()); });
  expect_contains(absent, "cupel fetch cora");
  expect_contains(absent, "CUPEL_DATA");
  const std::string planetoid =
      error_of([&] { (void)load_dataset("cora-planetoid", scratch.path()); });
  expect_contains(planetoid, "ind.cora.*");
  EXPECT_EQ(planetoid.find("cupel fetch"), std::string::npos);
  expect_contains(error_of([&] { (void)load_dataset("coara", scratch.path()); }),
                  "did you mean 'cora'?");
  expect_contains(error_of([&] { (void)load_dataset("", scratch.path()); }), "empty");
  expect_contains(error_of([&] { (void)load_dataset("./nothing.npz", scratch.path()); }),
                  "nothing.npz");
}

TEST(DataFolder, OptionThenVariableThenCache) {
  const auto restore = [](const char* name) {
    const char* value = std::getenv(name);
    return std::pair<std::string, std::optional<std::string>>(
        name, value ? std::optional<std::string>(value) : std::nullopt);
  };
  const auto saved = {restore("CUPEL_DATA"), restore("XDG_CACHE_HOME"), restore("HOME")};
  setenv("CUPEL_DATA", "/from/variable", 1);
  setenv("XDG_CACHE_HOME", "/cache", 1);
  setenv("HOME", "/home/user", 1);
  EXPECT_EQ(data_folder("/from/option"), "/from/option");
  EXPECT_EQ(data_folder(std::nullopt), "/from/variable");
  unsetenv("CUPEL_DATA");
  EXPECT_EQ(data_folder(std::nullopt), "/cache/cupel");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(data_folder(std::nullopt), "/home/user/.cache/cupel");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_THROW((void)data_folder(std::nullopt), Error);
  for (const auto& [name, value] : saved) {
    if (value) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
}

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

// A copy of Cornell of the user's own: its counts, and splits that overlap.
TEST(LoadDataset, ReadsNamesOfTheCatalogInTheModeAskedFor) {
  const Recipe& recipe = *find_recipe("cornell");
  ASSERT_FALSE(is_pinned(recipe)) << "take another one";
  Dataset own;
  for (std::size_t c = 0; c < recipe.class_sizes.size(); ++c) {
    own.labels().insert(own.labels().end(), recipe.class_sizes[c], static_cast<Index>(c));
    own.class_names().push_back(std::to_string(c));
  }
  const auto nodes = static_cast<Index>(own.labels().size());
  own.adjacency.rows = own.adjacency.cols = nodes;
  own.adjacency.row_ptr.assign(nodes + 1, 0);
  own.features = Matrix(nodes, static_cast<Index>(recipe.raw_facts.at("features")));
  for (int i = 0; i < 10; ++i) own.stored_splits.push_back({{0, 1}, {1, 2}, {3, 4}});
  const TempFolder scratch;
  fs::create_directory(scratch / "cornell");
  write_gnn_benchmark_npz(own, scratch / "cornell" / "own.npz");
  expect_contains(error_of([&] { (void)load_dataset("cornell", scratch.path()); }),
                  "in the training part and again in the validation part");
  const Dataset read = load_dataset("cornell", scratch.path(), ReadMode::kForAudit);
  EXPECT_EQ(read.stored_splits[9].valid, (std::vector<Index>{1, 2}));
  // Its counts are asserted all the same.
  own.stored_splits.pop_back();
  write_gnn_benchmark_npz(own, scratch / "cornell" / "own.npz");
  expect_contains(
      error_of([&] { (void)load_dataset("cornell", scratch.path(), ReadMode::kForAudit); }),
      "9 splits, expected 10");
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

// The rule of cora-full (Shchur et al. 2018, section 3: classes of at most 50 nodes cannot be
// split) on a made graph: a ring of 51 + 51 nodes, on which 50 nodes of a third class hang; behind
// two of those hang single nodes of the first class, which lose their only way to the ring.
TEST(CoraFullRule, DropsSmallClassesThenTakesTheLargestComponentAgain) {
  Dataset data;
  const Index ring = 102, small_class = 50, behind = 2, n = ring + small_class + behind;
  std::vector<std::vector<Index>> out(static_cast<std::size_t>(n));
  for (Index i = 0; i < ring; ++i) out[static_cast<std::size_t>(i)].push_back((i + 1) % ring);
  for (Index i = 0; i < small_class; ++i) out[static_cast<std::size_t>(ring + i)].push_back(i);
  for (Index i = 0; i < behind; ++i) {
    out[static_cast<std::size_t>(ring + small_class + i)].push_back(ring + i);
  }
  data.adjacency = test::csr_of(std::move(out), n);
  for (Index i = 0; i < n; ++i) {
    data.labels().push_back(i < ring ? i % 2 : i < ring + small_class ? 2 : 0);
  }
  data.class_names() = {"a", "b", "c"};
  data.features = Matrix(n, 1);
  for (Index i = 0; i < n; ++i) std::get<Matrix>(data.features)(i, 0) = 3;
  const TempFolder scratch;
  write_gnn_benchmark_npz(data, scratch.path() / "cora_full.npz");

  const Recipe* recipe = find_recipe("cora-full");
  ASSERT_TRUE(recipe);
  const Dataset prepared =
      prepare(read_dataset(scratch.path() / "cora_full.npz"), recipe->preparation);
  EXPECT_EQ(prepared.nodes(), ring);
  EXPECT_EQ(prepared.classes(), 2);
  EXPECT_EQ(facts_of(prepared)["edges"], ring);
  // And the file is refused where the real one is expected.
  expect_contains(error_of([&] { (void)load_recipe(*recipe, scratch.path()); }),
                  "154 nodes, expected 19793");
}

TEST(DefaultPreparation, IsTheRecipesOrTheGenerators) {
  EXPECT_EQ(default_preparation("Cora"), find_recipe("cora")->preparation);
  EXPECT_FALSE(default_preparation("csbm:seed=2").empty());
  EXPECT_TRUE(default_preparation("./mine.npz").empty());
  EXPECT_TRUE(default_preparation("unheard-of").empty());
}

// Every data set that is there has the facts of its recipe, raw and prepared.
TEST(RealData, HasTheFactsOfItsRecipe) {
  const char* folder = std::getenv("CUPEL_DATA");
  if (!folder) GTEST_SKIP() << "CUPEL_DATA is not set: recipes are not checked on real data";
  int checked = 0;
  for (const Recipe& recipe : recipes()) {
    SCOPED_TRACE(recipe.name);
    if (!recipe_present(recipe, fs::path(folder) / recipe.name)) {
      std::printf("[  absent  ] %s\n", recipe.name.c_str());
      continue;
    }
    Dataset data;
    ASSERT_NO_THROW(data = load_dataset(recipe.name, folder));
    if (!recipe.checked_hashes.empty()) {
      EXPECT_EQ(std::count(recipe.checked_hashes.begin(), recipe.checked_hashes.end(),
                           content_hash(data)),
                1);
    }
    EXPECT_TRUE(is_pinned(recipe)) << "the data are at hand: pin them";
    EXPECT_NO_THROW(check_facts(recipe, prepare(std::move(data), recipe.preparation)));
    ++checked;
  }
  if (checked == 0) GTEST_SKIP() << "needs CUPEL_DATA with any of the recipes' data";
}

}  // namespace
}  // namespace cupel
