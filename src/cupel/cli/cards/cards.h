// Cards: what is known of one thing, as text for people and as JSON.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cupel/api/dataset_account.h"
#include "cupel/base/options_json.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/generate/generator.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/store/store.h"
#include "cupel/learn/model.h"

namespace cupel::cli {

// Each returns a card that ends with a newline. Those of data sets read or generate the data, where
// it is there, and throw Error if it is bad.
[[nodiscard]] std::string recipe_card(const Recipe& recipe, const std::filesystem::path& folder,
                                      bool json);
[[nodiscard]] std::string generator_card(const GeneratorCall& call, bool json);
[[nodiscard]] std::string file_card(const std::string& path, bool json);
[[nodiscard]] std::string model_card(const ModelEntry& model, bool json);
[[nodiscard]] std::string protocol_card(const Protocol& protocol, bool json);
[[nodiscard]] std::string store_card(const Store& store, bool json);
[[nodiscard]] std::string run_card(const RunRecord& record, bool json);

// Notes beside the published values of a protocol: each once with the cells that it is of, under a
// heading ("" if there is none); and each with its place.
[[nodiscard]] std::string published_notes_text(const Protocol& protocol);
[[nodiscard]] nlohmann::ordered_json published_notes_json(const Protocol& protocol);

// Facts, steps and span; entities by type, facts by relation; parts.
[[nodiscard]] std::string facts_account_text(const FactsAccount& facts);

// "20 nodes, 1 edge, 3 features, 2 classes".
[[nodiscard]] std::string size_text(const Facts& facts);

// Settings as text.
[[nodiscard]] std::string settings_text(const std::vector<OptionSpec>& specs);
// Without their ranges, narrow enough for a help text.
[[nodiscard]] std::string defaults_text(const std::vector<OptionSpec>& specs);

}  // namespace cupel::cli
