#include "cupel/data/records/csv_rows.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

char separator_of(std::string_view header) {
  bool quoted = false, tab = false, semicolon = false;
  for (const char c : header) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == ',') return ',';
    tab = tab || c == '\t';
    semicolon = semicolon || c == ';';
  }
  return tab ? '\t' : semicolon ? ';' : ',';
}

}  // namespace

CsvRows::CsvRows(const std::filesystem::path& path, ReadProgress progress)
    : lines_(path, std::move(progress)) {}

void CsvRows::fail_here(std::string_view message) const {
  fail("{}: line {}: {}", name(), first_line_, message);
}

const char* CsvRows::separator() const {
  return separator_ == '\t' ? "tab" : separator_ == ';' ? "semicolon" : "comma";
}

bool CsvRows::next() {
  row_.clear();
  for (std::string_view line; lines_.next(line);) {
    if (trimmed_text(line).empty()) continue;
    first_line_ = lines_.line_number();
    if (!is_utf8(line)) fail_here("is not UTF-8; save the file as UTF-8");
    // UTF-16 without the mark that it begins by is UTF-8 with zeros.
    if (line.find('\0') != std::string_view::npos)
      fail_here("holds a character of code 0, as UTF-16 does; save the file as UTF-8");
    row_ = line;
    if (separator_ == '\0') separator_ = separator_of(row_);
    split();
    return true;
  }
  return false;
}

// The next line, behind what there is of the row.
void CsvRows::more(const char* unclosed) {
  std::string_view line;
  if (!lines_.next(line)) fail_here(unclosed);
  if (!is_utf8(line)) {
    first_line_ = lines_.line_number();
    fail_here("is not UTF-8; save the file as UTF-8");
  }
  if (row_.size() + line.size() >= kLongestRow)
    fail_here("a quoted field goes on for over 16 MiB; close its quotes");
  row_ += '\n';
  row_ += line;
}

void CsvRows::fail_behind_quote(char c) const {
  if (c == '\r') fail_here(kCarriageReturns);
  fail_here("text follows a closing quote; double the quotes inside a field");
}

// Doubled quotes are undone in place: a field only becomes shorter.
void CsvRows::split() {
  places_.clear();
  std::size_t at = 0;
  while (true) {
    if (at < row_.size() && row_[at] == '"') {
      const std::size_t first = at + 1;
      std::size_t from = first, to = first;
      while (true) {
        if (from == row_.size()) {
          more(
              "a quoted field has no closing quote before the file ends; the file is cut off, get "
              "it again, or close the quotes");
        }
        if (row_[from] == '"') {
          if (from + 1 == row_.size() || row_[from + 1] != '"') break;
          ++from;
        }
        row_[to++] = row_[from++];
      }
      places_.emplace_back(first, to - first);
      at = from + 1;
      if (at < row_.size() && row_[at] != separator_) fail_behind_quote(row_[at]);
    } else {
      const std::size_t end = std::min(row_.find(separator_, at), row_.size());
      // A file of them is one line. Behind a line feed one is a blank of a text.
      const std::size_t back = std::min(row_.find('\r', at), end);
      if (first_line_ == 1 && back < end && row_.find_first_not_of('\r', back) != std::string::npos)
        fail_here(kCarriageReturns);
      places_.emplace_back(at, end - at);
      at = end;
    }
    if (at >= row_.size()) break;
    ++at;  // the separator
  }
  fields_.clear();
  for (const auto& [begin, size] : places_)
    fields_.push_back(std::string_view(row_).substr(begin, size));
}

}  // namespace cupel
