// A dump of MediaWiki, in blocks of all kinds, held against expat.
#include "data/formats/fuzz/fuzz.h"
#include "data/wiki/dump_reading.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  const made::ReadDump whole = made::read_all(input);
  const std::string wrong = made::difference(input, whole);
  demand(wrong.empty(), wrong.c_str());
  if (!whole.error.empty()) {
    demand(whole.error.starts_with("dump.xml: byte "), "a message names the file and the place");
    demand(whole.error.find('\n') == std::string::npos, "a message is one line");
    demand(whole.error.size() < 1000, "a message is short");
  }
  for (const std::size_t block : {std::size_t{1}, 2 + input.size() % 61}) {
    const made::ReadDump parts = made::read_all(input, block);
    demand(parts.pages == whole.pages, "blocks of any size give the same pages");
    // What a message quotes may end with the block.
    demand(parts.error.substr(0, parts.error.find('\'')) ==
               whole.error.substr(0, whole.error.find('\'')),
           "blocks of any size give the same error");
  }
}

}  // namespace cupel::fuzz
