#include "cupel/judge/effectiveness/figure.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cupel {
namespace {

using effectiveness::Bar;

EffectivenessPart part(double graph_model, double baseline) {
  return {"g", "b", graph_model, baseline, pair_effectiveness(graph_model, baseline, 2)};
}

DatasetEffectiveness made(const std::string& name, std::optional<EffectivenessPart> structure,
                          std::optional<EffectivenessPart> attributes) {
  DatasetEffectiveness out;
  out.dataset = name;
  out.structure = std::move(structure);
  out.attributes = std::move(attributes);
  if (out.structure || out.attributes)
    out.effectiveness = (out.structure ? out.structure->value.effectiveness : 0) +
                        (out.attributes ? out.attributes->value.effectiveness : 0);
  return out;
}

EffectivenessReport report() {
  EffectivenessReport report;
  report.datasets = {made("<wide>", part(.8, .6), part(.5, .6)), made("low", part(.65, .6), {}),
                     made("none", {}, {})};
  report.datasets[0].interval = Interval{.1, .4};
  report.datasets[0].published.structure = part(.9, .6);
  return report;
}

TEST(EffectivenessFigure, BarsAreGapsAndStackedParts) {
  const auto panels = effectiveness::bar_panels(report());
  ASSERT_EQ(panels.size(), 3u);
  ASSERT_EQ(panels[0].rows.size(), 2u);
  EXPECT_EQ(panels[0].rows[0].dataset, "<wide>");
  EXPECT_NEAR(panels[0].rows[0].bars[0].to, 20, 1e-9);
  EXPECT_EQ(panels[0].rows[0].bars[0].kind, Bar::Kind::kStructure);
  EXPECT_NEAR(*panels[0].rows[0].published, 30, 1e-9);
  EXPECT_EQ(panels[0].rows[1].bars[0].kind, Bar::Kind::kSmall) << "5 points are below ten";
  EXPECT_NEAR(panels[1].rows[0].bars[0].to, -10, 1e-9);
  EXPECT_EQ(panels[1].rows[0].bars[0].kind, Bar::Kind::kSmall) << "the baseline is ahead";
  const auto& whole = panels[2].rows[0].bars;
  ASSERT_EQ(whole.size(), 2u);
  EXPECT_EQ(whole[0].to, whole[1].from);
  EXPECT_NEAR(whole[1].to, *report().datasets[0].effectiveness, 1e-12);
}

TEST(EffectivenessFigure, SvgEscapesNamesAndHasEveryBar) {
  const std::string svg = effectiveness_svg(report());
  EXPECT_NE(svg.find("&lt;wide&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("<wide>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  std::size_t bars = 0;
  for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1))
    ++bars;
  EXPECT_EQ(bars, 2u + 1 + 3 + 3);  // gaps, gaps, E, legend
}

// The inner box of Figure 1: gaps of each graph model over all data sets, those that were not the
// best among them; and intervals of gaps.
TEST(EffectivenessFigure, BoxesAreOfEachModelOverDataSets) {
  EffectivenessReport made = report();
  made.datasets[0].structure->gaps = {{"gin", .2}, {"gcn", -.1}};
  made.datasets[1].structure->gaps = {{"gin", .05}, {"gcn", .04}, {"wl", .01}};
  made.datasets[0].structure->evidence = GapEvidence{.02, 9, {.15, .25}, .001};
  const auto panels = effectiveness::gap_panels(made);
  ASSERT_EQ(panels.size(), 2u);
  ASSERT_EQ(panels[0].boxes.size(), 2u) << "one value is no box";
  EXPECT_EQ(panels[0].boxes[1].model, "gcn");
  EXPECT_NEAR(panels[0].boxes[1].gaps[0], -10, 1e-9);
  EXPECT_NEAR(panels[0].rows[0].interval->low, 15, 1e-9);
  EXPECT_TRUE(panels[1].boxes.empty());
  const std::string svg = effectiveness::bars_svg(panels);
  EXPECT_NE(svg.find(">gcn<"), std::string::npos);
  EXPECT_NE(svg.find("cb-median\" x1"), std::string::npos);
  const auto spec = nlohmann::json::parse(effectiveness::bars_vega(panels));
  const auto& layers = spec["vconcat"][0]["layer"];
  EXPECT_EQ(layers.back()["mark"]["type"], "boxplot");
  EXPECT_EQ(layers.back()["data"]["values"].size(), 4u);
  EXPECT_EQ(effectiveness::e_panels(made).size(), 1u);
}

TEST(EffectivenessFigure, VegaHasTheNumbers) {
  const auto spec = nlohmann::json::parse(effectiveness_vega(report()));
  ASSERT_EQ(spec["vconcat"].size(), 3u);
  const auto& bars = spec["vconcat"][2]["layer"][0]["data"]["values"];
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_EQ(bars[1]["part"], "attributes");
  EXPECT_EQ(bars[1]["from"], bars[0]["to"]);
  EXPECT_EQ(spec["vconcat"][0]["layer"][1]["data"]["values"][0]["threshold"], 10);
}

}  // namespace
}  // namespace cupel
