// What the scheduler tells of while it works.
#include <gtest/gtest.h>

#include "cupel/lab/run/scheduler.h"
#include "lab/small_plan.h"

namespace cupel {
namespace {

using made::FakeExecutor;
using made::plan_of;
using made::TempFolder;
using namespace std::chrono_literals;

TEST(Scheduler, ProgressAddsUp) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  ExecuteOptions options;
  options.jobs = 4;
  int last = 0;
  options.on_progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.done, ++last);
    EXPECT_EQ(progress.total, 56);
    EXPECT_GT(progress.runs_per_minute, 0);
    EXPECT_GE(progress.seconds_left, 0);
    EXPECT_FALSE(progress.model.empty());
    EXPECT_EQ(progress.seconds_left == 0, progress.done == 56);
  };
  execute(plan_of(), store, executor, options);
  EXPECT_EQ(last, 56);
}

// Sessions whose epoch follows a counter.
class Counting : public FakeExecutor {
 public:
  std::atomic<int> epoch = 0;
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads threads) const override {
    class Session : public RunSession {
     public:
      Session(std::unique_ptr<RunSession> inner, const std::atomic<int>& epoch)
          : inner_(std::move(inner)), epoch_(epoch) {}
      RunRecord run(int init, StreamKey key, const RunLimits& limits) override {
        return inner_->run(init, key, limits);
      }
      int epochs() const override { return epoch_; }

     private:
      std::unique_ptr<RunSession> inner_;
      const std::atomic<int>& epoch_;
    };
    return std::make_unique<Session>(FakeExecutor::open(group, threads), epoch);
  }
};

TEST(Scheduler, TellsOfTheRunsInFlightBeforeAnyIsDone) {
  TempFolder folder;
  Store store(folder / "s");
  Counting executor;
  std::atomic<bool> told = false;
  executor.on_run = [&](const RunGroup&, int, const RunLimits& limits) {
    limits.tell(1, 4);
    // The first run lasts until it has been told of, and then some.
    for (int i = 0; i < 1000 && !told; ++i) {
      ++executor.epoch;
      std::this_thread::sleep_for(10ms);
    }
  };
  ExecuteOptions options;
  options.jobs = 2;
  int ticks = 0;
  double before = 0;
  std::string oldest;  // which of the two that begin together is up to their threads
  options.on_tick = [&](const Progress& progress) {
    ++ticks;
    EXPECT_EQ(progress.total, 56);
    if (!progress.oldest || told) return;
    EXPECT_EQ(progress.done, 0);
    EXPECT_EQ(progress.runs_per_minute, 0);
    EXPECT_EQ(progress.oldest->dataset, "one");
    if (oldest.empty()) oldest = progress.oldest->model;
    EXPECT_EQ(progress.oldest->model, oldest);
    EXPECT_GE(progress.oldest->seconds, before);
    before = progress.oldest->seconds;
    if (ticks >= 3 && progress.oldest->epochs > 0) {
      EXPECT_EQ(progress.oldest->share, 0.25);
      told = true;
    }
  };
  EXPECT_EQ(execute(plan_of(), store, executor, options).done, 56);
  EXPECT_TRUE(told);
  EXPECT_TRUE(oldest == "gcn" || oldest == "mlp") << oldest;
  EXPECT_GT(before, 0.1);
}

}  // namespace
}  // namespace cupel
