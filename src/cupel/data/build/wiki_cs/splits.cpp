#include "cupel/data/build/wiki_cs/splits.h"

#include <algorithm>

#include "cupel/data/split/python_random.h"

namespace cupel::wiki_cs {
namespace {

// As Python rounds a product of a decimal fraction down: in double.
std::ptrdiff_t share(double part, std::size_t of) {
  return static_cast<std::ptrdiff_t>(part * static_cast<double>(of));
}

}  // namespace

std::vector<Split> draw_splits(std::span<const Index> labels, Index classes, int count,
                               std::uint64_t seed) {
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < labels.size(); ++i)
    members[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  PythonRandom random(seed);
  std::vector<Split> splits(static_cast<std::size_t>(count));
  for (std::vector<Index>& nodes : members) {
    const std::size_t size = nodes.size();
    random.shuffle(nodes);
    const auto visible_from = nodes.begin() + share(0.5, size);
    std::vector<Index> visible(visible_from, nodes.end());
    const std::ptrdiff_t train = share(0.05, size);
    const std::ptrdiff_t stopping = share(0.3, size);
    for (Split& split : splits) {
      random.shuffle(visible);
      const auto train_end = visible.begin() + train, stopping_end = train_end + stopping;
      split.test.insert(split.test.end(), nodes.begin(), visible_from);
      split.train.insert(split.train.end(), visible.begin(), train_end);
      split.stopping.insert(split.stopping.end(), train_end, stopping_end);
      split.valid.insert(split.valid.end(), stopping_end, visible.end());
    }
  }
  // Files hold masks, which know no order.
  for (Split& split : splits)
    for (std::vector<Index>* part : split.parts()) std::ranges::sort(*part);
  return splits;
}

}  // namespace cupel::wiki_cs
