// What a store holds as one page for a browser.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/api/stored_results.h"
#include "cupel/judge/report/page/stored.h"
#include "cupel/lab/results/narrow.h"

namespace cupel {

struct StorePageRequest {
  StoredResultsRequest read;
  std::vector<ResultsSelection> parts;  // what is wanted, and what of that, ...; none: all
  std::optional<double> delta;          // instead of the protocols'
  // Data sets of the catalog that are audited for their cards; without a folder, the cards say what
  // the store knows.
  AuditedData data = {};
  std::optional<Protocol> protocol = {};  // as it was read: then that one of the store
};

// Of a store, every protocol in its newest version that has something of the parts, unless one is
// given or named; of a protocol, that one. Throws Error as stored_results() and narrowed() do.
[[nodiscard]] std::string store_page(const StorePageRequest& request);

// The data sets that a page which a user asks for has audits of: those in the folder `given`; with
// "", those in the usual one that are quick to audit, so that a page does not take long that nobody
// asked for audits of. Throws Error if a folder was given that is not there.
[[nodiscard]] AuditedData audited_data(const std::string& given);

}  // namespace cupel
