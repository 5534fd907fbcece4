// From a protocol to the runs that it asks for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cupel/lab/plan/family.h"
#include "cupel/lab/plan/sources.h"
#include "cupel/lab/plan/strata.h"
#include "cupel/lab/protocol/configurations.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// A cell of a table, or one of the configurations that it chooses from: `splits` x `inits` runs of
// a family, of which the protocol asks for `full_splits` x `full_inits`. Split numbers start at
// `first_split`.
struct PlannedCell {
  std::string table, dataset, model;
  std::string configuration;               // "layers=3"; empty where nothing is chosen
  std::shared_ptr<const Stratum> stratum;  // by which test scores are split; may be null
  std::shared_ptr<const Family> family;
  int first_split = 0;
  int splits = 0, inits = 0, full_splits = 0, full_inits = 0;
  // Of a configuration: the first so many of the inits only choose, by `choose_by`; the others are
  // for the chosen one. 0: all are for all.
  int select_inits = 0;
  std::string choose_by = {};
};

struct Plan {
  std::string protocol, version;
  std::string text, published_text;  // kept by the store
  std::vector<PlannedCell> cells;    // table by table, data set by data set
};

// What of a protocol is wanted. Empty and 0 mean all.
struct Selection {
  // Columns by name. A name or path that is no column of the protocol is added to the tables that
  // do not list data sets of their own.
  std::vector<std::string> datasets;
  std::vector<std::string> models;  // row names
  // Ids; a derived table stands for its source. Those that are run on request are never meant by
  // "all".
  std::vector<std::string> tables;
  // The first so many: no more than the protocol has, but for repetitions of a cross-validation and
  // initialisations on stored splits, which say how far one of them strays.
  int splits = 0, inits = 0;
  bool beyond = false;                     // true: more of any family that is endless
  std::vector<ChoiceFilter> choices = {};  // narrow what cells choose from
};

// Loads and prepares the data sets and resolves the models, so that bad input shows before anything
// runs. Throws Error naming the place in the protocol or the selection.
[[nodiscard]] Plan make_plan(const Protocol& protocol, const Selection& selection,
                             const PlanSources& sources);

}  // namespace cupel
