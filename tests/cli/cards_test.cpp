// What `show` prints, against facts that come from elsewhere.
#include <nlohmann/json.hpp>
#include <set>

#include "cli/card_words.h"
#include "cli/program.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/learn/train/rule_fields.h"
#include "real_data.h"

namespace cupel::test {
namespace {

using nlohmann::json;

// Table 3 of Shchur et al. 2018 and the counts of the released file.
TEST(Show, CoraWithoutItsFileStillHasTheExpectedCounts) {
  const Workplace place;
  const Outcome outcome = place.run({"show", "cora", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json card = json::parse(outcome.out);
  EXPECT_EQ(card["expected"]["raw"]["nodes"], 2708);
  EXPECT_EQ(card["expected"]["raw"]["arcs"], 5429);
  EXPECT_EQ(card["expected"]["prepared"]["nodes"], 2485);
  EXPECT_EQ(card["expected"]["prepared"]["edges"], 5069);
  EXPECT_FALSE(card["files"][0]["present"]);
  EXPECT_TRUE(card["found"].is_null());
  const std::string text = place.run({"show", "cora"}).out;
  EXPECT_TRUE(contains(text, "2,485"));
  EXPECT_TRUE(contains(text, "cupel fetch"));
}

TEST(Show, RealCoraHasTheCountsOfTable3) {
  if (const std::string why = made::needs_data({"cora/cora.npz"}); !why.empty())
    GTEST_SKIP() << why;
  Workplace place;
  place.set("CUPEL_DATA", std::getenv("CUPEL_DATA"));
  const json card = json::parse(place.run({"show", "Cora", "--json"}).out);
  EXPECT_EQ(card["found"]["raw"]["nodes"], 2708);
  EXPECT_EQ(card["found"]["prepared"]["nodes"], 2485);
  EXPECT_EQ(card["found"]["prepared"]["edges"], 5069);
  std::multiset<int> classes;
  for (const json& one : card["found"]["classes"]) classes.insert(one["nodes"].get<int>());
  EXPECT_EQ(classes, (std::multiset<int>{285, 406, 726, 379, 214, 131, 344}));
}

TEST(Show, AModelsCardHasItsPaperSettingsAndDisagreements) {
  const Workplace place;
  const json card = json::parse(place.run({"show", "GCN", "--json"}).out);
  EXPECT_TRUE(contains(card["citation"], "Kipf and Welling"));
  EXPECT_EQ(card["settings"][0]["name"], "hidden");
  EXPECT_EQ(card["settings"][0]["default"], 64);
  EXPECT_EQ(card["disagreements"][0]["default"], "self_loops = true");
  const std::string text = place.run({"show", "gcn"}).out;
  EXPECT_TRUE(contains(text, "self_loops = true is the default."));
}

// Only what says a value is a default; the others say where to look, or that there is no choice.
TEST(Show, AModelsCardCallsNothingADefaultThatIsNone) {
  const Workplace place;
  const std::string text = place.run({"show", "cpgnn"}).out;
  EXPECT_TRUE(contains(text, "\n  No setting:\n")) << text;
  EXPECT_TRUE(contains(text, "\n  train.patience:\n"));
  EXPECT_TRUE(contains(text, "\n  l2:\n"));
  EXPECT_TRUE(contains(text, "\n  ranking = \"margin\" is the default.\n"));
  EXPECT_TRUE(contains(flat(text), "Revision 2; runs of earlier ones"));
  EXPECT_FALSE(contains(place.run({"show", "gcn"}).out, "Revision"));
  const json list = json::parse(place.run({"show", "cpgnn", "--json"}).out);
  EXPECT_EQ(list["revision"], 2);
  const auto find = [&](const json& setting) -> json {
    for (const json& one : list["disagreements"])
      if (one["setting"] == setting) return one["default"];
    return "not there";
  };
  EXPECT_TRUE(find(nullptr).is_null());
  EXPECT_TRUE(find("train.patience").is_null());
  EXPECT_EQ(find("ranking"), "ranking = \"margin\"");
  const json all = json::parse(place.run({"list", "models", "--json"}).out)["models"];
  for (const std::string& name : names_of(all)) {
    const std::string card = place.run({"show", name}).out;
    for (const char* wrong : {"(no setting)", "train.patience is the default", "l2 is the default"})
      EXPECT_FALSE(contains(card, wrong)) << name << ": " << wrong;
  }
}

TEST(Show, ProtocolCardsSayWhatTheyStopOn) {
  const Workplace place;
  EXPECT_TRUE(contains(flat(place.run({"show", "pitfalls"}).out),
                       "without a better validation loss with the L2 penalty"));
  const std::string text = place.run({"show", "effectiveness"}).out;
  EXPECT_TRUE(contains(text, "train.stop_on=valid-loss")) << text;
}

TEST(Show, EveryNameHasACard) {
  const Workplace place;
  const json all = json::parse(place.run({"list", "--json"}).out);
  for (const auto& [kind, list] : all.items()) {
    for (const std::string& name : names_of(list)) {
      const Outcome text = place.run({"show", name});
      EXPECT_EQ(text.code, 0) << name << ": " << text.err;
      EXPECT_TRUE(contains(text.out, name)) << text.out;
      EXPECT_TRUE(json::accept(place.run({"show", name, "--json"}).out)) << name;
    }
  }
}

TEST(Show, ProtocolCardMultipliesOut) {
  const Workplace place;
  const json card = json::parse(place.run({"show", "pitfalls", "--json"}).out);
  EXPECT_EQ(card["tables"][0]["models"].size(), 12u);
  EXPECT_EQ(card["tables"][0]["datasets"].size(), 8u);
  EXPECT_EQ(card["tables"][0]["split"]["count"], 100);
  EXPECT_EQ(card["tables"][0]["inits"], 20);
  EXPECT_EQ(card["tables"][0]["published_values"], 80);
}

TEST(Show, ProtocolCardSaysHowRowsAreChosen) {
  const Workplace place;
  const auto card = [&](const std::string& word) {
    place.write("p.toml", "[data]\ndatasets = ['csbm']\n[models.mlp]\nchoose_by = '" + word +
                              "'\n[models.mlp.choices]\nhidden = [2, 4]\n");
    return flat(place.run({"show", "p.toml"}).out);
  };
  EXPECT_TRUE(card("valid-score").ends_with("chosen by mean validation score"));
  EXPECT_TRUE(
      card("valid-score-by-split").ends_with("chosen by mean validation score, on each split"));
  EXPECT_TRUE(card("test-score").ends_with("chosen by mean test score"));
  EXPECT_EQ(choose_rules().size(), 3u) << "a new rule needs its line here";
}

TEST(Show, ARulesChangesAreOfTheTypesOfTheRule) {
  const Workplace place;
  place.write(
      "p.toml",
      "[data]\ndatasets = ['csbm']\n[models.mlp]\ntrain = { max_epochs = 30, epsilon = 0.5, "
      "stop_on = 'valid-loss', timeout_seconds = 9 }\n");
  const json card = json::parse(place.run({"show", "p.toml", "--json"}).out);
  const json& change = card["models"][0]["train"];
  EXPECT_EQ(change.size(), 4u) << change;
  for (const auto& [name, value] : change.items())
    EXPECT_EQ(value.is_number(), card["train"][name].is_number()) << name << " " << value;
  EXPECT_EQ(change["max_epochs"], 30);
  EXPECT_EQ(change["timeout_seconds"], 9);
  EXPECT_TRUE(contains(flat(place.run({"show", "p.toml"}).out), "train.max_epochs=30"));
}

TEST(Show, ProtocolCardHasTheWholeRule) {
  const Workplace place;
  const json card = json::parse(place.run({"show", "effectiveness", "--json"}).out);
  EXPECT_EQ(card["task"], "graph-classification");
  EXPECT_EQ(card["train"]["batch_size"], 128);
  EXPECT_EQ(card["train"]["decay_every"], 50);
  EXPECT_EQ(card["train"]["decay"], 0.5);
  EXPECT_EQ(card["train"]["loss"], "cross-entropy");
  for (const RuleField& field : rule_fields())
    EXPECT_TRUE(card["train"].contains(field.name)) << field.name;
  const std::string text = place.run({"show", "effectiveness"}).out;
  for (const char* part : {"classes of graphs", "128 graphs", "0.5 every 50 epochs"})
    EXPECT_TRUE(contains(text, part)) << part << text;
  const std::string nodes = place.run({"show", "pitfalls"}).out;
  EXPECT_TRUE(contains(nodes, "classes of nodes"));
  EXPECT_FALSE(contains(nodes, "in a step"));
}

// protocols/links.toml: a table of ranks asks for other negatives than the protocol, another table
// for another metric.
TEST(Show, ProtocolCardOfLinksSaysWhatIsAsked) {
  const Workplace place;
  const json card = json::parse(place.run({"show", "links", "--json"}).out);
  EXPECT_EQ(card["task"], "links");
  EXPECT_EQ(card["task_settings"]["negatives"], "uniform");
  EXPECT_EQ(card["task_settings"]["valid_negatives"], "");
  std::map<std::string, json> tables;
  for (const json& table : card["tables"]) tables[table["id"]] = table;
  EXPECT_EQ(tables["uniform"]["task_settings"]["negatives"], "uniform");
  EXPECT_FALSE(tables["uniform"].contains("metric"));
  EXPECT_EQ(tables["heart"]["task_settings"]["negatives"], "heart");
  EXPECT_EQ(tables["heart"]["metric"], "mrr");
  const std::string text = flat(place.run({"show", "links"}).out);
  EXPECT_TRUE(contains(text, "Task links between nodes; negatives = uniform Metric")) << text;
  EXPECT_TRUE(contains(text, "asks: metric mrr, negatives = heart")) << text;
  EXPECT_TRUE(contains(text, "asks: metric auc-ap-mean:positives=2"));
  std::size_t asks = 0;
  for (std::size_t at = text.find("asks:"); at != std::string::npos;
       at = text.find("asks:", at + 1))
    ++asks;
  EXPECT_EQ(asks, 2u) << "two tables ask something else";
  EXPECT_FALSE(contains(text, "classes of nodes"));
}

// What stood before links were a task stays as it was.
TEST(Show, ProtocolCardsOfClassesSayNothingOfLinks) {
  const Workplace place;
  const json card = json::parse(place.run({"show", "pitfalls", "--json"}).out);
  EXPECT_FALSE(card.contains("task_settings"));
  for (const json& table : card["tables"]) {
    EXPECT_FALSE(table.contains("task_settings"));
    EXPECT_FALSE(table.contains("metric"));
  }
  EXPECT_FALSE(contains(place.run({"show", "pitfalls"}).out, "asks:"));
}

TEST(Show, AModelOfPairsSaysSo) {
  const Workplace place;
  const auto card = [&](const char* name) {
    return json::parse(place.run({"show", name, "--json"}).out);
  };
  const auto text = [&](const char* name) { return flat(place.run({"show", name}).out); };
  EXPECT_EQ(card("gae")["unit"], "pair");
  EXPECT_EQ(card("gae")["task"], "links");
  EXPECT_EQ(names_of(card("gae")["row_settings"]),
            (std::set<std::string>{"decoder", "dimension", "pair_loss"}));
  EXPECT_EQ(card("katz")["unit"], "pair");
  EXPECT_FALSE(card("katz").contains("row_settings")) << "nothing is trained";
  EXPECT_FALSE(card("gcn").contains("unit"));
  EXPECT_TRUE(contains(text("gae"), "trained by gradient descent; scores pairs of nodes (task"));
  EXPECT_TRUE(contains(text("gae"), "sampled | sampled-means | corrupted | all-pairs"));
  EXPECT_TRUE(contains(text("gae"), "distmult Inner product with a learned weight"));
  EXPECT_TRUE(contains(text("katz"), "no training; scores pairs of nodes (task"));
  EXPECT_FALSE(contains(text("katz"), "pair_loss"));
  EXPECT_FALSE(contains(text("gcn"), "pairs of nodes"));
  std::map<std::string, json> listed;
  const json models = json::parse(place.run({"list", "models", "--json"}).out);
  for (const json& model : models["models"]) listed[model["name"]] = model;
  EXPECT_EQ(listed["vgae"]["unit"], "pair");
  EXPECT_FALSE(listed["gcn"].contains("unit"));
  const std::string list = place.run({"list", "models"}).out;
  EXPECT_TRUE(contains(list, "Katz index (of links)\n"));
  EXPECT_TRUE(contains(list, "GraphSAGE (mean)\n"));
}

TEST(Show, AModelOfFactsThatIsTrainedSaysSo) {
  const Workplace place;
  const auto card = [&](const char* name) {
    return json::parse(place.run({"show", name, "--json"}).out);
  };
  for (const char* name :
       {"tgn", "tgn-pyg", "tgat", "re-net", "re-net-pyg", "transe", "distmult", "complex"})
    EXPECT_EQ(card(name)["trained"], true) << name;
  for (const char* name : {"edge-bank", "recurrency", "popularity"})
    EXPECT_EQ(card(name)["trained"], false) << name;
}

// wiki-cs is both.
TEST(Show, ADataSetAndAProtocolOfOneNameAreBothShown) {
  const Workplace place;
  const Outcome card = place.run({"show", "wiki-cs"});
  EXPECT_TRUE(contains(card.out, "Data set      wiki-cs")) << card.out;
  EXPECT_TRUE(contains(card.out, "Protocol      wiki-cs")) << card.out;
  EXPECT_TRUE(contains(flat(card.out), "which tables use as well")) << card.out;
  const json both = json::parse(place.run({"show", "wiki-cs", "--json"}).out);
  EXPECT_EQ(both["kind"], "dataset");
  EXPECT_EQ(both["protocol"]["kind"], "protocol");
  EXPECT_TRUE(contains(flat(place.run({"show", "heterophily"}).out), "which no table uses") ||
              !contains(place.run({"show", "heterophily"}).out, "search"));
}

// The same run but for what it stops on: a card says which loss it shows.
TEST(Show, ARunsCardSaysWhetherItsLossHasThePenalty) {
  Workplace place;
  const auto card = [&](const std::string& stop_on, const std::string& l2, bool text = false) {
    place.write("p.toml",
                "[data]\ndatasets = ['csbm:nodes=300']\n"
                "[split]\ntrain = 5\nvalid = 10\ncount = 1\n[train]\nmax_epochs = 3\nstop_on = '" +
                    stop_on + "'\n[models.mlp]\nl2 = " + l2);
    std::filesystem::remove(place.path("p.sqlite"));
    const Outcome made = place.run({"run", "p.toml", "--no-report"});
    EXPECT_EQ(made.code, 0) << made.err;
    const json dump = json::parse(place.run({"show", "p.sqlite", "--json"}).out);
    const std::string id = dump.at("protocols").at(0).at("cells").at(0).at("runs").at(0).at("id");
    const Outcome shown = text ? place.run({"show", id, "--store", "p.sqlite"})
                               : place.run({"show", id, "--store", "p.sqlite", "--json"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    return text ? shown.out : json::parse(shown.out).at("valid_loss_has_penalty").dump();
  };
  EXPECT_EQ(card("valid-objective", "0.5"), "true");
  EXPECT_EQ(card("valid-score", "0.5"), "true");
  EXPECT_EQ(card("valid-loss", "0.5"), "false");
  EXPECT_EQ(card("valid-objective", "0.0"), "false");
  EXPECT_TRUE(contains(card("valid-objective", "0.5", true), " with the L2 penalty"));
  EXPECT_FALSE(contains(card("valid-loss", "0.5", true), " with the L2 penalty"));
}

TEST(Show, AFileAndItsGeneratorHaveTheSameContent) {
  const Workplace place;
  const std::string call = "csbm:classes=4,features=60,nodes=200,seed=3";
  const Outcome made = place.run({"generate", "csbm", "--set", "classes=4", "--set", "features=60",
                                  "--set", "nodes=200", "--seed", "3", "--out", "a.npz", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  const json file = json::parse(place.run({"show", "./a.npz", "--json"}).out);
  const json generated = json::parse(place.run({"show", call, "--json"}).out);
  EXPECT_EQ(file["found"]["content_hash"], generated["found"]["content_hash"]);
  EXPECT_EQ(file["found"]["content_hash"], json::parse(made.out)["content_hash"]);
  EXPECT_EQ(generated["name"], call);
  EXPECT_EQ(file["found"]["classes"].size(), 4u);
  EXPECT_EQ(place.files(), std::vector<std::string>{"a.npz"});
}

}  // namespace
}  // namespace cupel::test
