#include "cupel/data/records/gathered_text.h"

#include <array>

#include "cupel/base/utf8.h"
#include "cupel/base/visible.h"
#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

// Bytes that stay as they are wherever they stand: of ASCII, and of the characters of two bytes
// from U+00C0 to U+05FF, which are all letters, marks and signs.
constexpr auto kStays = [] {
  std::array<bool, 256> out{};
  for (int c = 0x21; c < 0x7F; ++c) out[static_cast<std::size_t>(c)] = true;
  for (int c = 0xC3; c < 0xD8; ++c) out[static_cast<std::size_t>(c)] = true;
  for (int c = 0x80; c < 0xC0; ++c) out[static_cast<std::size_t>(c)] = true;  // inside of those
  return out;
}();

bool stays(char c) { return kStays[static_cast<unsigned char>(c)]; }

}  // namespace

void GatheredText::put(std::string_view run) {
  if (run.empty()) return;
  if (blank_ && !text_.empty()) text_ += ' ';
  blank_ = false;
  text_ += run;
}

void GatheredText::append(std::string_view piece) {
  std::size_t from = 0, at = 0;
  while (at < piece.size()) {
    while (at < piece.size() && stays(piece[at])) ++at;
    // A blank between two characters that stay needs no change either.
    if (at > from && at + 1 < piece.size() && piece[at] == ' ' && stays(piece[at - 1]) &&
        stays(piece[at + 1])) {
      at += 2;
      continue;
    }
    if (at == piece.size()) break;
    const Utf8Char one = utf8_char(piece, at);
    const bool space = is_space(one.value), unseen = !space && is_unseen(one.value);
    const auto bytes = static_cast<std::size_t>(one.bytes);
    if (space || unseen) {
      put(piece.substr(from, at - from));
      from = at + bytes;
      blank_ = blank_ || space;
      mended_ = mended_ || unseen;
    }
    at += bytes;
  }
  put(piece.substr(from));
}

}  // namespace cupel
