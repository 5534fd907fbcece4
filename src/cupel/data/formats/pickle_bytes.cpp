#include "cupel/data/formats/pickle_bytes.h"

#include <bit>

#include "cupel/base/error.h"
#include "cupel/base/utf8.h"

namespace cupel {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void PickleBytes::damaged(std::string_view what) const {
  fail("{}: byte {}: {}; the pickle is damaged, or of a kind that is not read", where_, start_,
       what);
}

unsigned char PickleBytes::instruction() {
  start_ = at_;
  return static_cast<unsigned char>(take(1)[0]);
}

std::string_view PickleBytes::take(std::uint64_t size) {
  if (size > bytes_.size() - at_) {
    damaged(fmt::format("{} bytes are needed where {} are left", size, bytes_.size() - at_));
  }
  const std::string_view out = std::string_view(bytes_).substr(at_, size);
  at_ += size;
  return out;
}

std::uint64_t PickleBytes::little(int size) {
  std::uint64_t value = 0;
  const std::string_view text = take(static_cast<std::uint64_t>(size));
  for (std::size_t i = text.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(text[i]);
  return value;
}

double PickleBytes::big_endian_double() {
  std::uint64_t bits = 0;
  for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
  return std::bit_cast<double>(bits);
}

std::string_view PickleBytes::line() {
  const std::size_t end = bytes_.find('\n', at_);
  if (end == std::string::npos) damaged("a line has no end");
  const std::string_view out = take(end - at_);
  ++at_;
  return out;
}

std::int64_t PickleBytes::long_number(std::uint64_t size) {
  const std::string_view text = take(size);
  if (size > 8) damaged("a whole number does not fit 64 bits");
  std::uint64_t value = size > 0 && (text.back() & 0x80) ? ~0ull : 0;
  for (std::size_t i = text.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(text[i]);
  return static_cast<std::int64_t>(value);
}

std::string PickleBytes::escaped_line() {
  const std::string_view text = line();
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    const std::size_t digits = !escape ? 0 : text[i + 1] == 'u' ? 4 : text[i + 1] == 'U' ? 8 : 0;
    if (digits == 0) {
      append_utf8(out, static_cast<unsigned char>(text[i]));
      continue;
    }
    if (text.size() - i < 2 + digits) damaged("a text ends in an escape");
    char32_t c = 0;
    for (const char digit : text.substr(i + 2, digits)) {
      if (hex(digit) < 0) damaged("a text has an unknown escape");
      c = c * 16 + static_cast<char32_t>(hex(digit));
    }
    if (c > 0x10ffff) damaged("a text has a character beyond Unicode");
    append_utf8(out, c);
    i += 1 + digits;
  }
  return out;
}

std::string PickleBytes::quoted_line() {
  std::string_view text = line();
  if (text.size() < 2 || (text[0] != '\'' && text[0] != '"') || text.back() != text[0])
    damaged("a text has no quotes");
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) damaged("a text ends in a backslash");
    constexpr std::string_view kNames = "ntr\\'\"abfv", kMeant = "\n\t\r\\'\"\a\b\f\v";
    const std::size_t known = kNames.find(text[i]);
    if (known != std::string_view::npos) {
      out += kMeant[known];
    } else if (text[i] == 'x' && i + 2 < text.size() && hex(text[i + 1]) >= 0 &&
               hex(text[i + 2]) >= 0) {
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      damaged("a text has an unknown escape");
    }
  }
  return out;
}

}  // namespace cupel
