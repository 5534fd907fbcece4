// From a text to the tokens that Wiki-CS keeps of it: sentences, words, without stop words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/text/punkt.h"
#include "cupel/data/text/token_list.h"
#include "cupel/data/text/treebank.h"

namespace cupel {

// Keeps buffers that grow with the longest text and sentence. One for each thread.
class TextTokenizer {
 public:
  // Without a model the whole text is one sentence. The model must live as long.
  explicit TextTokenizer(const PunktModel* model) : model_(model) {}

  // Appends the tokens of a UTF-8 text, as NLTK 3.4.5's word_tokenize() gives them.
  void tokenize(std::string_view text, TokenList& out);
  // Those of them that are kept (stop_words.h), in lower case, in their order, with repetitions.
  void tokenize_and_keep(std::string_view text, TokenList& out);

 private:
  template <class Put>
  void for_each_sentence(std::string_view text, Put put);

  const PunktModel* model_;
  TreebankTokenizer words_;
  std::vector<std::string_view> sentences_;
  std::string lower_;
};

}  // namespace cupel
