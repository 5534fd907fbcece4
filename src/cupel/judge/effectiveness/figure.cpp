#include "cupel/judge/effectiveness/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"
#include "cupel/judge/report/figures/drawing.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/stats/descriptive.h"

namespace cupel {
namespace effectiveness {
namespace {

using PartOf = std::optional<EffectivenessPart> DatasetEffectiveness::*;
using PublishedOf = std::optional<EffectivenessPart> PublishedEffectiveness::*;

BarPanel gap_panel(const EffectivenessReport& report, const std::string& name, Bar::Kind kind,
                   PartOf part, PublishedOf published) {
  BarPanel panel{
      "Gap, " + name, "graph model less baseline, in percentage points", kEffectiveGap, {}, {}};
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!(of.*part)) continue;
    const double gap = (of.*part)->value.gap * 100;
    BarRow row{of.dataset, {{gap >= kEffectiveGap ? kind : Bar::Kind::kSmall, 0, gap}}, {}, {}};
    if ((of.*part)->evidence) {
      const Interval& known = (of.*part)->evidence->interval;
      row.interval = Interval{known.low * 100, known.high * 100};
    }
    if (of.published.*published) row.published = (of.published.*published)->value.gap * 100;
    panel.rows.push_back(std::move(row));
  }
  std::stable_sort(panel.rows.begin(), panel.rows.end(),
                   [](const BarRow& a, const BarRow& b) { return a.bars[0].to > b.bars[0].to; });
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!(of.*part)) continue;
    for (const auto& [model, gap] : (of.*part)->gaps) {
      auto at = std::find_if(panel.boxes.begin(), panel.boxes.end(),
                             [&, &name = model](const BoxRow& box) { return box.model == name; });
      if (at == panel.boxes.end()) at = panel.boxes.insert(at, {model, {}});
      at->gaps.push_back(gap * 100);
    }
  }
  std::erase_if(panel.boxes, [](const BoxRow& box) { return box.gaps.size() < 2; });
  return panel;
}

}  // namespace

std::vector<BarPanel> gap_panels(const EffectivenessReport& report) {
  std::vector<BarPanel> panels = {
      gap_panel(report, "structure", Bar::Kind::kStructure, &DatasetEffectiveness::structure,
                &PublishedEffectiveness::structure),
      gap_panel(report, "attributes", Bar::Kind::kAttributes, &DatasetEffectiveness::attributes,
                &PublishedEffectiveness::attributes)};
  std::erase_if(panels, [](const BarPanel& panel) { return panel.rows.empty(); });
  return panels;
}

std::vector<BarPanel> e_panels(const EffectivenessReport& report) {
  BarPanel whole{"Effectiveness", "E, the part of structure and that of attributes", {}, {}, {}};
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!of.effectiveness) continue;
    BarRow row{of.dataset, {}, of.interval, of.published.effectiveness};
    const double lower = of.structure ? of.structure->value.effectiveness : 0;
    if (of.structure) row.bars.push_back({Bar::Kind::kStructure, 0, lower});
    if (of.attributes) row.bars.push_back({Bar::Kind::kAttributes, lower, *of.effectiveness});
    whole.rows.push_back(std::move(row));
  }
  if (whole.rows.empty()) return {};
  return {whole};
}

std::vector<BarPanel> bar_panels(const EffectivenessReport& report) {
  std::vector<BarPanel> panels = gap_panels(report);
  for (BarPanel& panel : e_panels(report)) panels.push_back(std::move(panel));
  return panels;
}

namespace {

using namespace drawing;

constexpr const char* kBarStyle =
    "<style>"
    ".cb .cb-structure{fill:#5b8ac0;fill-opacity:.75}"
    ".cb .cb-attributes{fill:#5f9e6e;fill-opacity:.75}"
    ".cb .cb-under{fill:#808080;fill-opacity:.45}"
    ".cb .cb-threshold{stroke:#808080;stroke-dasharray:4 3}"
    ".cb .cb-interval{stroke:#737373;stroke-width:1.3}"
    "@media (prefers-color-scheme:light){.cb .cb-interval{stroke:#333}}"
    "@media (prefers-color-scheme:dark){.cb .cb-interval{stroke:#d4d4d4}}"
    "</style>\n";

const char* class_of(Bar::Kind kind) {
  switch (kind) {
    case Bar::Kind::kStructure:
      return "cb-structure";
    case Bar::Kind::kAttributes:
      return "cb-attributes";
    case Bar::Kind::kSmall:
      break;
  }
  return "cb-under";
}

Axis axis_of(const BarPanel& panel) {
  double low = 0, high = panel.threshold.value_or(0);
  for (const BarRow& row : panel.rows) {
    for (const Bar& bar : row.bars) {
      low = std::min({low, bar.from, bar.to});
      high = std::max({high, bar.from, bar.to});
    }
    if (row.interval) {
      low = std::min(low, row.interval->low);
      high = std::max(high, row.interval->high);
    }
    if (row.published) {
      low = std::min(low, *row.published);
      high = std::max(high, *row.published);
    }
  }
  for (const BoxRow& box : panel.boxes) {
    low = std::min(low, *std::min_element(box.gaps.begin(), box.gaps.end()));
    high = std::max(high, *std::max_element(box.gaps.begin(), box.gaps.end()));
  }
  return axis_over(low, high, kWideWidth / 50);
}

std::string square(const char* kind, double x, double y, double width) {
  return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", kind,
                     px(x), px(y - kBoxHeight / 2), px(width), px(kBoxHeight));
}

