#include "cupel/data/text/characters.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <unordered_map>
#include <vector>

namespace cupel {
namespace {

struct LowerRange {
  std::int32_t first, last, step, added;
};

#include "cupel/data/text/unicode_tables.inc"

enum Property : std::uint8_t {
  kWord = 1,
  kDecimal = 2,
  kUpper = 4,
  kLower = 8,
  kIgnorable = 16,  // looked through before a capital sigma
  kCased = 32,
  kMark = 64
};

class Tables {
 public:
  Tables() : properties_(kNoCharacter + 1) {
    fill(kWordRuns, kWord);
    fill(kDecimalRuns, kDecimal);
    fill(kUpperRuns, kUpper);
    fill(kLowerRuns, kLower);
    fill(kIgnorableRuns, kIgnorable);
    fill(kCasedRuns, kCased);
    fill(kMarkRuns, kMark);
    for (const LowerRange& range : kLowerRanges) {
      for (std::int32_t code = range.first; code <= range.last; code += range.step)
        lower_[static_cast<char32_t>(code)] = static_cast<char32_t>(code + range.added);
    }
  }
  bool has(char32_t code, Property property) const { return properties_[code] & property; }
  char32_t lower(char32_t code) const {
    const auto found = lower_.find(code);
    return found == lower_.end() ? code : found->second;
  }

 private:
  void fill(std::span<const std::uint32_t> runs, Property property) {
    std::size_t at = 0;
    bool has = false;
    for (const std::uint32_t length : runs) {
      for (const std::size_t end = at + length; at < end; ++at)
        if (has) properties_[at] |= property;
      has = !has;
    }
  }
  std::vector<std::uint8_t> properties_;
  std::unordered_map<char32_t, char32_t> lower_;
};

const Tables& tables() {
  static const Tables made;
  return made;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) >> 6) == 2; }

void append_character(char32_t code, std::string& out) {
  if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      out += static_cast<char>(0xe0 | code >> 12);
    } else {
      out += static_cast<char>(0xf0 | code >> 18);
      out += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    }
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
  }
  out += static_cast<char>(0x80 | (code & 0x3f));
}

// Whether a capital sigma at text[at...] is a final one: a cased character before it and none
// behind it, ignorable ones aside. `last_cased` looks back: the nearest not ignorable one is cased.
bool is_final_sigma(std::string_view text, std::size_t after, bool last_cased) {
  if (!last_cased) return false;
  while (after < text.size()) {
    const Character c = character_at(text, after);
    if (!tables().has(c.code, kIgnorable)) return !tables().has(c.code, kCased);
    after += c.size;
  }
  return true;
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  std::size_t size = 0;
  char32_t code = 0, least = 0;
  if (lead >= 0xf0 && lead < 0xf8) {
    size = 4, code = lead & 0x07u, least = 0x10000;
  } else if (lead >= 0xe0 && lead < 0xf0) {
    size = 3, code = lead & 0x0fu, least = 0x800;
  } else if (lead >= 0xc0 && lead < 0xe0) {
    size = 2, code = lead & 0x1fu, least = 0x80;
  }
  if (size == 0 || size > text.size() - at) return {kNoCharacter, 1};
  for (std::size_t k = 1; k < size; ++k) {
    if (!continues(text[at + k])) return {kNoCharacter, 1};
    code = code << 6 | (static_cast<unsigned char>(text[at + k]) & 0x3fu);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least || code >= kNoCharacter || surrogate) return {kNoCharacter, 1};
  return {code, size};
}

Character character_before(std::string_view text, std::size_t at) {
  std::size_t start = at - 1;
  while (start > 0 && at - start < 4 && continues(text[start])) --start;
  const Character c = character_at(text.substr(0, at), start);
  return start + c.size == at ? c : Character{kNoCharacter, 1};
}

bool is_space(char32_t code) {
  if (code < 0x80) return code == ' ' || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
  return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
         code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}
bool is_word(char32_t code) { return tables().has(code, kWord); }
bool is_decimal(char32_t code) { return tables().has(code, kDecimal); }
bool is_upper(char32_t code) { return tables().has(code, kUpper); }
bool is_lower(char32_t code) { return tables().has(code, kLower); }
bool is_mark(char32_t code) { return tables().has(code, kMark); }

std::size_t space_at(std::string_view text, std::size_t at) {
  const Character c = character_at(text, at);
  return is_space(c.code) ? c.size : 0;
}

std::size_t space_before(std::string_view text, std::size_t at) {
  const auto last = static_cast<unsigned char>(text[at - 1]);
  if (last < 0x80) return is_space(last) ? 1 : 0;
  const Character c = character_before(text, at);
  return is_space(c.code) ? c.size : 0;
}

std::size_t lower_ascii(char* text, std::size_t size) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kTops = 0x80 * kOnes;
  std::size_t at = 0;
  for (; size - at >= 8; at += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, text + at, 8);
    if (eight & kTops) break;
    // A byte's top bit is set in the first sum from 'A' on, in the second behind 'Z'.
    const std::uint64_t upper =
        (eight + (0x80 - 'A') * kOnes) & ~(eight + (0x7f - 'Z') * kOnes) & kTops;
    eight |= upper >> 2;
    std::memcpy(text + at, &eight, 8);
  }
  for (; at < size && is_ascii(text[at]); ++at) {
    const bool upper = text[at] >= 'A' && text[at] <= 'Z';
    text[at] = static_cast<char>(text[at] | (upper ? 0x20 : 0));
  }
  return at;
}

void append_lower(std::string_view text, std::string& out) {
  constexpr char32_t kSigma = 0x3a3, kSmallSigma = 0x3c3, kFinalSigma = 0x3c2, kDottedI = 0x130;
  const std::size_t start = out.size();
  out.append(text);
  std::size_t at = lower_ascii(out.data() + start, text.size());
  if (at == text.size()) return;
  out.resize(start + at);
  bool last_cased = false;
  for (std::size_t before = 0; before < at; ++before) {
    const auto code = static_cast<unsigned char>(text[before]);
    if (!tables().has(code, kIgnorable)) last_cased = tables().has(code, kCased);
  }
  for (Character c; at < text.size(); at += c.size) {
    c = character_at(text, at);
    if (c.code == kNoCharacter) {
      out += text[at];
    } else if (c.code < 0x80) {
      out += static_cast<char>(c.code >= 'A' && c.code <= 'Z' ? c.code + 32 : c.code);
    } else if (c.code == kSigma) {
      const bool final = is_final_sigma(text, at + c.size, last_cased);
      append_character(final ? kFinalSigma : kSmallSigma, out);
    } else if (c.code == kDottedI) {
      out += "i\xcc\x87";
    } else {
      const char32_t lower = tables().lower(c.code);
      if (lower < 0x80) {
        out += static_cast<char>(lower);  // the Kelvin sign
      } else {
        append_character(lower, out);
      }
    }
    if (!tables().has(c.code, kIgnorable)) last_cased = tables().has(c.code, kCased);
  }
}

}  // namespace cupel
