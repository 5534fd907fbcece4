#include "cupel/data/build/words.h"

#include <algorithm>

#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

bool is_ascii_word(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::size_t bytes_of_character(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

// Whether the character of `size` bytes at `at` belongs to words. Requires UTF-8.
bool is_word_character(std::string_view text, std::size_t at, std::size_t size) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  if (size == 1) return is_ascii_word(byte(0));
  if (size == 2) {
    const unsigned code = (byte(0) & 0x1fu) << 6 | (byte(1) & 0x3fu);
    const bool latin1_mark = code < 0xc0 && code != 0xaa && code != 0xb5 && code != 0xba;
    return !latin1_mark && code != 0xd7 && code != 0xf7;
  }
  // U+2000 to U+206F: dashes, quotation marks, dots, blanks.
  const bool punctuation =
      byte(0) == 0xe2 && (byte(1) == 0x80 || (byte(1) == 0x81 && byte(2) < 0xb0));
  return !punctuation;
}

}  // namespace

std::string to_utf8(std::string_view bytes, bool& was_latin1) {
  was_latin1 = !decode_utf8(bytes).has_value();
  if (!was_latin1) return std::string(bytes);
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return out;
}

std::vector<std::string_view> words_of(std::string_view utf8) {
  std::vector<std::string_view> words;
  std::size_t from = 0;
  const auto end_word = [&](std::size_t at, std::size_t size) {
    if (at > from) words.push_back(utf8.substr(from, at - from));
    from = at + size;
  };
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t size = bytes_of_character(static_cast<unsigned char>(utf8[at]));
    if (!is_word_character(utf8, at, size)) end_word(at, size);
    at += size;
  }
  end_word(utf8.size(), 0);
  return words;
}

std::string lower_case(std::string_view utf8) {
  std::string out(utf8);
  for (std::size_t at = 0; at < out.size(); ++at) {
    const auto byte = static_cast<unsigned char>(out[at]);
    if (byte >= 'A' && byte <= 'Z') out[at] = static_cast<char>(byte + 32);
    if (byte == 0xc3 && at + 1 < out.size()) {  // U+00C0 to U+00FF
      const auto low = static_cast<unsigned char>(out[at + 1]);
      if (low >= 0x80 && low <= 0x9e && low != 0x97) out[at + 1] = static_cast<char>(low + 32);
    }
  }
  return out;
}

std::vector<std::string> spellings(std::string_view word, const std::string& mode) {
  std::vector<std::string> out;
  if (mode != "lower") out.emplace_back(word);
  if (mode == "as-written") return out;
  std::string lower = lower_case(word);
  if (out.empty() || out.front() != lower) out.push_back(std::move(lower));
  return out;
}

OptionSpec case_setting() {
  return {"case",
          std::string("either"),
          "how a word is looked up. either: as it is written, else in lower case; as-written: so "
          "alone; lower: in lower case alone",
          0,
          0,
          {"either", "as-written", "lower"}};
}

VectorsOfWords read_vectors_of(BuildContext& context, const std::vector<std::string>& words) {
  const std::string& mode = context.settings().text("case");
  WordIds wanted;
  for (const std::string& word : words) {
    for (const std::string& spelling : spellings(word, mode)) add_word(wanted, spelling);
  }
  LineReader lines(context.path("vectors"), context.progress("vectors"));
  VectorsOfWords out{read_word_vectors(lines, wanted), {}, lines.name()};
  context.read_whole("vectors", lines);
  for (const std::string& word : words) {
    const float* vector = nullptr;
    for (const std::string& spelling : spellings(word, mode)) {
      const auto found = wanted.find(spelling);
      if (vector == nullptr && found != wanted.end() && out.vectors.has(found->second))
        vector = out.vectors.row(found->second);
    }
    out.of.push_back(vector);
  }
  context.count("vectors in the file", out.vectors.words_in_file);
  context.count("repeated vectors passed over", out.vectors.repeated);
  context.count("different words", static_cast<std::int64_t>(words.size()));
  context.count("different words without vector", std::ranges::count(out.of, nullptr));
  return out;
}

}  // namespace cupel
