// What readers of publications in XML promise.
#pragma once

#include <string>

#include "cupel/base/visible.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/names.h"
#include "cupel/data/records/publication.h"
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

// Whether the text is UTF-8 of visible characters, with single blanks inside.
inline bool is_clean(const std::string& text) {
  return text.empty() || (decode_utf8(text) && visible_line(text) == text && text.front() != ' ' &&
                          text.back() != ' ' && text.find("  ") == std::string::npos);
}

template <class Reader>
void read_records(const std::string& name, std::string_view input) {
  write(folder() / name, input);
  refuse_or([&] {
    Reader reader(folder() / name);
    Publication one;
    while (reader.next(one)) {
      demand(decode_utf8(one.id).has_value(), "an id is UTF-8");
      demand(is_clean(one.title) && is_clean(one.abstract), "texts are clean");
      for (const std::string& keyword : one.keywords)
        demand(is_clean(keyword) && !keyword.empty(), "keywords are clean");
      for (const Author& author : one.authors) {
        demand(is_clean(author.name) && has_letter(author.name), "names are clean");
        for (const std::string& affiliation : author.affiliations)
          demand(is_clean(affiliation) && has_letter(affiliation), "affiliations are clean");
      }
      demand(reader.place().starts_with(reader.name() + ": line "), "a place has a line");
    }
    demand(!reader.next(one), "the end stays the end");
    demand(reader.file_bytes() == input.size() && reader.sha256().size() == 64, "all was read");
  });
}

}  // namespace cupel::fuzz
