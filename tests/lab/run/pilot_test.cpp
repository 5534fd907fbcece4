#include "cupel/lab/run/pilot.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "cupel/lab/run/estimate.h"
#include "lab/fake.h"

namespace cupel::made {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Trains epochs of some milliseconds: a row's own number of them.
class Sleeper : public Executor {
 public:
  std::map<std::string, int> epochs;
  Clock::duration preparing{};
  std::size_t estimate_memory(const RunGroup&) const override { return 0; }
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads) const override {
    std::this_thread::sleep_for(preparing);
    return std::make_unique<Session>(epochs.at(group.family->row));
  }

 private:
  class Session : public RunSession {
   public:
    explicit Session(int epochs) : epochs_(epochs) {}
    RunRecord run(int, StreamKey, const RunLimits& limits) override {
      if (epochs_ < 0) fail("it always does");
      RunRecord out;
      out.test_score = out.valid_score = 0.5;
      for (; out.epochs < epochs_; ++out.epochs) {
        std::this_thread::sleep_for(2ms);
        if (limits.deadline && Clock::now() >= *limits.deadline) {
          out.status = RunStatus::kTimeout;
          break;
        }
      }
      return out;
    }

   private:
    int epochs_;
  };
};

Plan plan_of(const std::string& train) {
  return make_plan(parse_protocol("small", "small.toml",
                                  "[data]\ndatasets = ['one']\n[split]\ncount = 4\n[train]\n"
                                  "inits = 3\n" +
                                      train + "\n[models.gcn]\n[models.mlp]\n[models.sage]\n"),
                   {}, fake_sources());
}

ExecuteOptions one_job() {
  ExecuteOptions out;
  out.jobs = 1;
  return out;
}

double seconds_of(const Pilot& pilot, const Plan& plan, const std::string& row) {
  for (const PlannedCell& cell : plan.cells)
    if (cell.model == row) return pilot.seconds_of(*cell.family).value_or(-1);
  return -2;
}

// A sleep of 2 ms takes 2 ms or more, on a loaded machine much more: bounds hold from below, and
// ratios are those of epochs.
TEST(Pilot, AFinishedRunIsTakenAsItIs) {
  const Plan plan = plan_of("max_epochs = 1000");
  Sleeper executor;
  executor.epochs = {{"gcn", 5}, {"mlp", 10}, {"sage", -1}};
  const Store store(":memory:");
  const Pilot pilot = run_pilot(pending_runs(plan, store), store, executor, one_job(), {60, 30});
  EXPECT_GE(seconds_of(pilot, plan, "gcn"), 0.010);
  EXPECT_GE(seconds_of(pilot, plan, "mlp"), 0.020);
  EXPECT_EQ(seconds_of(pilot, plan, "sage"), -1) << "a run that fails tells nothing";
  EXPECT_EQ(store.run_count(), 0);
}

// A worker starts once, and its first run waits for that.
TEST(Pilot, TheStartOfAWorkerIsSharedByAllRuns) {
  const Plan plan = make_plan(
      parse_protocol("small", "small.toml",
                     "[data]\ndatasets = ['one']\n[split]\ncount = 40\n[train]\ninits = 1\n"
                     "[models.own]\ncommand = ['true']\nworker = true\n"),
      {}, fake_sources());
  class Starting : public Executor {
   public:
    mutable std::atomic<bool> started = false;
    std::size_t estimate_memory(const RunGroup&) const override { return 0; }
    std::unique_ptr<RunSession> open(const RunGroup&, Threads) const override {
      struct Session : RunSession {
        std::atomic<bool>& started;
        explicit Session(std::atomic<bool>& of) : started(of) {}
        RunRecord run(int, StreamKey, const RunLimits&) override {
          std::this_thread::sleep_for(started.exchange(true) ? 2ms : 400ms);
          RunRecord out;
          out.test_score = out.valid_score = 0.5;
          return out;
        }
      };
      return std::make_unique<Session>(started);
    }
  } executor;
  const Store store(":memory:");
  const Pilot pilot = run_pilot(pending_runs(plan, store), store, executor, one_job(), {60, 30});
  const double seconds = seconds_of(pilot, plan, "own");
  EXPECT_GE(seconds, 0.010) << "a fortieth of the start, and the run";
  EXPECT_LT(seconds, 0.2);
}

