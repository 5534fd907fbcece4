#include "cupel/learn/events/event_neighbours.h"

namespace cupel {

std::vector<Index>& EventNeighbours::row(Index entity, Index kind) {
  if (kinds_ == 1) return rows_[rows_of(entity)];
  const auto [number, is_new] = row_.insert(keys_.key(entity, kind, 0));
  if (is_new) rows_.emplace_back();
  return rows_[rows_of(number)];
}

void EventNeighbours::add(Index a, Index kind, Index b) {
  if (a == b || !links_.insert(keys_.unordered_key(a, kind, b)).second) return;
  row(a, kind).push_back(b);
  row(b, kind).push_back(a);
}

}  // namespace cupel
