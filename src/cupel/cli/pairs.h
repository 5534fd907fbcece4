// Arguments of commands that compare rows of a store in pairs, a graph model and a baseline.
#pragma once

#include <string>

#include "cupel/api/pairs.h"
#include "cupel/cli/syntax.h"

namespace cupel::cli {

// STORE|PROTOCOL, --store, --protocol, --structure, --attributes, --metric, --table, --datasets.
void add_pairs(Syntax& syntax, PairsRequest& arguments);

// "gin-s over baseline-s", "the best of gin-s, gcn-s over baseline-s".
[[nodiscard]] std::string rows_text(const EffectivenessRows& rows);

}  // namespace cupel::cli
