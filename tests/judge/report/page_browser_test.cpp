// The page in a browser: what it draws, sorts, filters and saves. Chromium is started without
// window; where there is none these tests are skipped.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cupel/base/visible.h"
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

  // What the browser has of the page once its script is done, and what it complains of.
  struct Opened {
    std::string dom, complaints;
  };
  Opened open(const std::string& page, const std::string& address) {
    const fs::path file = folder_ / "page.html", log = folder_ / "log";
    std::ofstream(file, std::ios::binary) << page;
    // Root may not use the sandbox, and containers may not offer one; the page is our own.
    const std::string command =
        "timeout 120 '" + browser_ + "' --headless --no-sandbox --disable-gpu --user-data-dir='" +
        (folder_ / "profile").string() + "' --window-size=" + window_ +
        " --enable-logging=stderr --log-level=0 --virtual-time-budget=10000 --dump-dom 'file://" +
        file.string() + "#" + address + "' 2>'" + log.string() + "'";
    Opened out{output_of(command), {}};
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);)
      if (line.find("CONSOLE") != std::string::npos) out.complaints += line + "\n";
    EXPECT_FALSE(out.dom.empty()) << command;
    return out;
  }

  // What `script` returns when it is run in the page once that is drawn. The policy goes, as it
  // would keep our script from running too.
  json result_of(const Results& results, const std::string& script,
                 const std::string& address = "") {
    std::string page = render(results, find_format("html"));
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
  std::string browser_, window_ = "1300,1000";
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
