// Features of nodes from the words of their texts.
#pragma once

#include <cstdint>
#include <span>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"
#include "cupel/data/formats/fasttext.h"
#include "cupel/data/text/token_list.h"

namespace cupel {

// The different tokens of all nodes, numbered in the order in which they first occur.
[[nodiscard]] WordIds words_of_nodes(std::span<const TokenList> nodes);

struct TextFeatures {
  Matrix values;  // a row for each node
  std::int64_t tokens = 0;
  std::int64_t tokens_without_vector = 0;
  std::int64_t nodes_without_tokens = 0;  // rows of zeros; Wiki-CS leaves such nodes out
  std::int64_t nodes_without_vector = 0;  // rows of zeros too: they have tokens
};

// The sum of the vectors of a node's tokens over the number of all its tokens, those without vector
// too, as Wiki-CS has it; summed in double in the order of the tokens. `words` are those that the
// vectors were read for; a token that is none of them has no vector. The same on any number of
// threads.
[[nodiscard]] TextFeatures text_features(std::span<const TokenList> nodes, const WordIds& words,
                                         const WordVectors& vectors, Threads threads);

}  // namespace cupel
