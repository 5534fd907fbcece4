// How well signed gaps, and E, are known.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cupel/judge/effectiveness/pairs.h"
#include "cupel/judge/report/verdict.h"
#include "cupel/judge/stats/tests.h"

namespace cupel::effectiveness {
namespace {

// A gap below this is one of rounding: two means of equal scores, summed in another order.
constexpr double kNoGap = 1e-12;

const Row& row_named(const std::vector<Row>& rows, const std::string& name) {
  return *std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
}

// What each split adds to the row's mean over all runs, times the number of splits: their mean is
// that mean, and with as many runs on each split they are the means of the splits.
std::map<int, double> contributions(const Row& row, const std::vector<int>& splits) {
  double sum = 0;
  std::size_t runs = 0;
  for (const int split : splits) {
    for (const double score : row.scores.at(split)) sum += score;
    runs += row.scores.at(split).size();
  }
  const double mean = sum / static_cast<double>(runs);
  std::map<int, double> out;
  for (const int split : splits) {
    const std::vector<double>& scores = row.scores.at(split);
    double own = 0;
    for (const double score : scores) own += score - mean;
    out[split] = mean + own * static_cast<double>(splits.size()) / static_cast<double>(runs);
  }
  return out;
}

// E with the sign of the gap, in the limit of small changes: its derivatives by the two scores.
std::pair<double, double> slopes(const EffectivenessPart& part, int classes) {
  const double lower = std::min(part.gnn_score, part.baseline_score);
  const double scale = 1 / ((classes - 1) * (1 - 1.0 / classes));
  const double room = scale * (1 - lower) / lower;
  const double change = -scale * part.value.gap / (lower * lower);
  if (part.gnn_score < part.baseline_score) return {room + change, -room};
  return {room, change - room};
}

struct Weighed {
  Estimate gap, signed_e;
  double pairs = 1;  // that the two rows were taken from
  double p = 1;
  ErrorScope scope = ErrorScope::kSplits;
};

double margin(const Estimate& estimate, double alpha) {
  return *estimate.standard_error > 0
             ? student_critical(alpha, estimate.df) * *estimate.standard_error
             : 0;
}

Interval gap_interval(const Weighed& weighed, double alpha) {
  const double half = margin(weighed.gap, alpha / weighed.pairs);
  return {std::max(weighed.gap.mean - half, -1.0), std::min(weighed.gap.mean + half, 1.0)};
}

std::optional<Weighed> weigh_part(const Part& part, const EffectivenessPart& found,
                                  const SplitDesign& design) {
  const auto gnn = contributions(row_named(part.gnn, found.gnn), part.splits);
  const auto baseline = contributions(row_named(part.baseline, found.baseline), part.splits);
  const auto [by_gnn, by_baseline] = slopes(found, part.classes);
  std::map<int, double> gap, signed_e;
  for (const int split : part.splits) {
    gap[split] = gnn.at(split) - baseline.at(split);
    signed_e[split] = by_gnn * gnn.at(split) + by_baseline * baseline.at(split);
  }
  Weighed out;
  out.scope = error_scope(gap, design);
  out.gap = resampled_estimate(gap, design);
  out.signed_e = resampled_estimate(signed_e, design);
  if (!out.gap.standard_error || !out.signed_e.standard_error) return std::nullopt;
  if (std::abs(out.gap.mean) < kNoGap) out.gap.mean = 0;
  if (*out.gap.standard_error < kNoGap) out.gap.standard_error = 0;
  out.pairs = static_cast<double>(part.gnn.size() * part.baseline.size());
  const double size = std::abs(out.gap.mean), error = *out.gap.standard_error;
  const double p = error > 0 ? student_p(size / error, out.gap.df) : (size > 0 ? 0.0 : 1.0);
  out.p = std::min(1.0, p * out.pairs);
  return out;
}

// The design by which all parts can be judged, so that their errors speak of the same.
SplitDesign shared_design(std::initializer_list<const std::optional<Part>*> parts,
                          const SplitDesign& design) {
  SplitDesign out = design;
  for (const std::optional<Part>* part : parts) {
    if (!*part) continue;
    std::map<int, double> splits;
    for (const int split : (*part)->splits) splits[split];
    if (error_scope(splits, design) != ErrorScope::kRepetitions) out.folds = 0;
  }
  return out;
}

// Of E of one part, at a level of 1 - alpha.
Interval e_interval(const Weighed& weighed, const EffectivenessPart& found, double alpha) {
  const double e = found.value.effectiveness;
  const double half = margin(weighed.signed_e, alpha / weighed.pairs);
  const Interval gap = gap_interval(weighed, alpha);
  // Without a sign either end may be the larger one.
  if (gap.low <= 0 && gap.high >= 0) return {0, e + half};
  if (e > half) return {e - half, e + half};
  // The gap has a sign, and its end, with the room as it was found, is still above 0.
  const double nearest = std::min(std::abs(gap.low), std::abs(gap.high));
  return {e * nearest / std::abs(found.value.gap), e + half};
}

}  // namespace

std::optional<Evidence> weigh(const std::optional<Part>& structure,
                              const std::optional<EffectivenessPart>& structure_found,
                              const std::optional<Part>& attributes,
                              const std::optional<EffectivenessPart>& attributes_found,
                              const SplitDesign& design) {
  const SplitDesign shared = shared_design({&structure, &attributes}, design);
  Evidence out;
  const std::array parts = {std::pair{&structure, &structure_found},
                            std::pair{&attributes, &attributes_found}};
  const std::array gaps = {&out.structure, &out.attributes};
  std::array<std::optional<Weighed>, 2> weighed;
  std::vector<double> p;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!*parts[i].first) continue;
    weighed[i] = weigh_part(**parts[i].first, **parts[i].second, shared);
    if (!weighed[i]) return std::nullopt;
    p.push_back(weighed[i]->p);
  }
  const std::vector<double> corrected = holm(p);
  const double alpha = kAlpha / static_cast<double>(p.size());
  for (std::size_t i = 0, k = 0; i < parts.size(); ++i) {
    if (!weighed[i]) continue;
    *gaps[i] = GapEvidence{*weighed[i]->gap.standard_error, weighed[i]->gap.df,
                           gap_interval(*weighed[i], kAlpha), corrected[k++]};
    const Interval e = e_interval(*weighed[i], **parts[i].second, alpha);
    out.interval.low += e.low;
    out.interval.high += e.high;
    out.scope = weighed[i]->scope;
  }
  out.p = *std::min_element(corrected.begin(), corrected.end());
  return out;
}

}  // namespace cupel::effectiveness
