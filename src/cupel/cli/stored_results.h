// The results that a command reads: STORE|PROTOCOL, --store, --protocol.
#pragma once

#include "cupel/api/stored_results.h"
#include "cupel/cli/syntax.h"

namespace cupel::cli {

void add_stored_results(Syntax& syntax, StoredResultsRequest& arguments);

}  // namespace cupel::cli
