#include "cupel/data/formats/tu_rows.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace cupel::tu {
namespace {

std::string_view trimmed(const char* from, const char* to) {
  while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r')) --to;
  return {from, static_cast<std::size_t>(to - from)};
}

// Where the field at `p` ends; the block ends with a line feed.
const char* field_end(const char* p) {
  while (*p != ',' && *p != '\n') ++p;
  return p;
}

// Moves p behind a number, which a sign may stand before.
template <class Number>
bool take_number(const char*& p, Number& out) {
  const char* const from = p + (*p == '+' && p[1] != '-' ? 1 : 0);
  const auto [stop, problem] = std::from_chars(from, field_end(p), out);
  p = stop;
  return problem == std::errc();
}

bool take_float(const char*& p, float& out) {
  const char* const end = field_end(p);
  const std::optional<float> value = parse_float32(trimmed(p, end));
  if (!value) return false;
  out = *value;
  p = end;
  return true;
}

bool take_label(const char*& p, double& out) {
  if (*p == ',' || *p == '\n') {
    out = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (!take_number(p, out)) return false;
  constexpr double kExact = 9007199254740992.0;  // 2^53, which is what 2^53 + 1 becomes
  return std::isnan(out) || (out == std::trunc(out) && std::fabs(out) < kExact);
}

}  // namespace

std::string_view line_at(const char* p) {
  const char* end = p;
  while (*end != '\n') ++end;
  return trimmed(p, end);
}

std::string_view field_at(const char* p) { return trimmed(p, field_end(p)); }

Table<std::int64_t> read_whole_numbers(LineBlocks& text) {
  return read_table<std::int64_t>(text, take_number<std::int64_t>, "no whole number");
}

Table<float> read_floats(LineBlocks& text) {
  return read_table<float>(text, take_float, "no finite number");
}

Table<double> read_labels(LineBlocks& text) {
  return read_table<double>(text, take_label, "neither a whole number nor nan");
}

}  // namespace cupel::tu
