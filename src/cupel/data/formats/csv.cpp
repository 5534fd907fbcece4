#include "cupel/data/formats/csv.h"

#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::string_view kBlanks = " \t";

}  // namespace

CsvReader::CsvReader(const std::filesystem::path& path) : lines_(path) {
  if (!read_line()) fail("{}: is empty; its first line names the columns", lines_.name());
  header_.assign(fields_.begin(), fields_.end());
}

bool CsvReader::next() {
  if (!read_line()) return false;
  if (fields_.size() != header_.size()) {
    fail_here(fmt::format("has {} fields where the header has {}; give one for each column",
                          fields_.size(), header_.size()));
  }
  return true;
}

// The next line that is not blank.
bool CsvReader::read_line() {
  for (std::string_view line; lines_.next(line);) {
    text_ = line;
    if (split_line()) return true;
  }
  return false;
}

// False if the line is blank. Doubled quotes are undone in place: a field only becomes shorter.
bool CsvReader::split_line() {
  char* line = text_.data();
  std::size_t at = 0;
  const std::size_t end = text_.size();
  fields_.clear();
  if (!decode_utf8(text_)) fail_here("is not UTF-8; save the file as UTF-8");
  if (trimmed(text_).empty()) return false;
  while (true) {
    std::size_t first = at;
    while (first < end && kBlanks.find(line[first]) != std::string_view::npos) ++first;
    if (first < end && line[first] == '"') {
      std::size_t from = first + 1, to = from;
      for (first = to;; ++from) {
        if (from >= end) fail_here("a quoted field has no closing quote; fields end in their line");
        if (line[from] == '"' && (from + 1 == end || line[from + 1] != '"')) break;
        if (line[from] == '"') ++from;
        line[to++] = line[from];
      }
      fields_.emplace_back(line + first, to - first);
      at = from + 1;
      while (at < end && kBlanks.find(line[at]) != std::string_view::npos) ++at;
      if (at < end && line[at] != ',') {
        fail_here("text follows a closing quote; double the quotes inside a field");
      }
    } else {
      std::size_t comma = first;
      while (comma < end && line[comma] != ',') ++comma;
      fields_.push_back(trimmed({line + first, comma - first}));
      at = comma;
    }
    if (at >= end) return true;
    ++at;  // the comma
  }
}

float CsvReader::number(std::size_t column) const {
  if (const std::optional<float> value = parse_float32(fields_[column])) return *value;
  fail_here(fmt::format("column {} holds {}, which is not a finite number; write it like 1.5",
                        in_quotes(header_[column]), in_quotes(fields_[column])));
}

void CsvReader::fail_here(std::string_view message) const { lines_.fail_here(message); }

}  // namespace cupel
