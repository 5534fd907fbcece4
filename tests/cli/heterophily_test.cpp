// Protocols as a user meets them without their data.
#include <fmt/format.h>

#include "cli/program.h"

namespace cupel::test {
namespace {

TEST(Heterophily, SaysWhatDataAreMissingAndHowToGetThem) {
  const Workplace place;  // CUPEL_DATA is an empty folder
  for (const auto& [table, dataset] :
       {std::pair{"1", "squirrel"}, {"2", "squirrel-directed"}, {"4", "roman-empire"}}) {
    const Outcome outcome =
        place.run({"run", "heterophily", "--tables", table, "--dry-run", "--pilot", "none"});
    EXPECT_EQ(outcome.code, 2) << table;
    EXPECT_TRUE(contains(outcome.err, std::string("cupel fetch ") + dataset)) << outcome.err;
  }
  const Outcome other = place.run({"run", "heterophily", "--tables", "D", "--datasets",
                                   "chameleon-graphmining", "--dry-run", "--pilot", "none"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "cupel fetch chameleon-graphmining")) << other.err;
}

// Of data that are partly there, what is there can be planned and run.
TEST(Available, RunsWhatIsThereAndNamesWhatIsNot) {
  const Workplace place;
  place.write("p.toml",
              "[data]\ndatasets = [\"csbm:nodes=200\", \"questions\"]\n[split]\ntrain = 2\n"
              "valid = 2\ncount = 3\n[models.labelprop]\n");
  const Outcome all = place.run({"run", "p.toml"});
  EXPECT_EQ(all.code, 2);
  EXPECT_TRUE(contains(all.err, "cupel fetch questions")) << all.err;
  EXPECT_EQ(place.files(), std::vector<std::string>{"p.toml"});
  const Outcome plan = place.run({"run", "p.toml", "--available", "--dry-run"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_TRUE(contains(plan.out, "3 runs planned")) << plan.out;
  EXPECT_TRUE(contains(plan.err, "left out: questions")) << plan.err;
  EXPECT_EQ(place.run({"run", "p.toml", "--available"}).code, 0);
}

// The shipped protocol of facts, of which one data set is the user's to build.
TEST(Available, RunsWhatIsThereOfFactsOverTime) {
  const Workplace place;
  const Outcome all = place.run({"run", "expert", "--dry-run", "--pilot", "none"});
  EXPECT_EQ(all.code, 2);
  EXPECT_TRUE(contains(all.err, "4 data sets are not there (acl, icews18, yago, college-msg)"))
      << all.err;
  EXPECT_TRUE(contains(all.err, "`cupel fetch yago college-msg`")) << all.err;
  EXPECT_TRUE(contains(all.err, "cupel build expert")) << all.err;
  EXPECT_EQ(std::count(all.err.begin(), all.err.end(), '\n'), 1) << all.err;
  const Outcome none = place.run({"run", "expert", "--available", "--dry-run"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.err, "none of the data sets is at hand")) << none.err;

  // A file of that name in the folder of data sets is the user's own.
  std::filesystem::create_directory(place.path("../data"));
  std::string facts = "timestamp,head,tail,relation_type\n";
  for (int year = 2005; year < 2022; ++year)
    for (int k = 0; k < 5; ++k)
      facts += fmt::format("{},{},{},0\n", year, year * k % 11, 11 + (year + k) % 7);
  place.write("../data/acl", facts);
  const Outcome plan = place.run({"run", "expert", "--available", "--dry-run", "--pilot", "none"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_TRUE(contains(plan.out, "61 runs planned")) << plan.out;
  EXPECT_TRUE(contains(plan.err,
                       "left out: icews18, yago, college-msg; run `cupel fetch yago college-msg`"))
      << plan.err;
  const Outcome settled = place.run({"plan", "expert", "--available", "--models", "popularity",
                                     "--shards", "1", "--pilot", "none"});
  EXPECT_EQ(settled.code, 0) << settled.err;
  EXPECT_EQ(place.run({"work", "expert.plan", "--shard", "1/1"}).code, 0);
  place.write("two.toml",
              "task = \"events\"\n[data]\ndatasets = [\"acl\", \"mag\"]\n[split]\n"
              "scheme = \"time\"\n[models.popularity]\n");
  const Outcome done = place.run({"run", "two.toml", "--available", "--no-report"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "left out: mag; mag: the task is about facts over time"))
      << done.err;
  EXPECT_TRUE(contains(done.err, "1 run done")) << done.err;
}

// A path of the protocol's may lead to what is not here.
TEST(Available, RunsWithoutPathsThatAreNotThere) {
  const Workplace place;
  place.write("p.toml",
              "[data]\ndatasets = [\"csbm:nodes=200\", \"own\", \"./none.npz\"]\n[data.own]\n"
              "path = \"own.npz\"\n[split]\ntrain = 2\nvalid = 2\ncount = 3\n[models.labelprop]\n");
  const Outcome all = place.run({"run", "p.toml"});
  EXPECT_EQ(all.code, 2);
  EXPECT_TRUE(contains(all.err, "2 data sets are not there")) << all.err;
  const Outcome some = place.run({"run", "p.toml", "--available", "--no-report"});
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_TRUE(contains(some.err, "left out: own, ./none.npz; ")) << some.err;
  EXPECT_TRUE(contains(some.err, "own.npz: there is no such file or folder")) << some.err;
  EXPECT_TRUE(contains(some.err, "3 runs done")) << some.err;
}

// A protocol stands for what its tables need; nothing is downloaded here.
TEST(Fetch, TakesProtocols) {
  const Workplace place;
  const auto said = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "fetch");
    words.push_back("--offline");
    return place.run(words);
  };
  const Outcome small = said({"quickstart"});
  EXPECT_EQ(small.code, 2);
  EXPECT_TRUE(contains(small.err, "cora: cora.npz is not there and --offline")) << small.err;
  const Outcome table = said({"heterophily", "--tables", "4"});
  EXPECT_TRUE(contains(table.err, "roman-empire: ")) << table.err;
  // What groups of nodes are found on is needed as well.
  place.write("made.toml",
              "[data]\ndatasets = [\"csbm\"]\n[models.majority]\n[strata.s]\n"
              "rule = \"wikipedia-duplicates\"\ngraph = \"squirrel-directed\"\n[[table]]\n"
              "id = \"1\"\n[[table]]\nid = \"2\"\nstrata = \"s\"\n");
  EXPECT_TRUE(contains(said({"./made.toml"}).err, "squirrel-directed: ")) << "by its path";
  const Outcome nothing = said({"made.toml", "--tables", "1"});
  EXPECT_EQ(nothing.code, 0) << nothing.err;
  EXPECT_TRUE(contains(nothing.err, "there is nothing to fetch")) << nothing.err;
  // A data set's name wins, and what nobody offers is named.
  EXPECT_TRUE(contains(said({"wiki-cs"}).err, "wiki-cs: ")) << "both are called so";
  const Outcome facts = said({"expert", "--tables", "acl"});
  EXPECT_EQ(facts.code, 0) << facts.err;
  EXPECT_TRUE(contains(facts.err, "not fetched: acl: ")) << facts.err;
  EXPECT_TRUE(contains(facts.err, "cupel build expert")) << facts.err;
  for (const auto& [words, part] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"heterophili"}, "did you mean 'heterophily'?"},
           {{"nothing-like-it"}, "neither a data set of the catalog nor a protocol"},
           {{"heterophily", "--tables", "x"}, "no table 'x'"},
           {{"cora", "--tables", "1"}, "--tables: are those of a protocol"},
           {{"./none.toml"}, "none.toml"}}) {
    const Outcome wrong = said(words);
    EXPECT_EQ(wrong.code, 2) << part;
    EXPECT_TRUE(contains(wrong.err, part)) << wrong.err;
    EXPECT_EQ(std::count(wrong.err.begin(), wrong.err.end(), '\n'), 1) << wrong.err;
  }
}

TEST(Heterophily, TheSmallGraphsHaveCards) {
  const Workplace place;
  const Outcome card = place.run({"show", "texas"});
  EXPECT_EQ(card.code, 0) << card.err;
  EXPECT_TRUE(contains(card.out, "Geom-GCN")) << card.out;
  EXPECT_EQ(place.run({"show", "film"}).code, 0) << "Actor's other name";
  const Outcome missing = place.run({"audit", "texas"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(contains(missing.err, "cupel fetch texas")) << missing.err;
}

}  // namespace
}  // namespace cupel::test
