#include "cupel/lab/store/shared_disk.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

// Numbers as `stat -f -c %t` prints them.
TEST(SharedDisk, KnowsThoseOfClusters) {
  for (const std::uint32_t type : {0x6969u, 0xbd00bd0u, 0x47504653u, 0xff534d42u, 0xc36400u})
    EXPECT_TRUE(is_shared_type(type)) << std::hex << type;
  // ext4, xfs, btrfs, tmpfs, overlay
  for (const std::uint32_t type : {0xef53u, 0x58465342u, 0x9123683eu, 0x1021994u, 0x794c7630u})
    EXPECT_FALSE(is_shared_type(type)) << std::hex << type;
}

TEST(SharedDisk, WhatCannotBeToldIsNone) {
  EXPECT_FALSE(is_shared_disk("/nowhere/at/all"));
  EXPECT_FALSE(is_shared_disk("/dev/shm/not-there-yet"));
}

}  // namespace
}  // namespace cupel
