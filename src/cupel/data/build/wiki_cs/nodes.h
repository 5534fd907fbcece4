// The articles that become nodes of a data set like Wiki-CS.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/text/token_list.h"

namespace cupel::wiki_cs {

// An article of one label.
struct Article {
  std::int64_t page = 0;  // its id in the wiki
  std::string title;      // words parted by blanks
  Index label = 0;
  TokenList tokens = {};  // that are kept
};

inline constexpr Index kNoNode = -1;

// Finds articles by the ids of their pages. Fast for ids that are none of them, which most ids in
// tables are. Immutable; safe to use from many threads.
class NodeOfPage {
 public:
  // Ids ascend and differ.
  explicit NodeOfPage(std::span<const Article> articles);
  // The place among the articles, or kNoNode.
  [[nodiscard]] Index operator()(std::int64_t page) const {
    return seen_[static_cast<std::uint64_t>(page) & mask_] ? search(page) : kNoNode;
  }

 private:
  Index search(std::int64_t page) const;

  std::vector<std::int64_t> pages_;
  std::vector<bool> seen_;  // by the last bits of ids
  std::uint64_t mask_ = 0;
};

// Whom each node links to, in the order of the pages whose titles the links name; repeats and loops
// as they come.
using OutLinks = std::vector<std::vector<Index>>;

}  // namespace cupel::wiki_cs
