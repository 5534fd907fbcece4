#include "cupel/base/utf8.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace cupel {

Utf8Char utf8_char(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const int bytes = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (bytes == 0 || text.size() - at < static_cast<std::size_t>(bytes)) return {0xfffd, 1};
  char32_t value = lead & (0x7fU >> bytes);
  for (int k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {0xfffd, 1};
    value = value << 6 | (byte(k) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (value < kLeast[bytes] || value > 0x10ffff || surrogate) return {0xfffd, 1};
  return {value, bytes};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t eight = 0;
    if (text.size() - at >= 8) {
      std::memcpy(&eight, text.data() + at, 8);
      if ((eight & 0x8080808080808080U) == 0) {
        at += 8;
        continue;
      }
    }
    const Utf8Char one = utf8_char(text, at);
    if (is_no_utf8(one)) return false;
    at += static_cast<std::size_t>(one.bytes);
  }
  return true;
}

void append_utf8(std::string& out, char32_t code) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6), tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12), tail(6), tail(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0);
  }
}

}  // namespace cupel