TEST(Pilot, OneThatWasCutShortIsMultiplied) {
  const Store store(":memory:");
  Sleeper executor;
  executor.epochs = {{"gcn", 4}, {"mlp", 1'000'000}, {"sage", 1'000'000}};
  // Nothing stops early: all epochs count.
  const Plan fixed = plan_of("max_epochs = 100000\npatience = 0");
  const Pilot all = run_pilot(pending_runs(fixed, store), store, executor, one_job(), {0.9, 0.3});
  EXPECT_GE(seconds_of(all, fixed, "mlp"), 200);  // 100,000 epochs of 2 ms
  // Training stops early, and gcn tells when: after 4 epochs, fewer than mlp has had already.
  const Plan early = plan_of("max_epochs = 100000\npatience = 50");
  const Pilot some = run_pilot(pending_runs(early, store), store, executor, one_job(), {0.9, 0.3});
  EXPECT_GE(seconds_of(some, early, "mlp"), 0.02);
  EXPECT_LE(seconds_of(some, early, "mlp"), 30);
}

// Without epochs, and of a training of a second and more.
class Telling : public Sleeper {
 public:
  std::unique_ptr<RunSession> open(const RunGroup&, Threads) const override {
    struct Session : RunSession {
      RunRecord run(int, StreamKey, const RunLimits& limits) override {
        RunRecord out;
        out.status = RunStatus::kTimeout;
        for (int done = 0; Clock::now() < *limits.deadline; ++done) {
          limits.tell(done, 500);
          std::this_thread::sleep_for(2ms);
        }
        return out;
      }
    };
    return std::make_unique<Session>();
  }
};

TEST(Pilot, WhatWasTakenIsDividedByTheShareThatIsTold) {
  const Plan plan = plan_of("max_epochs = 7");
  const Store store(":memory:");
  const Pilot pilot = run_pilot(pending_runs(plan, store), store, Telling(), one_job(), {0.3, 0.1});
  EXPECT_GE(seconds_of(pilot, plan, "gcn"), 1);
}

// An epoch takes a hundredth of what comes before the first, which is longer than the pilot has.
TEST(Pilot, WhatIsPreparedIsNotTakenForEpochs) {
  const Store store(":memory:");
  Sleeper executor;
  executor.preparing = 200ms;
  executor.epochs = {{"gcn", 2}, {"mlp", 1'000'000}, {"sage", 2}};
  const Plan fixed = plan_of("max_epochs = 1000\npatience = 0");
  const Pilot pilot =
      run_pilot(pending_runs(fixed, store), store, executor, one_job(), {0.15, 0.05});
  // Three inits share what is prepared for a split.
  EXPECT_GE(seconds_of(pilot, fixed, "gcn"), 0.2 / 3 + 0.004);
  EXPECT_GE(seconds_of(pilot, fixed, "mlp"), 0.2 / 3 + 2);  // 1,000 epochs of 2 ms
  EXPECT_LE(seconds_of(pilot, fixed, "mlp"), 100) << "1,000 times the preparation would be 200";
}

TEST(Pilot, WhatTheStoreKnowsIsNotTried) {
  const Plan plan = plan_of("max_epochs = 1000");
  Sleeper executor;
  executor.epochs = {{"gcn", 5}, {"mlp", 2}, {"sage", 2}};
  Store store(":memory:");
  Plan first = plan;
  std::erase_if(first.cells, [](const PlannedCell& cell) { return cell.model != "gcn"; });
  first.cells[0].splits = 1;
  execute(first, store, executor, one_job());
  const Pilot pilot = run_pilot(pending_runs(plan, store), store, executor, one_job(), {60, 30});
  EXPECT_EQ(seconds_of(pilot, plan, "gcn"), -1);
  EXPECT_GT(seconds_of(pilot, plan, "mlp"), 0);
  const PlanEstimate estimate = estimate_plan(plan, store, executor, one_job(), pilot);
  for (const PlanEstimate::Line& line : estimate.lines) {
    EXPECT_FALSE(line.rough) << line.model;
    EXPECT_EQ(line.measured, line.model == "gcn" ? 3 : 0);
  }
  const PlanEstimate without = estimate_plan(plan, store, executor, one_job());
  for (const PlanEstimate::Line& line : without.lines)
    EXPECT_EQ(line.rough, line.model != "gcn") << line.model;
}

TEST(Pilot, TakesAboutTheTimeItIsGiven) {
  const Plan plan = plan_of("max_epochs = 1000000\npatience = 0");
  Sleeper executor;
  executor.epochs = {{"gcn", 1 << 30}, {"mlp", 1 << 30}, {"sage", 1 << 30}};
  const Store store(":memory:");
  const auto begin = Clock::now();
  (void)run_pilot(pending_runs(plan, store), store, executor, one_job(), {0.3, 3});
  EXPECT_LT(Clock::now() - begin, 60s);  // and not for ever
  (void)run_pilot(pending_runs(plan, store), store, executor, one_job(), {0, 3});
}

}  // namespace
}  // namespace cupel::made
