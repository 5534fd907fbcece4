#include "cupel/data/text/text_features.h"

#include <algorithm>
#include <vector>

namespace cupel {

WordIds words_of_nodes(std::span<const TokenList> nodes) {
  WordIds words;
  for (const TokenList& node : nodes) {
    for (const std::string_view token : node) add_word(words, token);
  }
  return words;
}

TextFeatures text_features(std::span<const TokenList> nodes, const WordIds& words,
                           const WordVectors& vectors, Threads threads) {
  constexpr std::int64_t kGrain = 64;
  TextFeatures out;
  out.values = Matrix(static_cast<Index>(nodes.size()), vectors.dimension);
  std::vector<std::int64_t> without(nodes.size());
  parallel_blocks(threads, std::ssize(nodes), kGrain, [&](std::int64_t begin, std::int64_t end) {
    const auto width = static_cast<std::size_t>(vectors.dimension);
    std::vector<double> sum(width);
    for (std::int64_t i = begin; i < end; ++i) {
      const TokenList& node = nodes[static_cast<std::size_t>(i)];
      std::ranges::fill(sum, 0.0);
      for (const std::string_view token : node) {
        const auto found = words.find(token);
        if (found == words.end() || !vectors.has(found->second)) {
          ++without[static_cast<std::size_t>(i)];
          continue;
        }
        const float* vector = vectors.row(found->second);
        for (std::size_t k = 0; k < width; ++k) sum[k] += static_cast<double>(vector[k]);
      }
      if (node.empty()) continue;
      float* row = out.values.row(static_cast<Index>(i));
      for (std::size_t k = 0; k < width; ++k)
        row[k] = static_cast<float>(sum[k] / static_cast<double>(node.size()));
    }
  });
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto size = static_cast<std::int64_t>(nodes[i].size());
    out.tokens += size;
    out.tokens_without_vector += without[i];
    if (size == 0) {
      ++out.nodes_without_tokens;
    } else if (without[i] == size) {
      ++out.nodes_without_vector;
    }
  }
  return out;
}

}  // namespace cupel
