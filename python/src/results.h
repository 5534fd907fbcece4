// Results as Python holds them.
#pragma once

#include <string>

#include "cupel/lab/results/results.h"

namespace cupel::python {

struct PyResults {
  Results results;
  std::string store;  // where they are kept
};

}  // namespace cupel::python
