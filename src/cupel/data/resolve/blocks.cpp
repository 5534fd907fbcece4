#include "cupel/data/resolve/blocks.h"

#include <algorithm>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"

namespace cupel {
namespace {

constexpr std::int64_t kPairsOfThing = 128;

// Calls take(from, to) for each run of one key.
template <class Take>
void for_runs(const std::vector<Blocks::Key>& keys, const Take& take) {
  for (std::size_t from = 0, to = 0; from < keys.size(); from = to) {
    while (to < keys.size() && keys[to].key == keys[from].key) ++to;
    take(from, to);
  }
}

}  // namespace

Blocks::Blocks(Index things, std::vector<Key> keys, std::size_t most) {
  if (keys.size() > 0xffffffffu) fail("{} names are too many to compare at once", things);
  sort_unique(keys);
  std::vector<std::int64_t> of_size(most + 1, 0);
  for_runs(keys, [&](std::size_t from, std::size_t to) {
    if (to - from <= most) ++of_size[to - from];
  });
  std::int64_t pairs = 0;
  std::size_t largest = 1;
  for (std::size_t size = 2; size <= most; ++size) {
    pairs += of_size[size] * static_cast<std::int64_t>(size * (size - 1) / 2);
    if (pairs > kPairsOfThing * things && size > 16) break;
    largest = size;
  }
  from_.push_back(0);
  for_runs(keys, [&](std::size_t from, std::size_t to) {
    if (to - from > largest) ++left_out_;
    if (to - from < 2 || to - from > largest) return;
    for (std::size_t k = from; k < to; ++k) members_.push_back(keys[k].thing);
    from_.push_back(static_cast<std::uint32_t>(members_.size()));
  });
  keys = {};
  places_from_.assign(static_cast<std::size_t>(things) + 1, 0);
  for (const Index thing : members_) ++places_from_[static_cast<std::size_t>(thing) + 1];
  std::partial_sum(places_from_.begin(), places_from_.end(), places_from_.begin());
  places_.resize(members_.size()), block_end_.resize(members_.size());
  std::vector<std::uint64_t> next(places_from_.begin(), places_from_.end() - 1);
  for (std::size_t block = 0; block + 1 < from_.size(); ++block) {
    for (std::uint32_t k = from_[block]; k < from_[block + 1]; ++k) {
      const auto place = next[static_cast<std::size_t>(members_[k])]++;
      places_[place] = k + 1, block_end_[place] = from_[block + 1];
    }
  }
}

void Blocks::above(Index thing, std::vector<Index>& out) const {
  const auto at = static_cast<std::size_t>(thing);
  for (std::uint64_t k = places_from_[at]; k < places_from_[at + 1]; ++k)
    out.insert(out.end(), members_.begin() + places_[k], members_.begin() + block_end_[k]);
  sort_unique(out);
}

}  // namespace cupel
