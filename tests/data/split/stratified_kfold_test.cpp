#include "cupel/data/split/stratified_kfold.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/split/split.h"
#include "data/formats/made_files.h"
#include "real_data.h"

namespace cupel {
namespace {

using Ids = std::vector<Index>;

// Graphs of one node each, whose classes have the given sizes, in a mixed order.
Dataset with_classes(const std::vector<int>& sizes) {
  Dataset dataset;
  dataset.name = "made";
  Stream stream(stream_key("made"), 0);
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    dataset.class_names().push_back(fmt::format("c{}", c));
    dataset.labels().insert(dataset.labels().end(), static_cast<std::size_t>(sizes[c]),
                            static_cast<Index>(c));
  }
  for (std::size_t i = dataset.labels().size(); i-- > 1;)
    std::swap(dataset.labels()[i],
              dataset.labels()[stream.next_below(static_cast<std::uint32_t>(i + 1))]);
  const auto n = static_cast<Index>(dataset.labels().size());
  dataset.adjacency.rows = dataset.adjacency.cols = n;
  dataset.adjacency.row_ptr.assign(static_cast<std::size_t>(n) + 1, 0);
  dataset.features = Matrix(n, 0);
  dataset.graphs.emplace();
  for (Index i = 0; i <= n; ++i) dataset.graphs->start.push_back(i);
  return dataset;
}

SplitScheme kfold(int folds = 10, int valid = 10) {
  SplitScheme scheme;
  scheme.kind = "stratified-kfold";
  scheme.settings = {{"folds", folds}, {"valid", valid}};
  return scheme;
}

std::vector<int> count_per_class(const Dataset& dataset, const Ids& ids) {
  std::vector<int> out(dataset.class_names().size(), 0);
  for (const Index id : ids)
    ++out[static_cast<std::size_t>(dataset.labels()[static_cast<std::size_t>(id)])];
  return out;
}

TEST(StratifiedKfold, FoldsPartitionAndEveryClassHasItsShare) {
  for (const auto& sizes :
       {std::vector{691, 487}, {2057, 2053}, {7, 5, 11}, {100, 3}, {33, 33, 34}}) {
    const Dataset data = with_classes(sizes);
    for (const int folds : {2, 3, 10}) {
      for (const int repetition : {0, 1}) {
        std::vector<int> tested(data.labels().size(), 0);
        for (int fold = 0; fold < folds; ++fold) {
          const Split split = make_split(data, kfold(folds, 20), fold + folds * repetition);
          for (const Index id : split.test) ++tested[static_cast<std::size_t>(id)];
          const double share = 1.0 / folds, all = static_cast<double>(data.labels().size());
          EXPECT_LT(std::abs(static_cast<double>(split.test.size()) - all * share), 1);
          const auto others = data.labels().size() - split.test.size();
          EXPECT_EQ(split.valid.size(), (others * 20 + 99) / 100);  // the next whole number
          EXPECT_EQ(split.train.size() + split.valid.size(), others);
          const std::vector<int> test = count_per_class(data, split.test);
          const std::vector<int> valid = count_per_class(data, split.valid);
          for (std::size_t c = 0; c < sizes.size(); ++c) {
            EXPECT_LT(std::abs(test[c] - sizes[c] * share), 1);
            const double left = sizes[c] - test[c];
            EXPECT_LT(std::abs(valid[c] - left * static_cast<double>(split.valid.size()) /
                                              static_cast<double>(others)),
                      1);
          }
          EXPECT_TRUE(std::ranges::is_sorted(split.train));
          EXPECT_TRUE(std::ranges::is_sorted(split.valid));
        }
        EXPECT_TRUE(std::ranges::all_of(tested, [](int count) { return count == 1; }));
      }
    }
  }
}

// Sizes as scikit-learn's: n / k rounded up for the first n % k folds.
TEST(StratifiedKfold, SizesAreThoseOfThePublishedProtocol) {
  struct Case {
    std::vector<int> classes;
    std::size_t test, train, valid;
  };
  const Case cases[] = {{{691, 487}, 118, 954, 106},                    // D&D
                        {{2053, 2057}, 411, 3329, 370},                 // NCI1
                        {{663, 450}, 112, 900, 101},                    // PROTEINS
                        {{100, 100, 100, 100, 100, 100}, 60, 486, 54},  // ENZYMES
                        {{2600, 775, 1625}, 500, 4050, 450},            // COLLAB
                        {{500, 500, 500}, 150, 1215, 135}};             // IMDB-MULTI
  for (const Case& expected : cases) {
    const Split split = make_split(with_classes(expected.classes), kfold(), 0);
    EXPECT_EQ(split.test.size(), expected.test);
    EXPECT_EQ(split.train.size(), expected.train);
    EXPECT_EQ(split.valid.size(), expected.valid);
  }
}

TEST(StratifiedKfold, MembersDifferAndAreReproducible) {
  const Dataset data = with_classes({60, 40});
  std::set<Ids> tests, valids;
  for (int member = 0; member < 40; ++member) {
    const Split split = make_split(data, kfold(), member);
    EXPECT_EQ(split.test, make_split(data, kfold(), member).test);
    tests.insert(split.test);
    valids.insert(split.valid);
  }
  EXPECT_EQ(tests.size(), 40u);
  EXPECT_EQ(valids.size(), 40u);
  SplitScheme seeded = kfold();
  seeded.settings["seed"] = 1;
  EXPECT_NE(make_split(data, seeded, 0).test, make_split(data, kfold(), 0).test);
  // Folds do not hang on the share of validation, nor does a member on `count` or `first`.
  EXPECT_EQ(make_split(data, kfold(10, 30), 3).test, make_split(data, kfold(), 3).test);
  seeded = kfold();
  seeded.first = 3;
  EXPECT_EQ(make_split(data, seeded, 0).test, make_split(data, kfold(), 3).test);
}

// No example is tested with another more often than chance has it.
TEST(StratifiedKfold, DrawsAreUniform) {
  const Ids labels = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  std::vector<int> together(10, 0);
  constexpr int kDraws = 4000;
  for (int r = 0; r < kDraws; ++r) {
    const Ids fold = stratified_folds(labels, 2, 2, stream_key("x"), static_cast<std::uint32_t>(r));
    for (std::size_t i = 0; i < 10; ++i) together[i] += fold[i] == 0;
  }
  // Half of the draws, within five standard deviations.
  for (const int count : together) EXPECT_NEAR(count, kDraws / 2, 5 * std::sqrt(kDraws / 4.0));
}

TEST(StratifiedKfold, IdentityHoldsWhatMembersDependOn) {
  EXPECT_EQ(kfold().identity(), "stratified-kfold folds=10 valid=10% seed=2018");
  EXPECT_NE(kfold(5).identity(), kfold().identity());
  SplitScheme other = kfold();
  other.settings["train"] = 7;  // means nothing here
  made::expect_error([&] { (void)other.identity(); }, {"'stratified-kfold'", "'train'"});
}

TEST(StratifiedKfold, ImpossibleSettingsAreRefused) {
  const Dataset data = with_classes({4, 4});
  made::expect_error([&] { (void)make_split(data, kfold(9), 0); }, {"9 folds", "2 to 8"});
  made::expect_error([&] { (void)make_split(data, kfold(1), 0); }, {"'folds' is 1", "[2, "});
  made::expect_error([&] { (void)make_split(data, kfold(2, 100), 0); }, {"100 percent"});
  made::expect_error([&] { (void)make_split(data, kfold(2, 99), 0); }, {"training part is empty"});
  SplitScheme stored;
  stored.kind = "stored";
  made::expect_error([&] { (void)make_split(data, stored, 0); }, {"stratified-kfold"});
}

TEST(StratifiedKfold, StoredSplitsOfGraphsAreChecked) {
  Dataset data = with_classes({2, 2});
  data.stored_splits = {{{0}, {1}, {3, 2}}, {{0}, {1}, {4}}};
  SplitScheme stored;
  stored.kind = "stored";
  EXPECT_EQ(make_split(data, stored, 0).test, (Ids{2, 3}));
  made::expect_error([&] { (void)make_split(data, stored, 1); }, {"graph 4", "4 graphs"});
  EXPECT_EQ(family_size(stored, data), 2);
  EXPECT_FALSE(family_size(kfold(), data));
}

TEST(StratifiedKfold, RealSetsHaveThePublishedSizes) {
  if (const std::string why = made::needs_data({"ENZYMES"}); !why.empty()) GTEST_SKIP() << why;
  const char* folder = std::getenv("CUPEL_DATA");
  const Dataset data = load_dataset("enzymes", folder);
  for (int fold = 0; fold < 10; ++fold) {
    const Split split = make_split(data, kfold(), fold);
    EXPECT_EQ(split.train.size(), 486u);
    EXPECT_EQ(split.valid.size(), 54u);
    EXPECT_EQ(split.test.size(), 60u);
    for (const int count : count_per_class(data, split.test)) EXPECT_EQ(count, 10);
  }
}

}  // namespace
}  // namespace cupel
