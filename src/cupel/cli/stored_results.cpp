#include "cupel/cli/stored_results.h"

#include <filesystem>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/lab/results/load.h"

namespace cupel::cli {

namespace {

namespace fs = std::filesystem;

// A path that means a store rather than a protocol.
bool is_store(const std::string& what) {
  const fs::path path(what);
  if (path.extension() == ".toml") return false;
  std::error_code error;
  return path.extension() == ".sqlite" || fs::exists(path, error);
}

}  // namespace

void add_stored_results(Syntax& syntax, StoredResultsArguments& arguments) {
  syntax.required("STORE|PROTOCOL", arguments.what,
                  "The file of a store, or a protocol (its store is\nPROTOCOL.sqlite)");
  syntax.text("--store", "FILE", arguments.store, "The store, where PROTOCOL is given");
  syntax.text("--protocol", "NAME", arguments.protocol,
              "Which protocol of STORE, or an older version of it,\nNAME@VERSION (default: the "
              "last run)");
}

StoredResults stored_results(const StoredResultsArguments& arguments) {
  if (is_store(arguments.what)) {
    if (!arguments.store.empty())
      fail("{}: '{}' is a store already; --store goes with the name of a protocol",
           arguments.command, arguments.what);
    const Store store(arguments.what, Store::Mode::kOpen);
    Protocol protocol = stored_protocol(store, arguments.protocol);
    Results results = load_results(store, protocol);
    return {std::move(results), std::move(protocol)};
  }
  if (!arguments.protocol.empty())
    fail("{}: '{}' is a protocol already; --protocol goes with a store", arguments.command,
         arguments.what);
  Protocol protocol = load_protocol(arguments.what);
  const std::string path = arguments.store.empty() ? protocol.name + ".sqlite" : arguments.store;
  Results results = load_results(Store(path, Store::Mode::kOpen), protocol);
  return {std::move(results), std::move(protocol)};
}

}  // namespace cupel::cli
