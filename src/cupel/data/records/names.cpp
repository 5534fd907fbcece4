#include "cupel/data/records/names.h"

#include <algorithm>
#include <array>

#include "cupel/base/utf8.h"
#include "cupel/base/visible.h"
#include "cupel/data/records/latex_letters.h"
#include "cupel/data/records/text_tags.h"
#include "cupel/data/text/characters.h"
#include "cupel/data/wiki/markup/named_characters.h"

namespace cupel {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLoose = " ,;";    // never belong to the end of a name
constexpr std::string_view kMarks = "^#~:|";  // never either, and are marks of something

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char32_t code) { return is_word(code) && !is_decimal(code) && code != U'_'; }

// Nothing is to be mended in such a text: letters of ASCII, points, hyphens, single blanks.
bool is_plain(std::string_view text) {
  bool blank = true, letter = false;
  for (const char c : text) {
    const bool is_ascii_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_ascii_letter && c != '.' && c != '-' && (c != ' ' || blank)) return false;
    letter = letter || is_ascii_letter;
    blank = c == ' ';
  }
  return letter && !blank;
}

// Whether a tie stands at text[at], which LaTeX prints as a blank: "Ann~Lee", not "x.edu/~lee".
bool is_tie(std::string_view text, std::size_t at) {
  const auto of_word = [](char c) {
    return !is_ascii(c) || is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  if (text[at] != '~' || at == 0 || at + 1 == text.size()) return false;
  const char before = text[at - 1], behind = text[at + 1];
  return (of_word(before) || before == '.' || before == '}') &&
         (of_word(behind) || behind == '\\' || behind == '{');
}

void undo_latex(std::string& text, unsigned& mends) {
  if (text.find_first_of("\\{}~") == std::string::npos) return;
  std::string out;
  bool unknown = false, any = false;
  const bool address = text.find('@') != std::string::npos;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t taken = text[at] == '\\' ? append_latex(text, at, out) : 0;
    if (!address && is_tie(text, at)) {
      out += ' ';
      taken = 1;
    }
    if (taken == 0) out += text[at];
    unknown = unknown || (taken == 0 && text[at] == '\\');
    any = any || taken > 0;
    at += std::max<std::size_t>(taken, 1);
  }
  // Braces may be those of a command that is not known.
  if (!unknown) any = std::erase_if(out, [](char c) { return c == '{' || c == '}'; }) > 0 || any;
  if (any) mends |= kMendedAccents;
  text = std::move(out);
}

// Formulas in names hold marks of footnotes: "$^{1,2}$".
void drop_formulas(std::string& text, unsigned& mends) {
  constexpr std::size_t kLongest = 32;
  std::size_t open = text.find('$');
  if (open == std::string::npos) return;
  std::string out(text, 0, open);
  while (open < text.size()) {
    const std::size_t close = std::string_view(text).substr(0, open + kLongest).find('$', open + 1);
    const bool formula = close != std::string::npos;
    if (formula) mends |= kMendedFootnotes;
    const std::size_t kept = formula ? close + 1 : open;
    open = std::min(text.find('$', formula ? kept : kept + 1), text.size());
    out.append(text, kept, open - kept);
  }
  text = std::move(out);
}

// Whether a raised text marks a footnote: "1", "*", "a,b", but not "rd". A letter behind it tells
// that a lone one is of a name: "M<sup>c</sup>Donald".
bool is_raised_mark(std::string_view raised, bool letter_behind) {
  constexpr std::size_t kLongest = 16;
  if (raised.size() > kLongest) return false;
  bool before = false;  // a letter
  for (std::size_t at = 0; at < raised.size();) {
    const Character one = character_at(raised, at);
    const bool letter = is_letter(one.code);
    if (letter && (before || letter_behind)) return false;
    before = letter;
    at += one.size;
  }
  return true;
}

// The bytes of "<sup>1</sup>" at text[at]; 0 if no raised mark of a footnote stands there.
std::size_t raised_mark(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const Tag begin = tag_at(rest);
  if (!begin.mark || begin.ends) return 0;
  const std::size_t close = rest.find('<', begin.size);
  if (close == std::string_view::npos) return 0;
  const Tag end = tag_at(rest.substr(close));
  if (!end.mark || !end.ends) return 0;
  const std::size_t taken = close + end.size;
  const bool letter_behind =
      at > 0 && taken < rest.size() && is_letter(character_at(rest, taken).code);
  const bool mark = is_raised_mark(rest.substr(begin.size, close - begin.size), letter_behind);
  return mark ? taken : 0;
}

