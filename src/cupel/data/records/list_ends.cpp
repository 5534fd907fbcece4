#include "cupel/data/records/list_ends.h"

#include <string_view>

namespace cupel {
namespace {

constexpr std::string_view kApart = " ,;";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

std::string_view without_blanks(std::string_view text, std::string_view blanks = " ") {
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// Whether the word, in lower case, stands at the end by itself; takes it off with blanks before.
bool take_word(std::string_view& text, std::string_view word) {
  if (text.size() < word.size()) return false;
  const std::size_t from = text.size() - word.size();
  for (std::size_t k = 0; k < word.size(); ++k)
    if (lower(text[from + k]) != word[k]) return false;
  if (from > 0 && kApart.find(text[from - 1]) == std::string_view::npos) return false;
  text = without_blanks(text.substr(0, from));
  return true;
}

void take_number(std::string_view& text) {
  const std::string_view rest = without_blanks(text, "0123456789");
  if (rest.empty() || kApart.find(rest.back()) != std::string_view::npos)
    text = without_blanks(rest);
}

// "others" begins a part of the list, or stands behind "and": "Ann Others" is a name.
bool take_others(std::string_view& text) {
  if (!take_word(text, "others")) return false;
  take_number(text);
  return take_word(text, "and") || take_word(text, "&") || text.empty() || text.back() == ',' ||
         text.back() == ';';
}

bool take_et_al(std::string_view& text) {
  for (const std::string_view al : {"al", "alii"}) {
    std::string_view rest = text;
    if (take_word(rest, al) && (take_word(rest, "et") || take_word(rest, "et."))) {
      text = rest;
      return true;
    }
  }
  return take_word(text, "etal");
}

}  // namespace

bool take_list_end(std::string& text) {
  std::string_view rest = without_blanks(text, " ,;.");
  std::string_view others = rest;
  if (take_others(others)) {
    rest = others;
  } else if (!take_et_al(rest)) {
    return false;
  }
  text.resize(without_blanks(rest, kApart).size());
  return true;
}

bool is_somebody(Author& author, bool& cut) {
  if (!take_list_end(author.name)) return true;
  cut = true;
  take_list_end(author.with_marks);
  return !author.name.empty();
}

}  // namespace cupel
