#include "cupel/data/formats/csv.h"

#include <algorithm>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {

const char* cut_csv(std::string& text, char separator, std::vector<std::string_view>& fields) {
  const std::string_view blanks = separator == '\t' ? " " : " \t";
  char* const line = text.data();
  const std::string_view whole = text;
  const std::size_t end = text.size();
  const auto behind_blanks = [&](std::size_t at) {
    return std::min(whole.find_first_not_of(blanks, at), end);
  };
  fields.clear();
  for (std::size_t at = 0;; ++at) {  // from the separator on
    const std::size_t first = behind_blanks(at);
    if (first < end && line[first] == '"') {
      // In place: a field only becomes shorter.
      std::size_t from = first + 1, to = from;
      for (;; ++from) {
        if (from >= end) return "a quoted field has no closing quote; fields end in their line";
        if (line[from] == '"' && (from + 1 == end || line[from + 1] != '"')) break;
        if (line[from] == '"') ++from;
        line[to++] = line[from];
      }
      fields.push_back(whole.substr(first + 1, to - first - 1));
      at = behind_blanks(from + 1);
      if (at < end && line[at] != separator)
        return "text follows a closing quote; double the quotes inside a field";
    } else {
      at = std::min(whole.find(separator, first), end);
      fields.push_back(trimmed(whole.substr(first, at - first)));
    }
    if (at >= end) return nullptr;
  }
}

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

// False if the line is blank.
bool CsvReader::split_line() {
  if (!decode_utf8(text_)) fail_here("is not UTF-8; save the file as UTF-8");
  if (trimmed(text_).empty()) return false;
  if (const char* problem = cut_csv(text_, ',', fields_)) fail_here(problem);
  return true;
}

float CsvReader::number(std::size_t column) const {
  if (const std::optional<float> value = parse_float32(fields_[column])) return *value;
  fail_here(fmt::format("column {} holds {}, which is not a finite number; write it like 1.5",
                        in_quotes(header_[column]), in_quotes(fields_[column])));
}

void CsvReader::fail_here(std::string_view message) const { lines_.fail_here(message); }

}  // namespace cupel
