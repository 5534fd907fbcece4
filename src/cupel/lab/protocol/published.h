// Published numbers, as a protocol comes with them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "cupel/lab/protocol/measure.h"

namespace cupel {

// What a spread can be; "NA" and "" are not said, and are kept as "". "deterministic": nothing was
// drawn for the number, neither data nor split nor initialisation, so that it has no spread.
inline constexpr std::array<std::string_view, 11> kSpreadKinds = {"none",
                                                                  "deterministic",
                                                                  "sd_ddof1_pooled_runs",
                                                                  "sd_over_splits",
                                                                  "sd_ddof0_over_splits",
                                                                  "sd_over_inits",
                                                                  "se_over_inits",
                                                                  "ci95_bootstrap_pooled_runs",
                                                                  "ci95_bootstrap_over_inits",
                                                                  "NA",
                                                                  ""};

// One published number. Values of accuracy are percentages as printed.
struct PublishedValue {
  std::string table, dataset, model;
  Measure measure;
  std::optional<double> mean, spread;  // absent: printed as N/A
  std::string spread_kind;             // one of kSpreadKinds
  std::string n_runs;                  // as stated, may be "unstated"; "": not given
  std::optional<int> effective_n;      // independent draws behind the mean (splits), if known
  std::string note;                    // what the number is, where it is not what its place says
};

}  // namespace cupel
