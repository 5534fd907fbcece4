// Words of a sentence by the conventions of the Penn Treebank, as NLTK 3.4.5 splits them.
//
// The expressions are those of Robert MacIntyre's tokenizer.sed as NLTK's TreebankWordTokenizer has
// them, with what its word_tokenize adds in 3.4.5: opening and closing quotation marks beyond
// ASCII, the final period before them, and a single quote before a lone letter. Later NLTK differs.
#pragma once

#include <string>
#include <string_view>

#include "cupel/data/text/token_list.h"

namespace cupel {

// Keeps two buffers of a few times the longest sentence. Linear in the sentence's length. One for
// each thread.
class TreebankTokenizer {
 public:
  // Appends the tokens of one sentence. A period is split off at the end of the sentence only, so
  // that the text must be split into sentences before (punkt.h).
  void tokenize(std::string_view sentence, TokenList& out);

 private:
  std::string text_, next_;
};

}  // namespace cupel
