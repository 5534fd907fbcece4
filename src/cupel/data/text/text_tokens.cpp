#include "cupel/data/text/text_tokens.h"

#include "cupel/data/text/characters.h"
#include "cupel/data/text/pieces.h"
#include "cupel/data/text/stop_words.h"

namespace cupel {

template <class Put>
void TextTokenizer::for_each_sentence(std::string_view text, Put put) {
  if (model_ == nullptr) {
    put(text);
    return;
  }
  sentences_.clear();
  split_sentences(text, *model_, sentences_);
  for (const std::string_view sentence : sentences_) put(sentence);
}

void TextTokenizer::tokenize(std::string_view text, TokenList& out) {
  for_each_sentence(text, [&](std::string_view sentence) {
    words_.for_each_token(sentence, [&](std::string_view token) { out.push_back(token); });
  });
}

void TextTokenizer::tokenize_and_keep(std::string_view text, TokenList& out) {
  for_each_sentence(text, [&](std::string_view sentence) {
    const std::string_view spaced = words_.spaced(sentence);
    lower_.assign(spaced);
    const bool ascii = lower_ascii(lower_.data(), lower_.size()) == lower_.size();
    for_each_piece(spaced, [&](std::string_view token) {
      if (!ascii) {
        append_kept(token, out);
        return;
      }
      const char* const in_lower = lower_.data() + (token.data() - spaced.data());
      const std::string_view lower(in_lower, token.size());
      if (!is_left_out(token, lower)) out.push_back(lower);
    });
  });
}

}  // namespace cupel
