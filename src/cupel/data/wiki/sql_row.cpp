#include "cupel/data/wiki/sql_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/sql_scan.h"

namespace cupel {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

const char* skip_blanks(const char* at) {
  while (is_blank(*at)) ++at;
  return at;
}

std::string shown(const char* at, const char* end) {
  return in_quotes({at, std::min(static_cast<std::size_t>(end - at), kShownBytes)});
}

// Behind the string that begins at `at`, a quote; beyond `end` if it does not end before.
inline const char* read_string(const char* at, const char* end, SqlValue& value) {
  StringPart part = scan_string(at + 1);
  value.kind = SqlValue::Kind::kText;
  value.form = SqlValue::Form::kPlain;
  value.ascii = part.ascii;
  while (part.stop < end && (*part.stop == '\\' || part.stop[1] == '\'')) {
    value.form = SqlValue::Form::kEscaped;
    value.ascii = false;  // as the byte that is passed over may be any
    part = scan_string(part.stop + 2);
  }
  value.text = {at + 1, static_cast<std::size_t>(part.stop - at - 1)};
  return part.stop + 1;
}

}  // namespace

void SqlRow::expect(std::size_t columns, const std::vector<std::size_t>& wanted) {
  values_.assign(wanted.size() + 1, {});
  slots_.assign(columns, static_cast<std::uint16_t>(wanted.size()));
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (slots_.at(wanted[k]) != wanted.size()) throw std::logic_error("a column is wanted twice");
    slots_[wanted[k]] = static_cast<std::uint16_t>(k);
  }
}

const char* SqlRow::fail_at(const char* at, std::string what) {
  stop = at;
  fault = std::move(what);
  return nullptr;
}

const char* SqlRow::read_number(const char* at, const char* end, SqlValue& value) {
  const char* from = at;
  if (*at == '-' || *at == '+') ++at;
  const char* digits = at;
  while (is_digit(*at)) ++at;
  std::ptrdiff_t count = at - digits;
  bool whole = true;
  if (*at == '.') {
    whole = false;
    const char* behind = ++at;
    while (is_digit(*at)) ++at;
    count += at - behind;
  }
  if (count > 0 && (*at == 'e' || *at == 'E')) {
    whole = false;
    ++at;
    if (*at == '-' || *at == '+') ++at;
    const char* behind = at;
    while (is_digit(*at)) ++at;
    if (at == behind) count = 0;
  }
  if (at >= end) return end + 1;
  if (count == 0) return fail_at(from, fmt::format("{} is no number", shown(from, end)));
  value.kind = SqlValue::Kind::kNumber;
  value.text = {from, static_cast<std::size_t>(at - from)};
  if (whole) {
    const auto [stop, error] = std::from_chars(from + (*from == '+'), at, value.integer);
    if (error == std::errc{} && stop == at) value.kind = SqlValue::Kind::kInteger;
  }
  return at;
}

const char* SqlRow::read_hex(const char* at, const char* end, SqlValue& value, bool quoted) {
  const char* from = at;
  while (is_digit(*at) || (*at >= 'a' && *at <= 'f') || (*at >= 'A' && *at <= 'F')) ++at;
  if (at >= end) return end + 1;
  value.kind = SqlValue::Kind::kText;
  value.form = SqlValue::Form::kHex;
  value.ascii = false;
  value.text = {from, static_cast<std::size_t>(at - from)};
  const bool ends = quoted ? *at == '\'' : at > from;
  if (!ends || value.text.size() % 2 != 0) {
    return fail_at(from, fmt::format("{} are no bytes in hexadecimal digits", shown(from, end)));
  }
  return at + (quoted ? 1 : 0);
}

