#include "cupel/learn/events/object_counts.h"

namespace cupel {

Index ObjectCounts::find_or_add(Index object) {
  if (const Index known = find(object); known >= 0) return known;
  const auto slot = static_cast<Index>(slots_.size());
  slots_.push_back({object, 0, slot});
  places_.push_back({object, slot});
  table_.add([&](Index s) { return mixed(slots_[at(s)].object, 0); });
  return slot;
}

// Whoever is at `place` takes the place that the slot leaves.
void ObjectCounts::move(Index slot, Index place) {
  const Index from = slots_[at(slot)].place;
  std::swap(places_[at(from)], places_[at(place)]);
  slots_[at(places_[at(from)].slot)].place = from;
  slots_[at(slot)].place = place;
}

void ObjectCounts::add(Index slot) {
  const auto more = at(++slots_[at(slot)].count);
  if (more == at_least_.size()) at_least_.push_back(0);
  move(slot, at_least_[more]++);
  ++total_;
}

void ObjectCounts::remove(Index slot) {
  const auto before = at(slots_[at(slot)].count--);
  move(slot, --at_least_[before]);
  --total_;
}

}  // namespace cupel
