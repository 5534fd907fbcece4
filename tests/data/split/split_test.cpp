#include "cupel/data/split/split.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>
#include <sstream>

#include "build_paths.h"
#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/data/labels.h"
#include "cupel/data/split/shchur_sampling.h"
#include "error_of.h"

namespace cupel {
namespace {

// A data set without edges whose classes have the given sizes, labels interleaved.
Dataset with_classes(const std::vector<int>& sizes) {
  Dataset dataset;
  dataset.name = "made";
  std::vector<int> left = sizes;
  for (bool any = true; any;) {
    any = false;
    for (std::size_t c = 0; c < left.size(); ++c) {
      if (left[c]-- > 0) {
        dataset.labels().push_back(static_cast<Index>(c));
        any = true;
      }
    }
  }
  for (std::size_t c = 0; c < sizes.size(); ++c)
    dataset.class_names().push_back(fmt::format("c{}", c));
  const auto n = static_cast<Index>(dataset.labels().size());
  dataset.adjacency.rows = dataset.adjacency.cols = n;
  dataset.adjacency.row_ptr.assign(static_cast<std::size_t>(n) + 1, 0);
  dataset.features = Matrix(n, 1);
  return dataset;
}

std::vector<int> count_per_class(const Dataset& dataset, const std::vector<Index>& ids) {
  std::vector<int> counts(static_cast<std::size_t>(dataset.classes()), 0);
  for (const Index id : ids)
    ++counts[static_cast<std::size_t>(dataset.labels()[static_cast<std::size_t>(id)])];
  return counts;
}

TEST(ShchurSeeds, AreThePublishedCodesSeeds) {
  std::ifstream file(CUPEL_SOURCE_DIR "/tests/data/split/shchur_seeds.csv");
  ASSERT_TRUE(file);
  int checked = 0;
  for (std::string line; std::getline(file, line);) {
    unsigned split, config, effective;
    if (std::sscanf(line.c_str(), "%u,%u,%u", &split, &config, &effective) != 3) continue;
    EXPECT_EQ(shchur_config_seed(2018, static_cast<int>(split)), config) << line;
    EXPECT_EQ(shchur_effective_seed(config), effective) << line;
    ++checked;
  }
  EXPECT_EQ(checked, 12);
}

// All hundred pairs, by the hash of their listing (one "config effective" line each).
TEST(ShchurSeeds, AllHundredPairs) {
  std::vector<std::string> lines;
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t config = shchur_config_seed(2018, i);
    lines.push_back(fmt::format("{} {}", config, shchur_effective_seed(config)));
  }
  EXPECT_EQ(sha256(fmt::format("{}", fmt::join(lines, "\n"))),
            "5e687a8b16311dd7f6762289c3942e5ce03c7c6c88327d687dd63c8946e1d5c2");
}

TEST(ShchurSeeds, FirstRepeatIsSplit643) {
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 643; ++i) EXPECT_TRUE(seen.insert(shchur_config_seed(2018, i)).second) << i;
  EXPECT_FALSE(seen.insert(shchur_config_seed(2018, 643)).second);
}

TEST(PerClass, HasEqualClassesAndCoversEveryNode) {
  const Dataset data = with_classes({60, 51, 200});
  for (int index = 0; index < 5; ++index) {
    const Split split = make_split(data, {}, index);
    EXPECT_EQ(count_per_class(data, split.train), (std::vector<int>{20, 20, 20}));
    EXPECT_EQ(count_per_class(data, split.valid), (std::vector<int>{30, 30, 30}));
    EXPECT_EQ(count_per_class(data, split.test), (std::vector<int>{10, 1, 150}));
    EXPECT_TRUE(std::is_sorted(split.test.begin(), split.test.end()));
  }
}

