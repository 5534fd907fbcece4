// Wikitext to visible text; the first byte says what becomes of tables.
#include "cupel/data/wiki/visible_text.h"

#include <algorithm>

#include "cupel/data/formats/text.h"
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  if (input.empty()) return;
  static const WikitextNames names = {.files = {"Fichier"}, .categories = {"Catégorie"}};
  static const WikitextRules drop(names), keep(names, TableText::kKeep);
  const std::string_view wikitext = input.substr(1);
  const std::string text = visible_text(wikitext, input[0] == 'k' ? keep : drop);
  demand(5 * text.size() <= 6 * wikitext.size(), "the text does not grow but by references");
  demand(!decode_utf8(wikitext) || decode_utf8(text), "UTF-8 stays UTF-8");
  demand(text.find("\n\n") == std::string::npos && text.find("  ") == std::string::npos,
         "lines are not empty, and blanks are single");
  demand(text.empty() || (text.front() != ' ' && text.back() != '\n'), "the text is trimmed");
  demand(std::ranges::none_of(text, [](char c) { return c >= 0 && c < ' ' && c != '\n'; }),
         "no controls");
}

}  // namespace cupel::fuzz
