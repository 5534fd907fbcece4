#include "cupel/data/text/stop_words.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

constexpr std::string_view kStopWords[] = {
    "i",         "me",        "my",         "myself",  "we",      "our",     "ours",
    "ourselves", "you",       "you're",     "you've",  "you'll",  "you'd",   "your",
    "yours",     "yourself",  "yourselves", "he",      "him",     "his",     "himself",
    "she",       "she's",     "her",        "hers",    "herself", "it",      "it's",
    "its",       "itself",    "they",       "them",    "their",   "theirs",  "themselves",
    "what",      "which",     "who",        "whom",    "this",    "that",    "that'll",
    "these",     "those",     "am",         "is",      "are",     "was",     "were",
    "be",        "been",      "being",      "have",    "has",     "had",     "having",
    "do",        "does",      "did",        "doing",   "a",       "an",      "the",
    "and",       "but",       "if",         "or",      "because", "as",      "until",
    "while",     "of",        "at",         "by",      "for",     "with",    "about",
    "against",   "between",   "into",       "through", "during",  "before",  "after",
    "above",     "below",     "to",         "from",    "up",      "down",    "in",
    "out",       "on",        "off",        "over",    "under",   "again",   "further",
    "then",      "once",      "here",       "there",   "when",    "where",   "why",
    "how",       "all",       "any",        "both",    "each",    "few",     "more",
    "most",      "other",     "some",       "such",    "no",      "nor",     "not",
    "only",      "own",       "same",       "so",      "than",    "too",     "very",
    "s",         "t",         "can",        "will",    "just",    "don",     "don't",
    "should",    "should've", "now",        "d",       "ll",      "m",       "o",
    "re",        "ve",        "y",          "ain",     "aren",    "aren't",  "couldn",
    "couldn't",  "didn",      "didn't",     "doesn",   "doesn't", "hadn",    "hadn't",
    "hasn",      "hasn't",    "haven",      "haven't", "isn",     "isn't",   "ma",
    "mightn",    "mightn't",  "mustn",      "mustn't", "needn",   "needn't", "shan",
    "shan't",    "shouldn",   "shouldn't",  "wasn",    "wasn't",  "weren",   "weren't",
    "won",       "won't",     "wouldn",     "wouldn't"};

constexpr std::string_view kQuotes[] = {"\"\"", "''", "``", "'s"};
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

// A word of at most 16 bytes as two numbers; with its length they are the word.
struct Packed {
  std::uint64_t head = 0, tail = 0;
  std::size_t size = 0;

  Packed() = default;
  explicit Packed(std::string_view word) : size(word.size()) {
    const char* const data = word.data();
    if (size >= 8) {
      std::memcpy(&head, data, 8);
      std::memcpy(&tail, data + size - 8, 8);
    } else if (size >= 4) {
      std::memcpy(&head, data, 4);
      std::memcpy(&tail, data + size - 4, 4);
    } else if (size > 0) {
      head = static_cast<unsigned char>(data[0]);
      tail = static_cast<std::uint64_t>(static_cast<unsigned char>(data[size / 2])) << 8 |
             static_cast<unsigned char>(data[size - 1]);
    }
  }
  friend bool operator==(const Packed&, const Packed&) = default;
};

// A hash table, since every token of a Wikipedia is looked up in it.
class LeftOut {
 public:
  LeftOut() {
    for (const std::string_view word : kStopWords) add(word);
    for (const std::string_view word : kQuotes) add(word);
  }
  bool has(std::string_view word) const {
    if (word.size() > kLongest) return false;
    const Packed packed(word);
    return slots_[slot_of(packed)] == packed;
  }

 private:
  static constexpr std::size_t kLongest = 16, kSlots = 1024;

  // Where the word is, or the empty place where it would be.
  std::size_t slot_of(const Packed& word) const {
    const std::uint64_t mixed = (word.head ^ std::rotl(word.tail, 23)) * 0x9e3779b97f4a7c15u;
    std::size_t slot = (mixed >> 40 ^ word.size) % kSlots;
    while (slots_[slot].size != 0 && slots_[slot] != word) slot = (slot + 1) % kSlots;
    return slot;
  }
  void add(std::string_view word) {
    const Packed packed(word);
    slots_[slot_of(packed)] = packed;
  }
  std::array<Packed, kSlots> slots_{};
};

bool is_punctuation(std::string_view token) {
  const char c = token.empty() ? '!' : token.front();
  const bool letter =
      !is_ascii(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return !letter && kPunctuation.find(token) != std::string_view::npos;
}

const LeftOut& left_out() {
  static const LeftOut made;
  return made;
}

}  // namespace

std::span<const std::string_view> english_stop_words() { return kStopWords; }

bool is_left_out(std::string_view token, std::string_view lower) {
  return is_punctuation(token) || left_out().has(lower);
}

void append_kept(std::string_view token, TokenList& out) {
  if (is_punctuation(token)) return;
  std::string& text = out.text();
  const std::size_t from = text.size();
  append_lower(token, text);
  if (left_out().has(std::string_view(text).substr(from))) {
    text.resize(from);
  } else {
    out.end_token();
  }
}

}  // namespace cupel
