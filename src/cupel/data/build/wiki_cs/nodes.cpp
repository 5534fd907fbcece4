#include "cupel/data/build/wiki_cs/nodes.h"

#include <algorithm>
#include <bit>

namespace cupel::wiki_cs {

NodeOfPage::NodeOfPage(std::span<const Article> articles) {
  constexpr std::size_t kBitsForEach = 16;
  mask_ = std::bit_ceil(kBitsForEach * articles.size() + 1) - 1;
  seen_.resize(mask_ + 1);
  for (const Article& article : articles) {
    pages_.push_back(article.page);
    seen_[static_cast<std::uint64_t>(article.page) & mask_] = true;
  }
}

Index NodeOfPage::search(std::int64_t page) const {
  const auto found = std::ranges::lower_bound(pages_, page);
  if (found == pages_.end() || *found != page) return kNoNode;
  return static_cast<Index>(found - pages_.begin());
}

}  // namespace cupel::wiki_cs
