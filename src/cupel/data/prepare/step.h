// What one preparation step is. One file per step in steps/, which defines `extern const StepKind
// step_<file stem>`; parsing, checks, history, lists and cards follow from what it states.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

enum class StepFor { kAll, kOneGraph, kSetOfGraphs };  // kinds of data sets

struct StepKind {
  std::string name;  // in the spelling of protocol files
  std::string doc;   // half a sentence
  // Where lists have it: in the order in which steps are usually done, those that change arcs
  // below 40, examples below 70, features from there on. Equal places go by name.
  int place = 0;
  // What it does. `number` is what is written behind the colon. Throws Error if the data or the
  // number do not allow it.
  void (*apply)(Dataset& dataset, Index number) = nullptr;
  bool takes_number = false;  // written NAME:N, N a whole number of at least 0
  StepFor suits = StepFor::kAll;
};

// All there are, in the order of lists. Safe to call from many threads.
[[nodiscard]] const std::vector<const StepKind*>& step_kinds();

// Drops the examples, nodes or graphs, for which `stays` is false, with everything that belongs to
// them (keep.h). If that is all of them: Error, the data set's name and `leaves_none`.
void keep_where(Dataset& dataset, const std::function<bool(Index)>& stays,
                const std::string& leaves_none);

}  // namespace cupel
