#include "cupel/data/text/punkt_decision.h"

#include <algorithm>
#include <array>

#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

constexpr std::uint8_t kUpper =
    PunktModel::kBeginUpper | PunktModel::kMiddleUpper | PunktModel::kUnknownUpper;
constexpr std::uint8_t kLower =
    PunktModel::kBeginLower | PunktModel::kMiddleLower | PunktModel::kUnknownLower;
constexpr std::string_view kNumber = "##number##";

enum Kind : std::uint8_t { kOutsideOfWords = 1, kNoWordStart = 2 };
constexpr std::array<std::uint8_t, 256> kKinds = [] {
  std::array<std::uint8_t, 256> kinds{};
  for (const char c : std::string_view("?!)\";}]*:@'({["))
    kinds[static_cast<unsigned char>(c)] |= kOutsideOfWords;
  for (const char c : std::string_view("(\"`{[:;&#*@)}]-,"))
    kinds[static_cast<unsigned char>(c)] |= kNoWordStart;
  return kinds;
}();

bool is_kind(char c, Kind kind) { return kKinds[static_cast<unsigned char>(c)] & kind; }

// Two or more dashes or periods are a token of their own.
bool is_row_at(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == text[at + 1] && (text[at] == '-' || text[at] == '.');
}

bool word_ends_at(std::string_view text, std::size_t at) {
  const auto plain_end = [&](std::size_t k) {
    return k == text.size() || is_kind(text[k], kOutsideOfWords) || is_row_at(text, k);
  };
  return plain_end(at) || (text[at] == ',' && plain_end(at + 1));
}

// The end of the token that starts at `at`.
std::size_t token_end(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (is_row_at(text, at)) {
    while (end < text.size() && text[end] == text[at]) ++end;
  } else if (!is_kind(text[at], kNoWordStart)) {
    // All that is looked for is ASCII, so going byte by byte stops between characters only.
    const auto inside = [&] { return (static_cast<unsigned char>(text[end]) >> 6) == 2; };
    while (end < text.size() && (inside() || !word_ends_at(text, end))) ++end;
  }
  return end;
}

// -?[.,]?\d[\d,.-]*\.?
bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.starts_with('.') || text.starts_with(',')) text.remove_prefix(1);
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (!is_decimal(c.code) && (at == 0 || (c.code != ',' && c.code != '.' && c.code != '-')))
      return false;
    at += c.size;
  }
  return !text.empty();
}

// One letter and a period.
bool is_initial(std::string_view text) {
  const Character c = character_at(text, 0);
  return c.size + 1 == text.size() && text.back() == '.' && is_word(c.code) && !is_decimal(c.code);
}

bool is_all_periods(std::string_view text) {
  return text.size() > 1 && text.find_first_not_of('.') == std::string_view::npos;
}

void type_of(std::string_view token, bool without_period, std::string& out) {
  out.clear();
  if (is_number(token)) {
    out = kNumber;
    return;
  }
  append_lower(token, out);
  if (without_period && out.size() > 1 && out.back() == '.') out.pop_back();
}

}  // namespace

bool is_outside_of_words(char c) { return is_kind(c, kOutsideOfWords); }

bool PunktDecision::breaks(std::string_view piece, std::string_view next) {
  last_ = {};
  return breaks_in(piece) || breaks_in(next);
}

bool PunktDecision::breaks_in(std::string_view piece) {
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t end = token_end(piece, at);
    Token token{piece.substr(at, end - at)};
    annotate(token);
    if (!last_.text.empty()) {
      reconsider(last_, token);
      if (last_.sentence_break) return true;
    }
    last_ = token;
    at = end;
  }
  return false;
}

// By the token alone.
void PunktDecision::annotate(Token& token) {
  const std::string_view text = token.text;
  if (text == "." || text == "?" || text == "!") {
    token.sentence_break = true;
  } else if (is_all_periods(text)) {
    token.ellipsis = true;
  } else if (text.ends_with('.') && !text.ends_with("..")) {
    lower_.clear();
    append_lower(text.substr(0, text.size() - 1), lower_);
    const std::string_view lower = lower_;
    const std::string_view last_part = lower.substr(lower.rfind('-') + 1);
    token.abbreviation =
        model_.abbreviations.contains(lower) || model_.abbreviations.contains(last_part);
    token.sentence_break = !token.abbreviation;
  }
}

// By the token that follows.
void PunktDecision::reconsider(Token& token, const Token& next) {
  if (!token.text.ends_with('.')) return;
  type_of(token.text, true, type_);
  type_of(next.text, next.sentence_break, next_type_);
  if (!model_.collocations.empty()) {
    pair_.assign(type_).append("\t").append(next_type_);
    if (model_.collocations.contains(pair_)) {
      token.sentence_break = false;
      token.abbreviation = true;
      return;
    }
  }
  const bool initial = is_initial(token.text);
  const bool weighed = (token.abbreviation || token.ellipsis) && !initial;
  if (!weighed && !initial && type_ != kNumber) return;
  const auto found = model_.contexts.find(next_type_);
  const std::uint8_t context = found == model_.contexts.end() ? 0 : found->second;
  const Answer starts = starts_sentence(next, context);
  const bool upper = is_upper(character_at(next.text, 0).code);
  if (weighed && (starts == Answer::kYes || (upper && model_.starters.contains(next_type_)))) {
    token.sentence_break = true;
    return;
  }
  if (!initial && type_ != kNumber) return;
  const bool unseen_name =
      starts == Answer::kUnknown && initial && upper && (context & kLower) == 0;
  if (starts == Answer::kNo || unseen_name) {
    token.sentence_break = false;
    token.abbreviation = true;
  }
}

PunktDecision::Answer PunktDecision::starts_sentence(const Token& token,
                                                     std::uint8_t context) const {
  if (token.text.size() == 1 &&
      std::string_view(";:,.!?").find(token.text[0]) != std::string_view::npos)
    return Answer::kNo;
  const char32_t first = character_at(token.text, 0).code;
  if (is_upper(first) && (context & kLower) && !(context & PunktModel::kMiddleUpper))
    return Answer::kYes;
  if (is_lower(first) && ((context & kUpper) || !(context & PunktModel::kBeginLower)))
    return Answer::kNo;
  return Answer::kUnknown;
}

}  // namespace cupel
