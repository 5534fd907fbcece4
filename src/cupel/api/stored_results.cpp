#include "cupel/api/stored_results.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/lab/results/load.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// A path that means a store rather than a protocol. A folder is none, and may be called like a
// protocol that is shipped.
bool is_store(const std::string& what) {
  const fs::path path(what);
  if (path.extension() == ".toml") return false;
  std::error_code error;
  if (fs::is_directory(path, error) && std::ranges::count(protocol_names(), what) > 0) return false;
  return path.extension() == ".sqlite" || fs::exists(path, error);
}

}  // namespace

std::filesystem::path store_of(const StoredResultsRequest& request) {
  if (is_store(request.what)) {
    if (!request.store.empty())
      fail("{}: '{}' is a store already; --store goes with the name of a protocol", request.command,
           request.what);
    return request.what;
  }
  if (!request.protocol.empty())
    fail("{}: '{}' is a protocol already; --protocol goes with a store", request.command,
         request.what);
  return request.store.empty() ? load_protocol(request.what).name + ".sqlite" : request.store;
}

StoredResults stored_results(const StoredResultsRequest& request) {
  const fs::path path = store_of(request);
  const bool named = path != request.what;  // a protocol
  std::optional<Protocol> protocol;
  if (named) protocol = load_protocol(request.what);
  const Store store(path, Store::Mode::kOpen);
  if (!named) protocol = stored_protocol(store, request.protocol);
  Results results = load_results(store, *protocol);
  return {std::move(results), std::move(*protocol)};
}

}  // namespace cupel