double rows_height(const BarPanel& panel) {
  const double apart = panel.boxes.empty() ? 0 : kRowHeight / 2;
  return kRowHeight * static_cast<double>(panel.rows.size() + panel.boxes.size()) + apart;
}

std::string draw_box(const Box& box, double y, const auto& at) {
  std::string out = line("cb-whisker", at(box.low), y, at(box.q1), y) +
                    line("cb-whisker", at(box.q3), y, at(box.high), y);
  out += fmt::format("<rect class=\"cb-box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                     px(at(box.q1)), px(y - kBoxHeight / 2), px(at(box.q3) - at(box.q1)),
                     px(kBoxHeight));
  out += line("cb-median", at(box.median), y - kBoxHeight / 2, at(box.median), y + kBoxHeight / 2);
  for (const double value : box.outliers) out += dot(at(value), y);
  return out;
}

std::string draw(const BarPanel& panel, double left, double top) {
  const Axis axis = axis_of(panel);
  const auto at = [&](double value) {
    return left + kWideWidth * (value - axis.from) / (axis.to - axis.from);
  };
  const double bottom = top + rows_height(panel);
  std::string out = text("cb-title", "start", left, top - 9, panel.title) + "\n";
  for (double tick = std::ceil(axis.from / axis.step) * axis.step; tick <= axis.to;
       tick += axis.step) {
    out += line("cb-grid", at(tick), top, at(tick), bottom);
    out += text("cb-small", "middle", at(tick), bottom + 15, report::fixed(tick, axis.decimals));
  }
  out += line("cb-axis", at(0), top, at(0), bottom) + "\n";
  if (panel.threshold)
    out += line("cb-threshold", at(*panel.threshold), top, at(*panel.threshold), bottom) + "\n";
  for (std::size_t i = 0; i < panel.rows.size(); ++i) {
    const BarRow& row = panel.rows[i];
    const double y = top + kRowHeight * (static_cast<double>(i) + 0.5);
    out += text("cb-label", "end", left - 8, y + 4, row.dataset);
    for (const Bar& bar : row.bars) {
      const double x = at(std::min(bar.from, bar.to));
      out += square(class_of(bar.kind), x, y, at(std::max(bar.from, bar.to)) - x);
    }
    if (row.interval) {
      const double low = at(row.interval->low), high = at(row.interval->high);
      out += line("cb-interval", low, y, high, y) + line("cb-interval", low, y - 3, low, y + 3) +
             line("cb-interval", high, y - 3, high, y + 3);
    }
    if (row.published) out += diamond(at(*row.published), y);
    out += "\n";
  }
  for (std::size_t i = 0; i < panel.boxes.size(); ++i) {
    const double y = bottom - kRowHeight * (static_cast<double>(panel.boxes.size() - i) - 0.5);
    out += text("cb-label", "end", left - 8, y + 4, panel.boxes[i].model) +
           draw_box(box_of(panel.boxes[i].gaps), y, at) + "\n";
  }
  return out + text("cb-small", "middle", left + kWideWidth / 2, bottom + 31, panel.axis) + "\n";
}

}  // namespace

std::string bars_svg(const std::vector<BarPanel>& panels) {
  std::size_t longest = 0;
  double height = kMargin + kLegendHeight;
  for (const BarPanel& panel : panels) {
    height += kTitleHeight + rows_height(panel) + kAxisHeight;
    for (const BarRow& row : panel.rows) longest = std::max(longest, row.dataset.size());
    for (const BoxRow& box : panel.boxes) longest = std::max(longest, box.model.size());
  }
  const double left = kMargin + kLetterWidth * static_cast<double>(longest) + 12;
  const double width = left + kWideWidth + kMargin + kGap;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cb\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\">\n<title>Effectiveness of data sets</title>\n",
      px(width), px(height));
  out += kStyle;
  out += kBarStyle;
  double top = kMargin;
  for (const BarPanel& panel : panels) {
    out += draw(panel, left, top + kTitleHeight);
    top += kTitleHeight + rows_height(panel) + kAxisHeight;
  }
  const double y = height - kLegendHeight / 2;
  double x = kMargin;
  const auto entry = [&](const std::string& mark, const std::string& what, double room) {
    out += mark + text("cb-small", "start", x + 16, y, what) + "\n";
    x += room;
  };
  entry(square("cb-structure", x, y - 4, 12), "structure", 84);
  entry(square("cb-attributes", x, y - 4, 12), "attributes", 88);
  entry(square("cb-under", x, y - 4, 12), "gap below 10 points", 140);
  entry(line("cb-interval", x, y - 4, x + 12, y - 4), "95 % interval", 100);
  entry(diamond(x + 6, y - 4), "published", 0);
  return out + "</svg>\n";
}

