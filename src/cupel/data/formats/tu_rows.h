// Rows of numbers from the text files of a set of graphs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/matrix.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/tu_text.h"

namespace cupel::tu {

// A carriage return is a blank, so that lines may end in CR LF.
inline const char* skip_blanks(const char* p) {
  while (*p == ' ' || *p == '\t' || *p == '\r') ++p;
  return p;
}

// The digits at `p` as a number; false if there is none. Numbers of more than 18 digits become the
// largest one, which no count reaches.
inline bool take_natural(const char*& p, std::uint64_t& out) {
  const char* const start = p;
  std::uint64_t value = static_cast<unsigned char>(*p - '0');
  if (value > 9) return false;
  for (std::uint64_t digit; (digit = static_cast<unsigned char>(*++p - '0')) <= 9;) {
    value = 10 * value + digit;
  }
  out = p - start <= 18 ? value : ~std::uint64_t{0};
  return true;
}

// The line that holds `p`, or the field, without blanks at its ends; for messages.
[[nodiscard]] std::string_view line_at(const char* p);
[[nodiscard]] std::string_view field_at(const char* p);

// Calls row(p, line) for each line, with p at its first character that is no blank; `row` returns
// the place of the line feed. Empty lines may stand at the end of the file and nowhere else, so
// row k is line k + 1. Returns how many rows there are; throws Error if there is none.
template <class Row>
std::uint64_t for_each_row(LineBlocks& text, Row row) {
  std::uint64_t line = 0, first_empty = 0;
  for (std::string_view block; text.next(block);) {
    const char* p = block.data();
    const char* const end = p + block.size();
    while (p < end) {
      ++line;
      p = skip_blanks(p);
      if (*p == '\n') {
        if (first_empty == 0) first_empty = line;
        ++p;
        continue;
      }
      if (first_empty != 0) {
        text.fail_at(first_empty, "is empty, and rows follow it; give every row a value");
      }
      p = row(p, line) + 1;
    }
  }
  const std::uint64_t rows = first_empty != 0 ? first_empty - 1 : line;
  if (rows == 0) text.fail_at(1, "there is no row, the file is empty; get it again");
  if (rows > 0x7fffffff) text.fail_at(rows, "there are more than 2147483647 rows; use fewer");
  return rows;
}

// Rows of equally many fields with commas between them.
template <class T>
struct Table {
  Index rows = 0, columns = 0;
  std::vector<T> values;  // row after row

  const T* row(Index i) const {
    return values.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(columns);
  }
};

// `take(p, value)` reads one field and moves p behind it; false if it is none, and `wanted` then
// says what would be one.
template <class T, class Take>
Table<T> read_table(LineBlocks& text, Take take, std::string_view wanted) {
  Table<T> out;
  const auto row = [&](const char* p, std::uint64_t line) {
    Index count = 0;
    while (true) {
      p = skip_blanks(p);
      const char* const field = p;
      T value{};
      if (!take(p, value) || (p = skip_blanks(p), *p != ',' && *p != '\n')) {
        text.fail_at(line, fmt::format("{} is {}; correct it, or get the file again",
                                       in_quotes(field_at(field)), wanted));
      }
      out.values.push_back(value);
      ++count;
      if (*p == '\n') break;
      ++p;
    }
    if (line == 1) out.columns = count;
    if (count != out.columns) {
      text.fail_at(line, fmt::format("has {} values where line 1 has {}; give every row equally "
                                     "many",
                                     count, out.columns));
    }
    return p;
  };
  out.rows = static_cast<Index>(for_each_row(text, row));
  return out;
}

// Whole numbers of 64 bits.
[[nodiscard]] Table<std::int64_t> read_whole_numbers(LineBlocks& text);
// Finite numbers of float32.
[[nodiscard]] Table<float> read_floats(LineBlocks& text);
// Whole numbers, also written as 1.0; NaN for `nan` in any case, and for a field without text in a
// row of several.
[[nodiscard]] Table<double> read_labels(LineBlocks& text);

}  // namespace cupel::tu
