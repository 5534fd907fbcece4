// Some facts of many, side by side.
#pragma once

#include <span>
#include <vector>

#include "cupel/data/facts/columns.h"

namespace cupel {

// Made once, filled again and again. Not thread-safe.
class ChosenFacts {
 public:
  // Facts `numbers` of `from`, in that order, until the next call. Times ascend where they do in
  // `from` and the numbers ascend.
  FactColumns choose(const FactColumns& from, std::span<const Offset> numbers) {
    const auto copy = [&](auto column, auto& to) {
      to.clear();
      if (column.empty()) return;
      for (const Offset number : numbers) to.push_back(column[static_cast<std::size_t>(number)]);
    };
    copy(from.source, source_);
    copy(from.relation, relation_);
    copy(from.target, target_);
    copy(from.time, time_);
    return {source_, relation_, target_, time_, from.nodes, from.relations};
  }

 private:
  std::vector<Index> source_, relation_, target_;
  std::vector<std::int64_t> time_;
};

}  // namespace cupel
