// What holds of every recipe.
#include <gtest/gtest.h>

#include "cupel/data/build/recipe.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

struct Read {
  const std::string& name() const { return path; }
  std::uint64_t file_bytes() const { return 1; }
  const std::string& sha256() const { return hash; }
  std::string path, hash = "0";
};

BuildContext context_of(const std::filesystem::path& steps = {}) {
  return {find_build_recipe("expert"), {}, Options(), Threads{1}, {}, steps};
}

std::vector<std::string> told(const BuildContext& context) {
  std::vector<std::string> out;
  for (const BuildSource& source : context.sources())
    out.push_back(source.input + " " + source.file);
  return out;
}

TEST(Recipes, EveryChoiceIsNamedAndDescribed) {
  for (const BuildRecipe* recipe : build_recipes()) {
    for (const OptionSpec& spec : recipe->settings) {
      for (const std::string& choice : spec.choices)
        EXPECT_NE(spec.doc.find(" " + choice + ": "), std::string::npos)
            << recipe->name << ": " << spec.name << ": " << choice;
    }
  }
}

// Whatever the case, plain or compressed, and in folders in the folder.
TEST(BuildInputs, OfNodesAndLinksAreAllFilesOfTheFolder) {
  const made::Folder folder;
  std::filesystem::create_directory(folder / "sub");
  for (const char* name : {"A.jsonl.bz2", "B.JSONL", "C.Json.GZ", "d.jsonl.Bz2", "README.md"})
    made::write_file(folder / name, "");
  made::write_file(folder.path() / "sub" / "E.jsonl", "");
  const BuildPaths found =
      find_inputs(find_build_recipe("expert"), {"expert=" + folder.path().string()});
  std::vector<std::string> names;
  for (const auto& file : found.at("expert")) names.push_back(file.filename().string());
  EXPECT_EQ(names, (std::vector<std::string>{"A.jsonl.bz2", "B.JSONL", "C.Json.GZ", "E.jsonl",
                                             "d.jsonl.Bz2"}));
}

TEST(BuildSources, AreCalledAsLittleAsTellsThemApart) {
  BuildContext context = context_of();
  for (const char* path : {"pr/a/x/p.csv", "pr/b/x/p.csv", "pr/x/p.csv", "pr/y/p.csv", "p.csv"})
    context.read_whole("tei", Read{path});
  context.read_whole("acl", Read{"pr/a/x/p.csv"});
  context.read_whole("tei", Read{"pr/x/p.csv"});
  EXPECT_EQ(told(context), (std::vector<std::string>{"tei p.csv", "tei x/p.csv", "tei pr/x/p.csv",
                                                     "tei y/p.csv", "tei p.csv", "acl p.csv"}));
  made::expect_error(
      [&] {
        context.read_whole("tei", Read{"pr/x/p.csv", "1"});
      },
      {"pr/x/p.csv: has changed while it was read"});
}

// A slow method is felt here.
TEST(BuildSources, MayBeMany) {
  BuildContext context = context_of();
  for (int k = 0; k < 100'000; ++k)
    context.read_whole("tei", Read{"papers/" + std::to_string(k) + ".xml"});
  EXPECT_EQ(context.sources().size(), 100'000U);
}

TEST(BuildSources, OfAKeptStepAreKnownOnceItIsTaken) {
  const made::Folder folder;
  for (int round = 0; round < 2; ++round) {
    BuildContext context = context_of(folder.path());
    int made = 0;
    const auto make = [&] {
      ++made;
      context.read_whole("tei", Read{"a/p.xml"});
      return 7;
    };
    EXPECT_EQ(
        context.step<int>({"s", {}, {}}, make, [](auto& archive, auto& value) { archive(value); }),
        7);
    EXPECT_EQ(made, round == 0 ? 1 : 0);
    context.read_whole("tei", Read{"a/p.xml"});
    context.read_whole("tei", Read{"b/p.xml"});
    EXPECT_EQ(told(context), (std::vector<std::string>{"tei p.xml", "tei b/p.xml"}));
  }
}

}  // namespace
}  // namespace cupel
