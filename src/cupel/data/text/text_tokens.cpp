#include "cupel/data/text/text_tokens.h"

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
  for_each_sentence(text, [&](std::string_view sentence) { words_.tokenize(sentence, out); });
}

void TextTokenizer::tokenize_and_keep(std::string_view text, TokenList& out) {
  for_each_sentence(text, [&](std::string_view sentence) {
    all_.clear();
    words_.tokenize(sentence, all_);
    for (const std::string_view token : all_) append_kept(token, out);
  });
}

}  // namespace cupel
