// Facts that were true before (Poursafaei et al. 2022).
//
// As their program and DyGLib have it: what was stated at an earlier time than the batch's first,
// by train, validation or test alike, and is not stated at any of the batch's times. Different
// ones; where they do not suffice, all of them and random pairs that are not stated now. Sources
// are not those of the asked facts. Theirs leave out of random pairs those of the batch alone; here
// those of others at its times, too.
#include "cupel/data/facts/negative_draws.h"

namespace cupel {
namespace {

FactNegatives draw(const FactNegativeContext& context) { return draw_stated(context, 0); }

}  // namespace

extern const FactNegativeKind fact_negative_historical;
const FactNegativeKind fact_negative_historical = {
    "historical",
    "facts that were true before and are not now, random ones where they do not suffice "
    "(Poursafaei et al. 2022)",
    {pool_setting()},
    draw};

}  // namespace cupel
