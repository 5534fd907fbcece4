// Reports of the real program: formats, parts of them, figures, cards.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/run_place.h"

namespace cupel::test {
namespace {

using nlohmann::json;

TEST_F(RunTest, EveryFormatOfTheReport) {
  place_.run({"run", "small.toml", "--no-report"});
  for (const char* format : {"text", "markdown", "csv", "json", "latex", "html"}) {
    const Outcome to_output = place_.run({"report", "small.toml", "--format", format});
    ASSERT_EQ(to_output.code, 0) << to_output.err;
    EXPECT_TRUE(contains(to_output.out, "labelprop")) << format;
    const std::string name = std::string("report.") + format;
    const Outcome to_file =
        place_.run({"report", "small.sqlite", "--format", format, "--out", name});
    EXPECT_EQ(to_file.code, 0) << to_file.err;
    EXPECT_EQ(to_file.out, "");
    EXPECT_EQ(place_.read(name), to_output.out) << format;
  }
  // The file's name says what is meant.
  place_.run({"report", "small.sqlite", "--out", "table.md"});
  EXPECT_EQ(place_.read("table.md"), place_.read("report.markdown"));
  const std::string csv = place_.read("report.csv");
  EXPECT_EQ(
      csv.substr(0, csv.find('\n')),
      "protocol,table,dataset,model,metric,mean,sd,n,expected_n,published_mean,"
      "published_spread,spread_kind,gap,verdict,gap_low,gap_high,smallest_delta,detectable_gap,"
      "look,looks,p,p_corrected,seconds_per_run,memory_bytes");
}

TEST_F(RunTest, NoReportIsWrittenOverAStore) {
  place_.run({"run", "small.toml", "--no-report"});
  const std::string before = place_.read("small.sqlite");
  for (const char* format : {"csv", "html"}) {
    const Outcome outcome =
        place_.run({"report", "small.sqlite", "--format", format, "--out", "small.sqlite"});
    EXPECT_EQ(outcome.code, 2) << format;
    EXPECT_TRUE(contains(outcome.err, "small.sqlite: is a database")) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(place_.read("small.sqlite"), before);
    for (int i = 0; i < 2; ++i)  // over an earlier report
      EXPECT_EQ(place_.run({"report", "small.sqlite", "--format", format, "--out", "report"}).code,
                0);
  }
}

// As `cupel run` takes it, where a folder is called so.
TEST_F(RunTest, AFolderThatIsCalledLikeAProtocolIsNoStore) {
  ASSERT_EQ(place_.run({"run", "small.toml", "--store", "quickstart.sqlite", "--no-report"}).code,
            0);
  std::filesystem::create_directory(place_.path("quickstart"));
  const Outcome outcome = place_.run({"report", "quickstart"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "quickstart.sqlite")) << outcome.err;
  std::filesystem::create_directory(place_.path("other"));
  EXPECT_TRUE(contains(place_.run({"report", "other"}).err, "other: is a folder, not a store"));
}

TEST_F(RunTest, RunsAndFragmentsAreFormatsByOption) {
  place_.run({"run", "small.toml", "--no-report"});
  EXPECT_EQ(place_.run({"report", "small.toml", "--runs"}).out,
            place_.run({"report", "small.toml", "--format", "csv-runs"}).out);
  EXPECT_EQ(place_.run({"report", "small.toml", "--fragment"}).out,
            place_.run({"report", "small.toml", "--format", "latex-fragment"}).out);
  EXPECT_EQ(place_.run({"report", "small.toml", "--fragment", "--format", "csv"}).code, 2);
  EXPECT_EQ(place_.run({"report", "small.toml", "--fragment", "--runs"}).code, 2);
  for (const char* option : {"--runs", "--fragment"}) {
    const Outcome outcome = place_.run({"report", "small.toml", "--json", option});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, option) && contains(outcome.err, "not --json"))
        << outcome.err;
  }
}

TEST_F(RunTest, AReportOfAPartIsThatPart) {
  place_.run({"run", "small.toml", "--no-report"});
  const auto rows = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = {"report", "small.sqlite", "--format", "csv"};
    command.insert(command.end(), more.begin(), more.end());
    std::set<std::string> lines;
    std::istringstream in(place_.run(command).out);
    for (std::string line; std::getline(in, line);) lines.insert(line);
    return lines;
  };
  const std::set<std::string> all = rows({}), part = rows({"--models", "majority,labelprop"});
  EXPECT_EQ(all.size(), 1u + 3u);
  EXPECT_EQ(part.size(), 1u + 2u);
  EXPECT_TRUE(std::includes(all.begin(), all.end(), part.begin(), part.end()));
  const Outcome wrong = place_.run({"report", "small.sqlite", "--models", "gcn"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "no row 'gcn'; there are: mlp, labelprop, majority"))
      << wrong.err;
}

TEST_F(RunTest, FiguresAreWritten) {
  place_.run({"run", "small.toml", "--no-report"});
  const Outcome outcome = place_.run({"report", "small.toml", "--figures", "figures"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  int svg = 0, vega = 0;
  for (const auto& entry : std::filesystem::directory_iterator(place_.path("figures"))) {
    const std::string text = read_file(entry.path());
    if (entry.path().extension() == ".svg") {
      ++svg;
      EXPECT_EQ(text.substr(0, 4), "<svg");
    } else {
      ++vega;
      EXPECT_TRUE(json::accept(text)) << entry.path();
    }
  }
  EXPECT_GE(svg, 1);
  EXPECT_EQ(svg, vega);
}

TEST_F(RunTest, AReportThatCannotBeWrittenLeavesNoFile) {
  place_.run({"run", "small.toml", "--no-report"});
  std::filesystem::create_directory(place_.path("taken.md"));
  const auto before = place_.files();
  const Outcome outcome = place_.run({"report", "small.toml", "--out", "taken.md"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "taken.md"));
  EXPECT_EQ(place_.files(), before);
}

TEST_F(RunTest, AStoreAndItsRunsHaveCards) {
  place_.run({"run", "small.toml", "--no-report"});
  const json store = json::parse(place_.run({"show", "small.sqlite", "--json"}).out);
  EXPECT_EQ(store["runs"], kSmallRuns);
  std::set<std::string> ids;
  for (const json& cell : store["protocols"][0]["cells"]) {
    for (const json& run : cell["runs"]) ids.insert(run["id"].get<std::string>());
  }
  EXPECT_EQ(ids.size(), std::size_t{kSmallRuns});
  const std::string id = *ids.begin();
  const Outcome card = place_.run({"show", id.substr(0, 12), "--store", "small.sqlite", "--json"});
  ASSERT_EQ(card.code, 0) << card.err;
  const json run = json::parse(card.out);
  EXPECT_EQ(run["id"], id);
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(run["identity"]["family"]["metric"], "accuracy");
  EXPECT_TRUE(contains(place_.run({"show", id, "--store", "small.sqlite"}).out, id));
  EXPECT_EQ(place_.run({"show", "ffffffffffff", "--store", "small.sqlite"}).code, 2);
}

}  // namespace
}  // namespace cupel::test
