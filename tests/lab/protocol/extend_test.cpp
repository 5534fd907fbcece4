// Protocols that extend others: what comes out is what a copy of both would be, told by file and
// line, and a run of the base is a run of what extends it.
#include "cupel/lab/protocol/extend.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "cupel/lab/protocol/configurations.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::TempFolder;
using Names = std::vector<std::string>;

constexpr const char* kBase = R"(
title = "Base"
[data]
datasets = ["one", "three"]
prepare = ["symmetrise"]
[data.three]
prepare = []
[split]
count = 4
train = 10
[train]
inits = 3
patience = 7
[models.gcn]
lr = 0.1
hidden = 8
[models.zeta]
model = "mlp"
choices = { lr = [0.2, 0.1], "hidden" = [4, 2] }
[[models.zeta.on]]
datasets = ["three"]
hidden = 6
[models.fixed]
[[table]]
id = "all"
delta = 2.0
[[table]]
id = "some"
models = ["zeta", "gcn"]
datasets = ["one"]
[[table]]
id = "ranks"
kind = "ranks"
source = "all"
models = ["gcn"]
[tune]
budget = 3
first_split = 500
[tune.random.gcn]
lr = { log = [0.001, 0.1] }
hidden = [4, 8]
)";

// A folder of files, of which some extend others.
class Extend : public testing::Test {
 protected:
  Extend() { write("base.toml", kBase); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  Protocol load(const std::string& name) const { return load_protocol((folder_ / name).string()); }
  // mine.toml, which extends base.toml.
  Protocol with(const std::string& text) const {
    write("mine.toml", "extends = 'base.toml'\n" + text);
    return load("mine.toml");
  }
  std::string refusal(const std::string& text) const {
    return error_of([&] { (void)with(text); });
  }
  TempFolder folder_;
};

Names rows_of(const Protocol& protocol) {
  Names out;
  for (const ModelRow& row : protocol.models) out.push_back(row.name);
  return out;
}

// All that a plan and a search go by, in its order.
std::string told(const Protocol& p) {
  std::string out = fmt::format("{} {} {} {}\n", p.version, p.title, p.inits, p.rule.patience);
  for (const ModelRow& row : p.models) {
    out += row.name + " " + row.model;
    for (const std::string& dataset : p.datasets)
      for (const Configuration& one : grid_of(row_on(p, row, dataset))) out += " " + to_text(one);
    out += "\n";
  }
  for (const TableSpec& table : p.tables)
    out += fmt::format("{} {} {} {} {}\n", table.id, fmt::join(table.models, ","),
                       fmt::join(table.datasets, ","), table.split.identity(), table.delta);
  if (p.tune)
    for (const SearchSpace& space : p.tune->spaces())
      for (const SearchDimension& one : space.dimensions)
        out += space.model + " " + one.setting + "\n";
  for (const PublishedValue& value : p.published)
    out += fmt::format("{} {} {} {} {}\n", value.table, value.dataset, value.model,
                       value.measure.word(), value.mean.value_or(-1));
  return out;
}

// Order counts: rows are those of tables, and of equal choices the first wins.
TEST_F(Extend, NothingMoreIsTheBase) {
  Names all = protocol_names();
  all.push_back("base.toml");
  for (const std::string& name : all) {
    write("same.toml", "extends = '" + name + "'\n");
    const Protocol base = name == "base.toml" ? load(name) : load_protocol(name);
    Protocol same = load("same.toml");
    if (same.title == "same") same.title = base.title;
    EXPECT_EQ(told(same), told(base)) << name;
    EXPECT_EQ(same.published_text, base.published_text) << name;
    EXPECT_EQ(same.name, "same");
  }
}

// Against the file that somebody would have written by hand.
TEST_F(Extend, IsWhatACopyWouldBe) {
  const Protocol mine = with(R"(
title = "Mine"
[data]
prepare = []
[split]
count = 6
[train]
patience = 9
[models.GCN]
hidden = 32
[models.GCN.train]
patience = 2
[models.zeta.choices]
hidden = [1, 3]
[[models.zeta.on]]
datasets = ["one"]
lr = 0.5
[models.mine]
model = "gcn"
lr = 0.3
[[table]]
id = "all"
delta = 3.0
[[table]]
id = "new"
datasets = ["three"]
models = ["gcn"]
[tune]
budget = 5
[tune.random.gcn]
hidden = [2]
)");
  std::string text = kBase;
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
  };
  replace("\"Base\"", "\"Mine\"");
  replace("prepare = [\"symmetrise\"]", "prepare = []");
  replace("count = 4", "count = 6");
  replace("patience = 7", "patience = 9");
  replace("hidden = 8\n", "hidden = 32\ntrain = { patience = 2 }\n");
  replace("\"hidden\" = [4, 2]", "hidden = [1, 3]");
  replace("[models.fixed]",
          "[[models.zeta.on]]\ndatasets = ['one']\nlr = 0.5\n[models.fixed]\n"
          "[models.mine]\nmodel = 'gcn'\nlr = 0.3\n");
  replace("delta = 2.0", "delta = 3.0");
  replace("models = [\"zeta\", \"gcn\"]", "models = ['zeta', 'gcn', 'mine']");
  replace("[tune]\nbudget = 3",
          "[[table]]\nid = 'new'\ndatasets = ['three']\nmodels = ['gcn']\n"
          "[tune]\nbudget = 5");
  replace("lr = { log = [0.001, 0.1] }\nhidden = [4, 8]", "hidden = [2]");
  EXPECT_EQ(told(mine), told(parse_protocol("mine", "mine.toml", text)));
}

