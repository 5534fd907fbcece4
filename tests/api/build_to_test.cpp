// What a build leaves beside its result.
#include "cupel/api/build_to.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "data/build/made_wikipedia.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

TEST_F(WikiCsDataSet, ItsStepsGoAndWhatElseLiesThereStays) {
  const TempFolder results;
  const auto build_at = [&](const std::string& name, const std::string& steps = "") {
    (void)build_to({.recipe = "wiki-cs",
                    .from = {folder_.root().string()},
                    .settings = {},
                    .out = (results / name).string(),
                    .steps = steps},
                   {});
  };
  build_at("alone");
  EXPECT_FALSE(fs::exists(results / "alone.steps"));
  build_at("kept", (results / "steps").string());
  const auto kept = std::distance(fs::directory_iterator(results / "steps"), {});
  EXPECT_GE(kept, 2);
  fs::create_directory(results / "mine.steps");
  for (const char* name : {"thesis.txt", "nodes-0123456789abcdef.step"})
    std::ofstream(results / "mine.steps" / name) << "mine";
  build_at("mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(results / "mine.steps"), {}), 2);
  EXPECT_EQ(fs::file_size(results / "mine.steps" / "thesis.txt"), 4u);
  fs::create_directory(results / "large");
  fs::create_directory_symlink("large", results / "linked.steps");
  build_at("linked");
  EXPECT_TRUE(fs::is_symlink(results / "linked.steps"));
  EXPECT_TRUE(fs::is_empty(results / "large"));
  std::ofstream(results / "file.steps") << "mine";
  build_at("file");
  EXPECT_EQ(fs::file_size(results / "file.steps"), 4u);
}

}  // namespace
}  // namespace cupel::test
