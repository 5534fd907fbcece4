#include "cupel/lab/plan/at_hand.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cupel/base/error.h"
#include "error_of.h"
#include "temp_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

void put(const fs::path& path) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "its content is not looked at";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class AtHandTest : public testing::Test {
 protected:
  // Of graphs: 'own' is a file of the user's.
  Protocol some() const {
    return parse_protocol(
        "x", "x.toml",
        "[data]\ndatasets = ['cora', 'citeseer', 'csbm:nodes=100', './mine.npz']\n[data.own]\n"
        "path = '" +
            (folder_ / "own.npz").string() +
            "'\n[models.majority]\n[[table]]\nid = 'a'\n[[table]]\nid = 'b'\n"
            "datasets = ['pubmed', 'cora', 'own']\n");
  }
  AtHand known(const Protocol& protocol, const Selection& selection = {}) const {
    return at_hand(protocol, selection, plan_sources(folder_ / "data"));
  }

  TempFolder folder_;
};

TEST_F(AtHandTest, IsWhatLoadingWouldFind) {
  put(folder_ / "data/citeseer/citeseer.npz");
  const AtHand first = known(some());
  EXPECT_EQ(first.selection.datasets, (Names{"citeseer", "csbm:nodes=100"}));
  EXPECT_EQ(first.left_out, (Names{"cora", "./mine.npz", "pubmed", "own"}));
  const std::string text = left_out_text(first);
  EXPECT_TRUE(has(text, "left out: cora, ./mine.npz, pubmed, own; run `cupel fetch cora pubmed`"))
      << text;
  EXPECT_TRUE(has(text, "./mine.npz: there is no such file or folder")) << text;
  EXPECT_TRUE(has(text, "own.npz: there is no such file or folder")) << text;

  put(folder_ / "own.npz");
  EXPECT_EQ(known(some()).selection.datasets, (Names{"citeseer", "csbm:nodes=100", "own"}));
  Selection selection;
  selection.datasets = {"cora", "own", "another"};
  EXPECT_EQ(known(some(), selection).selection.datasets, Names{"own"});
  selection.datasets = {"cora", "anothre"};
  const std::string none = error_of([&] { (void)known(some(), selection); });
  EXPECT_TRUE(has(none, "none of the data sets is at hand (cora, anothre)")) << none;
  EXPECT_TRUE(has(none, "`cupel fetch cora`")) << none;
  EXPECT_TRUE(has(none, "'anothre' is neither")) << none;
}

// Each that is listed is refused when it is read, by the same sentence; no other is.
TEST_F(AtHandTest, WhatIsListedIsWhatLoadingRefuses) {
  put(folder_ / "data/citeseer/citeseer.npz");
  fs::create_directories(folder_ / "data/acl");
  const PlanSources sources = plan_sources(folder_ / "data");
  for (const char* name : {"cora", "citeseer", "csbm:nodes=20,features=4", "./none.npz", "nobody",
                           "CoraPlanetoid", "yago", "acl", "icews18", "college-msg"}) {
    for (const Unit unit : {Unit::kNode, Unit::kFact}) {
      const auto absent = sources.absent(name, unit);
      std::string said;
      try {
        (void)(unit == Unit::kFact ? sources.load_facts(name) : sources.load(name));
      } catch (const Error& error) {
        said = error.what();
      }
      if (absent)
        EXPECT_EQ(said, absent->text) << name;
      else
        EXPECT_FALSE(has(said, "there is no ") && !has(said, "is facts")) << name << ": " << said;
    }
  }
}

TEST_F(AtHandTest, NothingChangesWhereEverythingIsThere) {
  const Protocol protocol =
      parse_protocol("x", "x.toml", "[data]\ndatasets = ['csbm']\n[models.majority]\n");
  const AtHand all = known(protocol);
  EXPECT_EQ(all.selection.datasets, Names{});
  EXPECT_EQ(left_out_text(all), "");
}

TEST_F(AtHandTest, NamesAreNotComparedToTheLetter) {
  put(folder_ / "own.npz");
  Selection selection;
  selection.datasets = {"Cora", "own"};
  EXPECT_EQ(known(some(), selection).selection.datasets, Names{"own"});
  selection.datasets = {"Cora"};
  EXPECT_THROW((void)known(some(), selection), Error);
  const Protocol twice = parse_protocol(
      "x", "x.toml",
      "[data]\ndatasets = ['cora', 'csbm']\n[models.majority]\n[[table]]\nid = 'a'\n[[table]]\n"
      "id = 'b'\ndatasets = ['Cora']\n");
  EXPECT_EQ(known(twice).left_out, Names{"cora"});
}

TEST_F(AtHandTest, DataSetsOfOtherTablesAreNotLookedFor) {
  Selection selection;
  selection.tables = {"b"};
  const std::string none = error_of([&] { (void)known(some(), selection); });
  EXPECT_TRUE(has(none, "(pubmed, cora, own)")) << none;
  selection.tables = {"c"};
  EXPECT_TRUE(has(error_of([&] { (void)known(some(), selection); }), "no table 'c'"));
  // [data] may list what no table has.
  const Protocol unused = parse_protocol("x", "x.toml",
                                         "[data]\ndatasets = ['csbm', 'cora']\n[models.majority]\n"
                                         "[[table]]\nid = 'a'\ndatasets = ['csbm']\n");
  EXPECT_EQ(left_out_text(known(unused)), "");
}

// The shipped protocol's `acl` is built by the user, and may lie there in any form of facts.
TEST_F(AtHandTest, FactsAreLookedForByNameInTheFolder) {
  const Protocol expert = load_protocol("expert");
  put(folder_ / "data/acl/quadruples.csv");
  const AtHand first = known(expert);
  EXPECT_EQ(first.selection.datasets, Names{"acl"});
  EXPECT_EQ(first.left_out, (Names{"icews18", "yago", "college-msg"}));
  fs::remove_all(folder_ / "data/acl");
  put(folder_ / "data/yago");  // a file of the user's
  const AtHand second = known(expert);
  EXPECT_EQ(second.selection.datasets, Names{"yago"});
  const std::string text = left_out_text(second);
  EXPECT_TRUE(has(text, "acl: the task is about facts over time, and there is no ")) << text;
  EXPECT_TRUE(has(text, "cupel build expert")) << text;
}

// Groups of nodes may be found on another data set than the column's.
TEST_F(AtHandTest, ATableWhoseGroupsNeedMoreIsLeftOut) {
  const Protocol heterophily = load_protocol("heterophily");
  for (const char* name : {"squirrel", "squirrel-directed", "chameleon"})
    put(folder_ / "data" / name / find_recipe(name)->files.front().name);
  Selection selection;
  selection.tables = {"1", "D"};
  const AtHand some = known(load_protocol("heterophily"), selection);
  EXPECT_EQ(some.selection.tables, Names{"D"});
  EXPECT_EQ(some.selection.datasets, (Names{"squirrel", "chameleon"}));
  const std::string text = left_out_text(some);
  EXPECT_TRUE(has(text, "table 1, which needs chameleon-directed;")) << text;
  EXPECT_TRUE(has(text, "chameleon-graphmining chameleon-directed`")) << text;
  selection.tables = {"1"};
  const std::string none = error_of([&] { (void)known(load_protocol("heterophily"), selection); });
  EXPECT_TRUE(has(none, "nothing is left without table 1")) << none;
  EXPECT_TRUE(has(none, "`cupel fetch chameleon-directed`")) << none;
}

}  // namespace
}  // namespace cupel