TEST(PerClass, FamiliesArePrefixStableAndFirstShiftsThem) {
  const Dataset data = with_classes({80, 80});
  SplitScheme longer;
  longer.count = 150;
  SplitScheme shifted;
  shifted.first = 100;
  EXPECT_EQ(make_split(data, {}, 99).train, make_split(data, longer, 99).train);
  EXPECT_EQ(make_split(data, shifted, 7).train, make_split(data, longer, 107).train);
  EXPECT_NE(make_split(data, {}, 0).train, make_split(data, {}, 1).train);
  SplitScheme reseeded;
  reseeded.settings["seed"] = 1;
  EXPECT_NE(make_split(data, {}, 0).train, make_split(data, reseeded, 0).train);
  EXPECT_EQ(longer.identity(), SplitScheme{}.identity());
  EXPECT_NE(shifted.identity(), SplitScheme{}.identity());
  EXPECT_NE(reseeded.identity(), SplitScheme{}.identity());
}

// Every node of a class is equally likely to be drawn: 20 of 100 nodes over 400 splits is 80
// expected hits for a node, standard deviation 8.
TEST(Splits, WithoutLabelsSayThatLabelsAreMissing) {
  Dataset data = with_classes({3, 3});
  std::ranges::fill(data.labels(), kNoLabel);
  EXPECT_NE(error_of([&] {
              (void)make_split(data, {.kind = "random", .count = 1}, 0);
            }).find("made: a random split is of what has a label, and nothing has"),
            std::string::npos);
  data.labels().front() = 0;
  EXPECT_NE(error_of([&] {
              (void)make_split(data, {.kind = "stratified-kfold", .count = 1}, 0);
            }).find("made: 1 labelled node cannot be split into folds, which takes two or more"),
            std::string::npos);
}

TEST(PerClass, NodesAreEquallyLikely) {
  const Dataset data = with_classes({100, 100});
  SplitScheme scheme;
  scheme.count = 400;
  std::vector<int> hits(200, 0);
  for (int index = 0; index < scheme.count; ++index) {
    for (const Index id : make_split(data, scheme, index).train)
      ++hits[static_cast<std::size_t>(id)];
  }
  for (const int hit : hits) EXPECT_NEAR(hit, 80, 45);
}

TEST(PerClass, TooSmallAClassIsNamedWithItsCount) {
  const std::string message = error_of([] { (void)make_split(with_classes({90, 49}), {}, 0); });
  EXPECT_NE(message.find("class 1 ('c1') has 49 nodes"), std::string::npos) << message;
}

TEST(Splits, OfGraphsSpeakOfGraphs) {
  Dataset data = with_classes({90, 49});
  data.graphs.emplace();
  data.graphs->start.resize(140);
  std::iota(data.graphs->start.begin(), data.graphs->start.end(), 0);
  const SplitScheme schemes[] = {{"per-class", {}},
                                 {"per-class", {{"train", 49}, {"valid", 1}}},
                                 {"planetoid", {{"train", 60}, {"valid", 1}, {"test", 1}}},
                                 {"planetoid", {{"test", 500}}},
                                 {"random", {{"train", 60}, {"valid", 40}}},
                                 {"stratified", {{"train", 60}, {"valid", 40}}}};
  for (const SplitScheme& scheme : schemes) {
    const std::string message = error_of([&] { (void)make_split(data, scheme, 0); });
    EXPECT_NE(message, "") << scheme.kind;
    EXPECT_EQ(message.find("node"), std::string::npos) << message;
  }
}

TEST(PerClass, NothingLeftToTestIsAnError) {
  const std::string message = error_of([] { (void)make_split(with_classes({50, 50}), {}, 0); });
  EXPECT_NE(message.find("test part is empty"), std::string::npos) << message;
}

