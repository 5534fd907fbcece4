// Plain text for people: columns, paragraphs, numbers with units.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/brief.h"
#include "cupel/base/words.h"

namespace cupel::cli {

inline constexpr std::size_t kWidth = 80;  // of paragraphs

// Columns of a UTF-8 text on a terminal, one per character.
[[nodiscard]] std::size_t display_width(std::string_view text);

// `text` in lines of at most kWidth columns, each behind `indent` blanks, ending with a newline.
// Line breaks in the text stay.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t indent = 0);

// A label of fixed width and what belongs to it, wrapped behind it: one line of a card.
[[nodiscard]] std::string labelled(std::string_view label, std::string_view text);

// Rows in aligned columns behind two blanks. A column is left-aligned ('l'), right-aligned ('r') or
// wrapped to what is left of the width ('w', the last one only).
class Columns {
 public:
  explicit Columns(std::string alignment) : alignment_(std::move(alignment)) {}
  void row(std::vector<std::string> cells);
  [[nodiscard]] std::string text() const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

using cupel::brief;          // a message of several lines in one
using cupel::byte_text;      // "528 KB", "1.4 GB": powers of 1024
using cupel::counted;        // "1 run", "3 runs"
using cupel::duration_text;  // "0.4 s", "12 s", "3 min 20 s", "2 h 5 min"
using cupel::grouped;        // "1,234,567"

}  // namespace cupel::cli
