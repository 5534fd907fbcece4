// Who has many neighbours gets more: Barabasi and Albert, "Emergence of Scaling in Random
// Networks", Science 1999; as a score of links: Liben-Nowell and Kleinberg, "The Link-Prediction
// Problem for Social Networks", JASIST 2007.
#pragma once

#include <memory>

#include "cupel/learn/events/event_model.h"

namespace cupel {

struct PreferentialAttachmentSettings {
  // False: d(x) is the number of different entities that share a fact of any relation, in either
  // direction, with x. True: d(s) is the number of different targets that s has by the relation
  // asked about, d(o) that of different sources of o; without direction that of either.
  bool typed = false;
};

// The score of (s, r, o) is d(s) d(o) in the graph learnt so far. A fact that is stated again
// changes nothing, nor does a loop.
//
// Memory: 18 to 36 bytes for each different link (half of that more while it grows), and that of
// EndCounts. rank() names all entities that have a degree, as that of popularity does
// (popularity.h). Throws Error if typed and there are too many relations to be told apart
// (FactKeys).
[[nodiscard]] std::unique_ptr<EventModel> make_preferential_attachment(
    const EventWorld& world, const PreferentialAttachmentSettings& settings);

}  // namespace cupel
