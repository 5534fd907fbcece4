// What figures in SVG are drawn with. Colours are mid-grey by default, so that they can be read on
// any ground, and follow the viewer's light or dark scheme where it has one.
#pragma once

#include <string>

namespace cupel::drawing {

// Lengths in pixels.
inline constexpr double kRowHeight = 20, kBoxHeight = 10, kGap = 26;
inline constexpr double kTitleHeight = 26, kAxisHeight = 46, kMargin = 12, kLegendHeight = 26;
inline constexpr double kLetterWidth = 6.7;  // of a label, on the generous side
inline constexpr double kWideWidth = 470;

// A <style> element for figures of class "cb".
extern const char* const kStyle;

// A length with at most two decimals.
[[nodiscard]] std::string px(double value);

// The range of the horizontal axis and where its ticks are.
struct Axis {
  double from = 0, to = 1, step = 1;
  int decimals = 0;
};

// Steps of 1, 2 or 5 times a power of ten; at most `most` intervals.
[[nodiscard]] Axis axis_over(double low, double high, double most);

// Marks; `kind` is a class of the style.
[[nodiscard]] std::string diamond(double x, double y);
[[nodiscard]] std::string dot(double x, double y);
[[nodiscard]] std::string line(const char* kind, double x1, double y1, double x2, double y2);
[[nodiscard]] std::string text(const char* kind, const char* anchor, double x, double y,
                               const std::string& what);

}  // namespace cupel::drawing
