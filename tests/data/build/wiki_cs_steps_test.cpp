// wiki-cs with labels: a build that ended is gone on with.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "cupel/data/formats/file.h"
#include "cupel/data/text/punkt.h"
#include "data/build/made_wikipedia.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

TEST_F(WikiCsDataSet, GoesOnWhereAnEndedBuildWas) {
  const BuildRecipe& recipe = find_build_recipe("wiki-cs");
  const BuildPaths inputs = find_inputs(recipe, {folder_.root().string()});
  const TempFolder work;
  std::set<std::string> steps;
  const auto made = [&](const std::vector<std::string>& settings) {
    steps.clear();
    const Built built = build(
        recipe, inputs, settings, {1}, [&](const BuildStep& step) { steps.insert(step.what); },
        work.path());
    EXPECT_EQ(built.notes, std::vector<std::string>());
    return built.provenance + table(built, "data.json").dump() +
           table(built, "metadata.json").dump();
  };
  const auto reads = [&](const std::string& what) { return steps.contains("reading " + what); };
  const std::string first = made({});
  EXPECT_TRUE(reads("xx-pages-articles.xml") && reads("texts of xx-pages-articles.xml"));
  EXPECT_TRUE(reads("pagelinks"));
  EXPECT_EQ(made({}), first);
  EXPECT_FALSE(reads("xx-pages-articles.xml") || reads("pagelinks"));
  EXPECT_TRUE(reads("vectors"));
  EXPECT_EQ(made({"links=text"}).substr(0, 30), first.substr(0, 30));
  EXPECT_FALSE(reads("xx-pages-articles.xml")) << "categories do not depend on links";
  EXPECT_TRUE(reads("texts of xx-pages-articles.xml"));
  (void)made({"milestones=9"});
  EXPECT_TRUE(reads("xx-pages-articles.xml"));

  for (const auto& kept : fs::directory_iterator(work.path()))
    fs::resize_file(kept.path(), fs::file_size(kept.path()) - 1);
  EXPECT_EQ(made({}), first) << "damaged ones are none";
  EXPECT_TRUE(reads("xx-pages-articles.xml"));
  EXPECT_EQ(made({}), first);
  EXPECT_FALSE(reads("xx-pages-articles.xml"));
  // A length that nothing bears out: of four nodes, the first of them page 10.
  for (const auto& kept : fs::directory_iterator(work.path())) {
    if (!kept.path().filename().string().starts_with("nodes-")) continue;
    std::string bytes = read_text_file(kept.path());
    const std::size_t at = bytes.find(std::string("\4\0\0\0\0\0\0\0\n\0\0\0\0\0\0\0", 16));
    if (at == std::string::npos) continue;
    bytes[at + 7] = 1;
    std::ofstream(kept.path(), std::ios::binary) << bytes;
  }
  EXPECT_EQ(made({}), first);
  EXPECT_TRUE(reads("pagelinks")) << "a damaged length is told";
  fs::last_write_time(folder_ / "xx-pages-articles.xml",
                      fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(made({}), first);
  EXPECT_TRUE(reads("xx-pages-articles.xml")) << "a file that was written again is another";

  const TempFolder model;
  for (const char* name : kPunktFiles) std::ofstream(model / name) << "";
  BuildPaths with_model = inputs;
  with_model["punkt"] = {model.path()};
  const auto reads_texts = [&] {
    bool read = false;
    (void)build(
        recipe, with_model, {}, {1},
        [&](const BuildStep& step) { read |= step.what.starts_with("reading texts"); },
        work.path());
    return read;
  };
  EXPECT_TRUE(reads_texts());
  EXPECT_FALSE(reads_texts());
  std::ofstream(model / kPunktFiles[0]) << "dr\n";
  EXPECT_TRUE(reads_texts()) << "another model";

  const Built unkept = build(recipe, inputs, {}, {1}, {}, folder_ / "labels.json");
  ASSERT_EQ(unkept.notes.size(), 2u);
  EXPECT_TRUE(contains(unkept.notes.front(), "A finished step could not be kept: "))
      << unkept.notes.front();
}

}  // namespace
}  // namespace cupel::test
