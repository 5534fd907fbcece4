// The page in a browser: what it draws, sorts, filters and saves. Chromium is started without
// window; where there is none these tests are skipped.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cupel/base/visible.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/judge/report/page/page.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::cell;
using made::hostile_results;
using made::released_results;
using made::scores_table;
using made::small_results;
using made::with_identities;
using nlohmann::json;

std::string output_of(const std::string& command) {
  std::string out;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
    pclose(pipe);
  }
  return out;
}

std::string browser() {
  std::string found = output_of("command -v chromium || command -v chromium-browser");
  return found.substr(0, found.find('\n'));
}

// The result that a script leaves comes as it is, but for what an attribute may not hold.
std::string unescaped(std::string text) {
  for (const auto& [entity, character] : {std::pair{"&quot;", "\""},
                                          {"&lt;", "<"},
                                          {"&gt;", ">"},
                                          {"&nbsp;", "\u00a0"},
                                          {"&amp;", "&"}}) {
    const std::string from = entity;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at)
      text.replace(at, from.size(), character);
  }
  return text;
}

class PageInBrowser : public ::testing::Test {
 protected:
  void SetUp() override {
    browser_ = browser();
    if (browser_.empty())
      GTEST_SKIP() << "chromium is not here to open the page; scripts/deps --browser installs it";
    folder_ = fs::path(::testing::TempDir()) / ("cupel-page-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  // Root may not use the sandbox, and containers may not offer one; the page is our own.
  std::string started() const {
    return "timeout 120 '" + browser_ + "' --headless --no-sandbox --disable-gpu " + flags_ +
           " --user-data-dir='" + (folder_ / "profile").string() + "' --window-size=" + window_ +
           " --virtual-time-budget=10000";
  }
  std::string address_of(const std::string& page, const std::string& address) const {
    const fs::path file = folder_ / "page.html";
    std::ofstream(file, std::ios::binary) << page;
    return "'file://" + file.string() + "#" + address + "'";
  }

  // What the browser has of the page once its script is done, and what it complains of.
  struct Opened {
    std::string dom, complaints;
  };
  Opened open(const std::string& page, const std::string& address) {
    const fs::path log = folder_ / "log";
    const std::string command = started() + " --enable-logging=stderr --log-level=0 --dump-dom " +
                                address_of(page, address) + " 2>'" + log.string() + "'";
    Opened out{output_of(command), {}};
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);)
      if (line.find("CONSOLE") != std::string::npos) out.complaints += line + "\n";
    EXPECT_FALSE(out.dom.empty()) << command;
    return out;
  }

  // The page as it is printed.
  std::string printed(const std::string& page, const std::string& address) {
    const fs::path file = folder_ / "page.pdf";
    const std::string command = started() + " --no-pdf-header-footer --print-to-pdf='" +
                                file.string() + "' " + address_of(page, address) + " 2>/dev/null";
    output_of(command);
    std::ifstream in(file, std::ios::binary);
    EXPECT_TRUE(in) << command;
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // What `script` returns when it is run in the page once that is drawn. The policy goes, as it
  // would keep our script from running too.
  json result_of(const Results& results, const std::string& script,
                 const std::string& address = "") {
    return result_in(render(results, find_format("html")), script, address);
  }
  json result_in(std::string page, const std::string& script, const std::string& address = "") {
    const std::size_t policy = page.find("<meta http-equiv");
    page.erase(policy, page.find("/>", policy) + 2 - policy);
    const std::string helpers = R"js(
      const all = (what) => [...document.querySelectorAll(what)];
      const one = (what) => document.querySelector(what);
      const texts = (what) => all(what).map((element) => element.textContent);
      const press = (key, on) => (on || document.activeElement || document.body).dispatchEvent(
        new KeyboardEvent("keydown", {key: key, bubbles: true, cancelable: true}));
      const type = (words) => { one("#search").value = words; one("#search").dispatchEvent(new Event("input")); };
      const choose = (label, value) => { const box = one(`select[aria-label="${label}"]`);
        box.value = value; box.dispatchEvent(new Event("change")); };
      const csv = async () => { let blob = null; URL.createObjectURL = (given) => { blob = given; return "#x"; };
        HTMLAnchorElement.prototype.click = () => {}; one("#csv").click(); return blob.text(); };
    )js";
    const std::string inserted =
        "<script>window.faults = []; window.onerror = (what) => { "
        "window.faults.push(String(what)); };"
        "document.addEventListener('DOMContentLoaded', () => setTimeout(async () => {" +
        helpers + "let result = null; try { result = await (async () => {" + script +
        "})(); } catch (error) { window.faults.push(String(error)); }"
        "document.documentElement.setAttribute('data-result', JSON.stringify({result: result, "
        "faults: window.faults}));}, 0));</script>";
    page.insert(page.find("<style>"), inserted);
    const std::string dom = open(page, address).dom;
    const std::string before = "data-result=\"";
    const std::size_t from = dom.find(before);
    if (from == std::string::npos) {
      ADD_FAILURE() << "the script left no result in " << dom.substr(0, 400);
      return {};
    }
    const std::size_t begin = from + before.size();
    const json out = json::parse(unescaped(dom.substr(begin, dom.find('"', begin) - begin)));
    EXPECT_EQ(out["faults"].dump(), "[]");
    return out["result"];
  }

