// Charts of equation 1 and theorem 1, and how charts are written.
#include "cupel/judge/effectiveness/theory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cupel/judge/effectiveness/correlations.h"

namespace cupel::effectiveness {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t out = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++out;
  return out;
}

// By hand: lambda is 1 when guessing and 0 at the top, a straight line; E over guessing at the top
// is (1 - 1/Y) / ((1/Y) (Y - 1)) = 1; of a gap of .2 over guessing it is .2 Y / (Y - 1).
TEST(EquationCharts, HaveTheEndsThatAreKnown) {
  const std::vector<Chart> charts = equation_charts();
  ASSERT_EQ(charts.size(), 3u);
  for (const Chart& chart : charts) ASSERT_EQ(chart.series.size(), 9u);
  for (std::size_t s = 0; s < 9; ++s) {
    const double classes = static_cast<double>(s) + 2;
    const auto& room = charts[0].series[s].points;
    EXPECT_NEAR(room.front().first, 1 / classes, 1e-12);
    EXPECT_NEAR(room.front().second, 1, 1e-12);
    EXPECT_NEAR(room.back().second, 0, 1e-12);
    EXPECT_NEAR(room[room.size() / 2].second, 0.5, 1e-12);
    const auto& over = charts[1].series[s].points;
    EXPECT_NEAR(over.front().second, 0, 1e-12);
    EXPECT_NEAR(over.back().second, 1, 1e-9);
    const auto& gap = charts[2].series[s].points;
    EXPECT_NEAR(gap.front().second, .2 * classes / (classes - 1), 1e-9);
    EXPECT_NEAR(gap.back().first, .8, 1e-12);
    for (std::size_t i = 1; i < gap.size(); ++i) EXPECT_LT(gap[i].second, gap[i - 1].second);
  }
}

TEST(TheoremCharts, LabelsFollowWhatWasAsked) {
  const std::vector<Chart> charts = theorem_charts();
  ASSERT_EQ(charts.size(), 3u);
  const double asked[] = {-.7, .1, .7};
  for (std::size_t p = 0; p < 3; ++p) {
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0, yy = 0;
    const auto& points = charts[p].series[0].points;
    for (const auto& [x, y] : points) {
      EXPECT_EQ(x, std::round(x));
      EXPECT_TRUE(x >= 0 && x <= 10);
      mean_x += x / static_cast<double>(points.size());
      mean_y += y / static_cast<double>(points.size());
    }
    for (const auto& [x, y] : points) {
      xy += (x - mean_x) * (y - mean_y);
      xx += (x - mean_x) * (x - mean_x);
      yy += (y - mean_y) * (y - mean_y);
    }
    EXPECT_NEAR(xy / std::sqrt(xx * yy), asked[p], .1);
    EXPECT_FALSE(charts[p].joined);
  }
  EXPECT_NE(charts[0].title.find("−0.70"), std::string::npos) << charts[0].title;
}

TEST(Charts, AreWrittenWithAllSeries) {
  const std::vector<Chart> charts = {
      {"<lines>", "x", "y", {{"a", {{0, 0}, {1, 2}}}, {"b", {{0, 1}, {1, 1}}}}, true},
      {"points", "x", "y", {{"c", {{0, 0}, {1, 1}, {2, 4}}}}, false}};
  const std::string svg = charts_svg("<title>", charts);
  EXPECT_EQ(count(svg, "<path"), 2u);
  EXPECT_EQ(count(svg, "<circle"), 3u);
  EXPECT_NE(svg.find("&lt;lines&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  // The line from the least to the largest value goes up: y falls in pixels.
  const auto spec = nlohmann::json::parse(charts_vega("d", charts));
  ASSERT_EQ(spec["vconcat"].size(), 2u);
  EXPECT_EQ(spec["vconcat"][0]["data"]["values"].size(), 4u);
  EXPECT_EQ(spec["vconcat"][0]["data"]["values"][1]["y"], 2);
  EXPECT_EQ(spec["vconcat"][1]["mark"]["type"], "point");
  EXPECT_FALSE(spec["vconcat"][1]["encoding"].contains("color"));
}

TEST(CorrelationFigure, HasAFieldForEachPropertyOfEachDataSet) {
  const std::vector<DatasetCorrelations> datasets = {
      {"<A>", {{"nodes", 1, 1, .5, .6}, {"cycles_3", 0, 0, {}, {}}}},
      {"B", {{"nodes", 1, 1, -.5, -.4}, {"cycles_3", 2, 1, .1, .1}}}};
  const std::string svg = correlations_svg(datasets);
  EXPECT_EQ(count(svg, "<rect"), 4u);
  EXPECT_NE(svg.find("&lt;A&gt;"), std::string::npos);
  EXPECT_NE(svg.find("+0.60"), std::string::npos);
  EXPECT_NE(svg.find("−0.40"), std::string::npos);
  EXPECT_EQ(count(svg, ">cycles 3<"), 1u);
  const auto values = nlohmann::json::parse(correlations_vega(datasets))["data"]["values"];
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0]["pearson"], .5);
  EXPECT_TRUE(values[1]["spearman"].is_null());
}

}  // namespace
}  // namespace cupel::effectiveness
