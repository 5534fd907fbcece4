#include "cupel/judge/effectiveness/theory.h"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/base/random.h"
#include "cupel/data/generate/theorem1.h"
#include "cupel/data/stats/correlation.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/stats/effectiveness.h"

namespace cupel::effectiveness {
namespace {

constexpr int kMostClasses = 10;
constexpr int kSteps = 40;

// `value` at even steps from guessing to `most`.
template <class Value>
Series curve(int classes, double most, const Value& value) {
  Series out{fmt::format("|Y| {}", classes), {}};
  const double guess = 1.0 / classes;
  for (int i = 0; i <= kSteps; ++i) {
    const double score = std::min(most, guess + (most - guess) * i / kSteps);
    out.points.emplace_back(score, value(score));
  }
  return out;
}

}  // namespace

std::vector<Chart> equation_charts() {
  constexpr double kGap = 0.2;
  std::vector<Chart> out = {
      {"Room, λ", "lower of the two scores", "λ", {}, true},
      {"Over a baseline that guesses", "score of the graph model", "E", {}, true},
      {"With a gap of 0.2", "lower of the two scores", "E", {}, true}};
  for (int classes = 2; classes <= kMostClasses; ++classes) {
    const double guess = 1.0 / classes;
    out[0].series.push_back(
        curve(classes, 1, [&](double score) { return complexity_factor(score, classes); }));
    out[1].series.push_back(curve(classes, 1, [&](double score) {
      return pair_effectiveness(score, guess, classes).effectiveness;
    }));
    out[2].series.push_back(curve(classes, 1 - kGap, [&](double score) {
      return pair_effectiveness(std::min(score + kGap, 1.0), score, classes).effectiveness;
    }));
  }
  return out;
}

std::vector<Chart> theorem_charts() {
  constexpr Index kGraphs = 4096, kDrawn = 600;
  const LabelModel model{{-0.7, 0.1, 0.7}, false, 10, true};
  const LabelledDraws draws = draw_labelled(model, kGraphs, stream_key("figure/theorem-1"), 0);
  const std::vector<double> labels(draws.labels.begin(), draws.labels.end());
  std::vector<Chart> out;
  for (std::size_t p = 0; p < model.r.size(); ++p) {
    Chart chart{fmt::format("r = {}: {} came out", report::with_sign(model.r[p], 2),
                            report::with_sign(pearson(draws.n[p], labels).value_or(0), 2)),
                "label",
                fmt::format("property {}", p + 1),
                {{"graphs", {}}},
                false};
    for (std::size_t g = 0; g < static_cast<std::size_t>(kDrawn); ++g)
      chart.series[0].points.emplace_back(labels[g], draws.n[p][g]);
    out.push_back(std::move(chart));
  }
  return out;
}

}  // namespace cupel::effectiveness