// Takes tags out of a tidy text, and raised marks of footnotes: an institution's at its head alone.
void drop_markup(std::string& text, bool person, unsigned& mends) {
  const auto tags = std::ranges::count(text, '<');
  if (tags == 0) return;
  std::string out;
  std::size_t at = 0;  // what is before it is in `out`
  for (std::size_t open = text.find('<'); open != std::string::npos && (person || open == 0);
       open = text.find('<', std::max(at, open + 1))) {
    const std::size_t taken = raised_mark(text, open);
    if (taken == 0) continue;
    out.append(text, at, open - at);
    at = open + taken;
    out += ' ';
    const bool ends_a_part = at < text.size() && (text[at] == ',' || text[at] == ';');
    if (ends_a_part) out.erase(out.find_last_not_of(' ') + 1);
    if (person) mends |= kMendedFootnotes;
  }
  out.append(text, at);
  text = without_tags(out);
  if (std::ranges::count(text, '<') < tags) mends |= kMendedMarkup;
}

bool is_footnote_sign(char32_t c) {
  constexpr std::u32string_view kSigns = U"*†‡§¶∗⁎⋆★☆✝✉‖⁑⁂♠♣♥♦♢♡♤♧◇⋄¹²³⁰⁴⁵⁶⁷⁸⁹⁺⁻";
  return kSigns.find(c) != std::u32string_view::npos;
}

// What Windows-1252 has where Latin-1 has controls, as browsers read it; 0 where it has nothing.
constexpr std::u32string_view kWindowsHigh =
    U"€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0"
    U"\0‘’“”•–—˜™š›œ\0žŸ"sv;

char32_t of_windows_1252(char32_t control) {
  return control >= 0x80 && control < 0xa0 ? kWindowsHigh[control - 0x80] : U'\0';
}

// Whether two characters look like one of UTF-8 that was read byte by byte: "Ã©" for é, "Ð¾", "â€".
// Of Latin and Cyrillic alone, where no word has the two beside each other.
bool is_misread(std::string_view text) {
  constexpr std::u32string_view kBegin = U"ÂÃÄÅÐÑ";
  if (text.find('\xc3') == std::string_view::npos) return false;  // all of these have it
  char32_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character one = character_at(text, at);
    const bool high = (one.code >= 0x80 && one.code < 0xc0 && one.code != 0xa0) ||
                      (one.code > 0xff && kWindowsHigh.find(one.code) != kWindowsHigh.npos);
    if (high && (kBegin.find(before) != kBegin.npos || (before == U'â' && one.code == U'€')))
      return true;
    before = one.code;
    at += one.size;
  }
  return false;
}

bool says_nobody(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNobody = {"[anonymous]", "anon", "anon.", "anonymous",
                                                        "n.a",         "n.a.", "n/a",   "na",
                                                        "nan",         "none", "null",  "unknown"};
  if (name.size() > kNobody[0].size()) return false;
  std::string lower(name);
  lower_ascii(lower.data(), lower.size());
  return std::ranges::find(kNobody, lower) != kNobody.end();
}

// Unseen characters go, white space becomes single blanks, and footnote signs a blank.
void tidy(std::string& text, bool signs, unsigned& mends) {
  std::string out;
  bool blank = false, after_sign = false;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char one = utf8_char(text, at);
    const auto bytes = static_cast<std::size_t>(one.bytes);
    const bool broken = is_no_utf8(one), sign = signs && !broken && is_footnote_sign(one.value);
    if (sign) mends |= kMendedFootnotes;
    if (sign || (!broken && is_space(one.value))) {
      blank = true;
      after_sign = after_sign || sign;
    } else if (const char32_t meant = broken ? 0 : of_windows_1252(one.value);
               meant == 0 && !broken && is_unseen(one.value)) {
      mends |= kMendedUnseen;
    } else {
      const bool ends_a_part = after_sign && (one.value == U',' || one.value == U';');
      if (blank && !out.empty() && !ends_a_part) out += ' ';
      blank = after_sign = false;
      if (meant != 0) {
        mends |= kMendedWindows;
        append_utf8(out, meant);
      } else {
        out.append(text, at, bytes);
      }
    }
    at += bytes;
  }
  text = std::move(out);
}

// Up to two letters that end before `at`.
int letters_before(std::string_view text, std::size_t at) {
  int letters = 0;
  while (letters < 2 && at > 0) {
    const Character one = character_before(text, at);
    if (!is_letter(one.code)) break;
    ++letters;
    at -= one.size;
  }
  return letters;
}

// The bytes of a footnote at the end of the text: "1", "(2)", "[3]", "·"; 0 if there is none.
std::size_t footnote_at_end(std::string_view text) {
  constexpr std::string_view kMiddleDot = "\xc2\xb7";
  if (text.ends_with(kMiddleDot)) return kMiddleDot.size();
  if (kMarks.find(text.back()) != std::string_view::npos) return 1;
  const bool bracket = text.back() == ']' || text.back() == ')';
  const std::size_t end = text.size() - (bracket ? 1 : 0);
  std::size_t from = end;
  while (from > 0 && is_digit(text[from - 1])) --from;
  const std::size_t digits = end - from;
  if (digits == 0 || digits > 3 || from == 0) return 0;
  const char before = text[from - 1];
  if (bracket) return before == (text.back() == ']' ? '[' : '(') ? digits + 2 : 0;
  if (kLoose.find(before) != kLoose.npos || kMarks.find(before) != kMarks.npos) return digits;
  return digits <= 2 && letters_before(text, from) == 2 ? digits : 0;
}

