// What there is to say of a data set: where it comes from, what it holds as stored and as prepared.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/dataset.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/formats/build_account.h"
#include "cupel/data/generate/generator.h"

namespace cupel {

// What there is to say of facts over time before anything is asked about them.
struct FactsAccount {
  std::int64_t facts = 0, steps = 0;
  std::int64_t first = 0, last = 0;                         // times
  std::string time_unit;                                    // "": not known
  std::vector<std::pair<std::string, std::int64_t>> types;  // by name, entities of each
  struct Relation {
    std::string name, source, target;  // and the types of its ends
    bool undirected = false;
    std::int64_t facts = 0;
  };
  std::vector<Relation> relations;
  std::vector<FactPart> parts;
};

// The data as stored and as prepared.
struct DatasetAccount {
  Facts raw, prepared;
  std::string hash;
  std::vector<PreparationStep> history;
  const char* examples = "nodes";  // or "graphs"
  // Per class of the prepared data: name, examples.
  std::vector<std::pair<std::string, std::int64_t>> classes;
  std::optional<FactsAccount> over_time;  // of facts
};

// Requires facts in order.
[[nodiscard]] FactsAccount account_of(const TemporalFacts& facts);
// Throws Error if the steps do not suit the data.
[[nodiscard]] DatasetAccount account_of(Dataset dataset, const std::vector<std::string>& steps);
// Of a data set of the catalog whose files are in `folder`/<recipe name>/; nothing if they are not.
// Throws Error if they are bad.
[[nodiscard]] std::optional<DatasetAccount> account_of(const Recipe& recipe,
                                                       const std::filesystem::path& folder);

// Facts with their words, in the order in which people ask for them.
[[nodiscard]] const std::vector<std::pair<const char*, const char*>>& dataset_fact_names();

// Whether a recipe's data set is in `folder`/<recipe name>/; its bytes are not looked at.
[[nodiscard]] bool files_present(const Recipe& recipe, const std::filesystem::path& folder);

// {"first", "last", "time_unit", "types": [{"name", "entities"}], "relations": [{"name", ...,
// "facts"}], "parts": [...]}
[[nodiscard]] nlohmann::ordered_json over_time_json(const FactsAccount& facts);
// Cards for programs: counts, steps, classes and the hash; and the same as `found`, with what a
// catalog, a generator or a path says of it. `built`: what the path says of how facts were made.
[[nodiscard]] nlohmann::ordered_json account_json(const DatasetAccount& content);
[[nodiscard]] nlohmann::ordered_json recipe_json(const Recipe& recipe,
                                                 const std::filesystem::path& folder,
                                                 const std::optional<DatasetAccount>& content);
[[nodiscard]] nlohmann::ordered_json generator_json(const GeneratorCall& call,
                                                    const DatasetAccount& content);
[[nodiscard]] nlohmann::ordered_json file_json(const std::string& path,
                                               const DatasetAccount& content,
                                               const BuildAccount& built = {});

}  // namespace cupel
