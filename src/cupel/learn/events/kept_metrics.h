// What runs keep of the question whether facts are true.
#pragma once

#include <array>

namespace cupel {

// Beside kept_metric_names() of pools.
inline constexpr std::array kKeptOfWhether = {"precision", "precision:by=valid", "recall",
                                              "recall:by=valid"};

}  // namespace cupel
