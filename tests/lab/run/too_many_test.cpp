// Plans of more runs than can be listed.
#include <gtest/gtest.h>

#include "cupel/lab/plan/plan.h"
#include "cupel/lab/run/pending.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

Plan plan_of(int splits, int inits) {
  const Protocol protocol = parse_protocol("small", "small.toml", made::kSmallProtocol);
  Plan plan = make_plan(protocol, {}, made::fake_sources());
  std::erase_if(plan.cells, [](const PlannedCell& cell) { return cell.dataset != "one"; });
  for (PlannedCell& cell : plan.cells) {
    cell.splits = cell.full_splits = splits;
    cell.inits = cell.full_inits = inits;
  }
  return plan;
}

// gcn and mlp have `inits` runs a split, fixed has one.
TEST(TooMany, TenMillionRunsAreTheMost) {
  const Store store(":memory:");
  EXPECT_EQ(pending_runs(plan_of(1000, 100), store).planned, 1000 * (2 * 100 + 1));
  for (const auto& [splits, inits] : {std::pair{1'000'000, 1'000'000},
                                      {2'147'483'647, 2'147'483'647},
                                      {1'000'000'000, 1},
                                      {1, 1'000'000'000},
                                      {100'000, 50}}) {
    const Plan plan = plan_of(splits, inits);
    const std::string said = error_of([&] { (void)pending_runs(plan, store); });
    for (const char* part : {"protocol 'small'", "10,000,000 runs", "--splits N", "--inits N"})
      EXPECT_NE(said.find(part), std::string::npos) << said;
    const Shard shard{2, 1000};
    EXPECT_EQ(error_of([&] { (void)pending_runs(plan, store, false, shard); }), said);
  }
}

}  // namespace
}  // namespace cupel
