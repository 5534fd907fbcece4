#include "cupel/data/text/treebank_passes.h"

#include <array>

#include "cupel/data/text/characters.h"

namespace cupel::treebank {
namespace {

constexpr std::array<std::uint16_t, 256> kFound = [] {
  std::array<std::uint16_t, 256> found{};
  const auto mark = [&](std::string_view bytes, unsigned what) {
    for (const char c : bytes)
      found[static_cast<unsigned char>(c)] |= static_cast<std::uint16_t>(what);
  };
  mark("`", kOpening);
  mark("\xc2\xe2", kOpening | kClosing);
  mark("\"", kDoubleQuote);
  mark("'", kQuote);
  mark(":,", kColon);
  mark(".", kPeriod);
  mark(";@#$%&", kSymbol);
  mark("?!", kQuery);
  mark("()[]{}<>", kBracket);
  mark("-", kDash);
  return found;
}();

unsigned found_at(std::string_view text, std::size_t at) {
  return kFound[static_cast<unsigned char>(text[at])];
}

// The next byte at or behind `from` that is one of `what`; the text's size if there is none.
std::size_t next_of(std::string_view text, std::size_t from, unsigned what) {
  while (from < text.size() && !(found_at(text, from) & what)) ++from;
  return from;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool word_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_word(character_at(text, at).code);
}
bool word_before(std::string_view text, std::size_t at) {
  return at > 0 && is_word(character_before(text, at).code);
}

// Bytes of the character at text[at...] if it is this letter in any case, as Python's
// re.IGNORECASE compares, else 0.
std::size_t letter_at(std::string_view text, std::size_t at, char letter) {
  if (at >= text.size()) return 0;
  if (lower(text[at]) == letter) return 1;
  if (letter != 'i' && letter != 's') return 0;
  const char32_t code = character_at(text, at).code;
  return (letter == 'i' ? code == 0x130 || code == 0x131 : code == 0x17f) ? 2 : 0;
}

// The end of these letters at text[at...], or npos.
std::size_t after_letters(std::string_view text, std::size_t at, std::string_view letters) {
  for (const char letter : letters) {
    const std::size_t size = letter_at(text, at, letter);
    if (size == 0) return std::string_view::npos;
    at += size;
  }
  return at;
}

// The contractions that may have text[at...], a quote or the first of two equal letters.
unsigned contractions_at(std::string_view text, std::size_t at) {
  const char before = at > 0 ? lower(text[at - 1]) : ' ', c = lower(text[at]);
  const char next = at + 1 < text.size() ? lower(text[at + 1]) : ' ';
  const char third = at + 2 < text.size() ? lower(text[at + 2]) : ' ';
  const auto bit = [](int which) { return 1u << (kContractionBit + which); };
  if (c == '\'') {
    if (next == 'y' && before == 'd') return bit(1);
    if (next == 'n' && before == 'r') return bit(6);
    if (next != 't') return 0;
    return third == 'w' ? bit(9) : third == 'i' || !is_ascii(third) ? bit(8) : 0;
  }
  if (c == 'n' && third == 'o' && before == 'a') return bit(0);
  if (c == 'n' && third == 'a') return before == 'o' ? bit(3) : before == 'a' ? bit(7) : 0;
  if (c == 't' && third == 'a' && before == 'o') return bit(4);
  if (c != 'm' || third != 'e') return 0;
  return before == 'e' ? bit(5) : before == 'i' || !is_ascii(before) ? bit(2) : 0;
}

}  // namespace

unsigned look_for(std::string_view text) {
  unsigned found = 0;
  char last = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    found |= found_at(text, at);
    if (c == '\'') found |= contractions_at(text, at);
    if (((c ^ last) & ~0x20) == 0 && (c & 0x40)) found |= contractions_at(text, at - 1);
    last = c;
  }
  return found;
}

