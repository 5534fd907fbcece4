// Fields of CSV (RFC 4180).
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace cupel {

// Quoted where it must be; of control characters what visible() makes of them. A text that a
// spreadsheet would take for a formula, since it begins with = + - @ or a tab and is no number,
// gets an apostrophe in front, as OWASP advises: spreadsheets do not show it.
[[nodiscard]] std::string csv_field(const std::string& field);

// The shortest text that reads back as the same number; "" for none.
inline std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace cupel