  fs::path folder_;
  std::string browser_, window_ = "1300,1000", flags_;
};

TEST_F(PageInBrowser, DrawsUnderItsPolicyWithoutComplaint) {
  const Opened opened =
      open(render(with_identities(small_results()), find_format("html")), "cell=0.0&verdict=any");
  EXPECT_EQ(opened.complaints, "");
  for (const char* part : {"81.5 ± 1.3", "68.0 ± 0.5", "9 of 12", "3 failed", "1 diverged", "<svg",
                           "different, ours higher", "Split by split", "To repeat it"})
    EXPECT_NE(opened.dom.find(part, opened.dom.find("<header>")), std::string::npos) << part;
}

TEST_F(PageInBrowser, SavesWhatTheFormatCsvPrints) {
  for (const Results& results : {small_results(), hostile_results(), released_results()}) {
    const json saved = result_of(results, "return csv();");
    EXPECT_EQ(saved.get<std::string>(), render(results, find_format("csv")));
  }
  // Of what the filters leave, the same lines.
  const json some = result_of(small_results(), R"js(type("gcn CORA"); return csv();)js");
  const std::string whole = render(small_results(), find_format("csv"));
  const std::size_t first = whole.find('\n') + 1;
  EXPECT_EQ(some.get<std::string>(),
            whole.substr(0, first) + whole.substr(first, whole.find('\n', first) + 1 - first));
}

TEST_F(PageInBrowser, SortsAndFilters) {
  const json seen = result_of(small_results(), R"js(
    const rows = () => [...one("table.grid").querySelectorAll("tbody th")].map((th) => th.firstChild.textContent);
    const seen = {asGiven: rows()};
    const click = () => one('[data-sort="0:0"]').click();
    click(); seen.best = rows(); seen.aria = one("th[aria-sort]").getAttribute("aria-sort");
    click(); seen.worst = rows();
    click(); seen.again = rows();
    choose("verdict", "trouble"); seen.trouble = rows();
    choose("verdict", "best"); seen.top = texts("section:first-child td.cell .ours").length;
    choose("verdict", "any");
    type("nothing has this name"); seen.none = all("table").length;
    type("mlp"); seen.mlp = rows(); seen.columns = all("section:first-child thead th").length;
    type("");
    choose("shown as", "list"); seen.list = all("section:first-child tbody tr").length;
    one('[data-sort="0:gap"]').click();
    seen.gaps = texts("section:first-child tbody tr td:nth-child(7)");
  return seen;)js");
  EXPECT_EQ(seen["asGiven"], (json{"gcn", "mlp", "mine"}));
  EXPECT_EQ(seen["best"], (json{"gcn", "mine", "mlp"}));
  EXPECT_EQ(seen["aria"], "descending");
  EXPECT_EQ(seen["worst"], (json{"mlp", "mine", "gcn"}));
  EXPECT_EQ(seen["again"], seen["asGiven"]);
  EXPECT_EQ(seen["trouble"], (json{"gcn", "mine"}));
  EXPECT_EQ(seen["top"], 3);  // gcn and mine on cora, mine on citeseer
  EXPECT_EQ(seen["none"], 0);
  EXPECT_EQ(seen["mlp"], (json{"mlp"}));
  EXPECT_EQ(seen["columns"], 3);
  EXPECT_EQ(seen["list"], 5);
  // By gap, the largest first; cells without one last.
  const json& gaps = seen["gaps"];
  ASSERT_EQ(gaps.size(), 5u);
  EXPECT_TRUE(gaps[0].get<std::string>().starts_with("+3.00")) << gaps;
  EXPECT_EQ(gaps[4], "");
}

