// Real models on data that several threads share: what they make once for all, they make once.
#include <gtest/gtest.h>

#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"

namespace cupel {
namespace {

std::vector<std::string> rows_with(const Plan& plan, int jobs) {
  const made::TempFolder folder;
  Store store(folder / "store");
  ExecuteOptions options;
  options.jobs = jobs;
  const ExecuteSummary summary = execute(plan, store, *make_executor(), options);
  EXPECT_EQ(summary.ok, summary.planned);
  return made::rows_of(plan, store);
}

void expect_same_with_four_jobs(const std::string& text, int runs) {
  const Plan plan =
      make_plan(parse_protocol("jobs", "jobs.toml", text), {}, plan_sources("no-such-folder"));
  const std::vector<std::string> alone = rows_with(plan, 1);
  EXPECT_EQ(static_cast<int>(alone.size()), runs);
  EXPECT_EQ(rows_with(plan, 4), alone);
}

TEST(Jobs, NodesAreScoredTheSameByOneAndByFour) {
  expect_same_with_four_jobs(R"(
[data]
datasets = ["csbm:classes=3,features=40,nodes=150", "csbm:classes=2,features=50,nodes=90,seed=3"]
[split]
scheme = "per-class"
train = 5
valid = 5
count = 4
[train]
max_epochs = 8
inits = 2
[models.gcn]
[models.gat]
hidden = 8
[models.sgc]
[models.mlp]
[models.labelprop]
)",
                             2 * (4 * 4 * 2 + 4));
}

TEST(Jobs, GraphsAreScoredTheSameByOneAndByFour) {
  expect_same_with_four_jobs(R"(
task = "graph-classification"
[data]
datasets = ["syn-degree:graphs=80,nodes=20,low=2,high=8"]
[split]
scheme = "stratified-kfold"
folds = 4
valid = 10
count = 4
[train]
max_epochs = 4
batch_size = 16
inits = 2
[models.gin]
[models.wl-svm]
)",
                             4 * (2 + 1));
}

}  // namespace
}  // namespace cupel
