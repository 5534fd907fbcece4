// What users get wrong: exit code 2, one sentence on standard error, nothing on standard output,
// and no file left behind.
#include <algorithm>

#include "cli/program.h"

namespace cupel::test {
namespace {

struct Mistake {
  std::string label;
  std::vector<std::string> arguments;
  std::vector<std::string> says;  // parts of the sentence
  friend void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.label; }
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, GiveOneSentenceAndExitCodeTwo) {
  const Workplace place;
  place.write("small.toml", kSmallProtocol);
  place.write("text.sqlite", "this is no database, but long enough to be looked at as one: ......");
  place.write("broken.toml", "title = \"x\"\n[data\n");
  place.write("graphs.toml",
              "task = \"graph-classification\"\n"
              "data = { datasets = [\"syn-degree:graphs=200\"] }\n"
              "split = { scheme = \"stratified-kfold\" }\n"
              "[models.gcn]\n");
  place.write("unpathed.toml", "[data]\n[data.mine]\n[models.gcn]\n");
  place.write("pathed.toml",
              "[data]\ndatasets = [\"mine\"]\n[data.mine]\npath = \"no/such.npz\"\n[models.mlp]\n");
  place.write("cut.npz", "PK\3\4 and then nothing");
  const auto before = place.files();
  const Outcome outcome = place.run(GetParam().arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.substr(0, 7), "cupel: ");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const std::string& part : GetParam().says)
    EXPECT_TRUE(contains(outcome.err, part)) << "'" << part << "' is not in: " << outcome.err;
  EXPECT_EQ(place.files(), before);
}

