// What a report is made of: the planned cells of a protocol, the runs that the store has for them,
// and the published values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cupel/lab/plan/split_design.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/protocol/published.h"
#include "cupel/lab/record/record.h"
#include "cupel/lab/store/looks.h"

namespace cupel {

// One run of a cell, with its place in the plan.
struct PlacedRun {
  int split = 0, init = 0;
  RunRecord record;
  std::string configuration = {};  // its own, where the cell chooses: "layers=3"
};

// A run that ended in different ways in stores that were merged.
struct RunInConflict {
  int split = 0, init = 0;  // as of PlacedRun
  std::string id, configuration;
};

// One of the configurations that a cell chooses from.
struct ConfigurationResult {
  std::string name;             // "layers=3"
  int runs = 0;                 // with a score, of those asked for
  bool complete = false;        // has all of them
  std::optional<double> score;  // mean, of the kind chosen by, over the runs compared; a fraction
};

// How a cell came to its configuration.
struct CellChoice {
  std::string by;      // "valid-score", "valid-score-by-split" or "test-score"
  std::string chosen;  // empty: none could be chosen
  std::vector<ConfigurationResult> configurations;  // those asked for, in the order of the grid
  int complete = 0;                                 // of these
  int grid = 0;                                     // what the protocol has; more, if narrowed
  int compared = 0;  // runs that each was compared on; below those asked for if none is complete
};

// A cell of a table: one model on one data set. Where it chooses between configurations, the runs
// are those of the chosen one.
struct CellResults {
  std::string dataset;          // "amazon-photo"
  std::string model;            // row name: "gs-mean"
  Measure measure;              // accuracy, maybe on a group of nodes
  bool added = false;           // no name of the protocol means the data set: somebody added it
  int classes = 0;              // of the data set
  std::int64_t expected_n = 0;  // runs that were asked for, by all commands so far
  bool deterministic = false;   // the model draws nothing: one initialisation is all
  std::vector<RunInConflict> conflicts;  // of these, by configuration and place: in no number here
  std::vector<PlacedRun> runs;           // those in the store, by (split, init)
  std::optional<CellChoice> choice;
  std::optional<Looks> looks;  // where runs end as soon as the cell is decided
};

// A table of the protocol. Kinds:
//   "scores"    one number per (dataset, model): mean and spread of the metric
//   "relative"  derived: relative accuracy and average rank of each model over all data sets and
//               splits of the table named by `source` (Shchur et al. 2018, Table 2a)
//   "ranks"     derived: rank of each model by its mean on each data set (Platonov et al. 2023,
//               Table 2)
//   "readings"  derived: models that are there as designed and as released, and which of the two
//               the published value is
// A scores table with strata has two cells for each (dataset, model), on the groups NAME and
// "others", whose runs have the metric on these as their test scores.
struct TableResults {
  std::string id;  // "1", "2a", "2b-planetoid"
  std::string title;
  std::string kind = "scores";
  std::string source;            // of a derived table: the id of the table it reads
  std::string strata;            // name of the group of nodes that scores are split by
  double delta = kDefaultDelta;  // a gap within it is no difference; in the metric's unit
  SplitDesign design;
  std::vector<std::string> datasets;  // column order
  std::vector<std::string> models;    // row order
  int protocol_rows = 0;              // that the protocol has, with runs or without
  std::vector<CellResults> cells;     // of a "scores" table
};

struct Results {
  // Row -> the row that it is a reading of, whose published values it shares.
  std::map<std::string, std::string> reading_of;
  std::set<std::string> quoted;  // rows that hold published values alone
  std::string protocol;          // "pitfalls"
  std::string title;
  bool of_program = false;  // the protocol was no file: is_of_program()
  std::vector<TableResults> tables;
  std::vector<PublishedValue> published;
};

}  // namespace cupel
