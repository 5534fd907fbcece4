// How kernels are cut for several threads.
#include "cupel/engine/kernels/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace cupel::kernels {
namespace {

// Sizes of the blocks, in order; they cover [0, size) once.
std::vector<Index> sizes_of(int threads, Index size, Offset work, Index multiple) {
  std::vector<std::pair<Index, Index>> blocks;
  std::mutex mutex;
  over_blocks({threads}, size, work, multiple, [&](Index begin, Index end) {
    const std::lock_guard lock(mutex);
    blocks.emplace_back(begin, end);
  });
  std::ranges::sort(blocks);
  std::vector<Index> sizes;
  Index covered = 0;
  for (const auto& [begin, end] : blocks) {
    EXPECT_EQ(begin, covered);
    covered = end;
    sizes.push_back(end - begin);
  }
  EXPECT_EQ(covered, size);
  return sizes;
}

TEST(OverBlocks, AreOneForOneThreadOrForLittleWork) {
  EXPECT_EQ(sizes_of(1, 100'000, 64, 1), std::vector<Index>{100'000});
  EXPECT_EQ(sizes_of(4, 1000, 64, 1), std::vector<Index>{1000});
}

TEST(OverBlocks, AreAlikeAndAsManyForEachThread) {
  for (const int threads : {2, 3, 16}) {
    for (const Index size : {1100, 3000, 9001, 50'000}) {
      const std::vector<Index> sizes = sizes_of(threads, size, 64, 1);
      if (std::ssize(sizes) > threads) {
        EXPECT_EQ(std::ssize(sizes) % threads, 0) << size;
      }
      const auto [least, most] = std::ranges::minmax(sizes);
      EXPECT_LE(most - least, std::ssize(sizes)) << threads << " threads, " << size;
    }
  }
}

TEST(OverBlocks, AreNotCutFinerForThreadsThatLittleWorkNeedsNot) {
  for (const int threads : {2, 16, 2'000'000'000})
    EXPECT_EQ(sizes_of(threads, 2000, 64, 1), (std::vector<Index>{1000, 1000})) << threads;
}

TEST(OverBlocks, AreMultiplesButForTheLast) {
  const std::vector<Index> sizes = sizes_of(2, 3001, 256, 24);
  ASSERT_GT(sizes.size(), 2u);
  for (std::size_t b = 0; b + 1 < sizes.size(); ++b) EXPECT_EQ(sizes[b] % 24, 0);
}

// There may be more threads than columns.
TEST(OverPanels, CoverTheColumnsOnceAndAreCutBetweenPanels) {
  for (const int threads : {1, 2, 8, 64, 2'000'000'000}) {
    for (const Index cols : {1, 5, 40, 64, 65, 200, 1000}) {
      std::vector<std::pair<Index, Index>> panels;
      std::mutex mutex;
      over_panels({threads}, 200'000, cols, [&](Index first, Index last) {
        const std::lock_guard lock(mutex);
        panels.emplace_back(first, last);
      });
      std::ranges::sort(panels);
      Index covered = 0;
      for (const auto& [first, last] : panels) {
        EXPECT_EQ(first, covered);
        EXPECT_EQ(first % 64, 0);
        covered = last;
      }
      EXPECT_EQ(covered, cols) << threads << " threads";
      if (threads > 1 && cols > 64) {
        EXPECT_GT(panels.size(), 1u) << threads << " threads, " << cols;
      }
    }
  }
}

}  // namespace
}  // namespace cupel::kernels
