#include "cupel/lab/protocol/protocol.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "build_paths.h"
#include "cupel/base/error.h"
#include "cupel/learn/task_kind.h"
#include "error_of.h"
#include "lab/fake.h"
#include "learn/train/rule_values.h"

namespace cupel {
namespace {

std::string error_of(const std::string& text, const std::optional<std::string>& published = {}) {
  return cupel::error_of([&] { (void)parse_protocol("p", "p.toml", text, published); });
}

TEST(Protocol, OneTableNeedsNotBeSpeltOut) {
  const Protocol p = parse_protocol("small", "small.toml", made::kSmallProtocol);
  ASSERT_EQ(p.tables.size(), 1u);
  EXPECT_EQ(p.tables[0].datasets, (std::vector<std::string>{"one", "three"}));
  EXPECT_EQ(p.tables[0].models, (std::vector<std::string>{"gcn", "mlp", "fixed"}));  // file order
  EXPECT_EQ(p.tables[0].split.count, 4);
  EXPECT_EQ(p.tables[0].inits, 3);
  EXPECT_EQ(p.find_model("GCN")->settings.at("lr"), OptionValue(0.1));
  EXPECT_TRUE(p.tables[0].open_datasets);
}

// As a protocol file writes it.
std::string toml_text(const OptionValue& value) {
  return std::holds_alternative<std::string>(value) ? "'" + to_text(value) + "'" : to_text(value);
}

TEST(Protocol, ReadsEveryFieldOfTheRule) {
  const std::string text = "[data]\ndatasets = ['d']\n[models.a]\n";
  for (const RuleField& field : rule_fields()) {
    for (const OptionValue& value : made::other_values(field, {})) {
      const std::string line = std::string(field.name) + " = " + toml_text(value) + "\n";
      const Protocol whole = parse_protocol("p", "p.toml", text + "[train]\n" + line);
      EXPECT_EQ(field.value(whole.rule), value) << line;
      const Protocol row = parse_protocol("p", "p.toml", text + "[models.a.train]\n" + line);
      EXPECT_EQ(field.value(row.rule), field.value(TrainRule())) << line;
      TrainRule rule;
      double timeout = 7;
      row.models[0].train.apply(rule, timeout);
      EXPECT_EQ(field.value(rule), value) << line;
      EXPECT_EQ(timeout, 7) << line;
    }
  }
}

// docs/protocols.md has every key of [train], with every word it takes.
TEST(Protocol, EveryFieldOfTheRuleIsDocumented) {
  const std::filesystem::path source(CUPEL_SOURCE_DIR);
  std::ifstream file(source / "docs" / "protocols.md");
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  const auto begin = all.find("## `[train]`");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = all.substr(begin, all.find("\n## ", begin) - begin);
  for (const RuleField& field : rule_fields()) {
    EXPECT_NE(section.find("`" + std::string(field.name) + "`"), std::string::npos) << field.name;
    for (const std::string& word : field.words)
      EXPECT_NE(section.find("\"" + word + "\""), std::string::npos) << field.name << " " << word;
  }
}

// docs/protocols.md has every key of [[table]], as the complaint about an unknown one lists them.
TEST(Protocol, EveryKeyOfATableIsDocumented) {
  std::ifstream file(std::filesystem::path(CUPEL_SOURCE_DIR) / "docs" / "protocols.md");
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  const auto begin = all.find("## `[[table]]`");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = all.substr(begin, all.find("\n## ", begin) - begin);
  for (const TaskKind* kind : task_kinds()) {
    const std::string said = error_of("task = '" + kind->name +
                                      "'\n[data]\ndatasets = ['d']\n[models.a]\n[[table]]\n"
                                      "id = '1'\nxyzzy = 1");
    const std::string before = "unknown key 'xyzzy'; known here are: ";
    ASSERT_NE(said.find(before), std::string::npos) << said;
    std::istringstream keys(said.substr(said.find(before) + before.size()));
    int count = 0;
    for (std::string key; std::getline(keys >> std::ws, key, ','); ++count)
      EXPECT_NE(section.find("\n| `" + key + "` |"), std::string::npos) << kind->name << " " << key;
    EXPECT_EQ(count, kind->settings.empty() ? 13 : 14) << said;
  }
}

struct Case {
  const char* text;
  const char* message;  // must be contained
};

TEST(Protocol, MistakesNameTheLineAndTheWayOut) {
  const Case cases[] = {
      {"titel = 'x'\n[models.a]\n[data]\ndatasets=['d']",
       "p.toml:1: unknown key 'titel'; did you mean 'title'?"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[train]\npatiense = 3",
       "p.toml:5: [train]: unknown key 'patiense'; did you mean 'patience'?"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[train]\nbatch_size = 1",
       "p.toml:4: [train]: batch_size = 1: over one graph nothing can be normalised; take 2 or "
       "more, "
       "or 0 for all training graphs"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[train]\npatience = 'x'",
       "p.toml:5: [train]: 'patience' must be a whole number, not a text"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[train]\npatience = -1",
       "p.toml:5: [train]: 'patience' is -1, outside [0,"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[split]\nscheme = 'perclass'",
       "'scheme' cannot be 'perclass'; it is one of file, links, per-class"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[train]\nstop_on = 'loss'",
       "'stop_on' cannot be 'loss'; it is one of valid-objective, valid-loss, valid-score"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[[table]]\nid = '1'\nalso = ['f1']",
       "'also' cannot have 'f1'; runs keep accuracy, balanced-accuracy, macro-f1, roc-auc"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[[table]]\nid = '1'\nnode-classification = {}",
       "p.toml:6: [[table]]: unknown key 'node-classification'"},
      {"[node-classification]\n[data]\ndatasets = ['d']\n[models.a]",
       "p.toml:1: unknown key 'node-classification'"},
      {"task = 'events'\n[data]\ndatasets = ['d']\n[models.a]\n[[table]]\nid = '1'\n"
       "events = {setings = 'multi-step'}",
       "p.toml:7: [[table]] events"},
      {"metric = 'f1'\n[data]\ndatasets = ['d']\n[models.a]",
       "p.toml:1: no metric is called 'f1'; known are: accuracy, balanced-accuracy, macro-f1"},
      {"metric = 'acuracy'\n[data]\ndatasets = ['d']\n[models.a]",
       "p.toml:1: no metric is called 'acuracy' (did you mean 'accuracy'?); known are: "},
      {"delta = 9007199254740993\n[data]\ndatasets = ['d']\n[models.a]",
       "p.toml:1: 'delta' is 9007199254740992, outside [0, 100]"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[train]\ntimeout_seconds = 9223372036854775807",
       "p.toml:5: [train]: 'timeout_seconds' is 9.223372036854776e+18, outside [0, "},
      {"[data]\ndatasets = ['d']\n[models.a]\n[tune.random.a]\n"
       "lr = {uniform=[9007199254740993, 1]}",
       "the range of 'lr' is [9007199254740992, 1]; low must be below high"},
      {"delta = 0\n[data]\ndatasets = ['d']\n[models.a]",
       "p.toml:1: 'delta' is 0; it must be above 0"},
      {"metric_two_classes = 'hits@10'\n[data]\ndatasets = ['d']\n[models.a]",
       "p.toml:1: metric 'hits@10' is not one of classes; take one of: accuracy, "},
      {"[data\n", "p.toml:1: not valid TOML"},
      {"[data]\ndatasets = ['d']", "no model; write at least one [models.NAME]"},
      {"[models.a]", "no data sets; list them here or in [data]"},
      {"[data]\ndatasets = ['d', 'D']\n[models.a]", "'datasets' names 'D' twice"},
      {"[data]\ndatasets = ['d']\n[data.d]\nprepare = []\n[data.D]\nprepare = []\n[models.a]",
       "[data]: 'prepare' names 'd' twice"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[strata.s]\nrule = 'degree-below'\nvalue = 2\n"
       "[strata.S]\nrule = 'degree-below'\nvalue = 3",
       "p.toml:7: [strata]: a second group 'S'"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[tune.grid.a]\ndropout = [0.5, 0.5]",
       "p.toml:5: [tune.grid.a]: 'dropout' has the same value twice"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[tune]\ndatasets = ['d', 'D']\n[tune.grid.a]\n"
       "lr = [1]",
       "[tune]: 'datasets' names 'D' twice"},
      {"[data]\ndatasets = ['d']\n[models.gcn]\n[models.mlp]\n[[table]]\nid='1'\n[[table]]\n"
       "id='2'\nkind='ranks'\nsource='1'\nmodels=['gcn','GCN','mlp']",
       "[[table]]: 'models' names 'GCN' twice"},
      {"[data]\ndatasets = ['d', 'e']\n[models.gcn]\n[[table]]\nid='1'\n[[table]]\n"
       "id='2'\nkind='relative'\nsource='1'\ndatasets=['e', 'd', 'e']",
       "[[table]]: 'datasets' names 'e' twice"},
      {"[data]\ndatasets = ['cora']\n[data.coral]\nprepare = []\n[models.a]",
       "[data.coral] is no data set of this protocol; did you mean 'cora'?"},
      {"[data]\ndatasets = ['d']\n[models.gcn]\n[[table]]\nid = '1'\nmodels = ['gcm']",
       "no [models.gcm] in this file; did you mean 'gcn'?"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[[table]]\ntitle = 'x'", "'id' is missing"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[[table]]\nid='1'\n[[table]]\nid='1'",
       "a second table with the id '1'"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[[table]]\nid='1'\nkind='relative'",
       "'source' must be the id of a 'scores' table above this one"},
      {"[data]\ndatasets = ['d']\n[models.a]\nlr = [1]",
       "p.toml:4: [models.a]: 'lr' must be a number, a text, true or false, not a list"},
      {"[data]\ndatasets = ['d']\n[models.a]\nlr = nan", "'lr' is nan"},
      {"[data]\ndatasets = ['d']\n[models.a]\ncommand = []", "'command' is empty"},
      {"[data]\ndatasets = ['d']\n[models.a]\ncommand = ['x']\nworkers = true",
       "p.toml:5: [models.a]: 'workers' would be a setting that is handed to the program; did you "
       "mean 'worker'?"},
      {"[data]\ndatasets = ['d']\n[models.a]\ncommand = ['x']\ntimout_seconds = 5",
       "did you mean 'timeout_seconds'?"},
      {"[data]\ndatasets = ['d']\n[models.a]\ncommand = ['x']\nisolaton = 'required'",
       "did you mean 'isolation'?"},
      {"[data]\ndatasets = ['d']\n[models.a]\ncommand = ['x']\nmemory_md = 5",
       "did you mean 'memory_mb'?"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[split]\nscheme = 'planetoid'",
       "scheme 'planetoid' needs 'test'"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[tune]\nfirst_split = 99\n[tune.grid.a]\nlr=[1]",
       "splits 99 to 103 of the search are among those of table '1' (0 to 99)"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[[table]]\nid = '1'\n[[table]]\nid = 'long'\n"
       "split = {scheme = 'per-class', count = 300}\n[tune.grid.a]\nlr = [1]",
       "splits 100 to 104 of the search are among those of table 'long' (0 to 299); set "
       "'first_split' to 300 or more"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[tune.grid.a]\nlr = {uniform=[0.1, 1]}",
       "'lr' is a range; a grid needs a list of values"},
      {"[data]\ndatasets = ['d']\n[models.a]\n[tune.random.a]\nlr = {log=[0, 1]}",
       "low must be below high and above 0"},
      {"[data]\ndatasets = ['d']\n[models.a-b]\n[tune.grid.a-b]\nlr = [1]\n[tune.grid.A_B]\nlr=[2]",
       "is row 'a-b', which has a table here already"},
  };
  for (const Case& c : cases) {
    const std::string said = error_of(c.text);
    EXPECT_NE(said.find(c.message), std::string::npos) << c.text << "\n-> " << said;
  }
}

TEST(Protocol, MacroF1IsAMetricAndShownBesideOthers) {
  const Protocol p = parse_protocol("p", "p.toml",
                                    "metric = 'macro-f1'\n[data]\ndatasets = ['d']\n[models.a]\n"
                                    "[[table]]\nid = '1'\nalso = ['accuracy']\n[[table]]\n"
                                    "id = '2'\nalso = ['macro-f1']");
  EXPECT_EQ(p.metric, "macro-f1");
  EXPECT_EQ(p.tables[1].also, std::vector<std::string>{"macro-f1"});
}

TEST(Protocol, WhetherFactsAreTrueHasPrecisionAndRecallBeside) {
  const Protocol p = parse_protocol(
      "p", "p.toml",
      "task = 'events'\nmetric = 'average-precision'\n[events]\nquestion = 'whether'\n[data]\n"
      "datasets = ['d']\n[split]\nscheme = 'time'\n[models.edge-bank]\n[[table]]\nid = '1'\n"
      "also = ['precision', 'recall:by=valid', 'roc-auc']");
  EXPECT_EQ(p.tables[0].also,
            (std::vector<std::string>{"precision", "recall:by=valid", "roc-auc"}));
}

TEST(Protocol, StopsOnTheObjectiveUnlessToldOtherwise) {
  const auto stop_on = [](const std::string& train) {
    return parse_protocol("p", "p.toml", "[data]\ndatasets = ['d']\n[models.a]\n" + train)
        .rule.stop_on;
  };
  EXPECT_EQ(stop_on(""), "valid-objective");
  EXPECT_EQ(stop_on("[train]\nstop_on = 'valid-loss'"), "valid-loss");
  // Whoever published these stopped on TensorFlow's loss, the penalty included.
  EXPECT_EQ(load_protocol("pitfalls").rule.stop_on, "valid-objective");
  EXPECT_EQ(load_protocol("quickstart").rule.stop_on, "valid-objective");
}

TEST(Protocol, PublishedValuesMustFitTheTables) {
  const std::string protocol = "[data]\ndatasets=['cora']\n[models.gcn]\n[published]\nfile='p.csv'";
  const std::string head =
      "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n";
  const Protocol good = parse_protocol(
      "p", "p.toml", protocol, head + "1,CORA,GCN,accuracy,81.5,NA,sd_over_splits,2000,100\n");
  ASSERT_EQ(good.published.size(), 1u);
  EXPECT_EQ(good.published[0].dataset, "cora");  // in the protocol's spelling
  EXPECT_EQ(good.published[0].mean, 81.5);
  EXPECT_EQ(good.published[0].spread, std::nullopt);
  EXPECT_EQ(good.published[0].effective_n, 100);
  const std::string marked =
      "\xef\xbb\xbf" + head + "1,cora,gcn,accuracy,81.5,NA,sd_over_splits,2000,100\n";
  EXPECT_EQ(parse_protocol("p", "p.toml", protocol, marked).published.size(), 1u);
  const Protocol unsaid =
      parse_protocol("p", "p.toml", protocol, head + "1,cora,gcn,accuracy,100,100,NA,NA,NA\n");
  EXPECT_EQ(unsaid.published.at(0).mean, 100);
  EXPECT_EQ(unsaid.published[0].spread, 100);
  EXPECT_EQ(unsaid.published[0].spread_kind, "");
  EXPECT_EQ(unsaid.published[0].n_runs, "");
  const Case cases[] = {
      {"1,cora,gat,accuracy,1,1,sd_over_splits,1,1\n",
       "for model 'gat', which the table does not have"},
      {"1,kora,gcn,accuracy,1,1,sd_over_splits,1,1\n",
       "for data set 'kora', which the table does not have"},
      {"2,cora,gcn,accuracy,1,1,sd_over_splits,1,1\n",
       "for table '2', which the protocol does not have"},
      {"1,cora,gcn,accuracy,1.x,1,sd_over_splits,1,1\n", "p.csv:2: 'mean' is '1.x', not a number"},
      {"1,cora,gcn,accuracy,1,1,<b>,1,1\n",
       "p.csv:2: 'spread_kind' is '<b>', and must be one of: none, deterministic, "
       "sd_ddof1_pooled_runs"},
      {"", "p.csv: holds no published value"},
      {"1,cora,gcn,accurracy,1,1,sd_over_splits,1,1\n",
       "p.csv:2: no metric is called 'accurracy' (did you mean 'accuracy'?)"},
      {"1,all,gcn,relative_acuracy,1,1,sd_over_splits,1,1\n",
       "p.csv:2: no metric is called 'acuracy' (did you mean 'accuracy'?)"},
      {"1,cora,gcn,accuracy_on_copies,1,1,sd_over_splits,1,1\n",
       "for group of nodes 'copies', which the table does not have"},
      {"1,cora,gcn,accuracy,1,-1,sd_over_splits,1,1\n", "p.csv:2: 'spread' is -1; it is 0 or more"},
      {"1,cora,gcn,accuracy,815,1,sd_over_splits,1,1\n",
       "p.csv:2: 'mean' is 815; values of accuracy are from 0 to 100"},
      {"1,cora,gcn,accuracy,-0.1,1,sd_over_splits,1,1\n", "p.csv:2: 'mean' is -0.1; values of"},
      {"1,cora,gcn,accuracy,1,1e300,sd_over_splits,1,1\n",
       "p.csv:2: 'spread' is 1e+300; values of accuracy are from 0 to 100"},
      {"1,cora,gcn,rank,0.5,NA,none,1,1\n",
       "p.csv:2: 'mean' is 0.5; values of rank are from 1 to 1e+15"},
      {"1,cora,gcn,mean-rank,1e300,NA,none,1,1\n",
       "p.csv:2: 'mean' is 1e+300; values of mean-rank"},
      {"1,all,gcn,relative_accuracy,101,NA,none,1,1\n",
       "p.csv:2: 'mean' is 101; values of relative_accuracy are from 0 to 100"},
      {"1,cora,gcn,accuracy,1,1,sd_over_splits,1,0\n", "p.csv:2: 'effective_n' is 0; it counts"},
      {"1,cora,gcn,accuracy,1,1,sd_over_splits,1,-5\n", "p.csv:2: 'effective_n' is -5; it counts"},
      {"1,cora,gcn,accuracy,1,1,sd_over_splits,1,1\n1,Cora,GCN,accuracy,2,1,sd_over_splits,1,1\n",
       "a second published value of table '1' for 'cora', 'gcn' and 'accuracy'"},
      {"1,cora,gcn,accuracy,1\n", "p.csv:2: 5 fields instead of 9"},
  };
  for (const Case& c : cases) {
    const std::string said = error_of(protocol, head + c.text);
    EXPECT_NE(said.find(c.message), std::string::npos) << said;
  }
}

TEST(Protocol, PublishedValuesMayBeOfWhatDerivedTablesAndGroupsMeasure) {
  const Protocol p = parse_protocol(
      "p", "p.toml",
      "[data]\ndatasets=['cora']\n[models.gcn]\n[strata.copies]\nrule='degree-below'\nvalue=2\n"
      "[[table]]\nid='1'\n[[table]]\nid='2'\nstrata='copies'\n[published]\nfile='p.csv'",
      "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
      "1,cora,gcn,accuracy,1,0,sd_over_splits,1,1\n1,cora,gcn,roc-auc,1,0,sd_over_splits,1,1\n"
      "1,cora,gcn,rank,1,0,sd_over_splits,1,1\n1,all,gcn,average_rank,1,0,sd_over_splits,1,1\n"
      "1,all,gcn,relative_accuracy,1,0,sd_over_splits,1,1\n"
      "2,cora,gcn,accuracy_on_COPIES,1,0,sd_over_splits,1,1\n"
      "2,cora,gcn,accuracy_on_others,1,0,sd_over_splits,1,1\n");
  std::vector<std::string> words;
  for (const PublishedValue& value : p.published) words.push_back(value.measure.word());
  EXPECT_EQ(words, (std::vector<std::string>{"accuracy", "roc-auc", "rank", "average_rank",
                                             "relative_accuracy", "accuracy_on_copies",
                                             "accuracy_on_others"}));
}

TEST(Protocol, PublishedValuesMayHaveNotes) {
  const std::string protocol =
      "[data]\ndatasets=['a','b','c']\n[models.gcn]\n[published]\nfile='p.csv'";
  const std::string head =
      "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n,note\n";
  const auto value = [&](const std::string& note) {
    return head + "1,a,gcn,accuracy,81.5,NA,sd_over_splits,2000,100," + note + "\n";
  };
  const Protocol good = parse_protocol("p", "p.toml", protocol,
                                       value("\"of a \"\"baseline\"\", not of this\"") +
                                           "1,b,gcn,accuracy,1,1,sd_over_splits,1,1,\n1,c,gcn,"
                                           "accuracy,1,1,sd_over_splits,1,1,plain\n");
  ASSERT_EQ(good.published.size(), 3u);
  EXPECT_EQ(good.published[0].note, "of a \"baseline\", not of this");
  EXPECT_EQ(good.published[0].effective_n, 100);
  EXPECT_EQ(good.published[1].note, "");
  EXPECT_EQ(good.published[2].note, "plain");
  const std::string made =
      "[data]\ndatasets=['csbm:nodes=9,seed=1']\n[models.gcn]\n[published]\nfile='p.csv'";
  EXPECT_EQ(parse_protocol("p", "p.toml", made,
                           head.substr(0, head.size() - 6) +
                               "\n1,\"csbm:nodes=9,seed=1\",gcn,accuracy,1,1,sd_over_splits,1,1\n")
                .published[0]
                .dataset,
            "csbm:nodes=9,seed=1");
  const std::pair<std::string, std::string> cases[] = {
      {value("one, two"), "p.csv:2: 11 fields instead of 10"},
      {value("\"open"), "p.csv:2: field 10 does not end with its quote"},
      {value("\"shut\"too"), "p.csv:2: field 10 does not end with its quote"},
      {value("\""), "p.csv:2: field 10 does not end with its quote"},
      {head + "1,a,gcn,accuracy,81.5,NA,sd_over_splits,2000,100\n", "9 fields instead of 10"},
      {head.substr(0, head.size() - 6) + "\n1,a,gcn,accuracy,1,1,sd_over_splits,1,1,x\n",
       "10 fields instead of 9"},
  };
  for (const auto& [text, message] : cases) {
    const std::string said = error_of(protocol, text);
    EXPECT_NE(said.find(message), std::string::npos) << text << "\n-> " << said;
  }
}

TEST(Protocol, VersionIsWhatTheFileSays) {
  const auto version = [](const std::string& text) {
    return parse_protocol("p", "p.toml", text).version;
  };
  const std::string text = "[data]\ndatasets=['d']\n[models.a]\nlr = 0.1\n[train]\npatience = 10\n";
  EXPECT_EQ(version(text), version("# a comment\n" + text));
  EXPECT_EQ(version(text),
            version("[train]\npatience=10\n[data]\ndatasets = [ 'd' ]\n[models.a]\nlr=0.1"));
  EXPECT_NE(version(text), version(text + "inits = 2"));
}

// Names of settings that programs have, near a key whose values are others, or not that near.
TEST(Protocol, SettingsOfAProgramMayBeLikeKeys) {
  const Protocol protocol =
      parse_protocol("p", "p.toml",
                     "[data]\ndatasets = ['d']\n[models.a]\ncommand = ['x']\nworkers = 4\n"
                     "time_seconds = 2.5\nlimit_seconds = 3\nnetworks = 'two'\nmemory = 8\n");
  EXPECT_EQ(protocol.models.at(0).settings.size(), 5u);
}

TEST(Protocol, EveryProtocolOfTheProgramReads) {
  const std::vector<std::string> names = protocol_names();
  EXPECT_GE(names.size(), 2u);
  for (const std::string& name : names) {
    const Protocol p = load_protocol(name);
    EXPECT_FALSE(p.tables.empty()) << name;
    // The same by its path.
    const auto path = std::filesystem::path(CUPEL_SOURCE_DIR) / "protocols" / (name + ".toml");
    EXPECT_EQ(load_protocol(path.string()).version, p.version);
  }
  EXPECT_THROW(
      {
        try {
          (void)load_protocol("pitfals");
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find("did you mean 'pitfalls'"), std::string::npos);
          throw;
        }
      },
      Error);
}

TEST(Protocol, PitfallsIsThePaper) {
  const Protocol p = load_protocol("pitfalls");
  ASSERT_EQ(p.tables.size(), 4u);
  const TableSpec& one = *p.find_table("1");
  EXPECT_EQ(one.datasets.size(), 8u);
  EXPECT_EQ(one.models.size(), 12u);  // ten published methods, SGC and the majority class
  EXPECT_EQ(one.split.kind, "per-class");
  EXPECT_EQ(one.split.identity(), "per-class train=20 valid=30 seed=2018");
  EXPECT_EQ(one.split.count, 100);
  EXPECT_EQ(one.inits, 20);
  EXPECT_EQ(p.rule.patience, 50);
  EXPECT_TRUE(p.rule.ties_improve);
  EXPECT_EQ(p.find_table("2a")->source, "1");
  EXPECT_EQ(p.find_table("2b-planetoid")->split.kind, "stored");
  EXPECT_EQ(p.find_table("2b-another")->split.options().integer("test"), 1000);
  EXPECT_FALSE(p.find_table("2b-another")->open_datasets);
  EXPECT_EQ(p.preparation(one, "cora-full").size(), p.preparation(one, "cora").size() + 2);

  // Every cell of the paper's tables, the one that it prints as N/A included.
  int cells = 0;
  for (const PublishedValue& value : p.published) {
    if (value.table == "1") {
      ++cells;
      EXPECT_EQ(value.mean.has_value(),
                !(value.dataset == "amazon-computers" && value.model == "gs-maxpool"));
    }
  }
  EXPECT_EQ(cells, 80);
  EXPECT_EQ(p.published.size(), 80u + 20 + 24);
  // Table 4's weights of GCN on Cora (92 231) fix its hidden size: 1433 h + h + 7 h + 7.
  EXPECT_EQ(p.find_model("gcn")->settings.at("hidden"), OptionValue(std::int64_t{64}));
  EXPECT_EQ(1433 * 64 + 64 + 7 * 64 + 7, 92231);
  ASSERT_TRUE(p.tune.has_value());
  EXPECT_EQ(p.tune->first_split, 100);
  EXPECT_EQ(p.tune->grid.size(), p.tune->random.size());
}

}  // namespace
}  // namespace cupel
