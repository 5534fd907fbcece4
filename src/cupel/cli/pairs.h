// Arguments of commands that compare rows of a store in pairs, a graph model and a baseline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/cli/stored_results.h"
#include "cupel/cli/syntax.h"
#include "cupel/judge/effectiveness/effectiveness.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel::cli {

struct PairArguments {
  StoredResultsRequest read;
  std::string structure, attributes, metric, table;
  std::vector<std::string> datasets;
};

// STORE|PROTOCOL, --store, --protocol, --structure, --attributes, --metric, --table, --datasets.
void add_pairs(Syntax& syntax, PairArguments& arguments);

// The rows named, or the usual ones that the results have. Throws Error for what is no pair.
[[nodiscard]] EffectivenessRequest request_of(const PairArguments& arguments,
                                              const Results& results);

// "gin-s over baseline-s", "the best of gin-s, gcn-s over baseline-s".
[[nodiscard]] std::string rows_text(const EffectivenessRows& rows);

}  // namespace cupel::cli
