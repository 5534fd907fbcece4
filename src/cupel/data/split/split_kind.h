// What one kind of split is. One file per kind in kinds/; split.cpp does what they have in common.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/split/split.h"

namespace cupel {

struct SplitKind {
  std::string name;
  std::string doc;  // one sentence
  // The settings that the members of the family depend on, e.g. "train=20 valid=30 seed=2018".
  std::string (*settings)(const SplitScheme& scheme);
  // Member `member` >= 0 of the endless family (SplitScheme::first is already added). The result
  // may be in any order and unchecked; test is sorted and all is checked by make_split. Throws
  // Error if the data set or the settings do not allow it.
  Split (*draw)(const Dataset& dataset, const SplitScheme& scheme, int member);
  // Whether it reads one class of each example, so that several tasks are refused.
  bool by_class = false;
};

}  // namespace cupel
