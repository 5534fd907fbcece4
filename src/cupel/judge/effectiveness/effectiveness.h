// What the runs of a store say of the effectiveness of its data sets: equation 1 of Li et al. 2024
// (judge/stats/effectiveness.h) on the mean test scores of pairs of rows, a graph model and a
// baseline. Any two rows will do, on graphs as on nodes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/judge/stats/bootstrap.h"
#include "cupel/judge/stats/effectiveness.h"
#include "cupel/judge/stats/resampled.h"
#include "cupel/lab/results/results.h"

namespace cupel {

// The rows of one part. Of several, the one with the best mean on a data set stands for them, as
// the paper's structural gap takes the best of GIN, GCN and kernels (its code takes GIN alone).
struct EffectivenessRows {
  std::vector<std::string> gnn, baseline;  // at least one each
};

struct EffectivenessRequest {
  std::optional<EffectivenessRows> structure, attributes;  // at least one of them
  std::string metric;                 // of effectiveness_metrics(); empty: each data set's own
  std::string table;                  // id; empty: of each data set the first that has runs
  std::vector<std::string> datasets;  // empty: all
};

// How well a signed gap is known.
struct GapEvidence {
  double standard_error = 0, df = 0;
  Interval interval;  // 95 %, of this gap alone
  double p = 1;       // of a gap of 0, two-sided; corrected for the other part (Holm)
};

// One part of a data set.
struct EffectivenessPart {
  std::string gnn, baseline;                 // the rows that were compared
  double gnn_score = 0, baseline_score = 0;  // mean test scores; fractions
  PairEffectiveness value;
  // Of every graph model of the part over this baseline, in their order; none of published means.
  std::vector<std::pair<std::string, double>> gaps = {};
  // Absent below kFewestDraws splits, and of published means.
  std::optional<GapEvidence> evidence = {};
};

// The same from the published means.
struct PublishedEffectiveness {
  std::optional<EffectivenessPart> structure, attributes;
  std::optional<double> effectiveness;  // absent if it lacks a part that ours has
};

struct DatasetEffectiveness {
  std::string dataset, table;
  Measure measure;
  int classes = 0;
  std::optional<EffectivenessPart> structure, attributes;
  std::optional<double> effectiveness;  // absent without parts; E_S and E_A are those of the parts
  // 95 %, of E. Its lower end is 0 exactly where p is above 0.05. Absent where a part has no
  // evidence.
  std::optional<Interval> interval;
  std::optional<double> p;                 // of E = 0: of no gap in any part
  ErrorScope scope = ErrorScope::kSplits;  // what both, and the evidence of parts, speak of
  int splits = 0;                          // that the parts are made of
  PublishedEffectiveness published;
  std::vector<std::string> notes;  // what is missing here, and why
};

// Spearman's correlations over data sets (Li et al. 2024, section 3.3); absent below three data
// sets and where either side is constant. Gaps are signed.
struct GapCorrelations {
  std::optional<double> structure;   // of E_S and the gap of structure
  std::optional<double> attributes;  // of E_A and the gap of attributes
  std::optional<double> both;        // of E and the sum of the gaps
};

struct EffectivenessReport {
  std::string protocol, title;
  EffectivenessRequest request;
  std::vector<DatasetEffectiveness> datasets;  // the most effective first; those without E last
  GapCorrelations correlations = {};
};

// Per part, the splits on which all its rows have a score; of rows without any, and of a data set
// without a part, the notes tell. A row's score is the mean over its runs on these splits.
//
// |gap| is never negative, so that E is above 0 by chance alone where there is no gap. Evidence is
// therefore of the signed gap, paired over splits (the difference of the two means on each), with
// the error of judge/stats/resampled.h and Student's t; where a row stands for several, it is
// corrected for all pairs that it was taken from (Bonferroni). E is 0 where no part has a gap: of
// that hypothesis p is Holm's smallest. The interval of E adds up those of its parts, each at a
// level that makes 95 % of them together: of E with the sign of the gap, by the derivative of
// equation 1 in both scores; what is not known to have a sign begins at 0.
//
// Names are compared as protocols compare them. Throws Error for a row, data set, table or metric
// that the results do not have, a store that does not know the number of classes, and a metric
// without a random guess of 1/|Y|.
[[nodiscard]] EffectivenessReport assess_effectiveness(const Results& results,
                                                       const EffectivenessRequest& request);

// The metrics that equation 1 is for: "accuracy, balanced-accuracy and roc-auc".
[[nodiscard]] std::string effectiveness_metrics(const std::string& conjunction);

// Names of rows that have runs planned, in the order of the tables: what a request may name.
[[nodiscard]] std::vector<std::string> effectiveness_rows(const Results& results);

}  // namespace cupel
