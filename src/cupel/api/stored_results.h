// Results by the name of a protocol or the path of a store.
#pragma once

#include <filesystem>
#include <string>

#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/results/results.h"

namespace cupel {

struct StoredResultsRequest {
  std::string command;  // its name, for messages
  std::string what;     // the path of a store, or a protocol, whose store is PROTOCOL.sqlite
  std::string store, protocol;  // that of a protocol; which of a store's, or of its versions
};
// The store that is meant. Throws Error for options that do not go with what was given.
[[nodiscard]] std::filesystem::path store_of(const StoredResultsRequest& request);

struct StoredResults {
  Results results;
  Protocol protocol;  // that they are of, as the store keeps it or as it was named
};
// Throws Error for a store without results of the protocol, and for options that do not go with
// what was given.
[[nodiscard]] StoredResults stored_results(const StoredResultsRequest& request);

}  // namespace cupel