// In the words of those who hear the page as in the arrow: names go up first, and so does what is
// better where it is smaller.
TEST_F(PageInBrowser, SaysWhichWayItIsSorted) {
  constexpr const char* kSort = R"js(
    const seen = {};
    const click = (key) => { one(`[data-sort="0:${key}"]`).click();
      const heads = all("section:first-child th[aria-sort]");
      return heads.map((th) => th.getAttribute("aria-sort") + th.querySelector(".arrow").textContent); };
    seen.model = [click("model"), click("model"), click("model")];
    seen.mean = [click("0"), click("0")];
    choose("shown as", "list");
    seen.dataset = [click("dataset"), click("dataset")];
    seen.runs = [click("n"), click("n")];
    return seen;)js";
  const json up = {"ascending▴"}, down = {"descending▾"};
  const json seen = result_of(small_results(), kSort);
  EXPECT_EQ(seen["model"], (json{up, down, json::array()}));
  EXPECT_EQ(seen["mean"], (json{down, up}));
  EXPECT_EQ(seen["dataset"], (json{up, down}));
  EXPECT_EQ(seen["runs"], (json{down, up}));
  Results ranks = small_results();
  for (CellResults& one : ranks.tables[0].cells) {
    one.measure = {"mean-rank"};
    for (PlacedRun& run : one.runs)
      if (run.record.test_score) run.record.test_score = 1 + *run.record.test_score;
  }
  EXPECT_EQ(result_of(ranks, kSort)["mean"], (json{up, down}));
}

TEST_F(PageInBrowser, AnAddressMaySayAnything) {
  constexpr const char* kSeen = R"js(
    return {rows: all("section:first-child tbody tr").length, search: one("#search").value,
      chosen: all("select").map((box) => box.selectedIndex)};)js";
  const json plain = result_of(small_results(), kSeen);
  EXPECT_EQ(plain["rows"], 3);
  for (const char* address :
       {"verdict=zz", "search=%FF", "layout=zzz", "view=zz&protocol=7&table=9", "sort=0:zz"})
    EXPECT_EQ(result_of(small_results(), kSeen, address), plain) << address;
  EXPECT_EQ(result_of(small_results(), kSeen, "search=%EF%BF%BD")["search"], "\ufffd");
}

TEST_F(PageInBrowser, AnswersToKeys) {
  const json seen = result_of(with_identities(small_results()), R"js(
    const seen = {};
    press("/", document.body); seen.search = document.activeElement.id;
    press("Escape"); seen.left = document.activeElement.id;
    one("[data-cell]").focus();
    press("ArrowRight"); press("ArrowDown"); press("ArrowDown"); press("ArrowLeft"); press("ArrowUp");
    seen.at = document.activeElement.getAttribute("data-cell");
    press("ArrowLeft"); seen.edge = document.activeElement.getAttribute("data-cell");
    press("Enter"); seen.panel = one(".panel h2").textContent;
    seen.focus = document.activeElement.className;
    press("Escape"); seen.closed = one(".panel") === null;
    seen.back = document.activeElement.getAttribute("data-cell");
    press("2", document.body); seen.view = one("[aria-current]").textContent;
    seen.address = location.hash;
    return seen;)js");
  EXPECT_EQ(seen["search"], "search");
  EXPECT_EQ(seen["left"], "");
  EXPECT_EQ(seen["at"], "0.2");  // cells go row by row; two columns
  EXPECT_EQ(seen["edge"], "0.2");
  EXPECT_EQ(seen["panel"], "mlp on cora");
  EXPECT_EQ(seen["focus"], "panel");
  EXPECT_EQ(seen["closed"], true);
  EXPECT_EQ(seen["back"], "0.2");
  EXPECT_EQ(seen["view"], "Against each other");
  EXPECT_EQ(seen["address"], "#view=against");
}

TEST_F(PageInBrowser, ShowsWhatIsBehindACell) {
  const json seen = result_of(with_identities(small_results()), R"js(
    return {text: one(".panel").innerText, command: one("pre.command").textContent,
      dots: all(".panel circle").length, failures: texts(".failures li"), bold: all(".panel b").length};)js",
                              "cell=0.4&other=0");
  EXPECT_EQ(seen["dots"], 9);  // common splits
  EXPECT_EQ(seen["failures"], (json{"3 × failed: ended with <b>status 1</b>"}));
  EXPECT_EQ(seen["bold"], 0);
  EXPECT_NE(seen["command"].get<std::string>().find("--models mine"), std::string::npos);
  for (const char* part : {"9 of 12", "cannot be told from the best", "median 10", "model.name",
                           "cannot tell, as below 10 draws nothing is concluded"})
    EXPECT_NE(seen["text"].get<std::string>().find(part), std::string::npos) << part;
}

// Nothing published and nothing missing: there is nothing to say of how it was judged.
TEST_F(PageInBrowser, AHeadingHasSomethingBelow) {
  Results results;
  results.tables.push_back(scores_table({cell("cora", "gcn", std::vector<double>(12, 0.8)),
                                         cell("cora", "mlp", std::vector<double>(12, 0.7))}));
  const json children =
      result_of(results, R"js(return all("details.notes").map((one) => one.children.length);)js");
  for (const json& count : children) EXPECT_GT(count, 1);
}

