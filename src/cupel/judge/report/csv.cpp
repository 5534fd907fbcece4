#include "cupel/judge/report/csv.h"

#include <charconv>
#include <string_view>

#include "cupel/base/visible.h"

namespace cupel {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_formula(std::string_view text) {
  if (text.empty() || is_number(text)) return false;
  constexpr std::string_view kStarts = "=+-@\t";
  if (kStarts.find(text.front()) != text.npos) return true;
  // The same four as wide characters, which some spreadsheets take for them.
  for (const std::string_view wide : {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"})
    if (text.starts_with(wide)) return true;
  return false;
}

}  // namespace

std::string csv_field(const std::string& field) {
  const std::string text = (is_formula(field) ? "'" : "") + visible(field);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace cupel
