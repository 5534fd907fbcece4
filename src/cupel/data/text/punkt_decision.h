// Whether a sentence ends at a place of a text, for punkt.h.
#pragma once

#include <string>
#include <string_view>

#include "cupel/data/text/punkt.h"

namespace cupel {

// ? ! ) " ; } ] * : @ ' ( { [ end a word and stand alone.
[[nodiscard]] bool is_outside_of_words(char c);

// Keeps buffers; one for each thread.
class PunktDecision {
 public:
  explicit PunktDecision(const PunktModel& model) : model_(model) {}

  // Whether a sentence ends in one of these pieces of text, other than with the last token. There
  // is white space between the pieces and none in them; `next` may be empty.
  bool breaks(std::string_view piece, std::string_view next);

 private:
  enum class Answer { kNo, kYes, kUnknown };
  struct Token {
    std::string_view text;
    bool sentence_break = false, abbreviation = false, ellipsis = false;
  };

  // Goes through a piece's tokens; true when a sentence ended in front of one.
  bool breaks_in(std::string_view piece);
  void annotate(Token& token);
  void reconsider(Token& token, const Token& next);
  Answer starts_sentence(const Token& token, std::uint8_t context) const;

  const PunktModel& model_;
  Token last_;
  std::string lower_, type_, next_type_, pair_;
};

}  // namespace cupel
