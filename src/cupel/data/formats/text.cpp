#include "cupel/data/formats/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

namespace cupel {

std::optional<std::u32string> decode_utf8(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    std::size_t size = 1;
    char32_t code = lead, least = 0;
    if (lead >= 0xf0 && lead < 0xf8) {
      size = 4, code = lead & 0x07u, least = 0x10000;
    } else if (lead >= 0xe0) {
      size = 3, code = lead & 0x0fu, least = 0x800;
    } else if (lead >= 0xc0) {
      size = 2, code = lead & 0x1fu, least = 0x80;
    } else if (lead >= 0x80) {
      return std::nullopt;
    }
    if (lead >= 0xf8 || size > text.size() - at) return std::nullopt;
    for (std::size_t k = 1; k < size; ++k) {
      const auto byte = static_cast<unsigned char>(text[at + k]);
      if (byte >> 6 != 2) return std::nullopt;
      code = code << 6 | (byte & 0x3fu);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < least || code > 0x10ffff || surrogate) return std::nullopt;
    out += code;
    at += size;
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  const bool utf8 = decode_utf8(text).has_value();
  std::string out = "'";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool continues = utf8 && byte >> 6 == 2;
    if (at >= kLongest && !continues) return out + "...'";
    if (byte < 0x20 || byte == 0x7f || (!utf8 && byte >= 0x80)) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += text[at];
    }
  }
  return out + "'";
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

std::optional<float> parse_float32(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  float value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (stop != end || problem == std::errc::invalid_argument) return std::nullopt;
  if (problem == std::errc::result_out_of_range) {
    if (is_too_large(text)) return std::nullopt;
    return text.starts_with('-') ? -0.0f : 0.0f;
  }
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_too_large(std::string_view number) {
  const char* at = number.data();
  const char* const end = at + number.size();
  if (*at == '-') ++at;
  std::int64_t magnitude = 0;  // digits before the point, or the zeros behind it, negative
  bool point = false, significant = false;
  for (; at != end && *at != 'e' && *at != 'E'; ++at) {
    if (*at == '.') {
      point = true;
      continue;
    }
    significant = significant || *at != '0';
    if (significant && !point) ++magnitude;
    if (!significant && point) --magnitude;
  }
  if (at != end) {
    const bool down = *++at == '-';
    if (*at == '-' || *at == '+') ++at;
    std::int64_t exponent = 0;
    for (; at != end; ++at) exponent = std::min<std::int64_t>(10 * exponent + (*at - '0'), 1 << 30);
    magnitude += down ? -exponent : exponent;
  }
  return magnitude > 0;
}

std::string quoted_list(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 12;
  if (texts.empty()) return "none";
  std::string out;
  for (std::size_t i = 0; i < texts.size() && i < kMost; ++i) {
    if (i > 0) out += ", ";
    out += in_quotes(texts[i]);
  }
  if (texts.size() > kMost) out += fmt::format(" and {} more", texts.size() - kMost);
  return out;
}

}  // namespace cupel
