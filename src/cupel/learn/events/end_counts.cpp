#include "cupel/learn/events/end_counts.h"

namespace cupel {

EndCounts::EndCounts(Index entities, Index relations, Undirected undirected)
    : entities_(entities),
      undirected_(undirected.begin(), undirected.end()),
      members_(static_cast<std::size_t>(relations) * 2) {}

Index EndCounts::insert(bool is_source, Index relation, Index entity) {
  const auto [number, is_new] = numbers_.insert(key(is_source, relation, entity));
  if (is_new) {
    entity_.push_back(entity);
    count_.push_back(0);
    members_[row(is_source, relation)].push_back(number);
  }
  return number;
}

}  // namespace cupel
