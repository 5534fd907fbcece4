// What a report is made of: the planned cells of a protocol, the runs that the store has for them,
// and the published values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/lab/run/record.h"

namespace cupel {

// One run of a cell, with its place in the plan.
struct PlacedRun {
  int split = 0, init = 0;
  RunRecord record;
};

// A cell of a table: one model on one data set.
struct CellResults {
  std::string dataset;          // "amazon-photo"
  std::string model;            // row name: "gs-mean"
  std::string metric;           // "accuracy"
  int expected_n = 0;           // runs that were asked for, by all commands so far
  int protocol_n = 0;           // runs that the protocol asks for when nothing is left out
  std::vector<PlacedRun> runs;  // those in the store, by (split, init)
};

// One published number. `metric` "accuracy" values are percentages as printed.
struct PublishedValue {
  std::string table, dataset, model, metric;
  std::optional<double> mean, spread;  // absent: printed as N/A
  std::string spread_kind;             // "sd_ddof1_pooled_runs", "sd_over_inits", "none", ...
  std::string n_runs;                  // as stated, may be "unstated"
  std::optional<int> effective_n;      // independent draws behind the mean (splits), if known
};

// A table of the protocol. Kinds:
//   "scores"    one number per (dataset, model): mean and spread of the metric
//   "relative"  derived: relative accuracy and average rank of each model over all data sets and
//               splits of the table named by `source` (Shchur et al. 2018, Table 2a)
struct TableResults {
  std::string id;  // "1", "2a", "2b-planetoid"
  std::string title;
  std::string kind = "scores";
  std::string source;                 // of a derived table: the id of the table it reads
  std::vector<std::string> datasets;  // column order
  std::vector<std::string> models;    // row order
  std::vector<CellResults> cells;     // of a "scores" table
};

struct Results {
  std::string protocol;  // "pitfalls"
  std::string title;
  std::vector<TableResults> tables;
  std::vector<PublishedValue> published;
};

}  // namespace cupel
