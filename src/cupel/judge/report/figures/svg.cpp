// Box plots as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cupel/judge/report/figures/drawing.h"
#include "cupel/judge/report/figures/figures.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/stats/descriptive.h"

namespace cupel {
namespace {

using namespace drawing;
using report::xml_escaped;

constexpr double kPanelWidth = 255;  // of several, in pixels
constexpr std::size_t kMostColumns = 3;

struct DrawnRow {
  std::string model;
  std::optional<Box> box;
  std::optional<double> mean, published;
  bool off_axis = false;
};

double lowest(const DrawnRow& row, Outliers outliers) {
  double low = row.box ? std::min(row.box->low, *row.mean) : *row.published;
  if (row.published) low = std::min(low, *row.published);
  if (outliers == Outliers::kShown && row.box && !row.box->outliers.empty()) {
    low = std::min(low, row.box->outliers.front());
  }
  return low;
}

double highest(const DrawnRow& row, Outliers outliers) {
  double high = row.box ? std::max(row.box->high, *row.mean) : *row.published;
  if (row.published) high = std::max(high, *row.published);
  if (outliers == Outliers::kShown && row.box && !row.box->outliers.empty()) {
    high = std::max(high, row.box->outliers.back());
  }
  return high;
}

std::vector<DrawnRow> drawn_rows(const BoxPanel& panel) {
  std::vector<DrawnRow> rows;
  for (const BoxRow& row : panel.rows) {
    DrawnRow drawn{row.model, std::nullopt, std::nullopt, row.published};
    if (!row.scores.empty()) {
      drawn.box = box_of(row.scores);
      drawn.mean = mean_of(row.scores);
    }
    rows.push_back(std::move(drawn));
  }
  return rows;
}

// Takes a lone straggler off the axis: one row that lies further below all others than a third of
// the whole range (a majority vote, say) would squeeze everything else into a corner.
void leave_out_straggler(std::vector<DrawnRow>& rows) {
  std::vector<DrawnRow*> shown;
  for (DrawnRow& row : rows) {
    if (row.box) shown.push_back(&row);
  }
  if (shown.size() < 3) return;
  std::sort(shown.begin(), shown.end(), [](const DrawnRow* a, const DrawnRow* b) {
    return highest(*a, Outliers::kHidden) < highest(*b, Outliers::kHidden);
  });
  double rest_low = INFINITY, rest_high = -INFINITY;
  for (std::size_t i = 1; i < shown.size(); ++i) {
    rest_low = std::min(rest_low, lowest(*shown[i], Outliers::kHidden));
    rest_high = std::max(rest_high, highest(*shown[i], Outliers::kHidden));
  }
  const double range = rest_high - lowest(*shown[0], Outliers::kHidden);
  const double empty = rest_low - highest(*shown[0], Outliers::kHidden);
  shown[0]->off_axis = empty > range / 3;
}

// One panel with its plot area at (left, top).
class PanelWriter {
 public:
  PanelWriter(const BoxPanel& panel, Outliers outliers, double left, double top, double width)
      : rows_(drawn_rows(panel)), outliers_(outliers), left_(left), top_(top), width_(width) {
    if (outliers == Outliers::kHidden && panel.scale.larger_is_better) leave_out_straggler(rows_);
    double low = INFINITY, high = -INFINITY;
    for (const DrawnRow& row : rows_) {
      if (row.off_axis || (!row.box && !row.published)) continue;
      low = std::min(low, lowest(row, outliers));
      high = std::max(high, highest(row, outliers));
    }
    axis_ = axis_over(low, high, width / 50);
  }

  std::string draw(const BoxPanel& panel, bool labels) const {
    std::string out = text("cb-title", "start", left_, top_ - 9, panel.dataset) + "\n";
    const double bottom = top_ + kRowHeight * static_cast<double>(rows_.size());
    for (double tick = std::ceil(axis_.from / axis_.step) * axis_.step; tick <= axis_.to;
         tick += axis_.step) {
      out += line("cb-grid", at(tick), top_, at(tick), bottom);
      out += text("cb-small", "middle", at(tick), bottom + 15, report::fixed(tick, axis_.decimals));
    }
    out += line("cb-axis", left_, bottom, left_ + width_, bottom) + "\n";
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double y = top_ + kRowHeight * (static_cast<double>(i) + 0.5);
      if (labels) out += text("cb-label", "end", left_ - 8, y + 4, rows_[i].model);
      out += draw_row(rows_[i], y) + "\n";
    }
    out += text("cb-small", "middle", left_ + width_ / 2, bottom + 31,
                "test " + report::in_unit(panel.metric, panel.scale)) +
           "\n";
    return out;
  }

