#include "cupel/judge/effectiveness/correlations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"
#include "cupel/judge/report/figures/drawing.h"
#include "cupel/judge/report/print.h"

namespace cupel::effectiveness {
namespace {

constexpr double kFieldWidth = 70;

// "cycles_3" -> "cycles 3".
std::string words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

std::string correlations_svg(const std::vector<DatasetCorrelations>& datasets) {
  using namespace drawing;
  std::size_t longest = 0, fields = 0;
  for (const DatasetCorrelations& one : datasets) {
    longest = std::max(longest, one.dataset.size());
    fields = std::max(fields, one.properties.size());
  }
  const double left = kMargin + kLetterWidth * static_cast<double>(longest) + 12;
  const double top = kMargin + kTitleHeight + kRowHeight;
  const double width = left + kFieldWidth * static_cast<double>(fields) + kMargin;
  const double height = top + kRowHeight * static_cast<double>(datasets.size()) + kMargin;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cb\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\">\n<title>Properties of graphs and their "
      "labels</title>\n",
      px(width), px(height));
  out += kStyle;
  out +=
      text("cb-title", "start", left, kMargin + 14, "Spearman's correlation with the label") + "\n";
  for (std::size_t d = 0; d < datasets.size(); ++d) {
    const double y = top + kRowHeight * static_cast<double>(d);
    out += text("cb-label", "end", left - 8, y + 14, datasets[d].dataset) + "\n";
    for (std::size_t p = 0; p < datasets[d].properties.size(); ++p) {
      const PropertyStatistics& property = datasets[d].properties[p];
      const double x = left + kFieldWidth * static_cast<double>(p);
      if (d == 0)
        out +=
            text("cb-small", "middle", x + kFieldWidth / 2, top - 6, words(property.name)) + "\n";
      const auto& r = property.spearman;
      out += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>",
          px(x), px(y), px(kFieldWidth - 1), px(kRowHeight - 1),
          r.value_or(0) < 0 ? "#d9822b" : "#5b8ac0", px(0.04 + 0.66 * std::abs(r.value_or(0))));
      out += text("cb-small", "middle", x + kFieldWidth / 2, y + 14,
                  r ? report::with_sign(*r, 2) : "–") +
             "\n";
    }
  }
  return out + "</svg>\n";
}

std::string correlations_vega(const std::vector<DatasetCorrelations>& datasets) {
  using Json = nlohmann::ordered_json;
  Json values = Json::array(), rows = Json::array(), columns = Json::array();
  for (const DatasetCorrelations& one : datasets) {
    rows.push_back(one.dataset);
    for (const PropertyStatistics& property : one.properties) {
      if (rows.size() == 1) columns.push_back(words(property.name));
      values.push_back({{"dataset", one.dataset},
                        {"property", words(property.name)},
                        {"spearman", property.spearman ? Json(*property.spearman) : Json(nullptr)},
                        {"pearson", property.pearson ? Json(*property.pearson) : Json(nullptr)}});
    }
  }
  const auto axis = [](const char* field, const Json& order) {
    return Json{{"field", field}, {"type", "nominal"}, {"sort", order}, {"title", nullptr}};
  };
  Json spec;
  spec["$schema"] = "https://vega.github.io/schema/vega-lite/v5.json";
  spec["description"] =
      "Spearman's correlations of properties of graphs with their labels, after figure 4 of Li et "
      "al. 2024.";
  spec["data"] = {{"values", std::move(values)}};
  spec["encoding"] = {{"x", axis("property", columns)}, {"y", axis("dataset", rows)}};
  spec["layer"] = Json::array(
      {{{"mark", "rect"},
        {"encoding",
         {{"color",
           {{"field", "spearman"},
            {"type", "quantitative"},
            {"scale", {{"domain", {-1, 1}}, {"scheme", "blueorange"}, {"reverse", true}}}}}}}},
       {{"mark", "text"},
        {"encoding",
         {{"text", {{"field", "spearman"}, {"type", "quantitative"}, {"format", "+.2f"}}}}}}});
  return json_text(spec, 1);
}

}  // namespace cupel::effectiveness
