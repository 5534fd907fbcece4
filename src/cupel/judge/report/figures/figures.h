// Box plots of test scores per run, as in Figures 2 and 3 of Shchur et al. 2018: one box per model
// and data set over all its runs; quartiles by quantile type 7, whiskers to the last run within 1.5
// interquartile ranges. A diamond marks the published mean.
//
// As SVG (self-contained, for light and dark pages) and as Vega-Lite 5 (every run inline, so that
// the reader can draw something else from it). Pure functions of their input, units: percent.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/lab/results/results.h"
#include "cupel/learn/score/scale.h"

namespace cupel {

struct BoxRow {
  std::string model;
  std::vector<double> scores;  // one per run; may be empty
  std::optional<double> published;
};

// One data set.
struct BoxPanel {
  std::string dataset;
  std::string metric;  // "accuracy"
  std::vector<BoxRow> rows;
  MetricScale scale = {};  // of the metric
};

// The panels of a score table: data sets that have runs, and models that have runs on any of them,
// in the order of the table. Empty for other kinds of tables. Throws Error as make_report does.
[[nodiscard]] std::vector<BoxPanel> box_panels(const Results& results, const TableResults& table);

enum class Outliers { kHidden, kShown };

// All panels in one figure. Requires at least one panel. Where outliers are hidden, the axis leaves
// out a model that lies far below all others, unless smaller is better; its mean stands at the edge
// as a number, and the published one beside it.
[[nodiscard]] std::string box_svg(std::span<const BoxPanel> panels, Outliers outliers);
[[nodiscard]] std::string box_vega(std::span<const BoxPanel> panels, Outliers outliers);

struct Figure {
  std::string name;  // file name
  std::string content;
};

// For each score table with runs, as .svg and .vl.json:
//   boxes-TABLE            all data sets, outliers hidden (Figure 2)
//   boxes-TABLE-DATASET    one data set, outliers shown (Figure 3)
// Characters that file names should not have become '_'.
[[nodiscard]] std::vector<Figure> make_figures(const Results& results);

// Writes make_figures into a folder, which is made if need be; each file appears whole or not at
// all. Returns the paths. Throws Error naming the path that cannot be written.
std::vector<std::filesystem::path> write_figures(const Results& results,
                                                 const std::filesystem::path& folder);

}  // namespace cupel