void pad_openings(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 0; (at = next_of(in, at, kOpening)) < in.size();) {
    const std::string_view rest = in.substr(at);
    std::size_t size = 0;
    if (in[at] == '`') {
      size = std::min(rest.size(), rest.find_first_not_of('`'));
    } else if (rest.starts_with("\xc2\xab")) {
      size = 2;
    } else if (rest.starts_with("\xe2\x80\x98") || rest.starts_with("\xe2\x80\x9c") ||
               rest.starts_with("\xe2\x80\x9e")) {
      size = 3;
    }
    if (size > 0) edit.pad(at, at + size);
    at += std::max<std::size_t>(size, 1);
  }
}

void pad_closings(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 0; (at = next_of(in, at, kClosing)) < in.size(); ++at) {
    const std::string_view rest = in.substr(at);
    if (rest.starts_with("\xc2\xbb")) edit.pad(at, at + 2);
    if (rest.starts_with("\xe2\x80\x99") || rest.starts_with("\xe2\x80\x9d")) edit.pad(at, at + 3);
  }
}

void pad_backtick_pairs(Edit& edit) {
  for (std::size_t at = 0; (at = edit.in.find("``", at)) != std::string_view::npos; at += 2)
    edit.pad(at, at + 2);
}

void pad_ellipses(Edit& edit) {
  for (std::size_t at = 0; (at = edit.in.find("...", at)) != std::string_view::npos; at += 3)
    edit.pad(at, at + 3);
}

void pad_dashes(Edit& edit) {
  for (std::size_t at = 0; (at = edit.in.find("--", at)) != std::string_view::npos; at += 2)
    edit.pad(at, at + 2);
}

void pad_each(Edit& edit, Found what) {
  const std::string_view in = edit.in;
  for (std::size_t at = 0; (at = next_of(in, at, what)) < in.size(); ++at) edit.pad(at, at + 1);
}

void close_double_quotes(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 0; (at = in.find('"', at)) != std::string_view::npos; ++at)
    edit.replace(at, at + 1, " '' ");
}

void open_quotes(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 1; (at = next_of(in, at, kQuote | kDoubleQuote)) < in.size(); ++at) {
    if (at - 1 < edit.done()) continue;
    const std::size_t size = in[at] == '"' ? 1 : in.substr(at).starts_with("''") ? 2 : 0;
    if (size == 0 || std::string_view(" ([{<").find(in[at - 1]) == std::string_view::npos) continue;
    edit.replace(at, at + size, " `` ");
  }
}

void split_before_letter(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 0; (at = next_of(in, at, kQuote)) < in.size(); ++at) {
    if (at + 1 == in.size()) return;
    const Character c = character_at(in, at + 1);
    if (!is_word(c.code) || word_at(in, at + 1 + c.size)) continue;
    bool clitic = false;
    for (const char letter : {'m', 't', 's', 'd'}) clitic |= letter_at(in, at + 1, letter) > 0;
    if (!clitic) edit.replace(at + 1, at + 1, " ");
  }
}

// Only the last period can have nothing but closing marks and spaces behind it.
void split_final_period(Edit& edit, bool beyond_ascii) {
  const std::string_view in = edit.in;
  const std::size_t at = in.rfind('.');
  if (at == std::string_view::npos || at == 0 || in[at - 1] == '.') return;
  std::size_t marks = at + 1;
  while (marks < in.size()) {
    const std::string_view rest = in.substr(marks);
    if (std::string_view("])}>\"'").find(rest[0]) != std::string_view::npos) {
      ++marks;
    } else if (!beyond_ascii) {
      break;
    } else if (rest[0] == ' ') {
      ++marks;
    } else if (rest.starts_with("\xc2\xbb")) {
      marks += 2;
    } else if (rest.starts_with("\xe2\x80\x9d") || rest.starts_with("\xe2\x80\x99")) {
      marks += 3;
    } else {
      break;
    }
  }
  for (std::size_t space = marks; space < in.size();) {
    const std::size_t size = space_at(in, space);
    if (size == 0) return;
    space += size;
  }
  edit.replace(at, at, " ");
  if (beyond_ascii) edit.replace(at + 1, at + 1, " ");
  edit.replace(marks, in.size(), " ");
}

void pad_colons(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 0; (at = next_of(in, at, kColon)) < in.size();) {
    if (at + 1 == in.size()) return;
    const Character next = character_at(in, at + 1);
    if (is_decimal(next.code)) {
      ++at;
      continue;
    }
    edit.pad(at, at + 1);
    at += 1 + next.size;  // the next character belongs to the match
  }
}

