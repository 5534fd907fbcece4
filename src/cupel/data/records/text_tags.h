// Tags that texts of records are printed with: HTML, JATS, MathML, <inf> of Scopus.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cupel {

struct Tag {
  std::size_t size = 0;  // in bytes; 0: none
  bool apart = false;    // what stands on both sides is not one word
  bool mark = false;     // what it holds stands above the line or labels: <sup>, <label>
  bool ends = false;     // </sup>
};

// The tag at the head of `text`, which begins with '<'; "x < y" and "<x" have none. Only its first
// 2 KiB are looked at, so that a text of '<' takes linear time. Thread-safe.
[[nodiscard]] Tag tag_at(std::string_view text);

// The text, whose blanks are in order, without its tags; so they are afterwards. Tags of paragraphs
// and line breaks become a blank. Linear. Thread-safe.
[[nodiscard]] std::string without_tags(std::string_view text);

}  // namespace cupel
