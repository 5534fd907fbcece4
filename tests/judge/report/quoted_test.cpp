// Rows of published values alone: shown and marked in every format, and in no number of the others.
#include <gtest/gtest.h>

#include "cupel/judge/report/table.h"
#include "judge/report/make_results.h"
#include "judge/report/rendered.h"

namespace cupel {
namespace {

using nlohmann::json;

Results with_quoted() {
  Results results = made::small_results();
  results.tables[0].models.insert(results.tables[0].models.begin(), "paper");
  results.quoted = {"paper"};
  results.published.push_back(made::published("1", "cora", "paper", 84, 0.7));
  return results;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(QuotedRows, AreShownAndMarked) {
  const Results results = with_quoted();
  const std::string text = made::rendered("text", results);
  EXPECT_TRUE(contains(text, "\npaper (quoted) ")) << text;
  EXPECT_TRUE(contains(text, "84.0 ± 0.7")) << text;
  EXPECT_TRUE(contains(text, "which nothing here was compared with: paper.")) << text;
  EXPECT_FALSE(contains(text, "No runs yet: paper")) << text;
  const std::string markdown = made::rendered("markdown", results);
  EXPECT_TRUE(contains(markdown, "| paper (quoted) | (84.0 ± 0.7) | – |")) << markdown;
  EXPECT_TRUE(contains(made::rendered("latex", results), "paper (quoted) & -- "));
  EXPECT_TRUE(contains(made::rendered("html", results), "paper (quoted)"));
  for (const json& cell : json::parse(made::rendered("json", results))["tables"][0]["cells"]) {
    EXPECT_EQ(cell.contains("quoted"), cell["model"] == "paper");
    if (cell["model"] != "paper") continue;
    EXPECT_EQ(cell["verdict"], "no runs");
    EXPECT_TRUE(cell["mean"].is_null() && cell["gap"].is_null());
    EXPECT_EQ(cell["published"]["mean"].is_null(), cell["dataset"] != "cora");
  }
}

// Levels, comparisons and derived tables are those of a protocol without the row.
TEST(QuotedRows, ChangeNothingElse) {
  json with = json::parse(made::rendered("json", with_quoted()));
  json without = json::parse(made::rendered("json", made::small_results()));
  for (json* report : {&with, &without}) {
    for (json& table : (*report)["tables"]) {
      table.erase("notes");
      json others = json::array();
      for (const json& cell : table["cells"])
        if (cell["model"] != "paper") others.push_back(cell);
      table["cells"] = others;
    }
  }
  EXPECT_EQ(with, without);
}

// Where nothing is quoted on the data sets at hand, the row is left out.
TEST(QuotedRows, OfOtherDataAreNotShown) {
  Results results = with_quoted();
  results.published.back().mean.reset();
  const std::string text = made::rendered("text", results);
  EXPECT_FALSE(contains(text, "paper (quoted)")) << text;
}

}  // namespace
}  // namespace cupel
