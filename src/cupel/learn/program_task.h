// What a program of the user is told of a task, beside the graph and its features.
#pragma once

#include <map>
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

// A member of 64-bit integers: one axis.
void add_ids(NpyMembers& members, const std::string& name, const std::vector<Index>& ids);

}  // namespace cupel
