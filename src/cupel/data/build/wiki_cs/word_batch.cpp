#include "cupel/data/build/wiki_cs/word_batch.h"

#include <algorithm>

#include "cupel/data/text/text_tokens.h"

namespace cupel::wiki_cs {

void WordBatch::add(Index article, std::string_view text, const Visible& visible) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  if (bytes_ + text.size() > kMostBytes) flush(visible);
  bytes_ += text.size();
  texts_.emplace_back(article, text);
}

void WordBatch::flush(const Visible& visible) {
  // Of two texts of one article the last counts, whichever thread is first.
  std::ranges::stable_sort(texts_, {}, [](const auto& text) { return text.first; });
  constexpr std::int64_t kTogether = 16;
  parallel_blocks(threads_, std::ssize(texts_), kTogether, [&](std::int64_t from, std::int64_t to) {
    TextTokenizer tokenizer(model_);
    for (std::int64_t t = from; t < to; ++t) {
      const auto& [article, text] = texts_[static_cast<std::size_t>(t)];
      if (t + 1 < std::ssize(texts_) && texts_[static_cast<std::size_t>(t) + 1].first == article)
        continue;
      TokenList tokens;
      tokenizer.tokenize_and_keep(visible(text), tokens);
      articles_[static_cast<std::size_t>(article)].tokens = std::move(tokens);
    }
  });
  texts_.clear();
  bytes_ = 0;
}

}  // namespace cupel::wiki_cs
