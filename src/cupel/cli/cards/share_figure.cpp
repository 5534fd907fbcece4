#include "cupel/cli/cards/share_figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cupel/base/visible.h"
#include "cupel/base/words.h"
#include "cupel/judge/report/figures/drawing.h"
#include "cupel/judge/report/print.h"

namespace cupel::cli {
namespace {

using drawing::Axis;
using drawing::axis_over;
using drawing::kMargin;
using drawing::kTitleHeight;
using drawing::kWideWidth;
using drawing::line;
using drawing::px;
using drawing::text;

// Lengths in pixels.
constexpr double kLeft = 58, kPlotHeight = 220, kWidth = kLeft + kWideWidth + kMargin;
constexpr double kTop = kMargin + kTitleHeight, kBottom = kTop + kPlotHeight;
constexpr double kMostTicks = 6;

// What was counted and what was not.
std::string note(const LabelStatistics& labels) {
  const SameClassShares& shares = labels.shares_with_loops;
  std::string out = counted(shares.nodes, "node") + ". A self-loop is a same-class neighbour.";
  if (shares.left_out > 0)
    out += fmt::format(" Left out: {} without a neighbour.", counted(shares.left_out, "node"));
  if (labels.unlabelled > 0) out += fmt::format(" Unlabelled: {}.", grouped(labels.unlabelled));
  return out;
}

}  // namespace

std::string share_figure(const std::string& name, const LabelStatistics& labels) {
  const SameClassShares& shares = labels.shares_with_loops;
  const std::size_t bins = shares.bins.size();
  const auto height_of = [&](std::int64_t count) {
    return static_cast<double>(count) / static_cast<double>(shares.nodes);
  };
  const double highest = height_of(*std::ranges::max_element(shares.bins));
  Axis axis = axis_over(0, highest, kMostTicks);
  axis.from = 0;
  const auto x = [](double share) { return kLeft + kWideWidth * share; };
  const auto y = [&](double part) { return kBottom - kPlotHeight * part / axis.to; };

  const double height = kBottom + drawing::kAxisHeight + drawing::kLegendHeight;
  const std::string title = printable(name);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cb\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>Nodes of {2} by their share of same-class neighbours</title>\n",
      px(kWidth), px(height), report::xml_escaped(title));
  out += drawing::kStyle;
  out += text("cb-title", "start", kLeft, kTop - 9, title) + "\n";
  for (int k = 0; k * axis.step <= axis.to; ++k) {
    const double tick = k * axis.step;
    out += line("cb-grid", kLeft, y(tick), kLeft + kWideWidth, y(tick));
    out += text("cb-small", "end", kLeft - 6, y(tick) + 4, report::fixed(tick, axis.decimals));
  }
  out += "\n";
  for (std::size_t b = 0; b < bins; ++b) {
    if (shares.bins[b] == 0) continue;
    const double from = static_cast<double>(b) / static_cast<double>(bins);
    const double to = static_cast<double>(b + 1) / static_cast<double>(bins);
    const double top = y(height_of(shares.bins[b]));
    out += fmt::format(
        "<rect class=\"cb-box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{:.2f} to "
        "{:.2f}: {}</title></rect>\n",
        px(x(from)), px(top), px(x(to) - x(from)), px(kBottom - top), from, to,
        counted(shares.bins[b], "node"));
  }
  out += line("cb-axis", kLeft, kBottom, kLeft + kWideWidth, kBottom);
  for (int fifth = 0; fifth <= 5; ++fifth)
    out += text("cb-small", "middle", x(fifth / 5.0), kBottom + 15, report::fixed(fifth / 5.0, 1));
  out += "\n" + line("cb-median", x(*shares.mean), kTop, x(*shares.mean), kBottom);
  // Beside the line, on the side where there is room.
  const bool right = *shares.mean < 0.7;
  out += text("cb-small", right ? "start" : "end", x(*shares.mean) + (right ? 5 : -5), kTop + 10,
              "mean " + report::fixed(*shares.mean, 3)) +
         "\n";
  out += text("cb-small", "middle", kLeft + kWideWidth / 2, kBottom + 33,
              "share of neighbours of the same class") +
         "\n";
  out += fmt::format(
      "<text class=\"cb-small\" text-anchor=\"middle\" transform=\"translate({} {}) "
      "rotate(-90)\">share of nodes</text>\n",
      px(kMargin + 2), px(kTop + kPlotHeight / 2));
  out += text("cb-small", "start", kLeft, height - drawing::kLegendHeight / 2, note(labels)) + "\n";
  return out + "</svg>\n";
}

}  // namespace cupel::cli
