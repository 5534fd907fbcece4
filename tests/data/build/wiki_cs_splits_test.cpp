// The splits of wiki-cs.
#include "cupel/data/build/wiki_cs/splits.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "cupel/data/check_split.h"

namespace cupel::test {
namespace {

TEST(WikiCsSplits, HaveFourPartsOfEachClass) {
  std::vector<Index> labels;
  const int sizes[] = {295, 667, 2153};  // of the released data's first classes
  for (Index c = 0; c < 3; ++c) labels.insert(labels.end(), static_cast<std::size_t>(sizes[c]), c);
  const std::vector<Split> splits = wiki_cs::draw_splits(labels, 3, 20, 42);
  ASSERT_EQ(splits.size(), 20u);
  for (const Split& split : splits) {
    check_parts(split, Unit::kNode, 3115, "made");
    EXPECT_EQ(split.train.size(), 14u + 33 + 107);
    EXPECT_EQ(split.stopping.size(), 88u + 200 + 645);
    EXPECT_EQ(split.test.size(), 147u + 333 + 1076);
    EXPECT_EQ(split.parts()[1]->size() + 154 + 933 + 1556, labels.size());
    EXPECT_EQ(split.test, splits.front().test);
  }
  EXPECT_NE(splits[0].train, splits[1].train);
  // random.Random(42); the first class alone: shuffle(ids), then shuffle(visible) for each split.
  const std::vector<Split> first = wiki_cs::draw_splits(std::span(labels).first(295), 1, 2, 42);
  EXPECT_EQ(first[0].train, (std::vector<Index>{54, 62, 101, 162, 171, 172, 177, 186, 199, 212, 221,
                                                222, 277, 288}));
  EXPECT_EQ(first[1].train,
            (std::vector<Index>{11, 12, 14, 23, 35, 54, 58, 119, 213, 216, 229, 243, 249, 289}));
}

}  // namespace
}  // namespace cupel::test
