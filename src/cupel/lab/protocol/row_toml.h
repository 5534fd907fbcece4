// A row written as a protocol has it, for people to paste.
#pragma once

#include <string>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// [models.ROW] with every key that differs from its default. Read again it is the same row, but for
// `where`. The row and its cases have no choices left.
[[nodiscard]] std::string row_toml(const ModelRow& row);

}  // namespace cupel
