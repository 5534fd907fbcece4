// The splits of Shchur et al. 2018 on the real, prepared graphs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "cupel/base/hash.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/data/split/split.h"
#include "real_data.h"

namespace cupel {
namespace {

// Split 0, computed with NumPy: leading ids, and the hash of all training and validation ids in
// order.
TEST(PerClass, RealSplitsAreThePublishedCodesSplits) {
  if (const std::string why = made::needs_data({"cora", "citeseer"}); !why.empty())
    GTEST_SKIP() << why;
  const char* folder = std::getenv("CUPEL_DATA");
  struct Case {
    const char* name;
    std::vector<Index> train, valid;
    std::size_t test;
    const char* hash;
  };
  const Case cases[] = {{"cora",
                         {759, 79, 463, 321, 465, 360},
                         {1765, 2314, 2236, 67, 1971, 1623},
                         2135,
                         "7dffaaaf9c963bc7b50607193fb3fd0cce11f6a91903fd2b011ad3fef8397e74"},
                        {"citeseer",
                         {182, 1900, 1782, 661, 1329, 1566},
                         {739, 868, 1713, 919, 1013, 1133},
                         1810,
                         "ca08113416e3794103ec2b02d78cb6fcf15907620ff3c52c04dbf9606bdb894b"}};
  for (const Case& expected : cases) {
    SCOPED_TRACE(expected.name);
    const Dataset data =
        prepare(load_dataset(expected.name, folder), default_preparation(expected.name));
    const Split split = make_split(data, {}, 0);
    EXPECT_TRUE(std::equal(expected.train.begin(), expected.train.end(), split.train.begin()));
    EXPECT_TRUE(std::equal(expected.valid.begin(), expected.valid.end(), split.valid.begin()));
    EXPECT_EQ(split.test.size(), expected.test);
    std::vector<Index> ids = split.train;
    ids.insert(ids.end(), split.valid.begin(), split.valid.end());
    EXPECT_EQ(sha256(fmt::format("{}", fmt::join(ids, " "))), expected.hash);
  }
}

}  // namespace
}  // namespace cupel
