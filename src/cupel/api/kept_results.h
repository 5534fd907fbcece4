// Results told by where they are kept, so that another process has the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/api/store_page.h"
#include "cupel/lab/results/narrow.h"
#include "cupel/lab/results/results.h"

namespace cupel {

struct KeptResults {
  std::string store;                    // its path from the root on
  std::string protocol;                 // of it: a name, or "NAME@VERSION"
  bool alone = false;                   // a page of these results is of that protocol alone
  std::vector<ResultsSelection> parts;  // what of it, and what of that, ...
  std::optional<double> delta;          // instead of the protocol's
  std::string hash;                     // of all that they say
};

// `page` says what of the store the results are.
[[nodiscard]] KeptResults kept_results(const Results& results, const StorePageRequest& page);

struct ReadAgain {
  Results results;
  StorePageRequest page;
};
// Throws Error where the store is not there or does not have them, and where it has got more runs
// or others meanwhile, so that they would be other results.
[[nodiscard]] ReadAgain read_again(const KeptResults& kept);

}  // namespace cupel