// What a store or a plan keeps needs neither file.
TEST_F(Extend, TheTextStandsByItself) {
  const Protocol mine = with(
      "[models.mine]\nmodel = 'gcn'\nlr = 2.0\nl2 = 1e-5\nmost = 1e22\nat = 0x10\n"
      "\"a setting\" = 'with \"quotes\"\\'\n");
  const Protocol kept = parse_protocol("mine", "mine.toml", mine.text, std::nullopt, mine.folder);
  EXPECT_EQ(told(kept), told(mine));
  EXPECT_EQ(mine.text.find("extends"), std::string::npos) << mine.text;
  const Settings& settings = kept.find_model("mine")->settings;
  EXPECT_EQ(settings, mine.find_model("mine")->settings);
  EXPECT_EQ(settings.at("a setting"), OptionValue(std::string("with \"quotes\"\\")));
  EXPECT_EQ(settings.at("lr"), OptionValue(2.0)) << "no whole number";
  EXPECT_EQ(settings.at("most"), OptionValue(1e22));
  EXPECT_EQ(settings.at("at"), OptionValue(std::int64_t{16}));
}

// Runs of the base are runs of what extends it.
TEST_F(Extend, RowsOfTheBaseHaveTheirIds) {
  const auto ids = [](const Protocol& protocol) {
    std::map<std::string, std::set<std::string>> out;
    for (const PlannedCell& cell : make_plan(protocol, {}, made::fake_sources()).cells)
      out[cell.table + " " + cell.dataset + " " + cell.model].insert(cell.family->id);
    return out;
  };
  const auto base = ids(load("base.toml"));
  const auto mine = ids(with("[models.mine]\nmodel = 'gcn'\nlr = 0.7\n[split]\ncount = 9\n"));
  for (const auto& [cell, families] : base) EXPECT_EQ(mine.at(cell), families) << cell;
  EXPECT_EQ(mine.size(), base.size() + 3) << "in both tables of scores, where one has one column";
  EXPECT_FALSE(mine.at("some one mine") == mine.at("some one gcn"));
}

TEST_F(Extend, ANewRowIsInTheTablesOfScores) {
  const auto rows = [](const Protocol& protocol, const char* id) {
    return protocol.find_table(id)->models;
  };
  const Protocol mine = with("[models.mine]\nmodel='gcn'\n[models.also]\nmodel='gcn'\n");
  EXPECT_EQ(rows(mine, "all"), (Names{"gcn", "zeta", "fixed", "mine", "also"}));
  EXPECT_EQ(rows(mine, "some"), (Names{"zeta", "gcn", "mine", "also"}));
  EXPECT_EQ(rows(mine, "ranks"), (Names{"gcn"}));
  // One that the file puts somewhere is there alone, where tables list their rows.
  const Protocol put = with(
      "[models.mine]\nmodel='gcn'\n[models.also]\nmodel='gcn'\n"
      "[[table]]\nid='new'\nmodels=['Mine']\n");
  EXPECT_EQ(rows(put, "some"), (Names{"zeta", "gcn", "also"}));
  const Protocol listed =
      with("[models.mine]\nmodel='gcn'\n[[table]]\nid='some'\nmodels=['gcn']\n");
  EXPECT_EQ(rows(listed, "some"), (Names{"gcn"}));
}