std::string bars_vega(const std::vector<BarPanel>& panels) {
  using Json = nlohmann::ordered_json;
  const std::vector<std::string> kinds = {"structure", "attributes", "gap below 10 points"};
  const std::vector<std::string> colours = {"#5b8ac0", "#5f9e6e", "#a6a6a6"};
  Json views = Json::array();
  for (const BarPanel& panel : panels) {
    Json bars = Json::array(), marks = Json::array(), order = Json::array();
    for (const BarRow& row : panel.rows) {
      order.push_back(row.dataset);
      for (const Bar& bar : row.bars)
        bars.push_back({{"dataset", row.dataset},
                        {"part", kinds[static_cast<std::size_t>(bar.kind)]},
                        {"from", bar.from},
                        {"to", bar.to}});
      Json mark = {{"dataset", row.dataset}};
      if (row.interval) {
        mark["low"] = row.interval->low;
        mark["high"] = row.interval->high;
      }
      if (row.published) mark["published"] = *row.published;
      if (mark.size() > 1) marks.push_back(std::move(mark));
    }
    const Json y = {{"field", "dataset"}, {"type", "nominal"}, {"sort", order}, {"title", nullptr}};
    const auto x = [&](const char* field) {
      return Json{{"field", field}, {"type", "quantitative"}, {"title", panel.axis}};
    };
    const Json colour = {{"field", "part"},
                         {"type", "nominal"},
                         {"title", nullptr},
                         {"scale", {{"domain", kinds}, {"range", colours}}}};
    Json layer = Json::array();
    layer.push_back(
        {{"data", {{"values", bars}}},
         {"mark", {{"type", "bar"}, {"size", 11}}},
         {"encoding", {{"y", y}, {"x", x("from")}, {"x2", {{"field", "to"}}}, {"color", colour}}}});
    if (panel.threshold)
      layer.push_back({{"data", {{"values", Json::array({{{"threshold", *panel.threshold}}})}}},
                       {"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}, {"color", "#808080"}}},
                       {"encoding", {{"x", x("threshold")}}}});
    if (!marks.empty()) {
      const Json data = {{"values", marks}};
      layer.push_back({{"data", data},
                       {"transform", Json::array({{{"filter", "isValid(datum.low)"}}})},
                       {"mark", {{"type", "rule"}, {"color", "#333"}}},
                       {"encoding", {{"y", y}, {"x", x("low")}, {"x2", {{"field", "high"}}}}}});
      layer.push_back({{"data", data},
                       {"transform", Json::array({{{"filter", "isValid(datum.published)"}}})},
                       {"mark",
                        {{"type", "point"},
                         {"shape", "diamond"},
                         {"size", 36},
                         {"filled", true},
                         {"color", "#d9822b"}}},
                       {"encoding", {{"y", y}, {"x", x("published")}}}});
    }
    Json gaps = Json::array();
    for (const BoxRow& box : panel.boxes) {
      order.push_back(box.model);
      for (const double gap : box.gaps) gaps.push_back({{"dataset", box.model}, {"gap", gap}});
    }
    if (!gaps.empty()) {
      const Json shared = {
          {"field", "dataset"}, {"type", "nominal"}, {"sort", order}, {"title", nullptr}};
      for (Json& one : layer)
        if (one["encoding"].contains("y")) one["encoding"]["y"] = shared;
      layer.push_back({{"data", {{"values", gaps}}},
                       {"mark", {{"type", "boxplot"}, {"size", 10}, {"color", "#5b8ac0"}}},
                       {"encoding", {{"y", shared}, {"x", x("gap")}}}});
    }
    views.push_back(
        {{"title", panel.title}, {"width", 420}, {"height", {{"step", 20}}}, {"layer", layer}});
  }
  Json spec;
  spec["$schema"] = "https://vega.github.io/schema/vega-lite/v5.json";
  spec["description"] =
      "Gaps between graph models and baselines, and the effectiveness of data sets by equation 1 "
      "of "
      "Li et al. 2024; lines are 95 % intervals of gaps and of E, diamonds what published means "
      "give.";
  spec["vconcat"] = views;
  return json_text(spec, 1);
}

}  // namespace effectiveness

std::string effectiveness_svg(const EffectivenessReport& report) {
  return effectiveness::bars_svg(effectiveness::bar_panels(report));
}

std::string effectiveness_vega(const EffectivenessReport& report) {
  return effectiveness::bars_vega(effectiveness::bar_panels(report));
}

}  // namespace cupel
