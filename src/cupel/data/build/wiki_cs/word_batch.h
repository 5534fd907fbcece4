// Texts turned into words on all threads, some at a time.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/build/wiki_cs/nodes.h"
#include "cupel/data/text/punkt.h"

namespace cupel::wiki_cs {

// Not thread-safe.
class WordBatch {
 public:
  // What of a text is read. Called on many threads.
  using Visible = std::function<std::string(std::string_view)>;

  // `model` as in TextTokenizer. All must live as long.
  WordBatch(std::span<Article> articles, const PunktModel* model, Threads threads)
      : articles_(articles), model_(model), threads_(threads) {}

  // Replaces the tokens of an article by those of a text, now or at the next flush().
  void add(Index article, std::string_view text, const Visible& visible);
  // To be called before `visible` changes, and at the end.
  void flush(const Visible& visible);

 private:
  std::span<Article> articles_;
  const PunktModel* model_;
  Threads threads_;
  std::vector<std::pair<Index, std::string>> texts_;
  std::size_t bytes_ = 0;
};

}  // namespace cupel::wiki_cs
