#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cupel/base/error.h"
#include "cupel/data/split/stratified.h"

namespace cupel {
namespace {

Dataset with_classes(const std::vector<int>& sizes) {
  Dataset data;
  data.name = "made";
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    data.class_names().push_back(std::to_string(c));
    data.labels().insert(data.labels().end(), static_cast<std::size_t>(sizes[c]),
                         static_cast<Index>(c));
  }
  std::mt19937 shuffle(7);
  std::ranges::shuffle(data.labels(), shuffle);
  data.adjacency.rows = data.adjacency.cols = static_cast<Index>(data.labels().size());
  data.adjacency.row_ptr.assign(data.labels().size() + 1, 0);
  return data;
}

TEST(Stratified, SharesAreThoseAskedFor) {
  for (const auto& sizes :
       {std::vector<int>{2000, 8000}, {3, 5, 7, 11, 400}, {1, 1, 1, 1, 1, 1}, {17}, {9192, 2566}}) {
    for (const auto& [train, valid] : {std::pair{50, 25}, {60, 20}, {1, 98}, {33, 33}, {10, 10}}) {
      const Dataset data = with_classes(sizes);
      SplitScheme scheme;
      scheme.kind = "stratified";
      scheme.settings = {{"train", train}, {"valid", valid}};
      Split split;
      try {
        split = make_split(data, scheme, 3);
      } catch (const Error& error) {
        EXPECT_LT(data.nodes(), 100) << error.what();  // an empty part
        continue;
      }
      const auto check = [&](const std::vector<Index>& ids, double percent) {
        EXPECT_NEAR(static_cast<double>(ids.size()), data.nodes() * percent / 100, 2.0);
        std::vector<int> found(sizes.size(), 0);
        for (const Index id : ids)
          ++found[static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(id)])];
        for (std::size_t c = 0; c < sizes.size(); ++c)
          EXPECT_NEAR(found[c], sizes[c] * percent / 100, 2.0) << "class " << c;
      };
      check(split.train, train);
      check(split.valid, valid);
      check(split.test, 100 - train - valid);
      EXPECT_EQ(split.train.size() + split.valid.size() + split.test.size(), data.labels().size());
    }
  }
}

// The sizes of all parts of the tolokers file, which scikit-learn drew: 11758 nodes, 2566 banned.
TEST(Stratified, PartsHaveTheSizesOfTheTolokersFile) {
  const Dataset data = with_classes({9192, 2566});
  const std::vector<Split> splits = stored_stratified_splits(data, 10, {}, "made");
  for (const Split& split : splits) {
    const auto banned = [&](const std::vector<Index>& ids) {
      return std::ranges::count_if(
          ids, [&](Index id) { return data.labels()[static_cast<std::size_t>(id)] == 1; });
    };
    EXPECT_EQ(split.train.size(), 5879u);
    EXPECT_EQ(split.valid.size(), 2939u);
    EXPECT_EQ(split.test.size(), 2940u);
    EXPECT_EQ(banned(split.train), 1283);
    EXPECT_EQ(banned(split.valid), 641);
    EXPECT_EQ(banned(split.test), 642);
  }
}

TEST(Stratified, EveryNodeIsAsOftenInEachPart) {
  const Dataset data = with_classes({40, 60});
  std::vector<int> trained(100, 0);
  for (int i = 0; i < 1000; ++i) {
    for (const Index id :
         stratified_split(data.labels(), 2, 50, 25, {1, 2}, static_cast<std::uint32_t>(i), "made")
             .train)
      ++trained[static_cast<std::size_t>(id)];
  }
  // 500 expected, deviation 15.8.
  for (const int times : trained) EXPECT_NEAR(times, 500, 80);
}

TEST(Stratified, FamiliesAreNamedAndRepeat) {
  const Dataset data = with_classes({40, 60});
  SplitScheme scheme;
  scheme.kind = "stratified";
  scheme.settings = {{"train", 50}, {"valid", 25}};
  EXPECT_EQ(scheme.identity(), "stratified train=50% valid=25% seed=2018");
  const Split one = make_split(data, scheme, 1), again = make_split(data, scheme, 1);
  EXPECT_EQ(one.train, again.train);
  EXPECT_NE(one.train, make_split(data, scheme, 2).train);
  scheme.settings["seed"] = 5;
  EXPECT_NE(one.train, make_split(data, scheme, 1).train);
  scheme.settings["valid"] = 50;
  EXPECT_THROW((void)make_split(data, scheme, 1), Error);
}

}  // namespace
}  // namespace cupel
