// Each format against a small golden file, and read back by a parser that is not ours.
//
// CUPEL_UPDATE_GOLDEN=1 rewrites the golden files; look at what changed before keeping it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "build_paths.h"
#include "cupel/base/error.h"
#include "cupel/base/visible.h"
#include "cupel/judge/report/csv.h"
#include "cupel/judge/report/figures/figures.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using testing::small_results;

std::string rendered(const char* format, const Results& results = small_results()) {
  return render(results, find_format(format));
}

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

void expect_golden(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(CUPEL_SOURCE_DIR) / "tests/judge/report/golden" / name;
  if (std::getenv("CUPEL_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(contents(path), text) << path;
}

// A names-are-hostile variant: everything a format must escape.
Results hostile_results() {
  Results results = small_results();
  const std::string name =
      "a,\"b\"|<i>&amp;_$%#{}~^\\x\n\x1b[31m\x01\xff\xc2\x9b*é\u202E\u2066\u200F\uFEFF";
  for (TableResults& table : results.tables) {
    for (std::string& dataset : table.datasets) {
      if (dataset == "cora") dataset = name;
    }
    for (CellResults& cell : table.cells) {
      if (cell.dataset == "cora") cell.dataset = name;
      if (cell.model == "mine") cell.model = name;
    }
    for (std::string& model : table.models) {
      if (model == "mine") model = name;
    }
  }
  results.title = name;
  return results;
}

TEST(Formats, Golden) {
  expect_golden("tiny.txt", rendered("text"));
  expect_golden("tiny.md", rendered("markdown"));
  expect_golden("tiny.csv", rendered("csv"));
  expect_golden("tiny.tex", rendered("latex"));
  for (const auto& [name, format] : {std::pair{"readings.txt", "text"},
                                     {"readings.md", "markdown"},
                                     {"readings.csv", "csv"},
                                     {"readings.tex", "latex"}})
    expect_golden(name, rendered(format, testing::released_results()));
}

TEST(Formats, OfAnUnknownNameTheNearestIsSaidOrAll) {
  const auto said = [](const char* name) {
    try {
      (void)find_format(name);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(said("markdwon").find("did you mean 'markdown'?"), std::string::npos);
  EXPECT_NE(
      said("spreadsheet").find("csv, csv-runs, html, json, latex, latex-fragment, markdown, text"),
      std::string::npos)
      << said("spreadsheet");
}

TEST(Formats, SameResultsSameBytesAndNeverNan) {
  for (const Format* format : formats()) {
    for (const Results& results : {small_results(), hostile_results(), Results{}}) {
      const std::string text = render(results, *format);
      EXPECT_EQ(text, render(results, *format)) << format->name;
      ASSERT_FALSE(text.empty()) << format->name;
      EXPECT_EQ(text.back(), '\n') << format->name;
      for (const char* bad : {"nan", "NaN", "inf,", " inf ", "-nan"}) {
        EXPECT_EQ(text.find(bad), std::string::npos) << format->name << " has " << bad;
      }
    }
  }
}

// A data set's path may hold anything; what a reader opens must not carry it to the terminal.
TEST(Formats, NoControlCharacterOfANameGetsThrough) {
  for (const char* format : {"text", "markdown", "latex", "html", "json", "csv", "csv-runs"}) {
    const std::string text = rendered(format, hostile_results());
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      ASSERT_TRUE(byte >= 0x20 || byte == '\n') << format << " has byte " << int{byte};
      ASSERT_TRUE(byte != 0xFF && byte != 0x7F) << format;
    }
    for (const char* unseen : {"\xc2\x9b", "\u202E", "\u2066", "\u200F", "\uFEFF"})
      EXPECT_EQ(text.find(unseen), std::string::npos) << format;
  }
}

TEST(Formats, TextKeepsToItsWidth) {
  Results results = small_results();
  // Twelve data sets with long names.
  TableResults& table = results.tables[0];
  for (int i = 0; i < 10; ++i) {
    table.cells.push_back(
        testing::cell("a-data-set-named-" + std::to_string(i), "gcn", {0.1234, 0.4, 0.5}));
    table.datasets.push_back(table.cells.back().dataset);
  }
  std::istringstream lines(rendered("text", results));
  for (std::string line; std::getline(lines, line);) {
    std::size_t width = 0;
    for (const char c : line) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    EXPECT_LE(width, 100u) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << "'" << line << "'";
  }
}

// RFC 4180, by a small state machine.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        rows.back().back() += c;
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        rows.back().back() += c;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\n') {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST(Csv, ReadsBackToTheSameNumbers) {
  for (const Results& results : {small_results(), hostile_results()}) {
    const auto rows = parse_csv(rendered("csv", results));
    const Report report = make_report(results);
    const std::vector<std::string> columns = {
        "protocol", "table",   "dataset",    "model",          "metric",           "mean",
        "sd",       "n",       "expected_n", "published_mean", "published_spread", "spread_kind",
        "gap",      "verdict", "gap_low",    "gap_high",       "smallest_delta",   "detectable_gap",
        "look",     "looks",   "p",          "p_corrected"};
    EXPECT_EQ(rows.at(0), columns);
    std::size_t at = 1;
    const auto same = [](const std::string& field, const std::optional<double>& value) {
      return value ? !field.empty() && std::strtod(field.c_str(), nullptr) == *value
                   : field.empty();
    };
    for (const ReportTable& table : report.tables) {
      for (const Cell& cell : table.cells) {
        const auto& row = rows.at(at++);
        ASSERT_EQ(row.size(), columns.size());
        EXPECT_EQ(row[1], table.id);
        EXPECT_EQ(row[2], visible(cell.column.dataset));
        EXPECT_EQ(row[3], visible(cell.model));
        EXPECT_EQ(row[4], cell.column.measure.word());
        EXPECT_TRUE(same(row[5], cell.mean)) << row[5];
        EXPECT_TRUE(same(row[6], cell.sd)) << row[6];
        EXPECT_EQ(row[7], std::to_string(cell.n));
        EXPECT_EQ(row[8], std::to_string(cell.expected_n));
        EXPECT_TRUE(same(row[9], cell.published_mean)) << row[9];
        EXPECT_TRUE(same(row[10], cell.published_spread)) << row[10];
        EXPECT_TRUE(same(row[12], cell.gap)) << row[12];
        EXPECT_EQ(row[13], to_text(cell.verdict));
      }
    }
    EXPECT_EQ(at, rows.size());
  }
}

// What a spreadsheet would compute on opening the file.
TEST(Csv, AFormulaIsNoFormulaAndANumberStaysOne) {
  for (const char* formula : {"=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd", "\t=1", "-",
                              "+", "=", "＝1", "-0x", "+-1"})
    EXPECT_EQ(parse_csv(csv_field(formula) + "\n").at(0).at(0), std::string("'") + formula);
  for (const char* harmless :
       {"-0.5", "+1", "-1e-5", "0", "+0.25", "gcn", "a=b", "", "x@y", "lr=0.1,l2=0"})
    EXPECT_EQ(parse_csv(csv_field(harmless) + "\n").at(0).at(0), harmless);
  Results results = small_results();
  results.protocol = "=HYPERLINK(\"http://example.org\")";
  for (const char* format : {"csv", "csv-runs"})
    EXPECT_EQ(parse_csv(rendered(format, results)).at(1).at(0), "'" + results.protocol);
}

// Every run that stands behind a cell, failed ones too, and nothing else.
TEST(CsvRuns, HasARowForEachRun) {
  const Results results = small_results();
  const auto rows = parse_csv(rendered("csv-runs", results));
  std::size_t runs = 0;
  double sum = 0;
  for (const CellResults& cell : results.tables[0].cells) {
    runs += cell.runs.size();
    for (const PlacedRun& run : cell.runs) sum += run.record.test_score.value_or(0);
  }
  ASSERT_EQ(rows.size(), runs + 1);
  EXPECT_EQ(rows[0][6], "split");
  EXPECT_EQ(rows[0][9], "test_score");
  double read = 0;
  int failed = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), rows[0].size());
    failed += rows[i][8] == "failed" && rows[i][9].empty();
    read += std::strtod(rows[i][9].c_str(), nullptr);
  }
  EXPECT_EQ(failed, 3);
  EXPECT_NEAR(read, sum, 1e-12);
}