// A value and a choice of one setting cannot both be; the later word counts.
TEST_F(Extend, AValueEndsAChoiceAndAChoiceAValue) {
  const Protocol value = with("[models.zeta]\nlr = 0.9\n[models.gcn]\nchoices = {lr = [1, 2]}\n");
  const ModelRow& zeta = *value.find_model("zeta");
  ASSERT_EQ(zeta.choices.size(), 1u);
  EXPECT_EQ(zeta.choices[0].settings, (Names{"hidden"}));
  EXPECT_EQ(zeta.settings.at("lr"), OptionValue(0.9));
  const ModelRow& gcn = *value.find_model("gcn");
  EXPECT_FALSE(gcn.settings.contains("lr"));
  EXPECT_EQ(gcn.choices.size(), 1u);
  // Of two that change together as well.
  const Protocol pair = with("[models.zeta.choices]\n\"hidden, lr\" = [[1, 2], [3, 4]]\n");
  ASSERT_EQ(pair.find_model("zeta")->choices.size(), 1u);
  EXPECT_EQ(pair.find_model("zeta")->choices[0].settings.size(), 2u);
}

TEST_F(Extend, AnotherKindReplacesAll) {
  const Protocol mine = with(
      "[models.zeta]\nmodel = 'gat'\nheads = 2\n[split]\nscheme = 'random'\n"
      "[[table]]\nid = 'ranks'\nkind = 'relative'\nsource = 'all'\n");
  const ModelRow& row = *mine.find_model("zeta");
  EXPECT_EQ(row.model, "gat");
  EXPECT_EQ(row.settings.size(), 1u);
  EXPECT_TRUE(row.choices.empty() && row.cases.empty());
  EXPECT_EQ(mine.split.kind, "random");
  EXPECT_FALSE(mine.split.settings.contains("train"));
  EXPECT_EQ(mine.find_table("ranks")->models.size(), 3u);
  // The same kind, said again, does not.
  EXPECT_FALSE(with("[models.zeta]\nmodel = 'MLP'\n").find_model("zeta")->choices.empty());
  EXPECT_EQ(with("[split]\nscheme = 'per-class'\ntrain = 5\n").split.count, 4);
}

// The only table of a base that says none stays beside others.
TEST_F(Extend, TheTableThatIsNotSpeltOutStays) {
  write("plain.toml", "title = 'Plain'\n[data]\ndatasets = ['one']\n[models.gcn]\n");
  write("mine.toml",
        "extends = 'plain.toml'\ntitle = 'Mine'\n[[table]]\nid = '2'\ndatasets = ['three']\n");
  const Protocol mine = load("mine.toml");
  ASSERT_EQ(mine.tables.size(), 2u);
  EXPECT_EQ(mine.tables[0].id, "1");
  EXPECT_EQ(mine.tables[0].title, "Plain");
  EXPECT_EQ(mine.tables[1].id, "2");
}

// What the base says of a data set that is no more is no slip of the one who left it out.
TEST_F(Extend, WhatIsSaidOfAbsentDataGoes) {
  const Protocol mine = with("[data]\ndatasets = ['one']\n");
  EXPECT_TRUE(mine.prepare_special.empty());
  EXPECT_TRUE(mine.find_model("zeta")->cases.empty());
  EXPECT_NE(refusal("[data]\ndatasets = ['one']\n[data.tree]\nprepare = []\n")
                .find("[data.tree] is no data set of this protocol"),
            std::string::npos);
}

TEST_F(Extend, GoesOnFromFileToFile) {
  write("lower/middle.toml",
        "extends = '../base.toml'\n[models.gcn]\nlr = 0.5\n[models.more]\n"
        "model = 'gcn'\n");
  write("top.toml", "extends = 'lower/middle.toml'\n[models.gcn]\nhidden = 1\n");
  const Protocol top = load("top.toml");
  EXPECT_EQ(top.find_model("gcn")->settings.at("lr"), OptionValue(0.5));
  EXPECT_EQ(top.find_model("gcn")->settings.at("hidden"), OptionValue(std::int64_t{1}));
  EXPECT_EQ(rows_of(top), (Names{"gcn", "zeta", "fixed", "more"}));
}

