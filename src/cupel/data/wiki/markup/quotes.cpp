#include "cupel/data/wiki/markup/quotes.h"

#include <initializer_list>

#include "cupel/data/wiki/markup/marks.h"

namespace cupel::markup {

void Quotes::add(std::size_t run, std::string& out) {
  if (run == 4) out += '\'';
  if (run > 5) out.append(run - 5, '\'');
  if (run != 3 && run != 4) odd_italics_ = !odd_italics_;
  if (run == 2) {
    out += kNothing;  // apostrophes on both sides stay apart
    return;
  }
  odd_bold_ = !odd_bold_;
  if (run <= 4) {
    const std::size_t here = out.size();
    const char last = here > 0 ? out[here - 1] : '\n', before = here > 1 ? out[here - 2] : '\n';
    std::size_t& place = last == ' ' ? blank_ : before == ' ' ? letter_ : word_;
    if (place == kNowhere) place = here;
  }
  out += kNothing;
}

void Quotes::end_line(std::string& out) {
  if (odd_bold_ && odd_italics_) {
    for (const std::size_t place : {letter_, word_, blank_}) {
      if (place == kNowhere) continue;
      if (place < out.size() && out[place] == kNothing) out[place] = '\'';
      break;
    }
  }
  *this = {};
}

}  // namespace cupel::markup