TEST(LatexFragment, IsTheTablesWithoutADocument) {
  const std::string whole = rendered("latex"), part = rendered("latex-fragment");
  EXPECT_EQ(part.find("documentclass"), std::string::npos);
  EXPECT_NE(part.find("\\label{tab:tiny-2a}"), std::string::npos);
  const std::string tables = part.substr(part.find("\\begin{table}"));
  EXPECT_NE(whole.find(tables), std::string::npos);
  // gcn is the best on Cora, by all that the others can be told from it.
  EXPECT_NE(part.find("\\textsuperscript{a}"), std::string::npos);
}

TEST(JsonFormat, HoldsEveryCellAndPair) {
  const Report report = make_report(small_results());
  const auto json = nlohmann::json::parse(rendered("json"));
  EXPECT_EQ(json["protocol"], "tiny");
  ASSERT_EQ(json["tables"].size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    const ReportTable& table = report.tables[t];
    ASSERT_EQ(json["tables"][t]["cells"].size(), table.cells.size());
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
      const auto& cell = json["tables"][t]["cells"][i];
      EXPECT_EQ(cell["model"], table.cells[i].model);
      EXPECT_EQ(cell["mean"].is_null(), !table.cells[i].mean.has_value());
      if (table.cells[i].mean) {
        EXPECT_EQ(cell["mean"].get<double>(), *table.cells[i].mean);
      }
      EXPECT_EQ(cell["verdict"], to_text(table.cells[i].verdict));
    }
  }
  const auto& comparison = json["tables"][0]["comparisons"][0];
  EXPECT_EQ(comparison["pairs"].size(), 3u);
  EXPECT_EQ(comparison["pairs"][1]["outcome"], "gcn > mlp");
  EXPECT_EQ(comparison["pairs"][2]["outcome"], "cannot tell");  // nine common splits
  EXPECT_EQ(comparison["letters"]["gcn"], "a");
  EXPECT_TRUE(nlohmann::json::accept(rendered("json", hostile_results())));
}

