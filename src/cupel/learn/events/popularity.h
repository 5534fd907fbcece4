// What many had will be had by many: the facts of a relation that an entity was in.
#pragma once

#include <memory>

#include "cupel/learn/events/event_model.h"

namespace cupel {

struct PopularitySettings {
  // The last steps of time (times at which there were facts) that count, those of all relations
  // taken together; 0: all.
  Offset steps = 0;
};

// The score of (s, r, o) is n(r, o), the facts learnt of r that end at o, repeats too. Where the
// source is asked, entities are ranked by n(s, r), the facts that start at them: n(r, o) is the
// same for all of them, and score() leaves n(s, r) out. A fact without direction is one of both its
// ends, a loop of one, and its score is n(r, s) + n(r, o).
//
// Memory: that of EndCounts, and with steps 8 bytes for each fact of them. rank() names all
// entities that count in a relation once for the questions of one relation and direction that
// follow each other, and each time where they are taken as scores alone. Throws Error for negative
// steps.
[[nodiscard]] std::unique_ptr<EventModel> make_popularity(const EventWorld& world,
                                                          const PopularitySettings& settings);

}  // namespace cupel
