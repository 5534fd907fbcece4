// What readers of publications in lines promise.
#pragma once

#include <string>

#include "cupel/base/utf8.h"
#include "cupel/data/records/publication.h"
#include "cupel/data/records/record_text.h"
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

template <class Reader>
void read_lines_of_records(std::string_view input) {
  const auto path = folder() / "input.txt";
  write(path, input);
  refuse_or([&] {
    Reader reader(path);
    std::size_t bytes = 0, records = 0;
    for (Publication one; reader.next(one); ++records) {
      for (const Author& author : one.authors) {
        demand(!author.name.empty(), "an author has a name");
        demand(is_utf8(author.name), "names are UTF-8");
        bytes += author.name.size();
      }
      demand(is_utf8(one.title) && is_utf8(one.abstract), "texts are UTF-8");
      demand(reader.place().find("line") != std::string::npos, "a record has a place");
      bytes += one.title.size();
    }
    // A record takes a byte at least, and what it becomes is not much more than it was.
    demand(records <= input.size() && bytes <= 8 * input.size(), "no more than was given");
    demand(reader.sha256().size() == 64, "the file was read to its end");
  });
}

}  // namespace cupel::fuzz
