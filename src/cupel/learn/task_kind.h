// A kind of task: what is asked of a data set, who checks that data, model and metric go together,
// and what trains and judges on it.
//
// One file per kind in tasks/, which defines `extern const TaskKind task_<file stem>`; the
// build lists them. Protocols name a kind by `task = "NAME"`.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/base/random.h"
#include "cupel/data/split/split.h"
#include "cupel/data/unit.h"
#include "cupel/learn/program_task.h"
#include "cupel/learn/score/metric_entry.h"
#include "cupel/learn/task.h"
#include "cupel/learn/train/direct_trial.h"
#include "cupel/learn/train/feed.h"
#include "cupel/learn/train/rule.h"

namespace cupel {

// What is asked of a task's data for one split.
struct TaskRequest {
  std::shared_ptr<const TaskData> data;
  SplitScheme scheme;  // resolved; whose member `split` is
  Split split;
  Options settings = {};  // TaskKind::settings
  StreamKey key = {};     // of what the kind itself draws: the same for every model of a cell
  std::vector<std::string> metrics = {};  // that scores will be judged by; checked
  bool scored = true;  // false: no test example is in the view, and there are no answers
  bool asked = true;   // false: what is to be scored is checked, and may be left out of the view
  Threads threads = {};
};

// What is trained, or fitted. References must outlive what is made from it.
struct TaskModel {
  const ModelEntry& entry;
  const Options& settings;  // the model's, and those of TaskKind::model_settings
  const TrainRule& rule;
  std::string metric;
  Threads threads = {};
};

struct TaskKind {
  std::string name;        // "node-classification"
  std::string doc;         // one sentence
  std::string words = {};  // what is predicted, as cards say it: "classes of nodes"
  Unit unit = Unit::kNode;
  std::vector<AnswerForm> forms = {};  // of its answers: which metrics are for it
  std::vector<std::string> kept = {};  // metrics that runs keep beside kept_metric_names(forms)
  std::string metric = "accuracy";     // where a protocol names none
  bool in_identity = true;  // false: runs were kept before identities named the kind of task
  std::vector<OptionSpec> settings = {};        // of a protocol; part of the identity of runs
  std::vector<OptionSpec> model_settings = {};  // of rows, beside those of a trainable model
  // The one judge of what goes together, for plans and trainers alike. `model` is null for a
  // program. Throws Error that begins with `where`, and names the way out.
  void (*check)(const std::string& where, const TaskFacts& facts, const ModelEntry* model,
                const TrainRule& rule, const std::string& metric);
  // The same of a row's settings on a task that was made: of a model that is trained what
  // model_settings say, and of all whether they go together and with the task.
  void (*check_settings)(const std::string& where, const View& view, const TaskModel& model) =
      [](const std::string&, const View&, const TaskModel&) {};
  // The same of what a protocol asks, before there is data: its settings, and metrics with them.
  void (*check_asked)(const std::string& where, const Options& settings,
                      const std::vector<std::string>& metrics) =
      [](const std::string&, const Options&, const std::vector<std::string>&) {};
  // Names of settings that play no part beside the others.
  std::vector<std::string> (*idle)(const Options& settings) = [](const Options&) {
    return std::vector<std::string>();
  };
  // Throws Error if the split is not one of the data set, or nothing can be asked of it.
  Task (*make)(const TaskRequest& request);
  // What runs depend on of the settings, for identities: the content of files in place of paths.
  std::map<std::string, OptionValue> (*identity)(const Dataset& dataset, const Options& settings) =
      [](const Dataset&, const Options& settings) { return settings.identity(); };
  // A hash of the names in the data by which settings choose, or results are told; "": there are
  // none. Runs on data with other names are others, though nothing is drawn in another way.
  std::string (*names)(const Dataset& dataset) = [](const Dataset&) { return std::string(); };
  // For models that are trained by gradients. Its view is one that `make` gave, as in all below.
  std::unique_ptr<Feed> (*feed)(const std::shared_ptr<const View>& view, const Schedule& schedule,
                                const TaskModel& model);
  // For all others.
  std::unique_ptr<DirectTrial> (*direct)(const std::shared_ptr<const View>& view,
                                         const TaskModel& model);
  // Upper estimate of the bytes of either, with its scores, before anything is built.
  std::size_t (*memory)(const View& view, const TaskModel& model);
  // Throws Error, with an estimate and the way out, if the model would refuse the data as too
  // large.
  void (*check_size)(const View& view, const TaskModel& model) = [](const View&, const TaskModel&) {
  };
  // What a program is told when it starts; null where `check` refuses programs.
  ProgramTask (*program)(const View& view) = nullptr;
  // Files of the user that tell answers, which no program may see. Some may not be there.
  std::vector<std::filesystem::path> (*answer_files)(const Dataset& dataset,
                                                     const Options& settings) =
      [](const Dataset&, const Options&) { return std::vector<std::filesystem::path>(); };
  // Where not all that a program is asked may lie in its folder when it starts: what it is asked
  // while it runs. The markings, which this fills, are of the view and of its answers; without a
  // `test` nothing of test is asked. Null: it is asked by `program` alone.
  std::unique_ptr<ProgramQuestions> (*program_questions)(const View& view, Marking& valid,
                                                         Marking* test) = nullptr;
};

// In the order of their names.
[[nodiscard]] const std::vector<const TaskKind*>& task_kinds();
// nullptr if unknown.
[[nodiscard]] const TaskKind* find_task_kind(const std::string& name);

}  // namespace cupel
