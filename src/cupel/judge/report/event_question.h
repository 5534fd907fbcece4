// What a run over facts over time was asked, as its identity says it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cupel/lab/record/record.h"

namespace cupel::report {

struct EventQuestion {
  nlohmann::json settings;  // of the task
  double holdout = 0;       // share of the nodes whose facts training lacks

  // "" and 0 for what the identity does not say.
  [[nodiscard]] std::string text(const char* name) const;
  [[nodiscard]] std::int64_t number(const char* name) const;
  [[nodiscard]] bool whether() const { return text("question") == "whether"; }
};
// Nothing for runs that are about something else.
[[nodiscard]] std::optional<EventQuestion> event_question(const RunRecord& record);

}  // namespace cupel::report
