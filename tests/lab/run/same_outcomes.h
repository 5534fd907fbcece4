// Two rows of a plan that compute the same in different ways.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel::made {

// Runs both cells of a plan; each split has the same scores in both, to the bit, and none is zero.
inline void expect_same_outcomes(const Plan& plan, Store& store, int splits) {
  ASSERT_EQ(plan.cells.size(), 2u);
  const ExecuteSummary summary = execute(plan, store, *make_executor(), {});
  EXPECT_EQ(summary.failed, 0) << (summary.failures.empty() ? "" : summary.failures[0]);
  std::map<int, RunRecord> one, other;
  for (const StoredRun& run : store.runs(plan.cells[0].family->id)) one[run.split] = run.record;
  for (const StoredRun& run : store.runs(plan.cells[1].family->id)) other[run.split] = run.record;
  ASSERT_EQ(one.size(), static_cast<std::size_t>(splits));
  ASSERT_EQ(other.size(), one.size());
  for (const auto& [split, record] : one) {
    EXPECT_GT(record.test_score.value_or(0), 0) << split;
    EXPECT_EQ(record.test_score, other[split].test_score) << split;
    EXPECT_EQ(record.valid_score, other[split].valid_score) << split;
    EXPECT_EQ(record.other_scores, other[split].other_scores) << split;
  }
}

}  // namespace cupel::made
