#include "cupel/data/text/stop_words.h"

#include <array>
#include <cstdint>
#include <unordered_set>

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

// Most tokens begin with a letter and have a length that no stop word has together.
class LeftOut {
 public:
  LeftOut() {
    for (const std::string_view word : kStopWords) add(word);
    for (const std::string_view word : kQuotes) add(word);
  }
  bool has(std::string_view word) const {
    return word.size() < 16 && (lengths_[first(word)] >> word.size() & 1) && words_.contains(word);
  }

 private:
  static std::size_t first(std::string_view word) {
    return word.empty() ? 0 : static_cast<unsigned char>(word.front());
  }
  void add(std::string_view word) {
    words_.insert(word);
    lengths_[first(word)] |= static_cast<std::uint16_t>(1u << word.size());
  }
  std::array<std::uint16_t, 256> lengths_{};
  std::unordered_set<std::string_view> words_;
};

bool is_punctuation(std::string_view token) {
  return kPunctuation.find(token) != std::string_view::npos;
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
