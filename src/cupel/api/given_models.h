// Models that a program has in memory, functions among them, as rows of a protocol.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cupel/lab/plan/model_function.h"
#include "cupel/lab/plan/sources.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel {

using GivenModels = std::vector<std::shared_ptr<const ModelFunction>>;

// The protocol with a row for each function that none of its rows names, called like it, last in
// every table of scores. Its text says the rows, so that it is another version. Throws Error for a
// row of that name that is another model, for two functions of one name, and for a name that is no
// bare key of TOML.
[[nodiscard]] Protocol with_rows_of(const Protocol& protocol, const GivenModels& given);

// The rows of `given`, by name, in their order.
[[nodiscard]] std::vector<std::string> rows_of(const Protocol& protocol, const GivenModels& given);

// `sources`, and these.
[[nodiscard]] PlanSources with_given(PlanSources sources, const GivenModels& given);

}  // namespace cupel
