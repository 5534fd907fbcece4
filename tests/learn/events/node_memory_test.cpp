#include "cupel/learn/events/node_memory.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

TEST(NodeMemory, MessagesSayWhatWasWhenTheyWerePosted) {
  NodeMemory memory(3, 2);
  memory.clear(100);
  EXPECT_FALSE(memory.has_message(0));
  memory.post(0, 1, 7, 103);
  ASSERT_TRUE(memory.has_message(0));
  EXPECT_FALSE(memory.has_message(1));
  EXPECT_EQ(memory.kind(0), 7);
  EXPECT_EQ(memory.elapsed(0), 3) << "since the origin";
  const float zero[] = {0, 0}, first[] = {1, 2}, second[] = {3, 4}, third[] = {5, 6};
  EXPECT_EQ(memory.partner(0)[0], zero[0]);

  memory.update(0, first);
  EXPECT_FALSE(memory.has_message(0));
  EXPECT_EQ(memory.state(0)[1], 2);
  memory.post(1, 0, 4, 110);
  memory.post(0, 1, 5, 110);
  EXPECT_EQ(memory.elapsed(1), 10);
  EXPECT_EQ(memory.elapsed(0), 7) << "since the message that went into the state";
  EXPECT_EQ(memory.partner(1)[0], 1);
  memory.update(0, second);
  EXPECT_EQ(memory.partner(1)[0], 1) << "the partner's state as it was";

  // The last message counts, and the wait goes on from the last one that went into the state.
  memory.post(0, 2, 1, 120);
  memory.post(0, 2, 2, 125);
  EXPECT_EQ(memory.kind(0), 2);
  EXPECT_EQ(memory.elapsed(0), 15);
  memory.update(0, third);
  memory.post(0, 2, 1, 130);
  EXPECT_EQ(memory.elapsed(0), 5);
}

TEST(NodeMemory, ACopyIsASnapshot) {
  NodeMemory memory(2, 1);
  memory.clear(0);
  memory.post(0, 1, 0, 5);
  const NodeMemory kept = memory;
  const float state[] = {2};
  memory.update(0, state);
  memory.post(0, 1, 3, 9);
  memory = kept;
  EXPECT_EQ(memory.kind(0), 0);
  EXPECT_EQ(memory.state(0)[0], 0);
  EXPECT_EQ(memory.elapsed(0), 5);
  memory.clear(4);
  EXPECT_FALSE(memory.has_message(0));
  memory.post(0, 1, 0, 5);
  EXPECT_EQ(memory.elapsed(0), 1);
}

TEST(EventBlocks, AreWholeStepsOfAtLeastTheirSize) {
  const auto begins = [](Offset size, const std::vector<std::int64_t>& times) {
    EventBlocks blocks(size);
    std::vector<int> out;
    for (const std::int64_t time : times) out.push_back(blocks.next(time) ? 1 : 0);
    return out;
  };
  EXPECT_EQ(begins(2, {1, 2, 3, 4, 5}), (std::vector<int>{1, 0, 1, 0, 1}));
  EXPECT_EQ(begins(2, {1, 2, 2, 2, 3, 3, 4}), (std::vector<int>{1, 0, 0, 0, 1, 0, 1}));
  EXPECT_EQ(begins(1, {0, 0, -1 + 1, 1}), (std::vector<int>{1, 0, 0, 1}));
}

}  // namespace
}  // namespace cupel