// Paths start in the folder of the file that says them.
TEST_F(Extend, PathsOfTheBaseStayWhereTheyAre) {
  write("there/base.toml",
        "[data]\ndatasets = ['own', 'two']\n[data.own]\npath = 'own.npz'\n"
        "[data.two]\npath = '/far/two.npz'\n"
        "[split]\nscheme = 'file'\nfile = 'splits/{dataset}.json'\n"
        "[strata.few]\nrule = 'file'\nnodes = 'few.txt'\n[models.gcn]\n");
  write("here/mine.toml", "extends = '../there/base.toml'\n[models.mine]\nmodel = 'gcn'\n");
  const Protocol base = load("there/base.toml"), mine = load("here/mine.toml");
  const auto same = [](const std::filesystem::path& a, const std::filesystem::path& b) {
    return a.lexically_normal() == b.lexically_normal();
  };
  EXPECT_TRUE(same(mine.paths.at("own"), base.paths.at("own"))) << mine.paths.at("own");
  EXPECT_EQ(mine.paths.at("two"), "/far/two.npz");
  EXPECT_TRUE(same(std::get<std::string>(mine.split.settings.at("file")),
                   std::get<std::string>(base.split.settings.at("file"))));
  EXPECT_TRUE(same(mine.strata.at(0).nodes, base.strata.at(0).nodes));
  // Nothing of it depends on where both stand.
  EXPECT_EQ(mine.text.find(folder_.path().string()), std::string::npos) << mine.text;
}

TEST_F(Extend, AProgramStaysInItsFolder) {
  write("there/base.toml", "[data]\ndatasets = ['one']\n[models.own]\ncommand = ['./own']\n");
  write("there/mine.toml", "extends = 'base.toml'\n[models.own]\nbudget = 3\n");
  EXPECT_EQ(load("there/mine.toml").models[0].external->command, Names{"./own"});
  write("here/mine.toml", "\nextends = '../there/base.toml'\n");
  const std::string said = error_of([&] { (void)load("here/mine.toml"); });
  EXPECT_NE(said.find("mine.toml:2: 'extends': row 'own' of '../there/base.toml' is a program"),
            std::string::npos)
      << said;
  write("here/mine.toml", "extends = '../there/base.toml'\n[models.own]\nmodel = 'gcn'\n");
  EXPECT_FALSE(load("here/mine.toml").models[0].external);
}

constexpr const char* kValues =
    "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
    "all,one,gcn,accuracy,81.5,1.3,sd_ddof1_pooled_runs,2000,100\n"
    "all,three,gcn,accuracy,70.1,1.3,sd_ddof1_pooled_runs,2000,100\n"
    "all,one,zeta,accuracy,60.25,NA,none,1,NA\n"
    "ranks,one,gcn,rank,1,NA,none,NA,NA\n"
    "both,all,gcn,average_rank,1.5,NA,none,NA,NA\n";

Names values_of(const Protocol& protocol) {
  Names out;
  for (const PublishedValue& value : protocol.published)
    out.push_back(fmt::format("{} {} {} {}", value.table, value.dataset, value.model,
                              value.mean.value_or(-1)));
  return out;
}

// Values of rows that are the same come along; what relates all of them to each other comes only
// with all of them.
TEST_F(Extend, PublishedValuesComeAlong) {
  write("base.toml", std::string(kBase) + "[published]\nfile = 'values.csv'\n" +
                         "[[table]]\nid = 'both'\nkind = 'relative'\nsource = 'all'\n");
  write("values.csv", kValues);
  const Names all = {"all one gcn 81.5", "all three gcn 70.1", "all one zeta 60.25",
                     "ranks one gcn 1", "both all gcn 1.5"};
  EXPECT_EQ(values_of(with("[models.mine]\nmodel = 'gcn'\n")), all);
  EXPECT_EQ(with("[models.mine]\nmodel = 'gcn'\n").published_text, kValues);
  EXPECT_EQ(values_of(with("[models.zeta]\nmodel = 'gat'\n")),
            (Names{"all one gcn 81.5", "all three gcn 70.1", "ranks one gcn 1"}));
  EXPECT_EQ(values_of(with("[data]\ndatasets = ['one']\n")),
            (Names{"all one gcn 81.5", "all one zeta 60.25", "ranks one gcn 1"}));
  EXPECT_TRUE(values_of(with("[data]\ndatasets = ['other']\n[[table]]\nid = 'some'\n"
                             "datasets = ['other']\n"))
                  .empty());

  // Its own come last, and replace those of the same place.
  write("own.csv",
        "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n,note\r\n"
        "all,one,MINE,accuracy,55,1,sd_over_splits,10,10,\"as told, twice\"\r\n"
        "all,one,Zeta,accuracy,61,NA,none,1,NA,\r\n");
  const Protocol both = with("[models.mine]\nmodel = 'gcn'\n[published]\nfile = 'own.csv'\n");
  EXPECT_EQ(values_of(both), (Names{"all one gcn 81.5", "all three gcn 70.1", "ranks one gcn 1",
                                    "both all gcn 1.5", "all one mine 55", "all one zeta 61"}));
  EXPECT_EQ(both.published[4].note, "as told, twice");
  EXPECT_EQ(told(parse_protocol("mine", "mine.toml", both.text, both.published_text)), told(both));
}

