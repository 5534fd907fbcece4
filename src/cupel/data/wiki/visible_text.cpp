#include "cupel/data/wiki/visible_text.h"

#include "cupel/data/wiki/markup/hidden.h"
#include "cupel/data/wiki/markup/marks.h"
#include "cupel/data/wiki/markup/reader.h"
#include "cupel/data/wiki/markup/tables.h"

namespace cupel {
namespace {

constexpr markup::ByteSet kGaps(" \t\r\n\x02");

// In place: lines trimmed and not empty, one blank between words, kNothing gone.
void tidy(std::string& text) {
  std::size_t end = 0;
  bool blank = false, line = false;
  for (const char c : text) {
    if (!kGaps.has(c)) {
      if (blank || line) {
        if (end > 0) text[end++] = line ? '\n' : ' ';
        blank = line = false;
      }
      text[end++] = c;
    } else if (c == '\n') {
      line = true;
    } else if (c != markup::kNothing) {
      blank = true;
    }
  }
  text.resize(end);
}

}  // namespace

std::string visible_text(std::string_view wikitext, const WikitextRules& rules) {
  std::string text = markup::without_hidden(wikitext);
  markup::take_out_tables(text, rules.tables());
  text = markup::MarkupReader(text, rules).run();
  tidy(text);
  return text;
}

}  // namespace cupel
