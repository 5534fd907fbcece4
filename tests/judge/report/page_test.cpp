// The block of JSON in a page, and what no name may do to the page.
#include "cupel/judge/report/page/page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "cupel/base/embedded.h"
#include "cupel/base/visible.h"
#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"
#include "programs.h"

namespace cupel {
namespace {

using made::hostile_results;
using made::small_results;
using made::with_identities;
using nlohmann::json;

std::string page_of(const Results& results) { return render(results, find_format("html")); }

// The block, as a reader finds it who knows nothing of the rest.
json block_of(const std::string& page) {
  const std::string before = "id=\"data\">";
  const std::size_t from = page.find(before) + before.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Page, BlockHoldsTheCellsOfTheReport) {
  for (const Results& results : {with_identities(small_results()), made::released_results()}) {
    const Report report = make_report(results);
    const json block = block_of(page_of(results));
    const json& tables = block.at("protocols").at(0).at("tables");
    ASSERT_EQ(tables.size(), report.tables.size());
    for (std::size_t t = 0; t < report.tables.size(); ++t) {
      const ReportTable& table = report.tables[t];
      const json& cells = tables[t].at("cells");
      for (const auto& [name, list] : cells.items())
        EXPECT_EQ(list.size(), table.cells.size()) << name;
      for (std::size_t i = 0; i < table.cells.size(); ++i) {
        const Cell& cell = table.cells[i];
        EXPECT_EQ(cells["n"][i], cell.n);
        EXPECT_EQ(cells["asked"][i], cell.expected_n);
        EXPECT_EQ(cells["verdict"][i], static_cast<int>(cell.verdict));
        ASSERT_EQ(cells["mean"][i].is_null(), !cell.mean);
        if (cell.mean) {
          EXPECT_NEAR(cells["mean"][i].get<double>(), *cell.mean, 1e-3);
        }
        if (cells.contains("gap") && cell.gap) {
          EXPECT_NEAR(cells["gap"][i].get<double>(), *cell.gap, 1e-3);
        }
      }
    }
  }
}

// small_results(): on cora gcn is the best; mine has nine common splits, too few to be told.
TEST(Page, SaysWhatCannotBeToldFromTheBest) {
  const json table = block_of(page_of(small_results())).at("protocols")[0]["tables"][0];
  ASSERT_EQ(table["models"], (json{"gcn", "mlp", "mine"}));
  ASSERT_EQ(table["columns"][0]["dataset"], "cora");
  const json& standing = table["cells"]["standing"];
  EXPECT_EQ(standing[0], 2);           // gcn on cora
  EXPECT_EQ(standing[2], 0);           // mlp
  EXPECT_EQ(standing[4], 1);           // mine
  EXPECT_TRUE(standing[3].is_null());  // mlp on citeseer has no runs
  EXPECT_EQ(standing[5], 2);           // mine on citeseer
  EXPECT_EQ(standing[1], 0);           // gcn there
  EXPECT_EQ(table["cells"]["failed"][4], 3);
  EXPECT_EQ(table["cells"]["diverged"][0], 1);
}

TEST(Page, LinesOfCsvAreThoseOfTheFormat) {
  for (const Results& results :
       {small_results(), hostile_results(), made::released_results(), Results{}}) {
    const json csv = block_of(page_of(results)).at("protocols")[0]["csv"];
    std::string text = csv["header"];
    std::string line;
    for (std::size_t i = 0; i < csv["rests"].size(); ++i) {
      line =
          line.substr(0, csv["shared"][i].get<std::size_t>()) + csv["rests"][i].get<std::string>();
      text += line;
    }
    EXPECT_EQ(text, render(results, find_format("csv")));
  }
}

TEST(Page, HoldsWhatIsBehindACell) {
  const json block = block_of(page_of(with_identities(small_results())));
  const json table = block.at("protocols")[0]["tables"][0];
  const json& runs = table["runs"];
  EXPECT_EQ(runs["command"][0],
            "cupel run ./tiny.toml --tables 1 --datasets cora --models gcn --splits 12 --inits 1 "
            "--store again.sqlite");
  EXPECT_TRUE(runs["command"][3].is_null());
  // .81 .82 .80 .83, three times: quartiles by hand.
  EXPECT_EQ(runs["box"][0], (json{80, 80.75, 81.5, 82.25, 83}));
  EXPECT_EQ(runs["splitMeans"][0], (json{81, 82, 80, 83, 81, 82, 80, 83, 81, 82, 80, 83}));
  EXPECT_FALSE(runs.contains("scores"));  // one run a split: the means are the scores
  EXPECT_EQ(runs["splitPlaces"][4], (json{0, 1, 2, 4, 5, 6, 8, 9, 10}));
  EXPECT_TRUE(runs["splitPlaces"][0].is_null());
  EXPECT_EQ(runs["epochs"][0], (json{100, 102.75, 105.5, 108.25, 111}));
  EXPECT_EQ(runs["seconds"][0], 0.5);
  EXPECT_EQ(runs["total"][4], 24);
  EXPECT_EQ(runs["failures"][4][0][1], 3);
  // mlp is the cheapest, gcn as good as any at its price or better, mine dearer and no better.
  EXPECT_EQ(runs["pareto"][0], 1);
  EXPECT_EQ(runs["pareto"][2], 1);
  EXPECT_TRUE(runs["pareto"][4].is_null());
  std::map<std::string, json> identity;
  for (const json& part : runs["identities"][0][0][0]) {
    const json& named = block["identities"][part.get<std::size_t>()];
    identity[named[0]] = json::parse(named[1].get<std::string>());
  }
  EXPECT_EQ(identity["model"]["name"], "gcn");
  EXPECT_EQ(identity["split"], "per-class train=20");
  EXPECT_EQ(runs["identities"][0][0][2], 12);
  // What cells share is there once.
  EXPECT_EQ(block["identities"].size(), 1u + 1 + 2 + 3);  // metric, split, data sets, models
}

TEST(Page, ScoresOfManyRunsGiveWayToMeans) {
  Results results = small_results();
  CellResults& cell = results.tables[0].cells[0];
  for (int init = 1; init < 400; ++init)
    for (int split = 0; split < 12; ++split) cell.runs.push_back(made::run(split, init, 0.5));
  const std::vector<Results> all = {results};
  EXPECT_EQ(page::largest_listed(all), 4800);
  EXPECT_EQ(page::largest_listed(all, 4799), 12);
  EXPECT_EQ(page::largest_listed(all, 50), 12);
  EXPECT_EQ(page::largest_listed(all, 5), 0);
  page::Identities identities;
  const Report report = make_report(results);
  const auto with =
      page::runs_json(results, report.tables[0], &results.tables[0], identities, 4800);
  const auto without =
      page::runs_json(results, report.tables[0], &results.tables[0], identities, 12);
  EXPECT_EQ(with["scores"][0].size(), 12u);
  EXPECT_EQ(with["scores"][0][0].size(), 400u);
  EXPECT_EQ(with["scores"][0][0][0], 8100);
  EXPECT_FALSE(without.contains("scores"));
  EXPECT_EQ(without["splitMeans"][0].size(), 12u);
}

// Eight data sets, a hundred splits; scores that differ in every digit.
Results large_results(int models, int inits) {
  std::vector<CellResults> cells;
  std::mt19937 drawn(7);
  std::normal_distribution<double> noise(0, 0.02);
  for (int d = 0; d < 8; ++d) {
    for (int m = 0; m < models; ++m) {
      CellResults cell = made::cell("data" + std::to_string(d), "model" + std::to_string(m), {});
      for (int split = 0; split < 100; ++split)
        for (int init = 0; init < inits; ++init)
          cell.runs.push_back(made::run(split, init, 0.7 + m * 0.01 + noise(drawn)));
      cell.expected_n = std::int64_t{100} * inits;
      cells.push_back(std::move(cell));
    }
  }
  Results results;
  results.protocol = fmt::format("large-{}", inits);
  results.tables = {made::scores_table(std::move(cells))};
  for (const CellResults& cell : results.tables[0].cells)
    results.published.push_back(made::published("1", cell.dataset, cell.model, 71.25, 1.5));
  return with_identities(std::move(results));
}

TEST(Page, OfALargeProtocolIsBelowAMegabyte) {
  EXPECT_LT(page_of(large_results(13, 20)).size(), 450'000u);
}

TEST(Page, OfAStoreOfThreeProtocolsIsBelowAMegabyte) {
  std::vector<Results> protocols;
  for (const int inits : {1, 2, 20}) protocols.push_back(large_results(12, inits));
  const std::string page = render_page(protocols);
  EXPECT_LT(page.size(), 1'000'000u);
  const json shown = block_of(page)["protocols"];
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[1]["tables"][0]["runs"]["scores"][0].size(), 100u);
  // With as many scores as a page may hold it would be larger: means of splits do then.
  protocols.assign(3, protocols[1]);
  protocols.push_back(large_results(2, 1));
  for (CellResults& cell : protocols.back().tables[0].cells)
    cell.runs.push_back(made::run(0, 1, 0.7));
  EXPECT_EQ(page::largest_listed(protocols), 200);
  const std::string full = render_page(protocols);
  EXPECT_LT(full.size(), 1'000'000u);
  const json means = block_of(full)["protocols"];
  EXPECT_TRUE(means[0]["tables"][0]["runs"]["scores"][0].is_null());
  EXPECT_EQ(means[0]["tables"][0]["runs"]["splitMeans"][0].size(), 100u);
  EXPECT_EQ(means[3]["tables"][0]["runs"]["scores"][0].size(), 100u);  // of fewer runs
}

TEST(Page, OneProtocolAfterTheOther) {
  const std::vector<Results> both = {small_results(), made::released_results()};
  const json block = block_of(render_page(both));
  ASSERT_EQ(block["protocols"].size(), 2u);
  EXPECT_EQ(block["protocols"][1]["name"], "readings");
  EXPECT_EQ(block_of(render_page({}))["protocols"].size(), 0u);
  EXPECT_TRUE(render_page({}).starts_with(kStorePageBegin)) << "by which a site knows its pages";
}

TEST(Page, ShowsReadingsAsTheOtherFormatsDo) {
  const json tables = block_of(page_of(made::released_results()))["protocols"][0]["tables"];
  const std::string readings = tables[2].at("readings").dump();
  for (const char* part : {"as designed", "as released", "\"released\"", "mines, ROC AUC"})
    EXPECT_NE(readings.find(part), std::string::npos) << part;
  EXPECT_NE(tables[0].at("grids").dump().find("lr=0.2, l2=0 (1 of 2)"), std::string::npos);
  EXPECT_EQ(tables[0]["cells"]["choice"][2]["configurations"].size(), 2u);
}

TEST(Page, CardsSayWhatAuditsFound) {
  const Results results = with_identities(small_results());
  Finding finding;
  finding.id = "duplicate-nodes";
  finding.severity = Severity::kWarning;
  finding.title = "12 nodes <are> copies";
  const CardAudit audit{.content = "hash of cora",
                        .of_data = true,
                        .facts = {{"nodes", 2708}},
                        .findings = {finding},
                        .notes = {"a note"}};
  const json cards = block_of(render_page({&results, 1}, {&audit, 1}))["protocols"][0]["datasets"];
  ASSERT_EQ(cards.size(), 2u);
  EXPECT_EQ(cards[0]["name"], "cora");
  EXPECT_EQ(cards[0]["findings"][0]["title"], "12 nodes <are> copies");
  EXPECT_EQ(cards[0]["findings"][0]["severity"], "warning");
  EXPECT_EQ(cards[0]["facts"][0], (json{"nodes", 2708, 2485}));  // prepared: of the catalog
  EXPECT_EQ(cards[0]["origin"], "another content than the catalog knows");
  EXPECT_EQ(cards[0]["uses"][0]["preparation"], (json{"unweight"}));
  EXPECT_FALSE(cards[1].contains("findings"));
}

// A name is text in a string of JSON; nothing of it is in the page as such.
TEST(Page, NamesAreInert) {
  const std::string name = printable(made::hostile_name());
  const std::string page = page_of(with_identities(hostile_results()));
  const json table = block_of(page)["protocols"][0]["tables"][0];
  EXPECT_EQ(table["columns"][0]["dataset"], name);
  EXPECT_EQ(table["models"][2], name);
  EXPECT_EQ(name.find('\x1b'), std::string::npos);
  for (const char* markup :
       {"<i>", "<img", "window.hacked = 1</", "<!-- end", "</pre></noscript><"})
    EXPECT_EQ(page.find(markup), std::string::npos) << markup;
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 2u);
}

TEST(Page, ACommandIsOneWordForEachName) {
  CellResults cell = made::cell("it's; rm -rf $HOME `id`\n\x1b[31m", "--help", {0.5});
  Results shipped;
  shipped.protocol = "pitfalls";
  const std::string command = page::command_of(shipped, "1", cell);
  EXPECT_EQ(command,
            "cupel run pitfalls --tables 1 --datasets 'it'\\''s; rm -rf $HOME `id` \uFFFD[31m' "
            "--models=--help --splits 1 --inits 1 --store again.sqlite");
  // What the shell makes of it.
  FILE* pipe = popen(("printf '%s\\n' " + command).c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string words;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) words += static_cast<char>(c);
  pclose(pipe);
  EXPECT_NE(words.find("\nit's; rm -rf $HOME `id` \uFFFD[31m\n"), std::string::npos);
}

// What a path was given for is called like its file, which means nothing elsewhere.
TEST(Page, ACommandAsksForThePathThatNoStoreKeeps) {
  Results results = with_identities(small_results());
  results.protocol = "pitfalls";
  CellResults cell = results.tables[0].cells[0];
  EXPECT_NE(page::command_of(results, "1", cell).find(" --datasets " + cell.dataset),
            std::string::npos);
  const std::string hash = "hash of " + cell.dataset;
  cell.added = true;
  for (const char* name : {"cora", "mine", "csbm:what=1"}) {
    cell.dataset = name;
    EXPECT_EQ(page::content_by_path(cell), hash) << name;
    EXPECT_NE(page::command_of(results, "1", cell).find(" --datasets PATH --models"),
              std::string::npos);
  }
  cell.dataset = "csbm:nodes=100";
  EXPECT_EQ(page::content_by_path(cell), std::nullopt) << "a generator makes the same again";
  for (CellResults& one : results.tables[0].cells) one.added = true;
  EXPECT_EQ(block_of(page_of(results))["protocols"][0]["tables"][0]["runs"]["contentByPath"][0],
            hash);
}

// The runs say that their model is this function.
void make_function(CellResults& cell, const std::string& name) {
  for (PlacedRun& run : cell.runs) {
    json identity = json::parse(run.record.identity);
    identity["family"]["model"]["program"] = {{"function", name}, {"version", ""}};
    run.record.identity = identity.dump();
  }
}

// No command reaches a function of a program, nor the dict that a program has for a protocol.
TEST(Page, WhatIsInAProgramIsRepeatedByACall) {
  Results results = with_identities(small_results());
  std::vector<CellResults>& cells = results.tables[0].cells;
  make_function(cells[4], "outer.<locals>.ridge");
  EXPECT_EQ(page::command_of(results, "1", cells[4]),
            "cupel.run(\"./tiny.toml\", tables=[\"1\"], datasets=[\"cora\"], models=[FUNCTION], "
            "splits=12, inits=1, store=\"again.sqlite\")");
  const json block = block_of(page_of(results))["protocols"][0];
  EXPECT_EQ(block["ofProgram"], false);
  const json& runs = block["tables"][0]["runs"];
  EXPECT_EQ(runs["function"][4], "outer.<locals>.ridge");
  EXPECT_TRUE(runs["function"][0].is_null());
  EXPECT_TRUE(runs["command"][0].get<std::string>().starts_with("cupel run ./tiny.toml "));

  results.of_program = true;
  EXPECT_EQ(page::command_of(results, "1", cells[0]),
            "cupel.run(PROTOCOL, tables=[\"1\"], datasets=[\"cora\"], models=[\"gcn\"], splits=12, "
            "inits=1, name=\"tiny\", store=\"again.sqlite\")");
  cells[0].added = true;
  cells[0].dataset = "mine";
  cells[0].model = "a\"b\\\n";
  EXPECT_EQ(page::command_of(results, "1", cells[0]),
            "cupel.run(PROTOCOL, tables=[\"1\"], datasets=[PATH], models=[\"a\\\"b\\\\ \"], "
            "splits=12, inits=1, name=\"tiny\", store=\"again.sqlite\")");
  EXPECT_EQ(block_of(page_of(results))["protocols"][0]["ofProgram"], true);
}

// Exit status of a Python program that reads `text`.
int read_by_python(const std::string& program, const std::string& text) {
  FILE* pipe = popen(("python3 -c '" + program + "'").c_str(), "w");
  if (pipe == nullptr) return -1;
  std::fwrite(text.data(), 1, text.size(), pipe);
  return pclose(pipe);
}

// Well-formed, two scripts, nothing that is fetched, and the policy's hashes are those of the
// script and the style.
constexpr const char* kReadPage = R"(
import base64, hashlib, re, sys, xml.etree.ElementTree as tree
page = sys.stdin.buffer.read().decode()
root = tree.fromstring(page.split("<!DOCTYPE html>", 1)[1].strip())
names = [e.tag for e in root.iter()]
assert names.count("script") == 2 and names.count("style") == 1, names
assert not {"img", "i", "link", "iframe", "object", "a", "form"} & set(names), names
for e in root.iter():
    for attribute in e.attrib:
        assert attribute not in ("src", "href", "style") and not attribute.startswith("on"), attribute
policy = [e.get("content") for e in root.iter("meta") if e.get("http-equiv")][0]
assert "default-src \x27none\x27" in policy
for tag in ("style", "script"):
    text = re.findall("<%s>(.*?)</%s>" % (tag, tag), page, re.S)[-1]
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert tag + "-src \x27sha256-" + digest + "\x27" in policy, (tag, digest, policy)
)";

TEST(Page, IsWellFormedAndAloneAndItsPolicyHolds) {
  if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
  for (const Results& results :
       {with_identities(small_results()), hostile_results(), made::released_results(), Results{}})
    EXPECT_EQ(read_by_python(kReadPage, page_of(results)), 0);
}

// Nothing makes markup of text, runs text, or asks a network.
TEST(Page, ItsScriptHasNoWayToMakeMarkupOfNames) {
  std::size_t scripts = 0;
  for (const embedded::File& file : embedded::page()) {
    EXPECT_EQ(file.content.find("://"),
              file.content.find("://www.w3.org/2000/svg"))  // a name, never fetched
        << file.name;
    if (!file.name.ends_with(".js")) continue;
    ++scripts;
    for (const char* way :
         {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
          "fetch(", "XMLHttpRequest", "WebSocket", "import(", "importScripts", "sendBeacon",
          "setTimeout(\"", "localStorage", "document.cookie", ".srcdoc", "DOMParser"})
      EXPECT_EQ(file.content.find(way), std::string_view::npos) << file.name << " has " << way;
  }
  EXPECT_GT(scripts, 5u);
}

}  // namespace
}  // namespace cupel
