#include "cupel/data/catalog/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "csr_of.h"
#include "cupel/base/error.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/prepare/prepare.h"
#include "data/catalog/expect_contains.h"
#include "error_of.h"
#include "temp_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

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

// One sentence with one command, whatever is to be done about the others.
TEST(AbsentDataset, SeveralAreOneSentence) {
  const TempFolder scratch;
  std::vector<Absent> all;
  for (const char* name : {"cora", "./nothing.npz", "Cite_Seer", "cora", "cora-planetoid"})
    all.push_back(*absent_dataset(name, scratch.path()));
  EXPECT_EQ(absent_text({all[0]}), error_of([&] { (void)load_dataset("cora", scratch.path()); }));
  EXPECT_EQ(absent_text({all[0], all[3]}), absent_text({all[0]}));
  EXPECT_EQ(absent_text(all),
            "4 data sets are not there (cora, ./nothing.npz, citeseer, cora-planetoid): run "
            "`cupel fetch cora citeseer`, or point --data or CUPEL_DATA at another folder; "
            "./nothing.npz: there is no such file or folder; check the path; " +
                all[4].text);
  EXPECT_FALSE(absent_dataset("csbm:nodes=30", scratch.path()));
  EXPECT_FALSE(absent_dataset(scratch.path().string(), scratch.path()));
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
    ASSERT_NO_THROW(data = load_recipe(recipe, fs::path(folder) / recipe.name));
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
