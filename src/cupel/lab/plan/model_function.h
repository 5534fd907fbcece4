// A model that is a function of the process that does the runs, such as one that is written in
// Python: nothing is started for it, and no file is written.
//
// It gets what the folder of a program has (lab/run/external.h), as it lies in memory, and gives
// scores of the same shapes. It is not kept apart from anything: it has the rights of the process.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/options.h"
#include "cupel/data/formats/npy.h"
#include "cupel/learn/program_task.h"
#include "cupel/learn/view.h"

namespace cupel {

// Questions that come one after another (ProgramQuestions), for a function that answers them while
// it is called. Throw Error for answers that are none, and where they are asked for out of turn.
class FunctionQuestions {
 public:
  virtual ~FunctionQuestions() = default;
  // Nothing: all were answered.
  virtual std::optional<ProgramQuestion> next() = 0;
  virtual void answer(NpyArray scores) = 0;
};

// One run, as a function is told of it. A value; what it points to may be kept, but for
// `questions`.
struct FunctionTask {
  std::shared_ptr<const View> view;         // the graph and its features; no answer of test
  std::shared_ptr<const ProgramTask> told;  // what is asked
  std::string description;                  // task.json
  FunctionQuestions* questions = nullptr;   // of facts over time; valid until the call ends
  RunLimits limits = {};                    // for who waits before it begins
  std::int64_t memory_bytes = 0;            // that its row says it takes; 0: it says nothing
};

// As lab/run/external.h describes the files of a program. Where there are questions: nothing.
struct FunctionScores {
  std::optional<NpyArray> valid, test;
  double waited = 0;   // seconds before the function began, which its time limit does not count
  bool ended = false;  // it ran in a process of its own, which was ended when its time was up
};

struct ModelFunction {
  std::string name;
  std::vector<OptionSpec> settings;
  // Whatever its results depend on besides settings and task: hash of its source, versions. Part of
  // the identity of runs.
  std::map<std::string, std::string> identity;
  bool deterministic = false;  // whatever the seed is, it gives the same
  // Called from any thread, perhaps from several at once. What it throws is a failed run.
  std::function<FunctionScores(const FunctionTask&)> call;
};

}  // namespace cupel
