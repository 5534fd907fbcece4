// Effectiveness as bars, after Li et al. 2024: the gaps of structure and of attributes, each sorted
// and coloured by whether it reaches ten points (Figure 1), and E, whose lower part is that of
// structure (Figure 3a), with its interval. Below gaps a box for each graph model has its gaps on
// all data sets (the inner box of Figure 1). A diamond marks what the published means give.
//
// As SVG (self-contained, for light and dark pages) and as Vega-Lite 5. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "cupel/judge/effectiveness/effectiveness.h"

namespace cupel {

inline constexpr double kEffectiveGap = 10;  // percentage points

[[nodiscard]] std::string effectiveness_svg(const EffectivenessReport& report);
[[nodiscard]] std::string effectiveness_vega(const EffectivenessReport& report);

namespace effectiveness {

// A bar from `from` to `to`, of structure, of attributes, or of a gap below the threshold.
struct Bar {
  enum class Kind { kStructure, kAttributes, kSmall };
  Kind kind = Kind::kStructure;
  double from = 0, to = 0;
};

struct BarRow {
  std::string dataset;
  std::vector<Bar> bars;
  std::optional<Interval> interval;
  std::optional<double> published;
};

// The gaps of one graph model over all data sets of its panel: at least two.
struct BoxRow {
  std::string model;
  std::vector<double> gaps;
};

struct BarPanel {
  std::string title, axis;
  std::optional<double> threshold;
  std::vector<BarRow> rows;   // the largest first
  std::vector<BoxRow> boxes;  // below them, the inner box of Figure 1
};

// The panels that have bars: gap of structure, gap of attributes (percentage points), E.
[[nodiscard]] std::vector<BarPanel> bar_panels(const EffectivenessReport& report);
// The first two, or E alone.
[[nodiscard]] std::vector<BarPanel> gap_panels(const EffectivenessReport& report);
[[nodiscard]] std::vector<BarPanel> e_panels(const EffectivenessReport& report);

[[nodiscard]] std::string bars_svg(const std::vector<BarPanel>& panels);
[[nodiscard]] std::string bars_vega(const std::vector<BarPanel>& panels);

}  // namespace effectiveness

}  // namespace cupel
