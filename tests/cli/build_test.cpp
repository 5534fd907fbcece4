// `build` and `generate` as a user meets them.
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::json;

// A parsed text of 60 sentences like "ruled Caesar Rome".
std::string parsed_text() {
  std::string out;
  for (int s = 0; s < 60; ++s) {
    out += "# sent_id = " + std::to_string(s) + "\n";
    out += "1\tCaesar\tCaesar\tPROPN\t_\t_\t2\tnsubj\t_\t_\n";
    out += "2\truled\trule\tVERB\t_\t_\t0\troot\t_\t_\n";
    out += "3\tRome\tRome\tPROPN\t_\t_\t2\tobj\t_\t_\n\n";
  }
  return out;
}

constexpr const char* kVectors = "3 2\ncaesar 1 2\nruled 3 4\nRome 5 6\n";

TEST(Build, WritesDataAndProvenance) {
  const Workplace place;
  place.write("text.conllu", parsed_text());
  place.write("words.vec", kVectors);
  const Outcome built = place.run({"build", "roman-empire", "--from", ".", "--out", "out.npz"});
  ASSERT_EQ(built.code, 0) << built.err;
  EXPECT_TRUE(contains(built.out, "180 nodes, 179 edges, 2 features, 3 classes, 10 splits"))
      << built.out;
  EXPECT_TRUE(contains(built.out, "60  sentences"));
  EXPECT_EQ(built.err, "");
  EXPECT_EQ(place.files(), (std::vector<std::string>{"out.npz", "out.npz.provenance.json",
                                                     "text.conllu", "words.vec"}));
  const json provenance = json::parse(place.read("out.npz.provenance.json"));
  const Outcome again = place.run({"build", "roman-empire", "--from", "words.vec", "--from",
                                   "text=text.conllu", "--out", "two.npz", "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  const json told = json::parse(again.out);
  EXPECT_EQ(told["content_hash"], provenance["content_hash"]);
  EXPECT_EQ(told["path"], "two.npz");
  EXPECT_EQ(place.read("two.npz"), place.read("out.npz"));
}

TEST(Build, AWikiIsAFolderOfTables) {
  const Workplace place;
  place.write("xx-pages-articles.xml",
              "<mediawiki><siteinfo><namespaces><namespace key=\"14\">Category</namespace>"
              "</namespaces></siteinfo>"
              "<page><title>Category:Tools</title><id>1</id><revision><text>[[Category:All]]</text>"
              "</revision></page><page><title>Saw</title><id>2</id><revision>"
              "<text>[[Category:Tools]]</text></revision></page></mediawiki>");
  const Outcome built = place.run({"build", "wiki-cs", "--from", ".", "--out", "wiki"});
  ASSERT_EQ(built.code, 0) << built.err;
  EXPECT_TRUE(contains(built.out, "ARTICLES  MILESTONE\n         1  Tools\n         0  All\n"))
      << built.out;
  EXPECT_EQ(place.read("wiki/page2cat.tsv"), "Saw\tTools\t\n");
  const Outcome again = place.run({"build", "wiki-cs", "--from", ".", "--out", "wiki"});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(contains(again.err, "wiki: the folder holds something already")) << again.err;
  const Outcome told = place.run({"build", "wiki-cs", "--from", ".", "--out", "two/", "--json"});
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(json::parse(told.out)["counts"]["milestones"], 2);
  EXPECT_EQ(place.read("two/provenance.json"), place.read("wiki/provenance.json"));
}

TEST(Build, AFailureLeavesNothingAndHarmsNothing) {
  const Workplace place;
  place.write("text.conllu", parsed_text());
  place.write("words.vec", "9 2\ncaesar 1 2\n");
  place.write("out.npz", "old");
  place.write("out.npz.provenance.json", "old");
  const Outcome failed = place.run({"build", "roman-empire", "--from", ".", "--out", "out.npz"});
  EXPECT_EQ(failed.code, 2);
  EXPECT_TRUE(contains(failed.err, "words.vec: ends after 1 words where its first line says 9"));
  EXPECT_EQ(failed.out, "");
  EXPECT_EQ(place.read("out.npz"), "old");
  EXPECT_EQ(place.read("out.npz.provenance.json"), "old");
  EXPECT_EQ(place.files().size(), 4u);
}

TEST(Build, SaysWhatIsWrongWithTheCommand) {
  const Workplace place;
  place.write("a.conllu", parsed_text());
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"roman-empires", "--from", ".", "--out", "x.npz"}, "did you mean 'roman-empire'?"},
      {{"roman-empire", "--from", ".", "--out", "x.npz"}, "its input vectors ("},
      {{"roman-empire", "--out", "x.npz", "--set", "role=3"}, "did you mean 'roles'?"},
      {{"roman-empire", "--out", "x.npz", "--seed", "one"}, "seed = 'one' is not a whole number"},
      {{"roman-empire", "--from", "vectors=a.conllu", "--from", ".", "--out", "a.conllu"},
       "build: a.conllu is what is read"},
      {{"roman-empire", "--from", "vectors=a.conllu", "--from", ".", "--out", "none/x.npz"},
       "there is no folder none"}};
  for (const auto& [arguments, part] : cases) {
    std::vector<std::string> all = {"build"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = place.run(all);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  }
  EXPECT_EQ(place.files(), std::vector<std::string>{"a.conllu"});
}

TEST(Build, HelpListsRecipesInputsAndSettings) {
  const Workplace place;
  const Outcome help = place.run({"build", "--help"});
  for (const char* part : {"amazon-ratings: ", "roman-empire: ", "wiki-cs: ", "*amazon-meta.txt.gz",
                           "*.conllu", "thresholds", "punctuation"})
    EXPECT_TRUE(contains(help.out, part)) << part;
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Generate, MinesweeperGoesToAFileOrAFolder) {
  const Workplace place;
  const Outcome file = place.run({"generate", "minesweeper", "--set", "rows=20", "--set",
                                  "columns=30", "--seed", "4", "--out", "m.npz"});
  ASSERT_EQ(file.code, 0) << file.err;
  EXPECT_TRUE(contains(file.out, "600 nodes, ")) << file.out;
  EXPECT_TRUE(contains(file.out, "10 splits")) << file.out;
  const Outcome folder =
      place.run({"generate", "minesweeper:rows=20,columns=30,seed=4", "--out", "grid/"});
  ASSERT_EQ(folder.code, 0) << folder.err;
  EXPECT_EQ(place.read("grid/minesweeper.npz"), place.read("m.npz"));
  const Outcome card = place.run({"show", "./m.npz", "--json"});
  ASSERT_EQ(card.code, 0) << card.err;
  EXPECT_TRUE(contains(card.out, "\"splits\": 10")) << card.out;
}

// The released file is not there; a generated one takes its place under a name of its own.
TEST(Generate, MinesweeperNeedsNoFileToRun) {
  const Workplace place;
  place.write("p.toml", R"(title = "Mines"
[data]
datasets = ["minesweeper:rows=20,columns=20,seed=1"]
prepare = ["symmetrise"]
[split]
scheme = "stored"
count = 2
[train]
max_epochs = 20
inits = 1
[models.mlp]
hidden = 8
[models.majority]
)");
  const Outcome run = place.run({"run", "p.toml"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Outcome report = place.run({"report", "p.toml", "--format", "csv"});
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_TRUE(contains(report.out, "minesweeper:rows=20,columns=20,seed=1")) << report.out;
  // One in five cells is a mine, so the majority is right in four of five.
  EXPECT_TRUE(contains(report.out, ",majority,accuracy,80,0,")) << report.out;
}

}  // namespace
}  // namespace cupel::test