std::size_t footnote_at_head(std::string_view text) {
  if (kMarks.find(text.front()) != std::string_view::npos) return 1;
  const bool bracket = text.front() == '[' || text.front() == '(';
  const std::size_t from = bracket ? 1 : 0;
  std::size_t end = from;
  while (end < text.size() && is_digit(text[end])) ++end;
  const std::size_t digits = end - from;
  if (digits == 0 || digits > 3 || end == text.size()) return 0;
  if (bracket) return text[end] == (text.front() == '[' ? ']' : ')') ? end + 1 : 0;
  return kLoose.find(text[end]) != std::string_view::npos ? digits : 0;
}

std::string_view without_loose(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kLoose);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kLoose) - from + 1);
}

// Both ends, until nothing is left to take.
void trim_footnotes(std::string& text, unsigned& mends) {
  std::string_view rest = without_loose(text);
  if (rest.size() != text.size()) mends |= kMendedFootnotes;
  while (!rest.empty()) {
    const std::size_t tail = footnote_at_end(rest);
    const std::size_t head = tail == 0 ? footnote_at_head(rest) : 0;
    if (tail == 0 && head == 0) break;
    mends |= kMendedFootnotes;
    rest.remove_suffix(tail);
    rest.remove_prefix(head);
    rest = without_loose(rest);
  }
  text = std::string(rest);
}

}  // namespace

// A reference that becomes '&' may begin another one, which is looked at in its turn.
void undo_entities(std::string& text, unsigned& mends) {
  std::size_t at = text.find('&');
  if (at == std::string::npos) return;
  std::string out(text, 0, at), one;
  while (at < text.size()) {
    if (text[at] != '&') {
      out += text[at++];
      continue;
    }
    one.clear();
    const std::size_t taken = markup::append_reference(text, at, one);
    if (taken == 0) {
      out += text[at++];
      continue;
    }
    mends |= kMendedEntities;
    at += taken;
    if (one == "&") {
      text[--at] = '&';
      if (markup::append_reference(text, at, one) > 0) continue;
      ++at;
      one.assign(1, '&');
    }
    out += one;
  }
  text = std::move(out);
}

unsigned name_faults(std::string_view name) {
  unsigned out = 0;
  if (name.find('\\') != std::string_view::npos) out |= kLeftLatex;
  if (name.find("\xef\xbf\xbd") != std::string_view::npos) out |= kLeftGaps;
  if (is_misread(name)) out |= kLeftMisread;
  if (says_nobody(name)) out |= kLeftNone;
  return out;
}

bool has_letter(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character one = character_at(text, at);
    if (is_letter(one.code)) return true;
    at += one.size;
  }
  return false;
}

bool clean_name(std::string& name, unsigned& mends, std::string* with_marks) {
  if (with_marks != nullptr) with_marks->clear();
  if (is_plain(name)) {
    if (says_nobody(name)) mends |= kLeftNone;
    return true;
  }
  undo_entities(name, mends);
  std::string marked = with_marks != nullptr ? name : std::string();
  unsigned done = 0;
  drop_formulas(name, done);
  undo_latex(name, done);
  const bool address = name.find('@') != std::string::npos, misread = is_misread(name);
  if (misread) done |= kLeftMisread;
  tidy(name, !address && !misread, done);
  drop_markup(name, true, done);
  if (!address) trim_footnotes(name, done);
  mends |= done | name_faults(name);
  if (with_marks != nullptr && (done & kMendedFootnotes) != 0) {
    undo_latex(marked, done);
    tidy(marked, false, done);
    *with_marks = without_tags(marked);
  }
  return has_letter(name);
}

bool clean_affiliation(std::string& name, unsigned& mends) {
  if (is_plain(name)) {
    if (says_nobody(name)) mends |= kLeftNone;
    return true;
  }
  undo_entities(name, mends);
  undo_latex(name, mends);
  if (is_misread(name)) mends |= kLeftMisread;
  tidy(name, false, mends);
  drop_markup(name, false, mends);
  name = std::string(without_loose(name));
  mends |= name_faults(name);
  return has_letter(name);
}

bool clean_text(std::string& text, unsigned& mends) {
  if (is_plain(text)) return true;
  undo_entities(text, mends);
  tidy(text, false, mends);
  return has_letter(text);
}

}  // namespace cupel