void pad_final_colon(Edit& edit) {
  const std::string_view in = edit.in;
  const std::size_t end = in.ends_with('\n') ? in.size() - 1 : in.size();
  for (const std::size_t size : {end, in.size()}) {
    if (size == 0 || !(found_at(in, size - 1) & kColon)) continue;
    edit.pad(size - 1, size);
    return;
  }
}

void split_spaced_quotes(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 1; (at = in.find("' ", at)) != std::string_view::npos; ++at) {
    if (at - 1 >= edit.done() && in[at - 1] != '\'') edit.replace(at, at + 2, " ' ");
  }
}

void split_quote_pairs(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 1; (at = in.find("''", at)) != std::string_view::npos; ++at) {
    if (at - 1 >= edit.done() && space_before(in, at) == 0) edit.replace(at, at + 2, " '' ");
  }
}

void split_short_clitics(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 1; (at = in.find('\'', at)) != std::string_view::npos; ++at) {
    if (at - 1 < edit.done() || in[at - 1] == '\'' || in[at - 1] == ' ') continue;
    std::size_t end = at + 1;
    if (end < in.size() && std::string_view("sSmMdD").find(in[end]) != std::string_view::npos)
      ++end;
    if (end >= in.size() || in[end] != ' ') continue;
    edit.replace(at, at, " ");
    edit.replace(end, end + 1, " ");
  }
}

void split_long_clitics(Edit& edit) {
  const std::string_view in = edit.in;
  for (std::size_t at = 1; (at = in.find('\'', at)) != std::string_view::npos; ++at) {
    const std::string_view behind = in.substr(at);
    std::size_t from = at, end = at + 3;
    if (behind.starts_with("'t ") && in[at - 1] == 'n') {
      from = at - 1, end = at + 2;
    } else if (behind.starts_with("'T ") && in[at - 1] == 'N') {
      from = at - 1, end = at + 2;
    } else if (behind.size() < 4 || behind[3] != ' ') {
      continue;
    } else {
      const std::string_view letters = behind.substr(1, 2);
      if (letters != "ll" && letters != "re" && letters != "ve" && letters != "LL" &&
          letters != "RE" && letters != "VE")
        continue;
    }
    if (from == 0 || from - 1 < edit.done() || in[from - 1] == '\'' || in[from - 1] == ' ')
      continue;
    edit.replace(from, from, " ");
    edit.replace(end, end + 1, " ");
  }
}

void split_contraction(Edit& edit, int which) {
  struct Contraction {
    std::string_view first, second;
    char after;  // b: the end of a word; s: a space, which is taken too
  };
  constexpr Contraction kAll[kContractions] = {
      {"can", "not", 'b'}, {"d", "'ye", 'b'},  {"gim", "me", 'b'}, {"gon", "na", 'b'},
      {"got", "ta", 'b'},  {"lem", "me", 'b'}, {"mor", "'n", 'b'}, {"wan", "na", 's'},
      {" 't", "is", 'b'},  {" 't", "was", 'b'}};
  const Contraction& c = kAll[which];
  const std::string_view in = edit.in;
  for (std::size_t at = 0; at < in.size(); ++at) {
    if (lower(in[at]) != c.first[0]) continue;
    const std::size_t middle = after_letters(in, at, c.first);
    if (middle == std::string_view::npos) continue;
    std::size_t end = after_letters(in, middle, c.second);
    if (end == std::string_view::npos) continue;
    // A pattern that starts with a blank has it outside of its first group.
    const std::size_t from = c.first[0] == ' ' ? at + 1 : at;
    if (from == at && word_before(in, at)) continue;
    const std::size_t second_end = end;
    if (c.after == 's') {
      const std::size_t space = end < in.size() ? space_at(in, end) : 0;
      if (space == 0) continue;
      end += space;
    } else if (word_at(in, end)) {
      continue;
    }
    edit.replace(at, from, " ");
    edit.replace(middle, middle, " ");
    edit.replace(second_end, end, " ");
    at = end - 1;
  }
}

}  // namespace cupel::treebank
