// Results as Python holds them.
#pragma once

#include <string>

#include "cupel/api/store_page.h"
#include "cupel/lab/results/results.h"

namespace cupel::python {

struct PyResults {
  Results results;
  std::string store;      // where they are kept
  StorePageRequest page;  // what of the store they are, wherever the process has gone since
};

}  // namespace cupel::python
