// What `cupel effectiveness` prints: text for people, and CSV.
#pragma once

#include <string>

#include "cupel/judge/effectiveness/effectiveness.h"

namespace cupel::cli {

[[nodiscard]] std::string effectiveness_text(const EffectivenessReport& report);
// A line for each data set; what is not known is an empty field.
[[nodiscard]] std::string effectiveness_csv(const EffectivenessReport& report);

}  // namespace cupel::cli
