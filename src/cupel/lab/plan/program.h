// Which program an external model is.
#pragma once

#include <map>
#include <string>

#include "cupel/lab/plan/family.h"

namespace cupel {

// The row's settings as they are: the program knows what they mean.
[[nodiscard]] ResolvedModel resolve_external(const ModelRow& row);

// What identities hold of a program: its command, its limits, whether it may use the network, and
// the content hash of every argument that is a file (so that an edited program is another model).
[[nodiscard]] std::map<std::string, std::string> program_identity(const ExternalCommand& program);

}  // namespace cupel
