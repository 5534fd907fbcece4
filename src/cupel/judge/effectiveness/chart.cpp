#include "cupel/judge/effectiveness/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"
#include "cupel/judge/report/figures/drawing.h"
#include "cupel/judge/report/print.h"

namespace cupel::effectiveness {
namespace {

using namespace drawing;

constexpr double kPlotHeight = 200;
constexpr double kTickRoom = 44;  // left of the plot

// From blue to orange, at a lightness that can be read on any ground.
std::string colour_of(std::size_t series, std::size_t count) {
  const double part = count < 2 ? 0 : static_cast<double>(series) / static_cast<double>(count - 1);
  return fmt::format("hsl({:.0f},50%,50%)", 212 - part * 182);
}

struct Range {
  double low, high;
};

template <class Get>
Range range_of(const Chart& chart, const Get& get) {
  Range out{get(chart.series[0].points[0]), get(chart.series[0].points[0])};
  for (const Series& series : chart.series) {
    for (const auto& point : series.points) {
      out.low = std::min(out.low, get(point));
      out.high = std::max(out.high, get(point));
    }
  }
  return out;
}

std::string draw(const Chart& chart, double left, double top) {
  const Range xs = range_of(chart, [](const auto& point) { return point.first; });
  const Range ys = range_of(chart, [](const auto& point) { return point.second; });
  const Axis x = axis_over(xs.low, xs.high, 9), y = axis_over(ys.low, ys.high, 6);
  const double bottom = top + kPlotHeight;
  const auto at_x = [&](double value) {
    return left + kWideWidth * (value - x.from) / (x.to - x.from);
  };
  const auto at_y = [&](double value) {
    return bottom - kPlotHeight * (value - y.from) / (y.to - y.from);
  };
  std::string out = text("cb-title", "start", left, top - 9, chart.title) + "\n";
  for (double tick = std::ceil(x.from / x.step) * x.step; tick <= x.to; tick += x.step) {
    out += line("cb-grid", at_x(tick), top, at_x(tick), bottom);
    out += text("cb-small", "middle", at_x(tick), bottom + 15, report::fixed(tick, x.decimals));
  }
  for (double tick = std::ceil(y.from / y.step) * y.step; tick <= y.to; tick += y.step) {
    out += line("cb-grid", left, at_y(tick), left + kWideWidth, at_y(tick));
    out += text("cb-small", "end", left - 6, at_y(tick) + 4, report::fixed(tick, y.decimals));
  }
  out += line("cb-axis", left, bottom, left + kWideWidth, bottom) +
         line("cb-axis", left, top, left, bottom) + "\n";
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const std::string colour = colour_of(s, chart.series.size());
    std::string path;
    for (const auto& [px_x, px_y] : chart.series[s].points) {
      if (chart.joined)
        path += fmt::format("{}{} {}", path.empty() ? "M" : "L", px(at_x(px_x)), px(at_y(px_y)));
      else
        out +=
            fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"1.6\" fill=\"{}\" fill-opacity=\".55\"/>",
                        px(at_x(px_x)), px(at_y(px_y)), colour);
    }
    if (chart.joined)
      out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>", path,
                         colour);
    out += "\n";
  }
  out += text("cb-small", "middle", left + kWideWidth / 2, bottom + 31, chart.x) + "\n";
  return out + text("cb-small", "end", left + kWideWidth, top - 9, chart.y) + "\n";
}

std::string chart_legend(const Chart& chart, double left, double y) {
  if (chart.series.size() < 2) return "";
  const double room = std::min(80.0, kWideWidth / static_cast<double>(chart.series.size()));
  std::string out;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const double x = left + room * static_cast<double>(s);
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"4\" fill=\"{}\"/>", px(x),
                       px(y - 5), colour_of(s, chart.series.size()));
    out += text("cb-small", "start", x + 14, y, chart.series[s].name) + "\n";
  }
  return out;
}

}  // namespace

std::string charts_svg(const std::string& title, const std::vector<Chart>& charts) {
  constexpr double kLegend = 22;
  const double left = kMargin + kTickRoom, width = left + kWideWidth + kMargin + kGap;
  double height = kMargin;
  for (const Chart& chart : charts)
    height += kTitleHeight + kPlotHeight + kAxisHeight + (chart.series.size() > 1 ? kLegend : 0);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cb\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\">\n<title>{2}</title>\n",
      px(width), px(height), report::xml_escaped(title));
  out += kStyle;
  double top = kMargin;
  for (const Chart& chart : charts) {
    out += draw(chart, left, top + kTitleHeight);
    top += kTitleHeight + kPlotHeight + kAxisHeight;
    if (chart.series.size() < 2) continue;
    out += chart_legend(chart, left, top);
    top += kLegend;
  }
  return out + "</svg>\n";
}

std::string charts_vega(const std::string& description, const std::vector<Chart>& charts) {
  using Json = nlohmann::ordered_json;
  Json views = Json::array();
  for (const Chart& chart : charts) {
    Json values = Json::array(), names = Json::array();
    for (const Series& series : chart.series) {
      names.push_back(series.name);
      for (std::size_t i = 0; i < series.points.size(); ++i)
        values.push_back({{"series", series.name},
                          {"order", i},
                          {"x", series.points[i].first},
                          {"y", series.points[i].second}});
    }
    const auto axis = [](const char* field, const std::string& title) {
      return Json{{"field", field},
                  {"type", "quantitative"},
                  {"title", title},
                  {"scale", {{"zero", false}}}};
    };
    Json encoding = {{"x", axis("x", chart.x)}, {"y", axis("y", chart.y)}};
    if (chart.series.size() > 1)
      encoding["color"] = {
          {"field", "series"}, {"type", "ordinal"}, {"sort", names}, {"title", nullptr}};
    if (chart.joined) encoding["order"] = {{"field", "order"}, {"type", "quantitative"}};
    views.push_back(
        {{"title", chart.title},
         {"width", 420},
         {"height", 200},
         {"data", {{"values", std::move(values)}}},
         {"mark", chart.joined ? Json{{"type", "line"}} : Json{{"type", "point"}, {"size", 8}}},
         {"encoding", std::move(encoding)}});
  }
  Json spec;
  spec["$schema"] = "https://vega.github.io/schema/vega-lite/v5.json";
  spec["description"] = description;
  spec["vconcat"] = std::move(views);
  return json_text(spec, 1);
}

}  // namespace cupel::effectiveness
