// The formats that other programs read: LaTeX, JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "judge/report/rendered.h"

namespace cupel {
namespace {

using made::hostile_results;
using made::rendered;

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
  const Report report = make_report(made::small_results());
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

TEST(JsonFormat, HoldsReadingsAndChoices) {
  const auto json = nlohmann::json::parse(rendered("json", made::released_results()));
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

}  // namespace
}  // namespace cupel