TEST_F(PageInBrowser, NamesOfModelsAreWholeOnATelephone) {
  window_ = "420,900";
  std::vector<CellResults> cells;
  for (const char* dataset : {"csbm:nodes=200,classes=3,seed=1", "csbm:nodes=150,classes=2,seed=2"})
    cells.push_back(cell(dataset, "majority", std::vector<double>(12, 0.8)));
  Results results;
  results.tables.push_back(scores_table(cells));
  const json lines = result_of(results, R"js(
    const range = document.createRange();
    range.selectNodeContents(one('.grid th[scope="row"]').firstChild);
    return range.getClientRects().length;)js");
  EXPECT_EQ(lines, 1);
}

TEST_F(PageInBrowser, ComparesAsTheReportDoes) {
  const json seen = result_of(with_identities(small_results()), R"js(
    choose("compared on", "0");
    return {cells: texts(".matrix tbody td"), shaded: all(".matrix .ahead").length,
      options: texts('select[aria-label="compared on"] option')};)js",
                              "view=against");
  EXPECT_EQ(seen["options"], (json{"all 2 data sets", "cora", "citeseer"}));
  // gcn, mine, mlp: across_test.cpp has the p of the pairs.
  ASSERT_EQ(seen["cells"].size(), 9u);
  EXPECT_EQ(seen["cells"][1],
            "−0.33"
            "0/6/3"
            "p 0.250");
  EXPECT_EQ(seen["cells"][2],
            "+23.00"
            "12/0/0"
            "p 0.001");
  EXPECT_EQ(seen["cells"][6],
            "−23.00"
            "0/0/12"
            "p 0.001");
  EXPECT_EQ(seen["shaded"], 2);
}

// small_results() with times: on cora mlp takes 0.25 s, gcn 0.5 s and mine 2 s; gcn is the best.
TEST_F(PageInBrowser, DrawsTheCostPlaneAndItsParetoLine) {
  const json seen = result_of(with_identities(small_results()), R"js(
    const place = (dot) => ["cx", "cy"].map((name) => Number(dot.getAttribute(name)));
    const planes = all(".planes figure").map((figure) => ({
      caption: figure.querySelector("figcaption").textContent,
      dots: Object.fromEntries([...figure.querySelectorAll("circle")].map((dot) =>
        [dot.querySelector("title").textContent.split(" on ")[0], place(dot)])),
      best: [...figure.querySelectorAll("circle.best title")].map((title) => title.textContent.split(" on ")[0]),
      line: [...figure.querySelectorAll("path.front")].map((path) => path.getAttribute("d")),
      colour: [...figure.querySelectorAll("path.front")].map((path) => getComputedStyle(path).fill),
      words: [...figure.querySelectorAll("text.axis")].map((text) => text.textContent),
      names: [...figure.querySelectorAll("text.name")].map((text) => text.textContent)}));
    one('.planes circle[data-cell="0.0"]').dispatchEvent(new MouseEvent("click", {bubbles: true}));
    return {planes, panel: one(".panel h2").textContent};)js",
                              "view=cost");
  ASSERT_EQ(seen["planes"].size(), 2u);
  const json& cora = seen["planes"][0];
  EXPECT_EQ(cora["caption"], "cora");
  EXPECT_EQ(cora["words"], (json{"core-seconds a run, logarithmic", "accuracy in percent"}));
  EXPECT_EQ(cora["names"], (json{"gcn", "mlp", "mine"}));
  EXPECT_EQ(cora["best"], (json{"gcn", "mlp"}));
  const auto at = [&](const char* model, int axis) {
    return cora["dots"][model][static_cast<std::size_t>(axis)].get<double>();
  };
  // Cost to the right on a logarithmic axis: twice as dear is one step, four times are two.
  EXPECT_GT(at("gcn", 0), at("mlp", 0));
  EXPECT_NEAR(at("mine", 0) - at("gcn", 0), 2 * (at("gcn", 0) - at("mlp", 0)), 1e-6);
  // Scores go up: means 81.50, 81.33 and 58.50.
  EXPECT_LT(at("gcn", 1), at("mine", 1));
  EXPECT_LT(at("mine", 1), at("mlp", 1));
  // From the cheapest to the best by one step, and past what is dearer and no better.
  ASSERT_EQ(cora["line"].size(), 1u);
  double x = 0, y = 0, to_x = 0, to_y = 0;
  ASSERT_EQ(std::sscanf(cora["line"][0].get<std::string>().c_str(), "M%lf,%lf H%lf V%lf", &x, &y,
                        &to_x, &to_y),
            4);
  for (const auto& [drawn, expected] :
       {std::pair(x, at("mlp", 0)), {y, at("mlp", 1)}, {to_x, at("gcn", 0)}, {to_y, at("gcn", 1)}})
    EXPECT_NEAR(drawn, expected, 1e-6);
  EXPECT_EQ(cora["line"][0].get<std::string>().find('H', 1),
            cora["line"][0].get<std::string>().rfind('H'));
  EXPECT_EQ(cora["colour"][0], "none");  // a line, no area
  // On citeseer mlp has no runs, and mine is both dearer and better.
  EXPECT_EQ(seen["planes"][1]["best"], (json{"gcn", "mine"}));
  EXPECT_EQ(seen["panel"], "gcn on cora");
}

