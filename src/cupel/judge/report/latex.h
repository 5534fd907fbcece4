// What the two LaTeX formats share.
#pragma once

#include <string>

#include "cupel/judge/report/table.h"

namespace cupel {

// The tables alone, to be read by \input: no preamble, each with a label.
[[nodiscard]] std::string latex_fragment(const Report& report);

}  // namespace cupel
