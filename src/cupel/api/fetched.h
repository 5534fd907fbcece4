// Which data sets are to be fetched, and what is told of it.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cupel/data/fetch/fetch.h"

namespace cupel {

struct FetchList {
  std::vector<const Recipe*> recipes;  // each once, in the order in which they are named
  // What protocols need beside, which is not there and cannot be fetched: a sentence of each, with
  // the way out.
  std::vector<std::string> left;
};
// What `names` stand for: data sets of the catalog, and protocols by name or path, which stand for
// the data sets of their tables, or of those called `tables`. A data set's name wins. `data_folder`
// need not be there. Throws Error for a name that is neither, with the nearest; as load_protocol()
// and check_selection() do; and for tables without a protocol.
[[nodiscard]] FetchList fetch_list(const std::vector<std::string>& names,
                                   const std::vector<std::string>& tables,
                                   const std::filesystem::path& data_folder);

struct FetchedOf {
  const Recipe* recipe = nullptr;
  FetchedFile file;
};
// Fetches them one after the other, those of the list that are there already, too. Throws Error as
// fetch() does; what was fetched before stays.
std::vector<FetchedOf> fetch_all(const FetchList& list, const std::filesystem::path& data_folder,
                                 const FetchOptions& options, const FetchCallback& progress);

[[nodiscard]] std::string fetch_text(const FetchProgress& progress);  // "cora.npz: 1 MB of 4 MB"
// As `cupel fetch --json` prints it.
[[nodiscard]] nlohmann::ordered_json fetched_json(const std::vector<FetchedOf>& fetched);

}  // namespace cupel