INSTANTIATE_TEST_SUITE_P(
    All, Mistakes,
    testing::Values(
        Mistake{"FolderLikeAFile",
                {"generate", "rmat", "--set", "scale=4", "--out", "g.npz"},
                {"g.npz", "leave out .npz"}},
        Mistake{"Command", {"lits"}, {"'lits'", "did you mean 'list'?"}},
        Mistake{"Option", {"run", "small.toml", "--slits", "3"}, {"'--slits'", "'--splits'"}},
        Mistake{"OptionOfProgram", {"--verbose"}, {"--verbose"}},
        Mistake{"ExtraArgument", {"show", "gcn", "gat"}, {"'gat'", "too many"}},
        Mistake{"NoProtocol", {"run"}, {"PROTOCOL is required", "cupel run --help"}},
        Mistake{"ListWhat", {"list", "graphs"}, {"'graphs'", "datasets, models, protocols"}},
        Mistake{"Protocol", {"run", "pitfals"}, {"'pitfals'", "did you mean 'pitfalls'?"}},
        Mistake{"ProtocolFile", {"run", "./no.toml"}, {"./no.toml"}},
        Mistake{"ProtocolToml", {"run", "broken.toml"}, {"broken.toml:2"}},
        Mistake{"Model", {"run", "small.toml", "--models", "labelpop"}, {"labelpop", "labelprop"}},
        Mistake{"Table", {"run", "small.toml", "--tables", "7"}, {"'7'"}},
        Mistake{"Dataset", {"run", "small.toml", "--datasets", "coraa"}, {"'coraa'", "'cora'"}},
        Mistake{"DatasetAbsent", {"run", "quickstart"}, {"cora.npz", "cupel fetch cora"}},
        Mistake{"DatasetCut", {"run", "small.toml", "--datasets", "./cut.npz"}, {"cut.npz"}},
        Mistake{"DatasetPath", {"run", "small.toml", "--datasets", "./none.npz"}, {"./none.npz"}},
        Mistake{"Splits", {"run", "small.toml", "--splits", "many"}, {"--splits", "'many'"}},
        Mistake{"SplitsZero", {"run", "small.toml", "--splits", "0"}, {"--splits", "'0'"}},
        Mistake{"SplitsNegative", {"run", "small.toml", "--splits=-1"}, {"--splits", "'-1'"}},
        Mistake{"JobsHalf", {"run", "small.toml", "--jobs", "1.5"}, {"--jobs", "'1.5'"}},
        Mistake{"Shard", {"run", "small.toml", "--shard", "5/4"}, {"--shard", "'5/4'"}},
        Mistake{"ShardZero", {"run", "small.toml", "--shard", "0/4"}, {"--shard", "'0/4'"}},
        Mistake{"Memory", {"run", "small.toml", "--memory", "much"}, {"--memory", "'much'"}},
        Mistake{"Timeout", {"run", "small.toml", "--timeout", "-3"}, {"--timeout", "'-3'"}},
        Mistake{"DataFolder", {"run", "small.toml", "--data", "nowhere"}, {"--data", "'nowhere'"}},
        Mistake{"StoreForeign", {"run", "small.toml", "--store", "text.sqlite"}, {"text.sqlite"}},
        Mistake{"StoreFolder", {"run", "small.toml", "--store", "no/x.sqlite"}, {"no/x.sqlite"}},
        Mistake{"ReportNoStore", {"report", "none.sqlite"}, {"none.sqlite", "cupel run"}},
        Mistake{"ReportForeign", {"report", "text.sqlite"}, {"text.sqlite", "not a store"}},
        Mistake{"ReportNotRun", {"report", "small.toml"}, {"small.sqlite", "cupel run"}},
        Mistake{"ReportFormat", {"report", "x.sqlite", "--format", "pdf"}, {"pdf", "latex"}},
        Mistake{"ReportOutKind",
                {"report", "x.sqlite", "--out", "x.docx"},
                {"x.docx", "'.docx'", ".md", ".html", "--format"}},
        Mistake{"ReportTables", {"report", "none.sqlite", "--tables", "1"}, {"none.sqlite"}},
        Mistake{"HelpUnknown", {"help", "lits"}, {"'lits'", "did you mean 'list'?"}},
        Mistake{"HelpTooMuch", {"help", "run", "gcn"}, {"'gcn'", "cupel help COMMAND"}},
        Mistake{"ModelNoRow",
                {"run", "small.toml", "--models", "gcn"},
                {"no row 'gcn'", "[models.gcn]", "mlp, labelprop, majority"}},
        Mistake{"ShowSwapped", {"show", "gnc"}, {"'gnc'", "did you mean 'gcn'?"}},
        Mistake{"ListEmpty", {"run", "small.toml", "--models", ""}, {"is empty ('')"}},
        Mistake{"StoreEmpty",
                {"run", "small.toml", "--store", ""},
                {"--store", "is empty ('')", "give a value"}},
        Mistake{"ShardEmpty", {"run", "small.toml", "--shard", ""}, {"--shard", "is empty ('')"}},
        Mistake{"DataEmpty", {"stats", "csbm", "--data", ""}, {"--data", "is empty ('')"}},
        Mistake{"ShardsNoEngine",
                {"run", "small.toml", "--shards", "2"},
                {"--shards requires --engine", "cupel run --help"}},
        Mistake{"TargetNoEngine", {"run", "small.toml", "--target", "x"}, {"requires --engine"}},
        Mistake{"TimeNoEngine", {"run", "small.toml", "--time", "x"}, {"requires --engine"}},
        Mistake{"ParallelNoEngine",
                {"run", "small.toml", "--max-parallel", "3"},
                {"--max-parallel requires --engine"}},
        Mistake{"PartitionNoEngine",
                {"run", "small.toml", "--partition", "x"},
                {"--partition requires --engine"}},
        Mistake{"StatusStore",
                {"status", "p.plan", "--store", "s.sqlite"},
                {"--store requires --resubmit"}},
        Mistake{"StatusTime", {"status", "p.plan", "--time", "1"}, {"requires --resubmit"}},
        Mistake{"OutDash", {"generate", "csbm", "--out", "-"}, {"--out", "'-'", "is ./-"}},
        Mistake{"InDash", {"stats", "-"}, {"NAME", "'-'", "is ./-"}},
        Mistake{"EndedOptions", {"show", "--", "--json"}, {"'--json'"}},
        Mistake{"EndedOptionsTooMany", {"show", "--", "gcn", "gat"}, {"'gat'", "too many"}},
        Mistake{"ListOfCommas", {"run", "small.toml", "--datasets", ",,"}, {"is empty (',,')"}},
        Mistake{"ShowEmpty", {"show", ""}, {"''"}}, Mistake{"RunEmpty", {"run", ""}, {"''"}},
        Mistake{"ReportEmpty", {"report", ""}, {"''"}},
        Mistake{
            "DataNoPath", {"run", "unpathed.toml"}, {"unpathed.toml:2", "[data.mine]", "'path'"}},
        Mistake{"DataPath", {"run", "pathed.toml"}, {"no/such.npz"}},
        Mistake{"ReportOut", {"report", "x.sqlite", "--out", "no/such/a.md"}, {"no/such/a.md"}},
        Mistake{"ShowNothing", {"show", "gcnn"}, {"'gcnn'", "did you mean 'gcn'?"}},
        Mistake{"ShowRun", {"show", "0123456789abcdef"}, {"--store"}},
        Mistake{"ShowCut", {"show", "./cut.npz"}, {"cut.npz"}},
        Mistake{"FetchUnknown", {"fetch", "corra"}, {"'corra'", "'cora'"}},
        Mistake{"FetchOffline", {"fetch", "cora", "--offline"}, {"cora.npz", "offline"}},
        Mistake{"AuditDirectedOfGraphs",
                {"audit", "syn-degree:graphs=20", "--directed", "csbm:nodes=100"},
                {"set of 20 graphs", "--directed"}},
        Mistake{"AuditFixOfGraphs",
                {"audit", "syn-degree:graphs=20", "--fix=edge-weights", "--out", "copy"},
                {"'edge-weights' of a set of graphs", "duplicate-graphs"}},
        Mistake{"NodesOfGraphs",
                {"run", "small.toml", "--datasets", "syn-degree:graphs=20"},
                {"is a set of graphs", "about nodes"}},
        Mistake{"NodeModelOnGraphs",
                {"run", "graphs.toml", "--dry-run"},
                {"graphs.toml:4", "'gcn' classifies nodes", "a set of graphs"}},
        Mistake{"GenerateKind", {"generate", "sbm", "--out", "a.npz"}, {"'sbm'", "csbm"}},
        Mistake{"GenerateSetting",
                {"generate", "csbm", "--set", "node=3", "--out", "a.npz"},
                {"node", "nodes"}},
        Mistake{"GenerateSeed", {"generate", "csbm", "--seed", "x", "--out", "a.npz"}, {"seed"}},
        Mistake{"GenerateNoOut", {"generate", "csbm"}, {"--out is required"}},
        Mistake{"GenerateFolder", {"generate", "csbm", "--out", "no/a.npz"}, {"no/a.npz"}},
        Mistake{"MergeNone", {"merge", "all.sqlite", "none.sqlite"}, {"none.sqlite"}},
        Mistake{"MergeForeign", {"merge", "all.sqlite", "text.sqlite"}, {"text.sqlite"}},
        Mistake{"MergeItself", {"merge", "text.sqlite", "text.sqlite"}, {"text.sqlite"}}),
    [](const testing::TestParamInfo<Mistake>& info) { return info.param.label; });

