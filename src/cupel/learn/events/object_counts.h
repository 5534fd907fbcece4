// How often each object was seen, with the objects always in the order of their counts.
#pragma once

#include <vector>

#include "cupel/learn/events/id_table.h"

namespace cupel {

// An object that was seen has a number, its slot, from 0 on. Each step of a count, up or down, is
// O(1): the objects of one count stand side by side, and who leaves them changes places with the
// one at their border. 26 to 52 bytes an object, and 4 bytes for each count up to the largest.
class ObjectCounts {
 public:
  struct Place {
    Index object = 0, slot = 0;
  };

  Index find(Index object) const {  // its slot; -1: never seen
    return table_.find(mixed(object, 0),
                       [&](Index slot) { return slots_[at(slot)].object == object; });
  }
  Index find_or_add(Index object);  // a new one has count 0
  void add(Index slot);
  void remove(Index slot);  // requires a count above 0

  Index object(Index slot) const { return slots_[at(slot)].object; }
  Index count(Index slot) const { return slots_[at(slot)].count; }
  Index place(Index slot) const { return slots_[at(slot)].place; }
  Offset total() const { return total_; }  // of all counts
  // How many objects have this count or more, for counts from 1 on.
  Index at_least(Offset count) const {
    return count < std::ssize(at_least_) ? at_least_[static_cast<std::size_t>(count)] : 0;
  }
  // Objects by falling count; those of count c are at places [at_least(c + 1), at_least(c)).
  const std::vector<Place>& places() const { return places_; }

 private:
  struct Slot {
    Index object = 0, count = 0, place = 0;
  };
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  void move(Index slot, Index place);

  IdTable table_;
  std::vector<Slot> slots_;
  std::vector<Place> places_;
  std::vector<Index> at_least_ = {0};
  Offset total_ = 0;
};

}  // namespace cupel
