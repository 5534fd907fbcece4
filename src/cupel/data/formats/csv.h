// Lines of comma-separated fields, with the quoting of RFC 4180 (but no line breaks inside fields).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// Reads a csv file line by line. Not thread-safe. Fields are valid until the next call of next().
class CsvReader {
 public:
  // Reads the file and its header line. Throws Error if it cannot be read or has no line.
  explicit CsvReader(const std::filesystem::path& path);
  // The same of a text already read; `name` stands for the file in messages.
  CsvReader(std::string name, std::string text);

  const std::vector<std::string>& header() const { return header_; }
  std::uint64_t file_size() const { return text_.size(); }
  std::uint64_t line() const { return line_; }  // number of the line last read, from 1
  // Moves to the next line that is not blank; false at the end. Throws Error if the line has not as
  // many fields as the header, is not UTF-8, or its quotes do not match.
  bool next();
  const std::vector<std::string_view>& fields() const { return fields_; }
  // A finite float32. Throws Error naming line, column and text otherwise.
  float number(std::size_t column) const;
  // Throws Error "FILE: line N: MESSAGE".
  [[noreturn]] void fail_here(std::string_view message) const;

 private:
  bool split_line();

  std::string name_, text_;
  std::size_t at_ = 0, line_ = 0;
  std::vector<std::string> header_;
  std::vector<std::string_view> fields_;
};

}  // namespace cupel