// On six data sets gcn is always the first, mlp four times the second and mine twice.
TEST_F(PageInBrowser, DrawsMeanRanksWithTheirCaveat) {
  std::vector<CellResults> cells;
  for (int d = 0; d < 6; ++d) {
    const std::string data = "data" + std::to_string(d);
    cells.push_back(cell(data, "gcn", made::thrice({0.81, 0.82, 0.80, 0.83})));
    cells.push_back(cell(data, "mlp", made::thrice({0.61, 0.62, 0.60, 0.63})));
    const double mine = d < 4 ? 0.5 : 0.7;
    cells.push_back(cell(data, "mine", std::vector<double>(12, mine)));
  }
  Results results;
  results.tables = {scores_table(std::move(cells))};
  const json seen = result_of(results, R"js(
    const ends = (line) => ["x1", "x2"].map((name) => Number(line.getAttribute(name)));
    return {axis: ends(one("svg.ranks .axisline")), ticks: texts("svg.ranks g .tick"),
      critical: ends(one("svg.ranks .critical")), words: texts("svg.ranks > .tick"),
      names: texts("svg.ranks .name"),
      leads: all("svg.ranks .lead").map((path) => Number(/^M([\d.]+),/.exec(path.getAttribute("d"))[1])),
      joins: all("svg.ranks .join").map(ends), text: one("main").textContent,
      caveat: texts(".caveat"), shown: all(".caveat").map((part) => part.getClientRects().length),
      below: one(".caveat").compareDocumentPosition(one("svg.ranks")) & Node.DOCUMENT_POSITION_PRECEDING};)js",
                              "view=against");
  // By hand. Nemenyi's critical difference: q = 2.343 of three models (Demsar 2006, Table 5), times
  // the root of 3 * 4 / (6 * 6).
  const double ranks[] = {1.0, 14.0 / 6, 16.0 / 6}, critical = 2.343 * std::sqrt(12.0 / 36);
  EXPECT_EQ(seen["names"], (json{"gcn 1.00", "mlp 2.33", "mine 2.67"}));
  EXPECT_EQ(seen["ticks"], (json{"1", "2", "3"}));
  EXPECT_EQ(seen["words"], (json{"critical difference 1.35"}));
  const double left = seen["axis"][0], a_rank = (seen["axis"][1].get<double>() - left) / 2;
  ASSERT_GT(a_rank, 0);
  const auto rank_at = [&](const json& x) { return 1 + (x.get<double>() - left) / a_rank; };
  ASSERT_EQ(seen["leads"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rank_at(seen["leads"][i]), ranks[i], 1e-3);
  EXPECT_NEAR(rank_at(seen["critical"][1]) - rank_at(seen["critical"][0]), critical, 2e-3);
  // 1.33 and 0.33 are within it, 1.67 is not: two bars, a little longer than what they join.
  ASSERT_EQ(seen["joins"].size(), 2u);
  const double over = 4 / a_rank + 1e-3;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(rank_at(seen["joins"][i][0]), ranks[i], over);
    EXPECT_NEAR(rank_at(seen["joins"][i][1]), ranks[i + 1], over);
  }
  EXPECT_NE(seen["text"].get<std::string>().find("Friedman"), std::string::npos) << seen["text"];
  ASSERT_EQ(seen["caveat"].size(), 1u);
  for (const char* part : {"read with care", "depend on which others are in the table",
                           "Benavoli, Corani and Mangili", "a bar shows no equality"})
    EXPECT_NE(seen["caveat"][0].get<std::string>().find(part), std::string::npos) << part;
  EXPECT_GT(seen["shown"][0], 0);
  EXPECT_NE(seen["below"], 0) << "the caveat stands below the diagram";
}

CardAudit audit_of(const std::string& dataset, std::vector<Finding> findings) {
  CardAudit out;
  out.content = "hash of " + dataset;
  out.of_data = true;
  out.findings = std::move(findings);
  return out;
}