 private:
  double at(double value) const {
    return left_ + width_ * (value - axis_.from) / (axis_.to - axis_.from);
  }

  std::string draw_row(const DrawnRow& row, double y) const {
    if (row.off_axis) {
      std::string said = "◂ mean " + report::fixed(row.mean.value_or(row.box->median), 1);
      if (row.published) said += ", published " + report::fixed(*row.published, 1);
      return text("cb-small", "start", left_ + 2, y + 4, said);
    }
    std::string out;
    if (row.box) {
      const Box& box = *row.box;
      if (outliers_ == Outliers::kShown) {
        for (const double value : box.outliers) {
          out += fmt::format("<circle class=\"cb-out\" cx=\"{}\" cy=\"{}\" r=\"1.7\"/>",
                             px(at(value)), px(y));
        }
      }
      const double cap = kBoxHeight / 4;
      out += fmt::format(
          "<path class=\"cb-whisker\" d=\"M{0} {1}v{2}M{0} {3}H{4}M{5} {3}H{6}M{6} "
          "{1}v{2}\"/>",
          px(at(box.low)), px(y - cap), px(2 * cap), px(y), px(at(box.q1)), px(at(box.q3)),
          px(at(box.high)));
      out += fmt::format("<rect class=\"cb-box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                         px(at(box.q1)), px(y - kBoxHeight / 2), px(at(box.q3) - at(box.q1)),
                         px(kBoxHeight));
      out +=
          line("cb-median", at(box.median), y - kBoxHeight / 2, at(box.median), y + kBoxHeight / 2);
    }
    if (row.published) out += diamond(at(*row.published), y);
    if (row.mean) out += dot(at(*row.mean), y);
    return out;
  }

  std::vector<DrawnRow> rows_;
  Outliers outliers_;
  double left_, top_, width_;
  Axis axis_;
};

}  // namespace

std::string box_svg(std::span<const BoxPanel> panels, Outliers outliers) {
  std::size_t longest = 0, rows = 0;
  bool published = false;
  for (const BoxPanel& panel : panels) {
    rows = std::max(rows, panel.rows.size());
    for (const BoxRow& row : panel.rows) {
      longest = std::max(longest, row.model.size());
      published = published || row.published;
    }
  }
  const std::size_t columns = std::min(kMostColumns, panels.size());
  const std::size_t lines = (panels.size() + columns - 1) / columns;
  const double labels = kLetterWidth * static_cast<double>(longest) + 12;
  const double panel_width = columns == 1 ? kWideWidth : kPanelWidth;
  const double panel_height = kTitleHeight + kRowHeight * static_cast<double>(rows) + kAxisHeight;
  const double width =
      2 * kMargin + labels + static_cast<double>(columns) * (panel_width + kGap) - kGap;
  const double height = kMargin + static_cast<double>(lines) * panel_height + kLegendHeight;

  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cb\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\">\n<title>Test {2} of every run by model</title>\n",
      px(width), px(height), xml_escaped(panels.front().metric));
  out += kStyle;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double left = kMargin + labels + static_cast<double>(i % columns) * (panel_width + kGap);
    const double top = kMargin + static_cast<double>(i / columns) * panel_height + kTitleHeight;
    out +=
        PanelWriter(panels[i], outliers, left, top, panel_width).draw(panels[i], i % columns == 0);
  }
  const double y = height - kLegendHeight / 2;
  std::string legend = outliers == Outliers::kHidden
                           ? "Box: quartiles. Whiskers: 1.5 interquartile ranges. Outliers hidden."
                           : "Box: quartiles. Whiskers: 1.5 interquartile ranges. Dots: outliers.";
  out += dot(kMargin + 4, y - 4) + text("cb-small", "start", kMargin + 14, y, "mean") + "\n";
  double x = kMargin + 60;
  if (published) {
    out += diamond(x + 4, y - 4) + text("cb-small", "start", x + 14, y, "published mean") + "\n";
    x += 120;
  }
  return out + text("cb-small", "start", x, y, legend) + "\n</svg>\n";
}

}  // namespace cupel
