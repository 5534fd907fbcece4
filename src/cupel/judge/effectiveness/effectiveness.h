// What the runs of a store say of the effectiveness of its data sets: equation 1 of Li et al. 2024
// (judge/stats/effectiveness.h) on the mean test scores of pairs of rows, a graph model and a
// baseline. Any two rows will do, on graphs as on nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/judge/stats/bootstrap.h"
#include "cupel/judge/stats/effectiveness.h"
#include "cupel/lab/run/results.h"

namespace cupel {

// The rows of one part. Of several, the one with the best mean on a data set stands for them, as
// the paper's structural gap takes the best of GIN, GCN and kernels (its code takes GIN alone).
struct EffectivenessRows {
  std::vector<std::string> gnn, baseline;  // at least one each
};

struct EffectivenessRequest {
  std::optional<EffectivenessRows> structure, attributes;  // at least one of them
  std::string metric;                 // "accuracy", "balanced-accuracy", "roc-auc"; empty: of each
                                      // data set its own
  std::string table;                  // id; empty: of each data set the first that has runs
  std::vector<std::string> datasets;  // empty: all
};

// One part of a data set.
struct EffectivenessPart {
  std::string gnn, baseline;                 // the rows that were compared
  double gnn_score = 0, baseline_score = 0;  // mean test scores; fractions
  PairEffectiveness value;
};

// The same from the published means.
struct PublishedEffectiveness {
  std::optional<EffectivenessPart> structure, attributes;
  std::optional<double> effectiveness;  // absent if it lacks a part that ours has
};

struct DatasetEffectiveness {
  std::string dataset, table, metric;
  int classes = 0;
  std::optional<EffectivenessPart> structure, attributes;
  std::optional<double> effectiveness;  // absent without parts; E_S and E_A are those of the parts
  std::optional<Interval> interval;     // absent below three splits
  int splits = 0;                       // that the parts are made of
  PublishedEffectiveness published;
  std::vector<std::string> notes;  // what is missing here, and why
};

struct EffectivenessReport {
  std::string protocol, title;
  EffectivenessRequest request;
  std::vector<DatasetEffectiveness> datasets;  // the most effective first; those without E last
};

// Per part, the splits on which all its rows have a score; of rows without any, and of a data set
// without a part, the notes tell. A row's score is the mean over its runs on these splits. The
// interval is a percentile bootstrap (95 %, keyed streams: the same store gives the same) that
// draws splits with replacement, the same ones for all rows, and finds the best of several and E
// anew each time. |gap| is never negative, so that near a gap of 0 the interval lies too high; and
// folds of a cross-validation share most of their training set, so that it is rather too narrow.
//
// Names are compared as protocols compare them. Throws Error for a row, data set, table or metric
// that the results do not have, a store that does not know the number of classes, and a metric
// without a random guess of 1/|Y|.
[[nodiscard]] EffectivenessReport assess_effectiveness(const Results& results,
                                                       const EffectivenessRequest& request);

// Names of rows that have runs planned, in the order of the tables: what a request may name.
[[nodiscard]] std::vector<std::string> effectiveness_rows(const Results& results);

}  // namespace cupel
