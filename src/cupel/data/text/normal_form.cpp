#include "cupel/data/text/normal_form.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cupel/base/utf8.h"
#include "cupel/data/text/characters.h"
#include "cupel/data/text/letter_parts.h"

namespace cupel {
namespace {

// Hangul syllables are made of two or three letters by arithmetic (Unicode, section 3.12).
constexpr char32_t kSyllables = 0xac00, kLeads = 0x1100, kVowels = 0x1161, kTails = 0x11a7;
constexpr char32_t kLeadCount = 19, kVowelCount = 21, kTailCount = 28;
constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTailCount;

std::uint64_t pair_of(char32_t first, char32_t second) {
  return std::uint64_t{first} << 32 | second;
}

// By both parts.
const std::unordered_map<std::uint64_t, char32_t>& wholes() {
  static const std::unordered_map<std::uint64_t, char32_t> all = [] {
    std::unordered_map<std::uint64_t, char32_t> out;
    for (const LetterParts& one : letter_parts())
      if (one.composes) out.emplace(pair_of(one.first, one.second), one.whole);
    return out;
  }();
  return all;
}

struct Mark {
  char32_t code;
  std::uint8_t order;  // combining class; 0: a letter
};

// A byte that is no UTF-8 passes as a letter of its own, above all characters.
constexpr char32_t kByte = 0x110000;

void decompose(char32_t code, std::vector<Mark>& out) {
  if (code - kSyllables < kSyllableCount) {
    const char32_t place = code - kSyllables;
    out.push_back({kLeads + place / (kVowelCount * kTailCount), 0});
    out.push_back({kVowels + place / kTailCount % kVowelCount, 0});
    if (place % kTailCount != 0) out.push_back({kTails + place % kTailCount, 0});
    return;
  }
  const LetterParts* const parts = letter_parts_of(code);
  if (parts == nullptr) {
    out.push_back({code, combining_class(code)});
    return;
  }
  decompose(parts->first, out);  // four deep at most
  if (parts->second != 0) decompose(parts->second, out);
}

// The character that both make; 0 if there is none.
char32_t composed(char32_t first, char32_t second) {
  if (first - kLeads < kLeadCount && second - kVowels < kVowelCount)
    return kSyllables + ((first - kLeads) * kVowelCount + (second - kVowels)) * kTailCount;
  if (first - kSyllables < kSyllableCount && (first - kSyllables) % kTailCount == 0 &&
      second > kTails && second < kTails + kTailCount)
    return first + (second - kTails);
  const auto found = wholes().find(pair_of(first, second));
  return found == wholes().end() ? 0 : found->second;
}

void order_marks(std::vector<Mark>& text) {
  const auto is_letter = [](const Mark& mark) { return mark.order == 0; };
  for (auto from = text.begin(); from != text.end();) {
    from = std::find_if_not(from, text.end(), is_letter);
    const auto to = std::find_if(from, text.end(), is_letter);
    std::stable_sort(from, to, [](const Mark& a, const Mark& b) { return a.order < b.order; });
    from = to;
  }
}

// UAX #15's composition: a character joins the last letter before it unless something between
// them has the same class as it, or a higher one.
void compose(std::vector<Mark>& text) {
  std::size_t kept = 0, letter = text.size();
  std::uint8_t before = 0;  // class of the last character kept behind the letter
  bool adjacent = false;    // nothing was kept behind the letter
  for (const Mark mark : text) {
    if (letter < text.size() && (adjacent || before < mark.order)) {
      const char32_t whole = composed(text[letter].code, mark.code);
      if (whole != 0) {
        text[letter].code = whole;
        continue;
      }
    }
    if (mark.order == 0) letter = kept;
    adjacent = mark.order == 0;
    before = mark.order;
    text[kept++] = mark;
  }
  text.resize(kept);
}

// Whether nothing in the text could change: most names are of such characters. The lead byte of
// U+0300 is 0xcc.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0xcc; });
}

std::vector<Mark> decomposed(std::string_view text) {
  std::vector<Mark> marks;
  marks.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char one = utf8_char(text, at);
    if (is_no_utf8(one)) {
      marks.push_back({kByte + static_cast<unsigned char>(text[at]), 0});
    } else {
      decompose(one.value, marks);
    }
    at += static_cast<std::size_t>(one.bytes);
  }
  return marks;
}

std::string written(const std::vector<Mark>& marks) {
  std::string out;
  out.reserve(marks.size());
  for (const Mark& mark : marks) {
    if (mark.code >= kByte) {
      out += static_cast<char>(mark.code - kByte);
    } else {
      append_utf8(out, mark.code);
    }
  }
  return out;
}

}  // namespace

std::string nfc(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::vector<Mark> marks = decomposed(text);
  order_marks(marks);
  compose(marks);
  return written(marks);
}

}  // namespace cupel
