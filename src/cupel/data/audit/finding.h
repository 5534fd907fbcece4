// What an audit says of a data set.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

enum class Severity { kInfo, kWarning, kError };

// info     worth knowing, nothing to mend
// warning  results are likely to mislead, or less is used than there is
// error    results on this data mean something else than they seem to
[[nodiscard]] std::string to_text(Severity severity);

struct Finding {
  std::string id;  // "duplicate-nodes": what scripts go by; unique within an audit
  Severity severity = Severity::kInfo;
  Offset count = 0;      // of what is wrong: nodes, edges, classes, splits, ... as the title says
  std::string title;     // one line
  std::string evidence;  // sentences with counts, shares, examples
  // How bad it is: among findings of one id and severity the largest is the worst. None: `count`.
  std::optional<double> weight;
  nlohmann::ordered_json details = nlohmann::ordered_json::object();  // evidence for programs
  std::string advice;  // what to do, one or two sentences
};

}  // namespace cupel