TEST_F(PageInBrowser, CardsShowWhatAuditsFound) {
  std::vector<CellResults> cells;
  for (const char* dataset : {"cora", "citeseer", "mine"})
    cells.push_back(cell(dataset, "gcn", made::thrice({0.81, 0.82, 0.80, 0.83})));
  Results results;
  results.tables = {scores_table(std::move(cells))};
  results = with_identities(std::move(results));
  Finding bad, odd;
  bad.severity = Severity::kError;
  bad.title = "<b>column 7</b>";
  bad.evidence = "of 2,708 nodes 2,700";
  bad.advice = "drop the column";
  odd.severity = Severity::kWarning;
  odd.title = "12 are copies";
  std::vector<CardAudit> audits = {audit_of("cora", {bad, odd}), audit_of("citeseer", {})};
  audits[0].facts = {{"nodes", 2708}, {"edges", 5278}};
  audits[0].notes = {"a note of the audit"};
  const json seen = result_in(render_page({&results, 1}, audits), R"js(
    const cards = all("article.card").map((card) => ({
      title: card.querySelector("h3").textContent, text: card.textContent,
      findings: [...card.querySelectorAll(".finding")].map((finding) => ({
        kind: finding.className, severity: finding.querySelector(".severity").textContent,
        title: finding.querySelector("summary").lastChild.textContent,
        evidence: finding.querySelector("p").textContent,
        advice: [...finding.querySelectorAll("p.soft")].map((part) => part.textContent),
        hidden: !finding.querySelector("p").checkVisibility()})),
      facts: [...card.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent))}));
    one(".finding summary").click();
    const opened = one(".finding p").checkVisibility();
    const bold = all("article b").length;
    type("CITES");
    return {cards, opened, bold, found: texts("article.card h3")};)js",
                              "view=datasets");
  ASSERT_EQ(seen["cards"].size(), 3u);
  const json& cora = seen["cards"][0];
  EXPECT_EQ(cora["title"], find_recipe("cora")->title);
  ASSERT_EQ(cora["findings"].size(), 2u);
  EXPECT_EQ(cora["findings"][0], (json{{"kind", "finding error"},
                                       {"severity", "error"},
                                       {"title", "<b>column 7</b>"},
                                       {"evidence", "of 2,708 nodes 2,700"},
                                       {"advice", {"drop the column"}},
                                       {"hidden", true}}));
  EXPECT_EQ(cora["findings"][1]["kind"], "finding warning");
  EXPECT_EQ(cora["facts"][0], (json{"nodes", "2\u2009708", "2\u2009485"}));  // prepared: catalog
  for (const char* part : {"a note of the audit", "another content than the catalog knows"})
    EXPECT_NE(cora["text"].get<std::string>().find(part), std::string::npos) << part;
  const auto says = [&](std::size_t card, const char* words) {
    return seen["cards"][card]["text"].get<std::string>().find(words) != std::string::npos;
  };
  EXPECT_FALSE(says(0, "The audit found nothing."));
  EXPECT_TRUE(says(1, "The audit found nothing."));
  EXPECT_TRUE(says(2, "were not audited"));
  EXPECT_TRUE(says(2, "cupel audit mine"));
  EXPECT_EQ(seen["opened"], true);
  EXPECT_EQ(seen["bold"], 0);
  EXPECT_EQ(seen["found"].size(), 1u);
}

// How far two colours are apart ("rgb(1, 2, 3)"), by the formula of WCAG 2.1.
double contrast(const json& a, const json& b) {
  const auto luminance = [](const json& colour) {
    double out = 0;
    const std::string text = colour;
    int red = 0, green = 0, blue = 0;
    EXPECT_EQ(std::sscanf(text.c_str(), "rgb(%d, %d, %d)", &red, &green, &blue), 3) << text;
    for (const auto& [part, weight] :
         {std::pair(red, 0.2126), std::pair(green, 0.7152), std::pair(blue, 0.0722)}) {
      const double share = part / 255.0;
      out += weight * (share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4));
    }
    return out;
  };
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

// [colour, what is below it, an example] of all that is written on the page.
constexpr const char* kColours = R"js(
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor;
        if (colour !== "rgba(0, 0, 0, 0)") return colour;
      }
      return "rgb(255, 255, 255)";
    };
    const colours = () => {
      const seen = new Map();
      for (const element of all("body, body *")) {
        const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => node.data.trim()).join("");
        if (text === "" || /^(SCRIPT|NOSCRIPT|TITLE)$/i.test(element.tagName) || !element.checkVisibility()) continue;
        const style = getComputedStyle(element), isDrawn = element instanceof SVGElement;
        const pair = [isDrawn ? style.fill : style.color, ground(element)];
        if (!seen.has(String(pair))) seen.set(String(pair), [...pair, text]);
      }
      return [...seen.values()];
    };
    const body = () => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor];
)js";

void expect_legible(const json& colours) {
  EXPECT_GT(colours.size(), 3u);
  for (const json& one : colours) EXPECT_GE(contrast(one[0], one[1]), 4.5) << one;
}

