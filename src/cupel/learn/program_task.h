// What a program of the user is told of a task, beside the graph and its features.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/formats/npy.h"
#include "cupel/learn/view.h"

namespace cupel {

using NpyMembers = std::vector<std::pair<std::string, NpyArray>>;

// A value. Made from a view, so that there is nothing in it which a view does not hold.
struct ProgramTask {
  NpyMembers arrays;                         // of task.npz, in this order
  std::map<std::string, OptionValue> facts;  // of task.json
};

// Questions that a program is asked while it runs, in one file.
struct ProgramQuestion {
  std::string part;                          // "valid" or "test"
  NpyMembers arrays;                         // of the file
  std::map<std::string, OptionValue> facts;  // said with it
  std::int64_t rows = 0, columns = 0;        // of the scores that answer it
};

// Questions that come one after another, where later ones tell what was true. What they are asked
// of must outlive them. Not thread-safe.
class ProgramQuestions {
 public:
  virtual ~ProgramQuestions() = default;
  // Nothing: all were answered. The last one must have been.
  virtual std::optional<ProgramQuestion> next() = 0;
  // Scores as the last question wants them, none of them NaN or +infinity. Throws Error if they
  // are none that a fact may have.
  virtual void answer(ConstDenseView scores) = 0;
};

// A member of 64-bit integers: one axis.
void add_ids(NpyMembers& members, const std::string& name, const std::vector<Index>& ids);

}  // namespace cupel