// Whatever begins with neither a quote nor a digit, and what follows "0x".
const char* SqlRow::read_other(const char* at, const char* end, SqlValue& value) {
  const char c = *at;
  if (is_digit(c) || c == '-' || c == '+' || c == '.') {
    if (c == '0' && at[1] == 'x') return read_hex(at + 2, end, value, false);
    return read_number(at, end, value);
  }
  const char* from = at;
  while (is_letter(*at) || is_digit(*at) || *at == '_') ++at;
  if (at >= end) return end + 1;
  const std::string_view word(from, static_cast<std::size_t>(at - from));
  if (*at == '\'' && (word == "x" || word == "X")) return read_hex(at + 1, end, value, true);
  if (word == "NULL" || word == "null") {
    value.kind = SqlValue::Kind::kNull;
    value.text = word;
    return at;
  }
  if (word.size() > 1 && word[0] == '_') {  // a character set, as in _binary 'x'
    at = skip_blanks(at);
    if (at >= end) return end + 1;
    if (*at == '\'') return read_string(at, end, value);
    if (end - at < 3) return end + 1;
    if (*at == '0' && at[1] == 'x') return read_hex(at + 2, end, value, false);
    if ((*at == 'x' || *at == 'X') && at[1] == '\'') return read_hex(at + 2, end, value, true);
  }
  return fail_at(from, fmt::format("{} stands where a value belongs", shown(from, end)));
}

// A value of a rarer kind, or one with blanks around it, or what is none; `at` is where it would
// end. Returns where "," or ")" stands, or null with result_.
const char* SqlRow::read_rest(const char* from, const char* at, const char* end, SqlValue& value) {
  result_ = Result::kFault;
  from = skip_blanks(from);
  if (*from != '\'') {
    value.form = SqlValue::Form::kPlain;
    at = read_other(from, end, value);
  } else if (at == end) {
    at = read_string(from, end, value);
  }
  if (at == nullptr) return nullptr;
  if (at < end) at = skip_blanks(at);
  if (at >= end) {
    result_ = Result::kUnfinished;
    return nullptr;
  }
  if (*at == ',' || *at == ')') return at;
  return fail_at(at, fmt::format("{} follows a value, where ',' or ')' belongs", shown(at, end)));
}

SqlRow::Result SqlRow::read(const char* at, const char* end) {
  bool decode = false;
  const std::size_t columns = slots_.size(), other = values_.size() - 1;
  const std::uint16_t* slots = slots_.data();
  SqlValue* values = values_.data();
  for (std::size_t column = 0;; ++column) {
    SqlValue& value = values[column < columns ? slots[column] : other];
    const char* from = at;
    if (*at == '\'') {
      at = read_string(at, end, value);
    } else if (is_digit(*at)) {
      at = read_digits(at, value.integer);
      value.kind = SqlValue::Kind::kInteger;
      value.form = SqlValue::Form::kPlain;
      value.text = {from, static_cast<std::size_t>(at - from)};
    } else {
      at = end;  // where neither "," nor ")" stands
    }
    if (*at != ',' && *at != ')') {
      at = read_rest(from, at, end, value);
      if (at == nullptr) return result_;
    }
    decode |= value.form != SqlValue::Form::kPlain;
    if (*at++ == ',') continue;
    stop = at;
    decode_ = decode;
    if (column + 1 == columns) return Result::kDone;
    fault =
        fmt::format("has {} value{} where {} belong", column + 1, column == 0 ? "" : "s", columns);
    return Result::kFault;
  }
}

void SqlRow::decode(char* from) {
  if (!decode_) return;
  const char* origin = from;
  for (std::size_t k = 0; k + 1 < values_.size(); ++k) {
    SqlValue& value = values_[k];
    if (value.kind != SqlValue::Kind::kText || value.form == SqlValue::Form::kPlain) continue;
    char* text = from + (value.text.data() - origin);
    const std::size_t size = value.form == SqlValue::Form::kHex
                                 ? decode_hex(text, value.text.size())
                                 : decode_escapes(text, value.text.size());
    value.text = {text, size};
    value.form = SqlValue::Form::kPlain;
  }
}

}  // namespace cupel
