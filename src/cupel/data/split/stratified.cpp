#include "cupel/data/split/stratified.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/shuffle.h"
#include "cupel/base/words.h"
#include "cupel/data/labels.h"

namespace cupel {

Split stratified_split(const std::vector<Index>& labels, Index classes, int train, int valid,
                       StreamKey key, std::uint32_t member, const std::string& where) {
  if (std::int64_t{train} + valid >= 100) {
    fail(
        "{}: a stratified split takes percentages: {} training and {} validation leave nothing "
        "to test; their sum must be below 100",
        where, train, valid);
  }
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == kNoLabel) continue;
    members[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  }
  Stream stream(key, 0, 0, member);
  Split split;
  // How many of the first n nodes, class after class, a part has: whole numbers that never fall,
  // so every class gets the difference and no rounding adds up.
  std::int64_t seen = 0, trained = 0, left = 0, validated = 0;
  for (std::vector<Index>& nodes : members) {
    shuffle(nodes, stream);
    seen += static_cast<std::int64_t>(nodes.size());
    const std::int64_t train_now = seen * train / 100 - trained;
    trained += train_now;
    left = seen - trained;
    const std::int64_t valid_now = left * valid / (100 - train) - validated;
    validated += valid_now;
    const auto train_end = nodes.begin() + train_now, valid_end = train_end + valid_now;
    split.train.insert(split.train.end(), nodes.begin(), train_end);
    split.valid.insert(split.valid.end(), train_end, valid_end);
    split.test.insert(split.test.end(), valid_end, nodes.end());
  }
  for (auto* part : {&split.train, &split.valid, &split.test}) std::ranges::sort(*part);
  return split;
}

std::vector<Split> stored_stratified_splits(const Dataset& dataset, int count, StreamKey key,
                                            const std::string& where) {
  std::vector<Split> splits;
  for (int i = 0; i < count; ++i) {
    splits.push_back(stratified_split(dataset.labels(), dataset.classes(), 50, 25, key,
                                      static_cast<std::uint32_t>(i), where));
    const Split& split = splits.back();
    const std::pair<const char*, const std::vector<Index>*> parts[] = {
        {"training", &split.train}, {"validation", &split.valid}, {"test", &split.test}};
    for (const auto& [name, ids] : parts) {
      std::vector<Index> sizes(static_cast<std::size_t>(dataset.classes()), 0);
      for (const Index id : *ids)
        ++sizes[static_cast<std::size_t>(dataset.labels()[static_cast<std::size_t>(id)])];
      const auto empty = std::ranges::find(sizes, 0);
      if (empty == sizes.end()) continue;
      const auto class_number = static_cast<std::size_t>(empty - sizes.begin());
      fail(
          "{}: class '{}' has {}, too few for one in the {} part of every split; use "
          "splits = 0 for a data set without stored splits",
          where, dataset.class_names()[class_number],
          counted(std::ranges::count(dataset.labels(), static_cast<Index>(class_number)), "node"),
          name);
    }
  }
  return splits;
}

}  // namespace cupel
