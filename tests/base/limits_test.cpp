#include "cupel/base/limits.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

TEST(RunLimits, ShareOfPartsIsThatOfTheWhole) {
  std::atomic<double> done = 0;
  RunLimits whole;
  whole.tell(1, 2);  // nobody asks
  whole.done = &done;
  whole.tell(1, 4);
  EXPECT_DOUBLE_EQ(done, 0.25);
  const RunLimits part = whole.part(6, 8, 10);
  part.tell(0, 3);
  EXPECT_DOUBLE_EQ(done, 0.6);
  part.part(1, 2, 2).tell(1, 2);
  EXPECT_DOUBLE_EQ(done, 0.75);
  part.tell(3, 3);
  EXPECT_DOUBLE_EQ(done, 0.8);
  whole.tell(0, 0);  // nothing of nothing
  EXPECT_DOUBLE_EQ(done, 0.8);
}

}  // namespace
}  // namespace cupel