// Exit status of a command that reads `text` on its standard input; -1 if there is no such command.
int status_of(const std::string& command, const std::string& text) {
  if (std::system("command -v python3 > /dev/null 2>&1") != 0) return -1;
  FILE* pipe = popen(command.c_str(), "w");
  if (pipe == nullptr) return -1;
  std::fwrite(text.data(), 1, text.size(), pipe);
  return pclose(pipe);
}

constexpr const char* kParseXml =
    "python3 -c 'import sys, xml.etree.ElementTree as e; "
    "e.fromstring(sys.stdin.buffer.read().split(b\"<!DOCTYPE html>\")[-1].strip())'";

TEST(Html, IsWellFormedAndAlone) {
  for (const Results& results :
       {small_results(), hostile_results(), testing::released_results(), Results{}}) {
    const std::string page = rendered("html", results);
    for (const char* outside : {"<script", "src=", "href=", "url(", "@import"}) {
      EXPECT_EQ(page.find(outside), std::string::npos) << outside;
    }
    const int status = status_of(kParseXml, page);
    if (status == -1) GTEST_SKIP() << "python3 is not here to parse the page";
    EXPECT_EQ(status, 0);
  }
}

TEST(Html, SaysWhatTheReadingsSay) {
  const std::string page = rendered("html", testing::released_results());
  for (const char* part : {"as designed", "as released", ">released</td>", "mines, ROC AUC",
                           "Configurations chosen, table 2", "lr=0.2, l2=0 (1 of 2)"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(JsonFormat, HoldsReadingsAndChoices) {
  const auto json = nlohmann::json::parse(rendered("json", testing::released_results()));
  const auto& readings = json["tables"][2];
  ASSERT_EQ(readings["readings"].size(), 4u);
  EXPECT_EQ(readings["readings"][0]["designed"], "deep");
  EXPECT_EQ(readings["readings"][0]["released"], "deep-released");
  EXPECT_EQ(readings["readings"][0]["printed"], "released");
  int chosen = 0;
  for (const auto& cell : json["tables"][0]["cells"]) {
    if (!cell.contains("choice")) continue;
    ++chosen;
    EXPECT_EQ(cell["choice"]["configurations"].size(), 2u);
    EXPECT_EQ(cell["choice"]["configurations"][1]["configuration"], "lr=0.2, l2=0");
  }
  EXPECT_EQ(chosen, 8);
}

TEST(Html, SaysWhatTheTableSays) {
  const std::string page = rendered("html");
  for (const char* part : {"81.5 ± 1.3", "68.0 ± 0.5", "9 of 12", "3 failed", "1 diverged", "<svg",
                           "different, ours higher"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST(Figures, SvgHoldsOneBoxPerModelAndEveryOutlier) {
  Results results = small_results();
  results.tables[0].cells[0] =
      testing::cell("cora", "gcn", {0.80, 0.81, 0.82, 0.83, 0.81, 0.82, 0.30, 0.31});
  const std::vector<BoxPanel> panels = box_panels(results, results.tables[0]);
  ASSERT_EQ(panels.size(), 2u);
  const auto count = [](const std::string& text, const std::string& what) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  const std::string shown = box_svg({&panels[0], 1}, Outliers::kShown);
  const std::string hidden = box_svg({&panels[0], 1}, Outliers::kHidden);
  EXPECT_EQ(count(shown, "class=\"cb-box\""), 3);
  EXPECT_EQ(count(shown, "class=\"cb-out\""), 2);
  EXPECT_EQ(count(hidden, "class=\"cb-out\""), 0);
  EXPECT_EQ(count(shown, "class=\"cb-pub\""), 3);  // gcn, mlp and the legend
  for (const Figure& figure : make_figures(hostile_results())) {
    EXPECT_EQ(figure.name.find_first_of("/\\ \n\""), std::string::npos) << figure.name;
    if (figure.name.ends_with(".svg")) {
      EXPECT_NE(status_of(kParseXml, figure.content), 256) << figure.name;
    } else {
      EXPECT_TRUE(nlohmann::json::accept(figure.content)) << figure.name;
    }
  }
}

TEST(Figures, VegaHoldsEveryRun) {
  const Results results = small_results();
  const std::vector<BoxPanel> panels = box_panels(results, results.tables[0]);
  const auto spec = nlohmann::json::parse(box_vega(panels, Outliers::kHidden));
  EXPECT_EQ(spec["$schema"], "https://vega.github.io/schema/vega-lite/v5.json");
  std::size_t runs = 0;
  for (const auto& entry : spec["data"]["values"]) runs += entry["score"].size();
  EXPECT_EQ(runs, 12u + 12 + 12 + 9 + 12);
  EXPECT_EQ(spec["spec"]["layer"][0]["mark"]["outliers"], false);
}

TEST(Figures, AreWrittenWholeOrRefused) {
  const fs::path folder = fs::path(::testing::TempDir()) / "cupel-figures" / "deep";
  fs::remove_all(folder.parent_path());
  const std::vector<fs::path> paths = write_figures(small_results(), folder);
  ASSERT_EQ(paths.size(), 6u);  // all and each of two data sets, in two forms
  for (const fs::path& path : paths) EXPECT_GT(fs::file_size(path), 500u);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, paths.size());  // nothing partial stays behind
  EXPECT_THROW(write_figures(small_results(), paths[0] / "below-a-file"), Error);
  fs::remove_all(folder.parent_path());
}

}  // namespace
}  // namespace cupel