TEST_F(PageInBrowser, IsDarkWhereTheReaderWantsIt) {
  const std::string script = std::string(kColours) + R"js(
    const table = colours();
    one('[data-view="against"]').click();
    return {dark: matchMedia("(prefers-color-scheme: dark)").matches, body: body(), table,
      against: colours()};)js";
  const Results results = with_identities(small_results());
  const json light = result_of(results, script, "cell=0.4");
  flags_ = "--blink-settings=preferredColorScheme=0";
  const json dark = result_of(results, script, "cell=0.4");
  EXPECT_EQ(light["dark"], false);
  EXPECT_EQ(dark["dark"], true);
  EXPECT_GT(contrast(light["body"][1], "rgb(0, 0, 0)"), 18);
  EXPECT_GT(contrast(dark["body"][1], "rgb(255, 255, 255)"), 15);
  for (const json& seen : {light, dark}) {
    expect_legible(seen["table"]);
    expect_legible(seen["against"]);
  }
}

// Pages of a PDF as Chromium writes it.
int pages_of(const std::string& pdf) {
  int out = 0;
  constexpr std::string_view kPage = "/Type /Page";
  for (std::size_t at = 0; (at = pdf.find(kPage, at)) != std::string::npos; at += kPage.size())
    out += pdf[at + kPage.size()] != 's';
  return out;
}

TEST_F(PageInBrowser, OnPaperTheControlsAreGone) {
  flags_ = "--blink-settings=preferredColorScheme=0";  // which paper does not heed
  const Results results = with_identities(small_results());
  // What is said of paper, said of the window too.
  const json seen = result_of(results, std::string(kColours) + R"js(
    const shown = (what) => all(what).filter((element) => element.getClientRects().length > 0).length;
    const parts = () => ({controls: shown(".controls, .tabs, footer, .close, .panel button"),
      closed: shown("details:not([open])"), tables: shown("table.grid"), panel: shown(".panel"),
      command: shown("pre.command"), place: getComputedStyle(one(".panel")).position});
    const before = parts();
    for (const rule of document.styleSheets[0].cssRules)
      if (rule instanceof CSSMediaRule && rule.media.mediaText === "print") rule.media.mediaText = "all";
    return {before, after: parts(), colours: colours(), body: body()};)js",
                              "cell=0.0");
  EXPECT_GT(seen["before"]["controls"], 4);
  EXPECT_GT(seen["before"]["closed"], 0);
  EXPECT_EQ(seen["before"]["place"], "fixed");
  EXPECT_EQ(seen["after"]["controls"], 0);
  EXPECT_EQ(seen["after"]["closed"], 0);
  EXPECT_EQ(seen["after"]["tables"], seen["before"]["tables"]);
  EXPECT_EQ(seen["after"]["panel"], 1);
  EXPECT_EQ(seen["after"]["command"], 1);
  EXPECT_EQ(seen["after"]["place"], "static");
  EXPECT_EQ(seen["body"], (json{"rgb(0, 0, 0)", "rgb(255, 255, 255)"}));
  expect_legible(seen["colours"]);
  // What is behind a cell begins a page of its own.
  const std::string page = render(results, find_format("html"));
  const int alone = pages_of(printed(page, ""));
  EXPECT_EQ(alone, 1);
  EXPECT_GT(pages_of(printed(page, "cell=0.0")), alone);
}

TEST_F(PageInBrowser, SwitchesBetweenTheProtocolsOfAStore) {
  const std::vector<Results> both = {small_results(), released_results()};
  const std::string page = render_page(both);
  constexpr const char* kSeen = R"js(
    const seen = () => ({title: document.title, head: one("h1").textContent, name: one("h1 + p").textContent,
      rows: [...one("table.grid").querySelectorAll("tbody th")].map((th) => th.firstChild.textContent),
      search: one("#search").value, view: one("[aria-current]").textContent,
      address: location.hash, panel: all(".panel").length});
  )js";
  const json steps = result_in(page, std::string(kSeen) + R"js(
    const options = texts('select[aria-label="protocol"] option');
    const first = seen();
    type("gcn"); one("[data-cell]").click();
    choose("protocol", "1");
    const second = seen(), saved = await csv();
    one('[data-view="readings"]').click();
    choose("protocol", "0");
    const kept = one("[aria-current]").textContent;
    one('[data-view="table"]').click();
    return {options, first, second, saved, kept, back: seen()};)js");
  EXPECT_EQ(steps["options"], (json{"tiny", "readings"}));
  EXPECT_EQ(steps["first"]["head"], "A tiny protocol");
  EXPECT_EQ(steps["first"]["rows"], (json{"gcn", "mlp", "mine"}));
  const json& second = steps["second"];
  EXPECT_EQ(second["title"], "Two readings");
  EXPECT_EQ(second["head"], "Two readings");
  EXPECT_EQ(second["name"], "Protocol readings.");
  EXPECT_EQ(second["rows"], (json{"plain", "deep", "deep-released", "wide", "wide-released"}));
  EXPECT_EQ(second["search"], "");  // names of the other one
  EXPECT_EQ(second["panel"], 0);
  EXPECT_EQ(second["address"], "#protocol=1");
  EXPECT_EQ(steps["saved"], render(both[1], find_format("csv")));
  EXPECT_EQ(steps["kept"], "What was printed");
  EXPECT_EQ(steps["back"], steps["first"]);
  EXPECT_EQ(result_in(page, std::string(kSeen) + "return seen();", "protocol=1"), second);
  // One protocol has nothing to switch to.
  EXPECT_EQ(result_of(both[0], R"js(return all('select[aria-label="protocol"]').length;)js"), 0);
}

