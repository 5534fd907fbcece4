// Each format against a small golden file.
//
// CUPEL_UPDATE_GOLDEN=1 rewrites the golden files; look at what changed before keeping it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "build_paths.h"
#include "cupel/base/error.h"
#include "judge/report/rendered.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::hostile_name;
using made::hostile_results;
using made::rendered;
using made::small_results;

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

TEST(Formats, Golden) {
  expect_golden("tiny.txt", rendered("text"));
  expect_golden("tiny.md", rendered("markdown"));
  expect_golden("tiny.csv", rendered("csv"));
  expect_golden("tiny.tex", rendered("latex"));
  for (const auto& [name, format] : {std::pair{"readings.txt", "text"},
                                     {"readings.md", "markdown"},
                                     {"readings.csv", "csv"},
                                     {"readings.tex", "latex"}})
    expect_golden(name, rendered(format, made::released_results()));
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
      said("spreadsheet").find("csv, hf, hf-evals, html, json, latex, markdown, mlflow, text"),
      std::string::npos)
      << said("spreadsheet");
}

TEST(Formats, SameResultsSameBytesAndNeverNan) {
  for (const Format* format : formats()) {
    for (const Results& results : {small_results(), hostile_results(), Results{}}) {
      const std::string text = render(results, *format);
      EXPECT_EQ(text, render(results, *format)) << format->name;
      if (format->is_folder() && results.tables.empty() && text.empty())
        continue;  // a file per row
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
  for (const char* format : {"text", "markdown", "latex", "html", "json", "csv", "csv-runs", "hf",
                             "hf-evals", "mlflow"}) {
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

// Nor is it markup, a command of TeX, or the end of what it stands in.
TEST(Formats, NoNameIsMarkup) {
  for (const char* format : {"markdown", "html"}) {
    const std::string text = rendered(format, hostile_results());
    for (const char* markup : {"<i>", "<img", "<script>window", "<!-- end"})
      EXPECT_EQ(text.find(markup), std::string::npos) << format << " has " << markup;
  }
  EXPECT_EQ(rendered("markdown", hostile_results()).find(" [link]("), std::string::npos);
  EXPECT_NE(rendered("markdown", hostile_results()).find("\\_\\$%#{}\\~^"), std::string::npos);
  for (const char* format : {"latex", "latex-fragment"}) {
    const std::string text = rendered(format, hostile_results());
    for (const char* command : {"\\input{/", "\\write18{", "^\\x"})
      EXPECT_EQ(text.find(command), std::string::npos) << format << " has " << command;
  }
}

// Captions name the table that a derived one reads, and what a published spread is.
TEST(Formats, NothingInASentenceIsMarkupOrSteers) {
  Results results = small_results();
  results.tables[0].id = hostile_name();
  TableResults relative = results.tables[0];
  relative.id = "2";
  relative.kind = "relative";
  relative.source = hostile_name();
  relative.cells.clear();
  results.tables.resize(1);
  results.tables.push_back(relative);
  for (PublishedValue& value : results.published) {
    value.table = hostile_name();
    value.spread_kind = "sd " + hostile_name();
  }
  for (const char* format : {"markdown", "text"}) {
    std::string text = rendered(format, results);
    std::ranges::replace(text, '\n', ' ');
    EXPECT_NE(text.find("from table a,"), std::string::npos) << text;
    EXPECT_NE(text.find("published values is the sd a,"), std::string::npos) << text;
    for (const char* unseen : {"\x1b", "\x07", "\u202E"})
      EXPECT_EQ(text.find(unseen), std::string::npos) << format;
  }
  for (const char* markup : {"<i>", "<img", "<script>"})
    EXPECT_EQ(rendered("markdown", results).find(markup), std::string::npos) << markup;
}

// Markdown reads nothing between tags that begin a line.
TEST(Formats, ASummaryOfMarkdownHasNoBackslash) {
  Results results = small_results();
  for (CellResults& cell : results.tables[0].cells)
    if (cell.dataset == "cora") cell.dataset = "my_<data>*";
  results.tables.resize(1);
  results.tables[0].datasets = {"my_<data>*", "citeseer"};
  const std::string text = rendered("markdown", results);
  EXPECT_NE(text.find("<summary>All pairs on my&#95;&#60;data&#62;&#42;</summary>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("| model | my\\_&lt;data&gt;\\* |"), std::string::npos) << text;
}

// A letter that is lost makes two names one; [ and * behind the end of a row are its arguments.
TEST(Formats, LatexKeepsNamesApart) {
  Results results = small_results();
  TableResults& table = results.tables[0];
  const std::vector<std::string> names = {"α-GCN", "β-GCN", "GCN²", "日本", "[a] x", "*star"};
  for (const std::string& name : names) {
    table.cells.push_back(made::cell(table.datasets[0], name, {0.1, 0.4, 0.5}));
    table.models.push_back(name);
  }
  const std::string text = rendered("latex", results);
  for (const char* piece :
       {"$\\alpha$-GCN", "$\\beta$-GCN", "GCN$^2$", "日本", "{}[a] x", "{}*star"})
    EXPECT_NE(text.find(piece), std::string::npos) << piece << "\n" << text;
  EXPECT_TRUE(text.starts_with("% Names here have letters that want XeLaTeX")) << text;
  EXPECT_FALSE(rendered("latex").starts_with("% Names")) << "other documents want no more than T1";
}

// Not all that lies between À and ž is in the encoding T1.
TEST(Formats, LatexSaysWhichNamesWantAnotherProgram) {
  const auto advised = [](const std::string& name) {
    Results results = small_results();
    TableResults& table = results.tables[0];
    table.cells.push_back(made::cell(table.datasets[0], name, {0.1, 0.4, 0.5}));
    table.models.push_back(name);
    return rendered("latex", results).starts_with("% Names here have letters that want XeLaTeX");
  };
  for (const char* name : {"Ħ", "ħ", "ĸ", "Ŀ", "ŀ", "ŉ", "Ŧ", "ŧ", "ſ", "÷", "ƀ", "ạ", "Ж"})
    EXPECT_TRUE(advised(name)) << name;
  for (const char* name : {"À", "ÿ", "Đ", "Ł", "Ő", "Œ", "ž", "Ș", "ǧ", "ẞ", "Ỳ", "×", "–", "ß"})
    EXPECT_FALSE(advised(name)) << name;
}

TEST(Formats, TextKeepsToItsWidth) {
  Results results = small_results();
  // Twelve data sets with long names.
  TableResults& table = results.tables[0];
  for (int i = 0; i < 10; ++i) {
    table.cells.push_back(
        made::cell("a-data-set-named-" + std::to_string(i), "gcn", {0.1234, 0.4, 0.5}));
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

}  // namespace
}  // namespace cupel
