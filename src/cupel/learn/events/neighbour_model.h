// What the models of shared neighbours over time have in common: their settings.
#pragma once

#include "cupel/base/error.h"
#include "cupel/learn/events/shared_neighbours.h"
#include "cupel/learn/model.h"

namespace cupel {

[[nodiscard]] inline std::vector<OptionSpec> neighbour_options() {
  return {{.name = "typed",
           .fallback = false,
           .doc = "Neighbours by the relation that is asked about, or by all."},
          {.name = "via",
           .fallback = std::string(),
           .doc = "Typed: the relation by which the source has neighbours, \"collaboration\"; "
                  "nothing: the one that is asked about."}};
}

template <SharedNeighbours kScore>
std::unique_ptr<EventModel> make_neighbour_model(const EventWorld& world, const Options& settings,
                                                 StreamKey, Threads) {
  SharedNeighboursSettings out;
  out.score = kScore, out.typed = settings.flag("typed");
  const std::string& via = settings.text("via");
  if (!via.empty()) {
    if (!out.typed) fail("via = \"{}\" says whose neighbours count; it needs typed = true", via);
    const auto found = std::ranges::find(world.relation_names, via);
    if (found == world.relation_names.end())
      fail("via = \"{}\" is no relation of the data; there are {}", via,
           fmt::join(world.relation_names, ", "));
    out.via.assign(static_cast<std::size_t>(world.relations),
                   static_cast<Index>(found - world.relation_names.begin()));
  }
  return make_shared_neighbours(world, out);
}

[[nodiscard]] inline std::size_t neighbour_bytes(const EventWorld& world, const Options&,
                                                 Offset facts) {
  return 190 * static_cast<std::size_t>(facts) + 108 * static_cast<std::size_t>(world.entities);
}

}  // namespace cupel
