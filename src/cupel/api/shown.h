// What has a card, by its name.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/dataset.h"
#include "cupel/data/generate/generator.h"
#include "cupel/learn/model.h"

namespace cupel {

// What a name stands for; one of these, but that a protocol may be called like the data set that it
// is about. Nothing: nothing is called so.
struct Shown {
  const Recipe* recipe = nullptr;
  const ModelEntry* model = nullptr;
  std::string protocol;  // its name or path
  GeneratorCall generator;
  bool is_store = false;  // it is the path of a store
  bool is_path = false;   // or of something else
};
// A path is taken for what the program has of that name unless it has a '/'. Throws Error for
// settings that a generator does not have.
[[nodiscard]] Shown shown_by(const std::string& name);

// The card of a data set that was loaded by the name or path `source` ("": it was made), from
// `place` if that is a path; `folder` is that of the catalog's data sets. As `cupel show SOURCE
// --json` prints it, but for a protocol of the same name.
[[nodiscard]] nlohmann::ordered_json card_json(const Dataset& dataset, const std::string& source,
                                               const std::filesystem::path& place,
                                               const std::filesystem::path& folder);

}  // namespace cupel
