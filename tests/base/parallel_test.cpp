#include "cupel/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace cupel {
namespace {

std::set<std::pair<std::int64_t, std::int64_t>> blocks_of(int threads, std::int64_t size,
                                                          std::int64_t grain) {
  std::set<std::pair<std::int64_t, std::int64_t>> blocks;
  std::mutex mutex;
  parallel_blocks(Threads{threads}, size, grain, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(blocks.insert({begin, end}).second);
  });
  return blocks;
}

TEST(ParallelBlocks, AreTheSameForAnyThreadCount) {
  const auto one = blocks_of(1, 1003, 64);
  EXPECT_EQ(one.size(), 16u);
  std::int64_t covered = 0;
  for (const auto& [begin, end] : one) {
    EXPECT_EQ(begin, covered);
    covered = end;
  }
  EXPECT_EQ(covered, 1003);
  EXPECT_EQ(blocks_of(2, 1003, 64), one);
  EXPECT_EQ(blocks_of(8, 1003, 64), one);
  EXPECT_TRUE(blocks_of(2, 0, 64).empty());
}

TEST(ParallelBlocks, MayBeNestedWithOtherNumbersOfThreads) {
  std::atomic<int> done = 0;
  for (int again = 0; again < 50; ++again)
    parallel_blocks(Threads{2}, 6, 1, [&](std::int64_t, std::int64_t) {
      parallel_blocks(Threads{3}, 5, 1, [&](std::int64_t, std::int64_t) {
        parallel_blocks(Threads{2}, 4, 1, [&](std::int64_t, std::int64_t) { ++done; });
      });
    });
  EXPECT_EQ(done, 50 * 6 * 5 * 4);
}

TEST(ParallelBlocks, RethrowsTheFirstException) {
  for (const int threads : {1, 4})
    EXPECT_THROW(parallel_blocks(Threads{threads}, 100, 1,
                                 [](std::int64_t begin, std::int64_t) {
                                   if (begin == 37) throw std::runtime_error("37");
                                 }),
                 std::runtime_error);
}

TEST(Aside, IsDoneOnceByOneThreadOrAnother) {
  for (const int threads : {1, 2, 5}) {
    std::atomic<int> done = 0;
    for (int again = 0; again < 200; ++again) {
      Aside work({threads}, [&] { ++done; });
      std::atomic<int> sum = 0;
      parallel_blocks({threads}, 8, 1, [&](std::int64_t, std::int64_t) { ++sum; });
      EXPECT_EQ(sum, 8);
      work.wait();
      EXPECT_EQ(done, again + 1);
      work.wait();
    }
    EXPECT_EQ(done, 200);
  }
}

TEST(Aside, IsTakenByAnotherThreadWhileTheCallerIsBusy) {
  if (available_processors() < 2) GTEST_SKIP() << "there is one processor";
  std::atomic<bool> begun = false;
  const auto caller = std::this_thread::get_id();
  Aside work({2}, [&] {
    EXPECT_NE(std::this_thread::get_id(), caller);
    begun = true;
    begun.notify_all();
  });
  begun.wait(false);
  work.wait();
}

TEST(Aside, WithOneThreadIsTheCallers) {
  std::thread::id by;
  Aside work({1}, [&] { by = std::this_thread::get_id(); });
  EXPECT_EQ(by, std::thread::id());
  work.wait();
  EXPECT_EQ(by, std::this_thread::get_id());
}

TEST(Aside, Rethrows) {
  for (const int threads : {1, 2}) {
    Aside bad({threads}, [] { throw std::runtime_error("bad"); });
    EXPECT_THROW(bad.wait(), std::runtime_error);
  }
}

TEST(Aside, IsOverOnceItIsGone) {
  bool done = false;
  {
    const Aside never({1}, [&] { done = true; });
  }
  EXPECT_FALSE(done);
  if (available_processors() < 2) GTEST_SKIP() << "there is one processor";
  std::atomic<bool> begun = false;
  {
    const Aside left({2}, [&] {
      begun = true;
      begun.notify_all();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    });
    begun.wait(false);
  }
  EXPECT_TRUE(done);
}

TEST(AvailableProcessors, IsPositive) { EXPECT_GE(available_processors(), 1); }

TEST(ParallelBlocks, MoreThreadsThanAnyMachineHas) {
  std::atomic<std::int64_t> sum = 0;
  parallel_blocks({2'000'000'000}, 1000, 10, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i) sum += i;
  });
  EXPECT_EQ(sum, 999 * 500);
}

#ifdef __SANITIZE_THREAD__
// What keeps the sanitizer from false reports must not keep it from true ones.
TEST(ParallelBlocks, ARaceBetweenBlocksIsSeen) {
  if (available_processors() < 2) GTEST_SKIP() << "there is one processor";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race = [] {
    std::atomic<int> entered = 0;
    int shared = 0;
    parallel_blocks({2}, 2, 1, [&](std::int64_t, std::int64_t) {
      entered.fetch_add(1, std::memory_order_relaxed);
      while (entered.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
      ++shared;
    });
    std::exit(shared > 2);
  };
  EXPECT_EXIT(race(), testing::ExitedWithCode(66), "data race");
}
#endif

}  // namespace
}  // namespace cupel
