// Published numbers, as a protocol comes with them.
#pragma once

#include <optional>
#include <string>

#include "cupel/lab/protocol/measure.h"

namespace cupel {

// One published number. Values of accuracy are percentages as printed.
struct PublishedValue {
  std::string table, dataset, model;
  Measure measure;
  std::optional<double> mean, spread;  // absent: printed as N/A
  std::string spread_kind;             // "sd_ddof1_pooled_runs", "sd_over_inits", "none", ...
  std::string n_runs;                  // as stated, may be "unstated"
  std::optional<int> effective_n;      // independent draws behind the mean (splits), if known
  std::string note;                    // what the number is, where it is not what its place says
};

}  // namespace cupel
