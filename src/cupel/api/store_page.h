// What a store holds as one page for a browser.
#pragma once

#include <optional>
#include <string>

#include "cupel/api/stored_results.h"
#include "cupel/judge/report/page/stored.h"
#include "cupel/lab/results/narrow.h"

namespace cupel {

struct StorePageRequest {
  StoredResultsRequest read;
  ResultsSelection selection;
  std::optional<double> delta;  // instead of the protocols'
  // Data sets of the catalog that are audited for their cards; without a folder, the cards say what
  // the store knows.
  AuditedData data = {};
};

// Of a store, every protocol in its newest version that has something of the selection, unless one
// is named; of a protocol, that one. Throws Error as stored_results() and narrowed() do.
[[nodiscard]] std::string store_page(const StorePageRequest& request);

}  // namespace cupel