TEST(Planetoid, HasFixedTotals) {
  const Dataset data = with_classes({700, 500, 800});
  const SplitScheme scheme{"planetoid", {{"valid", 500}, {"test", 1000}}};
  const Split split = make_split(data, scheme, 3);
  EXPECT_EQ(count_per_class(data, split.train), (std::vector<int>{20, 20, 20}));
  EXPECT_EQ(split.valid.size(), 500u);
  EXPECT_EQ(split.test.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(split.test.begin(), split.test.end()));
  // Same seeds and sampler as "per-class".
  EXPECT_EQ(split.train, make_split(data, {}, 3).train);
  const std::string message = error_of([] {
    (void)make_split(with_classes({700, 700}), {"planetoid", {{"valid", 500}, {"test", 1000}}}, 0);
  });
  EXPECT_NE(message.find("needs 1540 nodes, but there are 1400"), std::string::npos) << message;
}

TEST(Random, TakesPercentages) {
  const Dataset data = with_classes({700, 300});
  const SplitScheme scheme{"random", {{"train", 50}, {"valid", 25}}};
  const Split split = make_split(data, scheme, 0);
  EXPECT_EQ(split.train.size(), 500u);
  EXPECT_EQ(split.valid.size(), 250u);
  EXPECT_EQ(split.test.size(), 250u);
  EXPECT_NE(split.train, make_split(data, scheme, 1).train);
  EXPECT_NE(error_of([&] {
              (void)make_split(data, {"random", {{"train", 60}, {"valid", 40}}}, 0);
            }).find("below 100"),
            std::string::npos);
}

TEST(Stored, GivesWhatTheDataCameWith) {
  Dataset data = with_classes({4, 4});
  EXPECT_NE(error_of([&] { (void)make_split(data, {"stored"}, 0); }).find("no split is stored"),
            std::string::npos);
  data.stored_splits = {{{5, 1}, {0}, {7, 3}}};
  const Split split = make_split(data, {"stored"}, 0);
  EXPECT_EQ(split.train, (std::vector<Index>{5, 1}));
  EXPECT_EQ(split.test, (std::vector<Index>{3, 7}));
  EXPECT_NE(error_of([&] { (void)make_split(data, {"stored"}, 1); }).find("1 are stored"),
            std::string::npos);
  const SplitScheme seeded{"stored", {{"seed", 5}}};
  EXPECT_NE(
      error_of([&] { (void)make_split(data, seeded, 0); }).find("no setting is called 'seed'"),
      std::string::npos);
}

TEST(SplitScheme, BadRequestsAreNamed) {
  const Dataset data = with_classes({80, 80});
  EXPECT_NE(
      error_of([&] { (void)make_split(data, {"per-clas"}, 0); }).find("did you mean 'per-class'"),
      std::string::npos);
  EXPECT_NE(error_of([&] { (void)make_split(data, {}, 100); }).find("outside the family of 100"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)make_split(data, {}, -1); }).find("outside"), std::string::npos);
  EXPECT_NE(error_of([&] {
              (void)make_split(data, {"per-class", {{"train", 0}}}, 0);
            }).find("split scheme 'per-class': 'train' is 0, outside [1, 1000000000]"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              (void)make_split(data, {"planetoid"}, 0);
            }).find("'planetoid' needs 'test', the number of test nodes"),
            std::string::npos);
}

TEST(CheckSplit, RefusesWhatLeaksOrPointsOutside) {
  const Dataset data = with_classes({4, 4});
  const auto message = [&](const Split& split) {
    return error_of([&] { check_split(data, split, "here"); });
  };
  EXPECT_EQ(message({{0, 1}, {2}, {3}}), "no error");
  EXPECT_NE(
      message({{0, 1}, {2}, {1}}).find("node 1 is in the training part and again in the test"),
      std::string::npos);
  EXPECT_NE(message({{0, 0}, {2}, {1}}).find("again in the training"), std::string::npos);
  EXPECT_NE(message({{0}, {8}, {1}}).find("node 8 is outside"), std::string::npos);
  EXPECT_NE(message({{0}, {-1}, {1}}).find("node -1 is outside"), std::string::npos);
  EXPECT_NE(message({{0}, {}, {1}}).find("validation part is empty"), std::string::npos);
}

}  // namespace
}  // namespace cupel
