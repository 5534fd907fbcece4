// Fields of CSV (RFC 4180).
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace cupel {

// Quoted where it must be.
inline std::string csv_field(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

// The shortest text that reads back as the same number; "" for none.
inline std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace cupel
