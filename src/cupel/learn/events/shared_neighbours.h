// Friends of friends: links predicted by the neighbours that both ends have.
//
// Liben-Nowell and Kleinberg, "The Link-Prediction Problem for Social Networks", JASIST 2007
// (common neighbours, Jaccard); Adamic and Adar, "Friends and Neighbors on the Web", Social
// Networks 2003; Zhou, Lue and Zhang, "Predicting Missing Links via Local Information", EPJ B 2009
// (resource allocation).
#pragma once

#include <memory>
#include <vector>

#include "cupel/learn/events/event_model.h"

namespace cupel {

enum class SharedNeighbours : std::uint8_t {
  common,               // |A & B|
  jaccard,              // |A & B| / |A | B|
  adamic_adar,          // sum of 1 / ln d(z) over z in A & B
  resource_allocation,  // sum of 1 / d(z) over z in A & B
};

struct SharedNeighboursSettings {
  SharedNeighbours score = SharedNeighbours::common;
  // Whether the relation of a fact says which neighbours count (below).
  bool typed = false;
  // If typed: per relation the one by whose facts one has neighbours; empty: by its own.
  std::vector<Index> via;
};

// G(x) are the entities that share a fact with x in the graph learnt so far, in either direction;
// G_q(x) those that share a fact of relation q. A fact that is stated again changes nothing; a loop
// makes nobody a neighbour; and a loop that is asked about scores 0.
//
// For (s, r, o), not typed: A = G(s), B = G(o), d(z) = |G(z)|. Typed, with q = via[r]: A = G_q(s),
// B = G_r(o) if r has a direction, so that for scientists and capabilities, with q the
// collaboration, A & B are the co-authors of s that have capability o; if r has none, B = G_q(o),
// so that both ends are treated alike. Then d(z) is |G_q(z)| + |G_r(z)|, the links z shares, or
// |G_q(z)| if there is one relation.
//
// Weights are summed in units of 2^-36, so that sums do not depend on their order. Memory: that of
// EventNeighbours, of the relations that play a part, 8 bytes for the largest degree and from the
// first rank() on 8 for each entity. score() walks through the shorter of two lists of neighbours;
// rank() through the neighbours of all neighbours, which hubs make long. Throws Error if `via`
// names no relation, or as FactKeys does if typed.
[[nodiscard]] std::unique_ptr<EventModel> make_shared_neighbours(
    const EventWorld& world, const SharedNeighboursSettings& settings);

}  // namespace cupel
