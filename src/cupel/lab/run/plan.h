// From a protocol to the runs that it asks for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/base/random.h"
#include "cupel/data/dataset.h"
#include "cupel/lab/protocol/configurations.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/run/strata.h"
#include "cupel/learn/task.h"

namespace cupel {

struct ModelEntry;
struct TaskKind;
class Store;

// A model of a row, its settings checked and complete.
struct ResolvedModel {
  std::string name;                   // registry name, or "external"
  const ModelEntry* entry = nullptr;  // nullptr for an external model
  Options settings;
  // Its result does not depend on the initialisation: it is run once, and that run stands at every
  // initialisation of its cell.
  bool deterministic = false;
};

// Where a plan gets data sets and models from; tests put their own here. Functions throw Error.
struct PlanSources {
  std::function<Dataset(const std::string& name_or_path)> load;
  // Gets what `load` gave, with the name it was loaded by.
  std::function<Dataset(const std::string& name_or_path, Dataset,
                        const std::vector<std::string>& steps)>
      prepare;
  // Not called for external models.
  std::function<ResolvedModel(const ModelRow&, const TaskKind&)> model;
};

// The catalog (with `data_folder`), the preparation steps and the registry of models.
[[nodiscard]] PlanSources plan_sources(const std::filesystem::path& data_folder);

// A data set of the plan, prepared. Immutable, shared by its runs.
struct PlannedDataset {
  std::string name;     // column name
  std::string content;  // hash of the stored data set
  std::vector<std::string> steps;
  std::shared_ptr<const TaskData> data;
};

// Everything that the (split, init) runs of one model on one data set share.
struct Family {
  std::string identity, id;
  std::shared_ptr<const PlannedDataset> dataset;
  ResolvedModel model;
  std::string row;  // row name, for messages
  std::optional<ExternalCommand> external;
  const TaskKind* task = nullptr;  // what is asked
  Options task_settings;           // and how
  SplitScheme split;  // `first` and `count` mean nothing here: splits go by their number
  TrainRule rule;
  std::string metric;
  bool scores_test = true;
  double timeout_seconds = 0;  // 0: none

  // The init under which a run is kept.
  int stored_init(int init) const { return model.deterministic ? 0 : init; }
};

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
  std::vector<std::string> tables;  // ids; a derived table stands for its source
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

// The key of what a kind of task draws itself, such as negatives: the same for every model that
// runs on this split.
[[nodiscard]] StreamKey task_key(const PlannedDataset& dataset, const SplitScheme& split,
                                 int number);

// Identity and id of a family from its other members.
void seal(Family& family);

// Runs that share data set, model, configuration and split: what one trainer does.
struct RunGroup {
  std::shared_ptr<const Family> family;
  int split = 0;  // number of the split: SplitScheme::first + index
  std::vector<int> inits;
  std::vector<std::shared_ptr<const Stratum>> strata;  // by which test scores are split
};

// Which part of a plan this process does: `index` of `count`, 0-based. Parts are even in what they
// are likely to cost, and the same on every machine that plans the same runs (lab/run/shards.h).
struct Shard {
  int index = 0, count = 1;
};

struct Pending {
  std::vector<RunGroup> groups;  // split by split, so that an interrupted table is even
  int planned = 0;               // distinct runs of the plan in this shard
  int stored = 0;                // of these, how many the store has
  int failed = 0;                // of the stored ones: failed or timed out
  // Runs of configurations that are not chosen yet: they are known once the runs that choose are
  // there, and are in none of the numbers above. Of the whole plan, whatever the shard.
  int later = 0;
};

// The runs of `plan` that `store` does not have, or has without a stratum that a cell asks for.
// With `retry`, failed and timed-out runs count as missing. A run that several tables ask for
// appears once. Of a cell some of whose inits only choose, these are asked of all configurations,
// and the others of what they have chosen. Throws Error if the plan has more than ten million runs.
[[nodiscard]] Pending pending_runs(const Plan& plan, const Store& store, bool retry = false,
                                   Shard shard = {});

}  // namespace cupel
