// Another target, drawn evenly: the usual negatives.
//
// Of an asked fact source, relation and time are kept. As Rossi et al. 2020 (TGN), DGB and DyGLib
// have it, targets are all that any part has, and a draw may be a true fact; `avoid` leaves out
// what is stated at the batch's times. `source=drawn` draws the source, too, as their samplers do
// before their evaluations put that of the asked fact in its place.
#include <atomic>

#include "cupel/data/facts/negative_draws.h"
#include "cupel/data/links/outside.h"

namespace cupel {
namespace {

FactNegatives draw(const FactNegativeContext& context) {
  const FactColumns& facts = context.facts;
  const bool avoid = context.settings.flag("avoid"),
             kept = context.settings.text("source") == "kept";
  AskedBatches batches(context);
  const EndPools pools = pools_of(context);
  FactNegatives out = empty_draws(context);
  std::atomic<Offset> filled = 0;
  batches.for_groups([&](const AskedGroup& group) {
    const FreePairs from =
        avoid ? batches.free_pairs(group, pools)
              : FreePairs(pools.sources(group.relation), pools.targets(group.relation), {});
    Stream stream(context.key, kDrawRandom, group.batch,
                  static_cast<std::uint32_t>(group.relation));
    std::vector<std::size_t> full;  // rows whose source has all targets now
    for (const Offset fact : group.facts) {
      const auto row = static_cast<std::size_t>(fact - context.begin);
      const Index source = facts.source[static_cast<std::size_t>(fact)];
      const std::uint64_t free = kept ? from.size_of(source) : from.size();
      if (free == 0) {
        full.push_back(row);
        continue;
      }
      const std::uint64_t rank = below(stream, free);
      const Pair pair = kept ? Pair{source, from.target_at(source, rank)} : from.at(rank);
      out.source[row] = pair.source, out.target[row] = pair.target;
    }
    const std::vector<Pair> pairs = draw_free(context, group, from, full.size());
    for (std::size_t i = 0; i < full.size(); ++i)
      out.source[full[i]] = pairs[i].source, out.target[full[i]] = pairs[i].target;
    filled += std::ssize(full);
  });
  out.filled = filled;
  return out;
}

}  // namespace

extern const FactNegativeKind fact_negative_random;
const FactNegativeKind fact_negative_random = {
    "random",
    "the source of each fact with a target drawn evenly",
    {pool_setting(),
     {.name = "avoid",
      .fallback = false,
      .doc = "no negative is a fact of the same relation at the times of its batch; a source that "
             "has all targets then is drawn anew"},
     {.name = "source",
      .fallback = std::string("kept"),
      .doc = "the source: that of the asked fact (kept), or drawn as targets are",
      .choices = {"kept", "drawn"}}},
    draw};

}  // namespace cupel
