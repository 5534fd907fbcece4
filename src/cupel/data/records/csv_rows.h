// Rows of tables as databases of publications export them: RFC 4180, where a quoted field may go on
// over several lines. Between columns stand commas; tabs where the first line has none outside of
// quotes, and semicolons where it has no tab either, as spreadsheets of other languages save them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/line_reader.h"

namespace cupel {

// Reads a file front to back, plain or compressed; a byte-order mark is skipped. Not thread-safe.
// Memory: the longest row, which may have 16 MiB.
class CsvRows {
 public:
  static constexpr std::size_t kLongestRow = std::size_t{1} << 24;

  // Throws Error if the file cannot be opened.
  explicit CsvRows(const std::filesystem::path& path, ReadProgress progress = {});

  // The next row that is not blank; false at the end. Throws Error if it is not UTF-8, its quotes
  // do not match, or it is too long. Fields are valid until the next call.
  bool next();
  const std::vector<std::string_view>& fields() const { return fields_; }
  // What stands between the columns: "comma", "tab" or "semicolon". Requires a row.
  const char* separator() const;
  std::uint64_t line() const { return first_line_; }  // where the row begins, from 1
  // Whether rows had line ends and the last one has none. Requires that next() has returned false.
  bool seems_cut_off() const { return lines_.line_number() > 1 && lines_.ends_within_line(); }
  // Throws Error "FILE: line N: MESSAGE" of the row.
  [[noreturn]] void fail_here(std::string_view message) const;

  const std::string& name() const { return lines_.name(); }
  std::uint64_t file_bytes() const { return lines_.file_bytes(); }
  const std::string& sha256() const { return lines_.sha256(); }

 private:
  void more(const char* unclosed);
  void split();
  [[noreturn]] void fail_behind_quote(char c) const;

  LineReader lines_;
  char separator_ = '\0';  // known from the first row on
  std::string row_;
  std::uint64_t first_line_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // of the fields in row_: begin, size
  std::vector<std::string_view> fields_;
};

}  // namespace cupel
