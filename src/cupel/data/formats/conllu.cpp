#include "cupel/data/formats/conllu.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::size_t kColumns = 10, kMostWords = 1'000'000;

// A whole number and nothing else, or -1.
Index number(std::string_view text) {
  Index value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && value >= 0 ? value : -1;
}

std::array<std::string_view, kColumns> split(const LineReader& lines, std::string_view line) {
  std::array<std::string_view, kColumns> columns;
  const auto tabs = static_cast<std::size_t>(std::ranges::count(line, '\t'));
  if (tabs + 1 != kColumns) {
    lines.fail_here(fmt::format("has {} between tabs where CoNLL-U has {}: {}",
                                counted(static_cast<std::int64_t>(tabs) + 1, "column"), kColumns,
                                in_quotes(line)));
  }
  for (std::string_view& column : columns) {
    column = line.substr(0, line.find('\t'));
    line.remove_prefix(std::min(line.size(), column.size() + 1));
  }
  return columns;
}

}  // namespace

bool ConlluReader::next() {
  words_.clear();
  std::string_view line;
  while (lines_.next(line)) {
    if (line.empty()) {
      if (!words_.empty()) break;
      ++empty_sentences_;
      continue;
    }
    if (line.front() != '#') read_line(line);
  }
  if (words_.empty()) return false;
  check_heads();
  ++sentences_;
  return true;
}

void ConlluReader::read_line(std::string_view line) {
  const auto columns = split(lines_, line);
  const bool ascii = std::ranges::none_of(line, [](char c) { return c & 0x80; });
  if (!ascii && !decode_utf8(line)) lines_.fail_here("is not UTF-8; save the file as UTF-8");
  const std::string_view id = columns[0];
  const auto read = static_cast<Index>(words_.size());
  if (const std::size_t dash = id.find('-'); dash != std::string_view::npos) {
    if (number(id.substr(0, dash)) != read + 1 || number(id.substr(dash + 1)) <= read) {
      lines_.fail_here(fmt::format("multiword token {} does not start at the next word, {}",
                                   in_quotes(id), read + 1));
    }
    ++multiword_tokens_;
    return;
  }
  if (const std::size_t dot = id.find('.'); dot != std::string_view::npos) {
    if (number(id.substr(0, dot)) != read || number(id.substr(dot + 1)) < 1) {
      lines_.fail_here(fmt::format("empty node {} does not follow word {}", in_quotes(id), read));
    }
    ++empty_nodes_;
    return;
  }
  if (number(id) != read + 1) {
    lines_.fail_here(
        fmt::format("has the word number {} where {} is next; a blank line ends a "
                    "sentence",
                    in_quotes(id), read + 1));
  }
  if (words_.size() == kMostWords) {
    lines_.fail_here(fmt::format(
        "the sentence has more than {} words; a blank line ends a sentence", kMostWords));
  }
  const Index head = number(columns[6]);
  if (head < 0) {
    lines_.fail_here(
        fmt::format("HEAD (column 7) is {}, not the number of a word or 0; the text "
                    "must be parsed",
                    in_quotes(columns[6])));
  }
  if (head == read + 1) lines_.fail_here(fmt::format("word {} is its own HEAD (column 7)", head));
  if (columns[1].empty()) lines_.fail_here("FORM (column 2) is empty; write _ for an underscore");
  if (columns[7].empty() || columns[7] == "_") {
    lines_.fail_here(fmt::format("DEPREL (column 8) of {} is {}; the text must be parsed",
                                 in_quotes(columns[1]), in_quotes(columns[7])));
  }
  words_.push_back({std::string(columns[1]), std::string(columns[3]), std::string(columns[7]), head,
                    lines_.line_number()});
}

void ConlluReader::check_heads() const {
  for (const ConlluWord& word : words_) {
    if (static_cast<std::size_t>(word.head) <= words_.size()) continue;
    fail(
        "{}: line {}: HEAD (column 7) is {} in a sentence of {} words; the file is damaged or cut "
        "off",
        lines_.name(), word.line, word.head, words_.size());
  }
}

}  // namespace cupel
