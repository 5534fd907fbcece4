#include "cupel/judge/report/figures/figures.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cupel/base/error.h"
#include "judge/report/rendered.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::hostile_results;
using made::kParseXml;
using made::small_results;
using made::status_of;

TEST(Figures, SvgHoldsOneBoxPerModelAndEveryOutlier) {
  Results results = small_results();
  results.tables[0].cells[0] =
      made::cell("cora", "gcn", {0.80, 0.81, 0.82, 0.83, 0.81, 0.82, 0.30, 0.31});
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

// Panels share the title of their axes, which names no unit where they have several.
TEST(Figures, VegaNamesTheUnitThatAllPanelsHave) {
  Results results;
  results.tables = {made::scores_table(
      {made::cell("cora", "gcn", {0.4, 0.5}), made::cell("papers", "gcn", {40, 50})})};
  const auto title = [&] {
    const std::vector<BoxPanel> panels = box_panels(results, results.tables[0]);
    return nlohmann::json::parse(box_vega(panels, Outliers::kShown))
        .at(nlohmann::json::json_pointer("/spec/layer/0/encoding/x/title"))
        .get<std::string>();
  };
  EXPECT_EQ(title(), "test accuracy in percent");
  results.tables[0].cells[1].measure = {"macro-f1"};
  EXPECT_EQ(title(), "test score in percent");
  results.tables[0].cells[1].measure = {"mean-rank"};
  EXPECT_EQ(title(), "test score");
}

// Table "1-cora", and data set "cora" of table "1".
TEST(Figures, HaveNamesOfTheirOwn) {
  Results results = small_results();
  results.tables.push_back(results.tables[0]);
  results.tables.back().id = "1-cora";
  std::set<std::string> names;
  const std::vector<Figure> figures = make_figures(results);
  for (const Figure& figure : figures) names.insert(figure.name);
  EXPECT_EQ(figures.size(), 12u);
  EXPECT_EQ(names.size(), figures.size());
}

TEST(Figures, OfLongNamesHaveNamesThatFileSystemsTake) {
  constexpr std::size_t kMost = 240;  // of 255, as a file that is being written has a longer one
  Results results = small_results();
  const std::string table(190, 't');
  results.tables.resize(1);
  results.tables[0].id = table;
  for (std::string& dataset : results.tables[0].datasets) dataset += std::string(190, 'd');
  for (CellResults& cell : results.tables[0].cells) cell.dataset += std::string(190, 'd');
  std::set<std::string> names;
  for (const Figure& figure : make_figures(results)) {
    EXPECT_LE(figure.name.size(), kMost) << figure.name;
    names.insert(figure.name);
  }
  EXPECT_EQ(names.size(), 6u);
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
