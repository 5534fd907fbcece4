// Box plots as Vega-Lite 5 specifications.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"
#include "cupel/judge/report/figures/figures.h"
#include "cupel/judge/report/print.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

// Four decimals of a percent are beyond what any figure shows, and a fifth of the bytes.
double rounded(double percent) { return std::round(percent * 1e4) / 1e4; }

}  // namespace

std::string box_vega(std::span<const BoxPanel> panels, Outliers outliers) {
  const std::string metric = panels.front().metric;
  // All panels share one title.
  const bool one_unit = std::ranges::all_of(panels, [&](const BoxPanel& panel) {
    return panel.scale.in_percent() == panels.front().scale.in_percent();
  });
  const std::string title =
      "test " + (one_unit ? report::in_unit(metric, panels.front().scale) : metric);
  Json values = Json::array(), datasets = Json::array(), models = Json::array();
  for (const BoxPanel& panel : panels) {
    datasets.push_back(panel.dataset);
    for (const BoxRow& row : panel.rows) {
      Json scores = Json::array();
      for (const double score : row.scores) scores.push_back(rounded(score));
      Json entry = {{"dataset", panel.dataset}, {"model", row.model}, {"score", scores}};
      if (row.published) entry["published"] = *row.published;
      values.push_back(std::move(entry));
    }
  }
  for (const BoxRow& row : panels.front().rows) models.push_back(row.model);

  const Json y = {{"field", "model"}, {"type", "nominal"}, {"sort", models}, {"title", nullptr}};
  const auto x = [&](const char* field) {
    return Json{
        {"field", field}, {"type", "quantitative"}, {"scale", {{"zero", false}}}, {"title", title}};
  };
  Json mark = {{"type", "boxplot"}, {"extent", 1.5}, {"size", 11}};
  mark["median"] = {{"color", "black"}, {"thickness", 2}};
  mark["box"] = {{"color", "#7fa6cf"}};
  if (outliers == Outliers::kHidden) {
    mark["outliers"] = false;
  } else {
    mark["outliers"] = {{"size", 9}, {"opacity", 0.5}, {"color", "#4b7bb0"}};
  }
  const Json boxes = {{"mark", mark}, {"encoding", {{"y", y}, {"x", x("score")}}}};
  // After the flattening every run carries the published mean of its cell: their mean is it.
  Json x_published = x("published");
  x_published["aggregate"] = "mean";
  const Json published = {{"mark",
                           {{"type", "point"},
                            {"shape", "diamond"},
                            {"size", 36},
                            {"filled", true},
                            {"color", "#d9822b"}}},
                          {"encoding", {{"y", y}, {"x", x_published}}}};

  Json spec;
  spec["$schema"] = "https://vega.github.io/schema/vega-lite/v5.json";
  spec["description"] = "Test " + metric +
                        " of every run by model: quartiles, whiskers to 1.5 interquartile ranges" +
                        (outliers == Outliers::kHidden ? ", outliers hidden" : ", outliers shown") +
                        "; a diamond marks the published mean.";
  spec["data"] = {{"values", values}};
  spec["transform"] = Json::array({{{"flatten", {"score"}}}});
  const Json layer = Json::array({boxes, published});
  if (panels.size() == 1) {
    spec["title"] = panels.front().dataset;
    spec["width"] = 420;
    spec["height"] = {{"step", 20}};
    spec["layer"] = layer;
  } else {
    spec["columns"] = 3;
    spec["facet"] = {
        {"field", "dataset"}, {"type", "nominal"}, {"sort", datasets}, {"title", nullptr}};
    spec["spec"] = {{"width", 240}, {"height", {{"step", 20}}}, {"layer", layer}};
    spec["resolve"] = {{"scale", {{"x", "independent"}}}};
  }
  return json_text(spec, 1);
}

}  // namespace cupel
