#include "cupel/data/formats/fasttext.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::int64_t kMostNumbers = 4096;  // per word, and so per node of what is built

// "2000000 300".
void check_counts(const LineReader& lines, std::string_view line, std::int64_t& words,
                  std::int64_t& dimension) {
  const char* const end = line.data() + line.size();
  const auto first = std::from_chars(line.data(), end, words);
  bool good = first.ec == std::errc() && first.ptr != end && *first.ptr == ' ';
  if (good) {
    const auto second = std::from_chars(first.ptr + 1, end, dimension);
    good =
        second.ec == std::errc() && std::all_of(second.ptr, end, [](char c) { return c == ' '; });
  }
  if (!good || words < 0 || dimension < 1) {
    lines.fail_here(
        fmt::format("is {} where the number of words and the numbers per word are "
                    "needed, as in '2000000 300'",
                    in_quotes(line)));
  }
  check_vector_width(lines, dimension);
}

}  // namespace

void check_vector_width(const LineReader& lines, std::int64_t width) {
  if (width <= kMostNumbers) return;
  lines.fail_here(fmt::format("says {} numbers per word; the limit is {}", width, kMostNumbers));
}

void take_vector(const LineReader& lines, const WordIds& wanted, std::string_view word,
                 std::string_view rest, WordVectors& out) {
  const auto found = wanted.find(word);
  if (found == wanted.end()) return;
  Index& row = out.row_of[static_cast<std::size_t>(found->second)];
  if (row >= 0) {
    ++out.repeated;
    return;
  }
  row = static_cast<Index>(out.values.size() / static_cast<std::size_t>(out.dimension));
  while (!rest.empty()) {
    const std::string_view field = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), field.size() + 1));
    const std::optional<float> value = parse_float32(field);
    if (!value) {
      lines.fail_here(fmt::format("the vector of {} holds {}, which is not a finite number",
                                  in_quotes(word), in_quotes(field)));
    }
    out.values.push_back(*value);
  }
}

Index add_word(WordIds& words, std::string_view word) {
  if (const auto found = words.find(word); found != words.end()) return found->second;
  const auto id = static_cast<Index>(words.size());
  words.emplace(word, id);
  return id;
}

WordVectors read_word_vectors(LineReader& lines, const WordIds& wanted) {
  std::string_view line;
  if (!lines.next(line)) fail("{}: is empty; it needs word vectors", lines.name());
  return read_word_vectors_after(lines, line, wanted);
}

WordVectors read_word_vectors_after(LineReader& lines, std::string_view line,
                                    const WordIds& wanted) {
  std::int64_t words = 0, dimension = 0;
  check_counts(lines, line, words, dimension);
  WordVectors out;
  out.dimension = static_cast<Index>(dimension);
  out.row_of.assign(wanted.size(), -1);
  while (lines.next(line)) {
    if (line.empty() && out.words_in_file == words) continue;
    if (++out.words_in_file > words) {
      lines.fail_here(
          fmt::format("is a word more than the {} that the first line says; correct "
                      "the first line or get the file again",
                      words));
    }
    if (line.ends_with(' ')) line.remove_suffix(1);
    const std::string_view word = line.substr(0, line.find(' '));
    const std::int64_t fields = std::ranges::count(line, ' ');
    if (word.empty() || fields != dimension) {
      lines.fail_here(fmt::format("word {} has {} numbers where the first line says {}",
                                  in_quotes(word), fields, dimension));
    }
    take_vector(lines, wanted, word, line.substr(word.size() + 1), out);
  }
  if (out.words_in_file != words) {
    fail(
        "{}: ends after {} words where its first line says {}; the file is cut off, get it again "
        "or correct the first line",
        lines.name(), out.words_in_file, words);
  }
  return out;
}

}  // namespace cupel
