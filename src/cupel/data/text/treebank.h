// Words of a sentence by the conventions of the Penn Treebank, as NLTK 3.4.5 splits them.
//
// The expressions are those of Robert MacIntyre's tokenizer.sed as NLTK's TreebankWordTokenizer has
// them, with what its word_tokenize adds in 3.4.5: opening and closing quotation marks beyond
// ASCII, the final period before them, and a single quote before a lone letter. Later NLTK differs.
#pragma once

#include <string>
#include <string_view>

#include "cupel/data/text/pieces.h"

namespace cupel {

// Keeps two buffers of a few times the longest sentence. Linear in the sentence's length. One for
// each thread.
class TreebankTokenizer {
 public:
  // Calls put(std::string_view) with each token of one sentence, valid during the call. A period is
  // split off at the end of the sentence only, so that the text must be split into sentences before
  // (punkt.h).
  template <class Put>
  void for_each_token(std::string_view sentence, Put put) {
    for_each_piece(spaced(sentence), put);
  }
  // The sentence with white space between its tokens, until the next call.
  std::string_view spaced(std::string_view sentence);

 private:
  std::string text_, next_;
};

}  // namespace cupel
