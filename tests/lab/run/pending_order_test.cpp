#include <gtest/gtest.h>

#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "lab/fake.h"

namespace cupel::made {
namespace {

// What past runs took decides; of gat, which never ran, the rough estimate does, which for so small
// a graph is less than a second.
TEST(PendingRuns, AreTheLongestOfASplitFirst) {
  const Plan plan = make_plan(
      parse_protocol("small", "small.toml",
                     "[data]\ndatasets = ['one']\n[split]\ncount = 3\n[train]\ninits = 2\n"
                     "[models.gat]\n[models.mlp]\n[models.gcn]\n[models.sage]\n",
                     {}),
      {}, fake_sources());
  Store store(":memory:");
  store.register_plan(plan);
  const std::map<std::string, double> seconds = {{"mlp", 5}, {"gcn", 70}, {"sage", 20}};
  for (const PlannedCell& cell : plan.cells) {
    if (!seconds.contains(cell.model)) continue;
    RunRecord record;
    record.test_score = record.valid_score = 0.5;
    record.metric = cell.family->metric;
    record.seconds = seconds.at(cell.model);
    for (const int init : {0, 1}) store.put(cell.family->identity, 0, init, record);
  }
  std::string order;
  for (const RunGroup& group : pending_runs(plan, store).groups)
    order += fmt::format("{}{} ", group.family->row, group.split);
  EXPECT_EQ(order, "gat0 gcn1 sage1 mlp1 gat1 gcn2 sage2 mlp2 gat2 ");
  // What is shown of it is in the order of the plan.
  std::string shown;
  for (const PlanEstimate::Line& line : estimate_plan(plan, store, FakeExecutor(), {}).lines)
    shown += line.model + " ";
  EXPECT_EQ(shown, "gat mlp gcn sage ");
}

}  // namespace
}  // namespace cupel::made
