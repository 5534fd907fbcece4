// The results that a command reads: STORE|PROTOCOL, --store, --protocol.
#pragma once

#include <string>

#include "cupel/cli/syntax.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/results/results.h"

namespace cupel::cli {

struct StoredResultsArguments {
  std::string command;  // its name, for messages
  std::string what, store, protocol;
};
void add_stored_results(Syntax& syntax, StoredResultsArguments& arguments);

struct StoredResults {
  Results results;
  Protocol protocol;  // that they are of, as the store keeps it or as it was named
};
// Throws Error for a store without results of the protocol, and for options that do not go with
// what was given.
[[nodiscard]] StoredResults stored_results(const StoredResultsArguments& arguments);

}  // namespace cupel::cli
