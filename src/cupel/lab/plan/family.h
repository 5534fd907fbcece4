// What all runs of one model on one data set share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/base/random.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/learn/task.h"

namespace cupel {

struct ModelEntry;
struct ModelFunction;
struct TaskKind;

// A model of a row, its settings checked and complete.
struct ResolvedModel {
  std::string name;                   // registry name, or "external"
  const ModelEntry* entry = nullptr;  // nullptr for an external model
  Options settings;
  // Its result does not depend on the initialisation: it is run once, and that run stands at every
  // initialisation of its cell.
  bool deterministic = false;
};

// A data set of the plan, prepared. Immutable, shared by its runs.
struct PlannedDataset {
  std::string name;     // column name
  std::string content;  // hash of the stored data set
  std::vector<std::string> steps;
  std::shared_ptr<const TaskData> data;
};

// A file that a program is made of, as it was when the plan was made.
struct ProgramFile {
  using Stamp = std::pair<std::filesystem::file_time_type, std::uintmax_t>;  // last write, bytes
  std::string name;                                                          // as the row has it
  std::filesystem::path path;  // from the folder that the program starts in
  Stamp stamp;
  std::string hash;  // of its content
};

// Everything that the (split, init) runs of one model on one data set share.
struct Family {
  std::string identity, id;
  std::string drawn_by;  // what random numbers follow from: the identity, but for names in the data
  std::shared_ptr<const PlannedDataset> dataset;
  ResolvedModel model;
  std::string row;  // row name, for messages
  std::optional<ExternalCommand> external;
  std::vector<ProgramFile> files;                 // of a program
  std::map<std::string, std::string> packages;    // versions of those that its row names
  std::shared_ptr<const ModelFunction> function;  // where `external` names one
  const TaskKind* task = nullptr;                 // what is asked
  Options task_settings;                          // and how
  SplitScheme split;  // `first` and `count` mean nothing here: splits go by their number
  TrainRule rule;
  std::string metric;
  bool scores_test = true;
  double timeout_seconds = 0;  // 0: none

  // Whether it is a program of which nothing tells that it was edited.
  bool may_change_unnoticed() const { return external && function == nullptr && files.empty(); }
  // The init under which a run is kept.
  int stored_init(int init) const { return model.deterministic ? 0 : init; }
};

// Identity and id of a family from its other members, and the files of its program. Throws Error
// for a file that cannot be read.
void seal(Family& family);

// The key of what a kind of task draws itself, such as negatives: the same for every model that
// runs on this split.
[[nodiscard]] StreamKey task_key(const PlannedDataset& dataset, const SplitScheme& split,
                                 int number);

// The key of everything random in a run.
[[nodiscard]] StreamKey run_key(const Family& family, int split, int init);

}  // namespace cupel
