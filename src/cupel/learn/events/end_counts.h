// How often each entity was at the end of something, by relation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/key_numbers.h"

namespace cupel {

// Counts n(r, o) for targets and n(s, r) for sources. A relation without direction has one count
// for both ends. 34 to 68 bytes for each (end, relation, entity) that ever had a count, and 48 for
// each relation.
class EndCounts {
 public:
  EndCounts(Index entities, Index relations, Undirected undirected);

  // The number of (end, relation, entity), from 0 on; `insert` gives it one.
  Index find(bool is_source, Index relation, Index entity) const {
    return numbers_.find(key(is_source, relation, entity));
  }
  Index insert(bool is_source, Index relation, Index entity);
  void add(Index number, Index by) { count_[static_cast<std::size_t>(number)] += by; }

  Index entity(Index number) const { return entity_[static_cast<std::size_t>(number)]; }
  Offset count(Index number) const {
    return number < 0 ? 0 : count_[static_cast<std::size_t>(number)];
  }
  Offset count(bool is_source, Index relation, Index entity) const {
    return count(find(is_source, relation, entity));
  }
  // Ends that have the same members have the same row.
  std::size_t row(bool is_source, Index relation) const {
    return static_cast<std::size_t>(relation) * 2 + (is_source && !undirected(relation) ? 1 : 0);
  }
  // Numbers of those that ever had a count, in the order in which they came.
  std::span<const Index> members(bool is_source, Index relation) const {
    return members_[row(is_source, relation)];
  }
  bool undirected(Index relation) const { return is_undirected(undirected_, relation); }

 private:
  std::uint64_t key(bool is_source, Index relation, Index entity) const {
    return row(is_source, relation) * static_cast<std::uint64_t>(entities_) +
           static_cast<std::uint64_t>(entity);
  }

  Index entities_ = 0;
  std::vector<std::uint8_t> undirected_;
  KeyNumbers numbers_;
  std::vector<Index> entity_;
  std::vector<Offset> count_;
  std::vector<std::vector<Index>> members_;  // per row
};

// The last answer of a model that ranks the members of an end by their counts. That of the given
// entity shifts or scales them all, so that the next answer may have the same order.
struct CountsAnswer {
  std::optional<std::size_t> row;  // of the members; empty: nothing was answered
  Offset own = 0;                  // count of the given entity
  Offset most = 0;                 // of the members' counts
};

}  // namespace cupel
