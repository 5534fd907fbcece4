#include "cupel/data/formats/glove.h"

#include <algorithm>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

template <class Number>
bool is_a(std::string_view field) {
  Number value;
  const char* const end = field.data() + field.size();
  const auto [stop, problem] = std::from_chars(field.data(), end, value);
  return problem != std::errc::invalid_argument && stop == end && !field.empty();
}

// Whether a field is written as a number. "nan" and "inf" are words as well as numbers.
bool is_number(std::string_view field) {
  const std::size_t digit = field.find_first_of("0123456789");
  return digit != std::string_view::npos && is_a<double>(field);
}

bool has_counts(std::string_view line) {
  const std::size_t blank = line.find(' ');
  return blank != std::string_view::npos && is_a<std::uint64_t>(line.substr(0, blank)) &&
         is_a<std::uint64_t>(line.substr(blank + 1));
}

// The numbers at the end of a line whose first field is a word whatever it looks like.
std::int64_t count_numbers(std::string_view line) {
  std::int64_t numbers = 0;
  for (std::size_t blank; (blank = line.rfind(' ')) != std::string_view::npos; ++numbers) {
    if (!is_number(line.substr(blank + 1))) break;
    line = line.substr(0, blank);
  }
  return numbers;
}

// What stands before the last `dimension` fields. Requires as many blanks at least.
std::string_view word_before(std::string_view line, std::int64_t dimension) {
  for (; dimension > 0; --dimension) line = line.substr(0, line.rfind(' '));
  return line;
}

// The word of a line. A line with too many numbers is no word with blanks.
std::string_view word_of(const LineReader& lines, std::string_view line, std::int64_t dimension) {
  const std::int64_t blanks = std::ranges::count(line, ' ');
  if (blanks == dimension && !line.starts_with(' ')) return line.substr(0, line.find(' '));
  const std::string_view word =
      blanks < dimension ? std::string_view() : word_before(line, dimension);
  const std::size_t last = word.rfind(' ');
  if (!word.empty() && (last == std::string_view::npos || !is_number(word.substr(last + 1))))
    return word;
  lines.fail_here(
      fmt::format("word {} has {} numbers where the first line has {}; correct the line "
                  "or get the file again",
                  in_quotes(line.substr(0, line.find(' '))), count_numbers(line), dimension));
}

}  // namespace

WordVectors read_glove(LineReader& lines, const WordIds& wanted) {
  std::string_view line;
  if (!lines.next(line)) fail("{}: is empty; it needs word vectors", lines.name());
  const auto without_end = [&] {
    return line.substr(0, line.size() - (line.ends_with(' ') ? 1 : 0));
  };
  line = without_end();
  if (has_counts(line)) return read_word_vectors_after(lines, line, wanted);
  WordVectors out;
  const std::int64_t dimension = count_numbers(line);
  if (dimension == 0) {
    lines.fail_here(
        fmt::format("is {} where a word and its numbers are needed, as in 'the 0.1 "
                    "-0.2'",
                    in_quotes(line)));
  }
  check_vector_width(lines, dimension);
  out.dimension = static_cast<Index>(dimension);
  out.row_of.assign(wanted.size(), -1);
  do {
    line = without_end();
    const std::string_view word = word_of(lines, line, dimension);
    ++out.words_in_file;
    take_vector(lines, wanted, word, line.substr(word.size() + 1), out);
  } while (lines.next(line));
  return out;
}

}  // namespace cupel