TEST_F(Extend, MistakesNameTheFileAndTheLine) {
  const auto expect = [](const std::string& said, const std::string& part) {
    EXPECT_NE(said.find(part), std::string::npos) << said << "\n  lacks: " << part;
  };
  const auto alone = [&](const std::string& text) {
    write("mine.toml", text);
    return error_of([&] { (void)load("mine.toml"); });
  };
  expect(alone("\nextends = 'pitfals'\n"),
         "mine.toml:2: 'extends': no protocol is called 'pitfals'; did you mean 'pitfalls'?");
  expect(alone("extends = 'gone.toml'\n"), "mine.toml:1: 'extends': ");
  expect(alone("extends = 'gone.toml'\n"), "gone.toml");
  expect(alone("extends = ''\n"), "mine.toml:1: 'extends' is empty; name a protocol");
  expect(alone("extends = 3\n"), "mine.toml:1: 'extends' must be a text, not a whole number");
  expect(alone("extends = ['a', 'b']\n"), "'extends' must be a text, not a list");
  expect(alone("extend = 'pitfalls'\n[data]\ndatasets = ['d']\n[models.gcn]\n"),
         "mine.toml:1: unknown key 'extend'; did you mean 'extends'?");
  expect(alone("extends = './mine.toml'\n"), "mine.toml:1: 'extends' leads back to './mine.toml'");
  write("other.toml", "title = 'x'\nextends = 'mine.toml'\n");
  expect(alone("extends = 'other.toml'\n"), "other.toml:2: 'extends' leads back to 'mine.toml'");

  // Lines are those of whichever file says it, whatever stands above them in the text of both.
  expect(refusal("titel = 'x'\n"), "mine.toml:2: unknown key 'titel'; did you mean 'title'?");
  expect(refusal("[train]\npatiense = 3\n"),
         "mine.toml:3: [train]: unknown key 'patiense'; did you mean 'patience'?");
  expect(refusal("[models.gcn.train]\npatience = -1\n"),
         "mine.toml:3: [models.gcn.train]: 'patience' is -1");
  expect(refusal("[models.gcn.choices]\n\"lr, lr\" = [[1, 2]]\n"), "mine.toml:2");
  expect(refusal("[models.gcn]\nlr = 1\n[models.GCN]\nlr = 2\n"), "is there in another spelling");
  expect(refusal("[[table]]\nid = 'all'\n[[table]]\nid = 'all'\n"),
         "mine.toml:4: [[table]]: a second table with the id 'all'");
  expect(refusal("[[table]]\nid = 'x'\n[[table]]\nid = 'x'\n"), "a second table with the id 'x'");
  expect(refusal("models = 3\n"), "mine.toml:2: 'models' must be a table");
  expect(refusal("table = 3\n"), "mine.toml:2: 'table' must be written as [[table]]");
  expect(refusal("[[table]]\ntitle = 'x'\n"), "mine.toml:2: [[table]]: 'id' is missing");
  expect(refusal("[[table]]\nid = 'all'\nmodels = ['gnc']\n"),
         "no [models.gnc] in this file; did you mean 'gcn'?");
  EXPECT_EQ(with("[models.gcn]\nlr = 1\n").find_model("gcn")->where, "mine.toml:3: [models.gcn]");
  EXPECT_EQ(with("").find_model("gcn")->where, "base.toml:14: [models.gcn]");
  expect(refusal("[data\n"), "mine.toml:2: not valid TOML");
  // The base's tune begins at 500.
  expect(refusal("[split]\ncount = 600\n"), "base.toml:36: [tune]: splits 500 to 504");
  write("base.toml", "[data]\ndatasets = ['d']\n\n[models.a]\n[train]\npatiense = 3\n");
  expect(refusal(""), "base.toml:6: [train]: unknown key 'patiense'");

  write("base.toml", kBase);
  expect(refusal("[published]\n"), "mine.toml:2: [published]: 'file' is missing");
  write("own.csv", std::string(kValues) + "all,one,gnc,accuracy,1,NA,none,1,NA\n");
  expect(refusal("[published]\nfile = 'own.csv'\n"), "own.csv: a published value ");
  write("own.csv", std::string(kValues) + "x\n");
  expect(refusal("[published]\nfile = 'own.csv'\n"), "own.csv:7: 1 fields instead of 9");
  // A text that a store or a plan keeps has nothing beside it.
  expect(error_of([] { (void)parse_protocol("p", "p.toml", "extends = 'pitfalls'\n"); }),
         "p.toml:1: 'extends' cannot be here");
}

}  // namespace
}  // namespace cupel
