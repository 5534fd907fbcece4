// Runs of apostrophes: italics, bold, and the apostrophe that stands before them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cupel::markup {

// Two apostrophes are italics, three bold, five both; of four one is text, as are those beyond
// five. In a line with an odd number of both, one bold was an apostrophe before italics
// ("l'''Iliade''"): MediaWiki takes the first behind a word of one letter, else the first behind a
// longer word, else the first behind a blank.
class Quotes {
 public:
  // Of `run` apostrophes, at least two, those that are text are appended to `out`, with a place for
  // one that may turn out to be.
  void add(std::size_t run, std::string& out);

  // Ends a line. Places that are no longer in `out` do not count.
  void end_line(std::string& out);

 private:
  static constexpr std::size_t kNowhere = std::string::npos;
  bool odd_bold_ = false, odd_italics_ = false;
  std::size_t letter_ = kNowhere, word_ = kNowhere, blank_ = kNowhere;  // places in `out`
};

}  // namespace cupel::markup
