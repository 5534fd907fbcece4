#include "cupel/data/wiki/sql_scan.h"

namespace cupel {
namespace {

char meaning(char escaped) {
  switch (escaped) {
    case '0':
      return '\0';
    case 'b':
      return '\b';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'Z':
      return '\x1a';
    default:
      return escaped;
  }
}

unsigned digit(char c) {
  return c <= '9' ? static_cast<unsigned>(c - '0') : static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

}  // namespace

std::size_t decode_escapes(char* text, std::size_t size) {
  char* out = text;
  for (const char *at = text, *end = text + size; at != end; ++at) {
    if (*at == '\\') {
      ++at;  // a string does not end between a backslash and what it escapes
      if (*at == '%' || *at == '_') *out++ = '\\';
      *out++ = meaning(*at);
    } else {
      if (*at == '\'') ++at;  // the first of two
      *out++ = *at;
    }
  }
  return static_cast<std::size_t>(out - text);
}

std::size_t decode_hex(char* text, std::size_t size) {
  for (std::size_t k = 0; k < size / 2; ++k) {
    text[k] = static_cast<char>(digit(text[2 * k]) * 16 + digit(text[2 * k + 1]));
  }
  return size / 2;
}

}  // namespace cupel
