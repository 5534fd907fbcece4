// Tags that wikitext knows: those of extensions, whose content is theirs, and HTML's.
#pragma once

#include <cstdint>
#include <string_view>

namespace cupel::markup {

enum class TagUse : char {
  kUnknown,  // text
  kHidden,   // of an extension; nothing of its content is seen or belongs to the page's text
  kLiteral,  // of an extension; its content is seen as it is written
  kInline,   // part of a line
  kBlock,    // begins and ends a line
  kTable,    // HTML's table
};

struct Tag {
  TagUse use = TagUse::kUnknown;
  std::uint8_t number = 0;  // of the tags of extensions, below 64
  bool lines = false;       // kLiteral: lines of its own
};

// By the name in any letter case.
[[nodiscard]] Tag tag_of(std::string_view name);

// The name that begins at text[at]: letters and digits behind a letter, at most 20 of them.
[[nodiscard]] std::string_view tag_name(std::string_view text, std::size_t at);

}  // namespace cupel::markup
