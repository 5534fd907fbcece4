// Lines of comma-separated fields, with the quoting of RFC 4180 (but no line breaks inside fields).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/line_reader.h"

namespace cupel {

// Cuts a line at its separators, without the blanks around fields and their quotes. Doubled quotes
// are undone in `line` itself, which the fields point into. Says what is wrong with the quotes of
// the line; null: nothing.
[[nodiscard]] const char* cut_csv(std::string& line, char separator,
                                  std::vector<std::string_view>& fields);

// Reads a csv file line by line, plain or gzip-compressed; nothing behind the line is looked at.
// Not thread-safe. Fields are valid until the next call of next().
class CsvReader {
 public:
  // Reads the header line. Throws Error if the file cannot be read or has no line.
  explicit CsvReader(const std::filesystem::path& path);

  const std::vector<std::string>& header() const { return header_; }
  std::uint64_t file_size() const { return lines_.file_bytes(); }
  std::uint64_t line() const { return lines_.line_number(); }  // of the one last read, from 1
  // Moves to the next line that is not blank; false at the end. Throws Error if the line has not as
  // many fields as the header, is not UTF-8, or its quotes do not match.
  bool next();
  const std::vector<std::string_view>& fields() const { return fields_; }
  // A finite float32. Throws Error naming line, column and text otherwise.
  float number(std::size_t column) const;
  // Throws Error "FILE: line N: MESSAGE".
  [[noreturn]] void fail_here(std::string_view message) const;

 private:
  bool read_line();
  bool split_line();

  LineReader lines_;
  std::string text_;  // of the line
  std::vector<std::string> header_;
  std::vector<std::string_view> fields_;
};

}  // namespace cupel
