#include "cupel/judge/stats/effectiveness.h"

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"

namespace cupel {
namespace {

void check_score(const char* what, double score, bool zero_too) {
  const bool fits = std::isfinite(score) && score <= 1 && (score > 0 || (zero_too && score == 0));
  if (fits) return;
  fail("effectiveness: the score of {} is {}, which is not in {}0, 1]; scores are fractions{}",
       what, score, zero_too ? '[' : '(',
       score == 0 ? ", and nothing can be divided by a score of 0" : ", not percent");
}

}  // namespace

double performance_gap(double graph_model, double baseline) {
  check_score("the graph model", graph_model, true);
  check_score("the baseline", baseline, true);
  return graph_model - baseline;
}

double complexity_factor(double lower, int classes) {
  check_score("the lower model", lower, false);
  if (classes < 2)
    fail("effectiveness: the number of classes is {}; it is for data sets of two and more",
         classes);
  return (1 - lower) / (1 - 1.0 / classes);
}

PairEffectiveness pair_effectiveness(double graph_model, double baseline, int classes) {
  check_score("the graph model", graph_model, false);
  check_score("the baseline", baseline, false);
  const double lower = std::min(graph_model, baseline);
  PairEffectiveness out;
  out.gap = performance_gap(graph_model, baseline);
  out.factor = complexity_factor(lower, classes);
  out.effectiveness = std::abs(out.gap) / (lower * (classes - 1)) * out.factor;
  return out;
}

PairEffectiveness pair_effectiveness_auc(double graph_model, double baseline) {
  return pair_effectiveness(graph_model, baseline, 2);
}

std::optional<double> dataset_effectiveness(std::optional<double> structure,
                                            std::optional<double> attributes, Parts parts) {
  if (!structure) return attributes;
  if (!attributes) return structure;
  return (*structure + *attributes) * (parts == Parts::kMean ? 0.5 : 1.0);
}

}  // namespace cupel
