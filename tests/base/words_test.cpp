#include "cupel/base/words.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

TEST(Words, NumbersAndNounsAgree) {
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(1, "class"), "1 class");
  EXPECT_EQ(counted(3838, "class"), "3,838 classes");
  EXPECT_EQ(counted(2, "edge entry"), "2 edge entries");
  EXPECT_EQ(counted(1, "edge entry"), "1 edge entry");
  EXPECT_EQ(counted(2, "copy"), "2 copies");
  EXPECT_EQ(counted(2, "way"), "2 ways");
  EXPECT_EQ(counted(-1234567, "point"), "-1,234,567 points");
}

}  // namespace
}  // namespace cupel