// A function is called, and no command does that; a dict has no file.
TEST_F(PageInBrowser, SaysWhatStandsForWhatIsInAProgram) {
  Results results = with_identities(small_results());
  constexpr const char* kSeen = R"js(
    const part = [...one(".panel").children];
    const from = part.findIndex((element) => element.textContent === "To repeat it");
    return {command: one("pre.command").textContent,
      words: part.slice(from + 1).filter((element) => element.tagName === "P").map((element) => element.textContent).join(" ")};)js";
  const json command = result_of(results, kSeen, "cell=0.0");
  EXPECT_TRUE(command["command"].get<std::string>().starts_with("cupel run ./tiny.toml "));
  for (const char* word : {"In Python", "FUNCTION", "PROTOCOL", "PATH"})
    EXPECT_EQ(command["words"].get<std::string>().find(word), std::string::npos) << word;
  results.of_program = true;
  for (PlacedRun& run : results.tables[0].cells[0].runs) {
    json identity = json::parse(run.record.identity);
    identity["family"]["model"]["program"] = {{"function", "<b>ridge</b>"}};
    run.record.identity = identity.dump();
  }
  const json call = result_of(results, kSeen, "cell=0.0");
  EXPECT_TRUE(call["command"].get<std::string>().starts_with("cupel.run(PROTOCOL, "));
  for (const char* words : {"In Python:", "FUNCTION stands for the function that @cupel.model made",
                            "<b>ridge</b>", "PROTOCOL stands for the dict"})
    EXPECT_NE(call["words"].get<std::string>().find(words), std::string::npos) << words;
}

// Every view of hostile results: names are text, and nothing of them ran.
TEST_F(PageInBrowser, NamesAreText) {
  const json seen = result_of(with_identities(hostile_results()), R"js(
    const seen = {views: 0};
    for (const view of all(".tab").map((tab) => tab.getAttribute("data-view"))) {
      one(`[data-view="${view}"]`).click();
      seen.views += one("main").textContent.length > 20;
    }
    one('[data-view="table"]').click();
    const cells = all("[data-cell]").map((cell) => cell.getAttribute("data-cell"));
    for (const cell of cells) one(`[data-cell="${cell}"]`).click();
    seen.panel = one(".panel h2").textContent;
    one('[data-cell="0.0"]').click();
    seen.name = one(".panel h2").textContent;
    seen.made = all("main i, main img, main script, .panel img, .panel script, header i, iframe").length;
    seen.ran = window.hacked === undefined;
    for (const layout of ["short", "list"]) choose("shown as", layout);
    type("window.hacked"); seen.found = all("tbody tr").length > 0;
    return seen;)js");
  EXPECT_EQ(seen["views"], 5);
  EXPECT_EQ(seen["name"], "gcn on " + printable(made::hostile_name()));
  EXPECT_EQ(seen["made"], 0);
  EXPECT_EQ(seen["ran"], true);
  EXPECT_EQ(seen["found"], true);
}

// An address is not ours.
TEST_F(PageInBrowser, AForgedAddressOpensThePage) {
  for (const char* address :
       {"view=constructor&table=99&cell=7.99999&protocol=-1&sort=9:x&models=[&datasets=%7B%7D",
        "cell=0.0&other=zzz&column=%3Cb%3E&layout=%22&verdict=__proto__&search=%00%1b"}) {
    const json seen = result_of(with_identities(small_results()),
                                "return one('main').textContent.length > 0;", address);
    EXPECT_EQ(seen, true) << address;
  }
}

TEST_F(PageInBrowser, SaysWhatTheReadingsSay) {
  const json seen = result_of(released_results(), R"js(return {text: one("main").textContent,
      printed: texts("td.printed")};)js",
                              "view=readings");
  EXPECT_NE(seen["text"].get<std::string>().find("mines, ROC AUC"), std::string::npos);
  EXPECT_EQ(seen["printed"][0], "released");
}

}  // namespace
}  // namespace cupel