TEST(Usage, HelpAndVersionAreResults) {
  const Workplace place;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{}, {"--help"}, {"run", "--help"}, {"-h"}}) {
    const Outcome help = place.run(arguments);
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(contains(help.out, "Usage: cupel")) << help.out;
    EXPECT_EQ(help.err, "");
  }
  EXPECT_TRUE(contains(place.run({"run", "--help"}).out, "--dry-run"));
  EXPECT_EQ(place.run({"--version"}).out, "cupel 0.1.0 (numerics 5)\n");
}

// CLI11 would take the next argument for the value, and the file would be called --json.
TEST(Usage, NothingBehindAnEqualsSignIsNoValue) {
  const Workplace place;
  const Outcome outcome = place.run({"generate", "csbm:nodes=100", "--out=", "--json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "'--out='")) << outcome.err;
  EXPECT_TRUE(place.files().empty());
}

TEST(Usage, TwoDashesEndOptionsAndADashHasAPath) {
  const Workplace place;
  const std::string card = place.run({"show", "gcn"}).out;
  EXPECT_EQ(place.run({"show", "--", "gcn"}).out, card);
  EXPECT_EQ(place.run({"show", "gcn", "--"}).out, card);
  EXPECT_EQ(place.run({"generate", "csbm:nodes=100", "--out", "./-"}).code, 0);
  EXPECT_EQ(place.files(), (std::vector<std::string>{"-"}));
}

TEST(Usage, FormatsThatOptionsStandForAreNotListed) {
  const Outcome outcome = Workplace().run({"report", "x.sqlite", "--format", "nope"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "csv, ")) << outcome.err;
  for (const char* name : {"csv-runs", "latex-fragment"})
    EXPECT_FALSE(contains(outcome.err, name)) << outcome.err;
}

TEST(Usage, HelpIsAWordToo) {
  const Workplace place;
  EXPECT_EQ(place.run({"help"}).out, place.run({"--help"}).out);
  EXPECT_EQ(place.run({"help", "--help"}).out, place.run({"--help"}).out);
  const Outcome run = place.run({"help", "run"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, place.run({"run", "--help"}).out);
  EXPECT_TRUE(contains(place.run({"help"}).out, " 130")) << "Ctrl-C has an exit code too";
  EXPECT_TRUE(contains(place.run({"help"}).out, "74 and 75")) << "and so have shards";
}

TEST(Usage, EveryCommandHasHelp) {
  const Workplace place;
  const std::string all = place.run({"--help"}).out;
  const std::filesystem::path source(CUPEL_SOURCE_DIR);
  int commands = 0;
  for (const auto& file : std::filesystem::directory_iterator(source / "src/cupel/cli/commands")) {
    std::string name = file.path().stem().string();
    std::replace(name.begin(), name.end(), '_', '-');
    ++commands;
    EXPECT_TRUE(contains(all, "\n  " + name + " ")) << name;
    const Outcome help = place.run({name, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(contains(help.out, "Usage: cupel " + name)) << help.out;
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
  EXPECT_GE(commands, 16);
}

// Topics in the order of a study; within one, by name.
TEST(Usage, HelpListsCommandsByTopic) {
  const Workplace place;
  const std::string help = place.run({"--help"}).out;
  std::size_t last = 0;
  for (const char* part :
       {"\nWhat there is:", "\n  list ", "\n  show ", "\nData sets:", "\n  audit ", "\n  fetch ",
        "\n  stats ", "\nRuns:", "\n  run ", "\nResults:", "\n  compare ", "\n  report ",
        "\nStores:", "\n  merge "}) {
    const std::size_t at = help.find(part);
    ASSERT_NE(at, std::string::npos) << part << help;
    EXPECT_GT(at, last) << part;
    last = at;
  }
}

TEST(Usage, AFullDeviceIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Workplace place;
  place.run({"list"});
  const std::string command =
      std::string(CUPEL_PROGRAM) + " list > /dev/full 2> '" + place.path("err").string() + "'";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_TRUE(contains(place.read("err"), "standard output cannot be written"));
}

}  // namespace
}  // namespace cupel::test
