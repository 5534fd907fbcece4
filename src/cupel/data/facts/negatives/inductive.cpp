// Facts that were true first within the asked part (Poursafaei et al. 2022).
//
// As historical ones, but those that were stated before the part are left out: for test what
// training or validation stated, for validation what training did. The first batch finds none, and
// is random.
#include "cupel/data/facts/negative_draws.h"

namespace cupel {
namespace {

FactNegatives draw(const FactNegativeContext& context) {
  return draw_stated(context, context.begin);
}

}  // namespace

extern const FactNegativeKind fact_negative_inductive;
const FactNegativeKind fact_negative_inductive = {
    "inductive",
    "facts that were true first within the part and are not now, random ones where they do not "
    "suffice (Poursafaei et al. 2022)",
    {pool_setting()},
    draw};

}  // namespace cupel
