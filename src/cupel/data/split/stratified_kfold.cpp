#include "cupel/data/split/stratified_kfold.h"

#include <algorithm>
#include <numeric>

#include "cupel/base/shuffle.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

constexpr std::uint32_t kFoldDraws = 0, kValidDraws = 1;  // purposes of streams

// How many of `wanted` out of `ids` each class gives: its share rounded down, then one more of each
// class in the order of the remainders until there are enough; equal remainders in random order.
std::vector<Index> shares(const std::vector<std::vector<Index>>& members, std::int64_t wanted,
                          Stream& stream) {
  std::int64_t all = 0;
  for (const auto& ids : members) all += static_cast<std::int64_t>(ids.size());
  std::vector<Index> out;
  std::int64_t given = 0;
  for (const auto& ids : members) {
    out.push_back(static_cast<Index>(wanted * static_cast<std::int64_t>(ids.size()) / all));
    given += out.back();
  }
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, stream);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t c) {
    return wanted * static_cast<std::int64_t>(members[c].size()) % all;
  });
  for (std::size_t i = 0; given < wanted; ++i, ++given) ++out[order[i]];
  return out;
}

}  // namespace

std::vector<Index> stratified_folds(const std::vector<Index>& labels, Index classes, int folds,
                                    StreamKey key, std::uint32_t repetition) {
  const auto k = static_cast<std::size_t>(folds);
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != kNoLabel)
      members[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  }
  // The sorted labels are dealt to the folds in turn: this says how many of each class a fold gets.
  // Which of them it gets is random.
  Stream stream(key, kFoldDraws, 0, repetition);
  std::vector<Index> out(labels.size(), -1);
  std::size_t dealt = 0;
  for (std::vector<Index>& ids : members) {
    shuffle(ids, stream);
    for (const Index id : ids) out[static_cast<std::size_t>(id)] = static_cast<Index>(dealt++ % k);
  }
  return out;
}

Split stratified_kfold_split(const std::vector<Index>& labels, Index classes, int folds, int valid,
                             StreamKey key, std::uint32_t repetition, int fold) {
  const std::vector<Index> fold_of = stratified_folds(labels, classes, folds, key, repetition);
  Split split;
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(classes));
  std::int64_t others = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (fold_of[i] < 0) continue;
    if (fold_of[i] == fold) {
      split.test.push_back(static_cast<Index>(i));
    } else {
      members[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
      ++others;
    }
  }
  if (others == 0) return split;
  Stream stream(key, kValidDraws, static_cast<std::uint32_t>(fold), repetition);
  const std::vector<Index> validated = shares(members, (others * valid + 99) / 100, stream);
  for (std::size_t c = 0; c < members.size(); ++c) {
    shuffle(members[c], stream);
    const auto end = members[c].begin() + validated[c];
    split.valid.insert(split.valid.end(), members[c].begin(), end);
    split.train.insert(split.train.end(), end, members[c].end());
  }
  for (auto* part : {&split.train, &split.valid}) std::ranges::sort(*part);
  return split;
}

}  // namespace cupel
