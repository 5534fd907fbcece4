// Splits of links: kinds "links" and "file".
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "cupel/base/random.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/data/split/link_split.h"
#include "data/formats/made_files.h"
#include "real_data.h"

namespace cupel {
namespace {

using Ids = std::vector<Index>;
using made::expect_error;

// A graph of these arcs, whose nodes have one class.
Dataset with_arcs(Index nodes, const std::vector<Edge>& arcs) {
  Dataset out;
  out.name = "made";
  out.adjacency = from_edges(nodes, arcs);
  out.features = Matrix(nodes, 1);
  out.labels().assign(static_cast<std::size_t>(nodes), 0);
  out.class_names() = {"c"};
  return out;
}

// `links` distinct links without direction among few nodes, so that degrees differ.
Dataset with_links(Index links, std::uint32_t seed = 0) {
  Index nodes = 3;
  while (std::int64_t{nodes} * (nodes - 1) / 2 < 2 * std::int64_t{links}) ++nodes;
  Stream stream(stream_key("graph"), 0, seed);
  std::set<std::pair<Index, Index>> chosen;
  std::vector<Edge> arcs;
  while (std::ssize(chosen) < links) {
    const auto i = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(nodes)));
    const auto j = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(nodes)));
    if (i == j || !chosen.insert({std::min(i, j), std::max(i, j)}).second) continue;
    arcs.push_back({i, j});
    arcs.push_back({j, i});
  }
  return with_arcs(nodes, arcs);
}

SplitScheme links_scheme(int train, int valid, int test) {
  return {"links", {{"train", train}, {"valid", valid}, {"test", test}}};
}

// Some of the training links are given, the same links held out; the others are in no part.
TEST(Links, FewTrainingLinksAreDrawnFromAllOfThem) {
  const Dataset data = with_links(1000);
  SplitScheme scheme = links_scheme(85, 5, 10);
  std::vector<int> given(1000, 0);
  for (int index = 0; index < 50; ++index) {
    scheme = links_scheme(85, 5, 10);
    const Split whole = make_split(data, scheme, index);
    scheme.settings["few"] = std::int64_t{100};
    const Split few = make_split(data, scheme, index);
    EXPECT_EQ(few.test, whole.test);
    EXPECT_EQ(few.valid, whole.valid);
    EXPECT_EQ(few.train.size(), 100u);
    EXPECT_TRUE(std::ranges::includes(whole.train, few.train));
    for (const Index link : few.train) ++given[static_cast<std::size_t>(link)];
    scheme.settings["few"] = std::int64_t{5000};
    EXPECT_EQ(make_split(data, scheme, index).train, whole.train) << "more than there are";
  }
  // 5,000 draws over 1,000 links, so that a tenth of them by number gets 500 on average; four
  // standard deviations of a binomial.
  for (std::size_t tenth = 0; tenth < 10; ++tenth)
    EXPECT_NEAR(std::accumulate(given.begin() + 100 * tenth, given.begin() + 100 * (tenth + 1), 0),
                500, 85);
  EXPECT_EQ(links_scheme(85, 5, 10).identity(),
            "links train=85% valid=5% test=10% directed=false message=train seed=2018");
}

TEST(Links, PartsPartitionTheLinksWithHeldOutSharesRoundedDown) {
  for (const Index links : {20, 37, 99, 100, 101, 1000}) {
    const Dataset data = with_links(links);
    for (const auto& [train, valid, test] :
         {std::tuple{85, 5, 10}, {60, 20, 20}, {1, 50, 49}, {90, 5, 5}}) {
      const SplitScheme scheme = links_scheme(train, valid, test);
      ASSERT_EQ(links_of(data, scheme).size(), links);
      for (const int index : {0, 1, 99}) {
        const Split split = make_split(data, scheme, index);
        EXPECT_EQ(std::ssize(split.test), links * test / 100);
        EXPECT_EQ(std::ssize(split.valid), links * valid / 100);
        Ids all = split.train;
        all.insert(all.end(), split.valid.begin(), split.valid.end());
        all.insert(all.end(), split.test.begin(), split.test.end());
        std::ranges::sort(all);
        Ids expected(static_cast<std::size_t>(links));
        std::iota(expected.begin(), expected.end(), 0);
        EXPECT_EQ(all, expected);
        for (const Ids* part : {&split.train, &split.valid, &split.test})
          EXPECT_TRUE(std::ranges::is_sorted(*part));
      }
    }
  }
}

// The released code of Kipf and Welling on Cora: floor(5278 / 10) and floor(5278 / 20).
TEST(Links, SharesAreThoseOfTheReleasedCode) {
  const Split split = make_split(with_links(5278), {"links"}, 0);
  EXPECT_EQ(split.test.size(), 527u);
  EXPECT_EQ(split.valid.size(), 263u);
  EXPECT_EQ(split.train.size(), 4488u);
}

TEST(Links, MembersDifferAndALongerFamilyBeginsWithTheShorter) {
  const Dataset data = with_links(100);
  SplitScheme scheme{"links"};
  std::set<Ids> tests, valids;
  for (int member = 0; member < 50; ++member) {
    const Split split = make_split(data, scheme, member);
    tests.insert(split.test);
    valids.insert(split.valid);
    SplitScheme longer = scheme, shifted = scheme, told = scheme;
    longer.count = 1000;
    shifted.first = member;
    told.settings["message"] = "train+valid";
    for (const Split& same : {make_split(data, longer, member), make_split(data, shifted, 0),
                              make_split(data, told, member)}) {
      EXPECT_EQ(same.train, split.train);
      EXPECT_EQ(same.valid, split.valid);
      EXPECT_EQ(same.test, split.test);
    }
  }
  EXPECT_EQ(tests.size(), 50u);
  EXPECT_EQ(valids.size(), 50u);
  scheme.settings["seed"] = 1;
  EXPECT_FALSE(tests.contains(make_split(data, scheme, 0).test));
  EXPECT_FALSE(family_size(scheme, data).has_value());
}

// 10 and 20 of 40 links over 1000 splits: 250 and 500 expected, deviations 13.7 and 15.8.
TEST(Links, EveryLinkIsAsOftenInEachPart) {
  const Dataset data = with_links(40);
  SplitScheme scheme = links_scheme(25, 50, 25);
  scheme.count = 1000;
  std::vector<int> tested(40, 0), validated(40, 0);
  for (int member = 0; member < scheme.count; ++member) {
    const Split split = make_split(data, scheme, member);
    for (const Index id : split.test) ++tested[static_cast<std::size_t>(id)];
    for (const Index id : split.valid) ++validated[static_cast<std::size_t>(id)];
  }
  for (const int times : tested) EXPECT_NEAR(times, 250, 5 * 13.7);
  for (const int times : validated) EXPECT_NEAR(times, 500, 5 * 15.8);
}

// Kept results rest on these draws.
TEST(Links, DrawsArePinned) {
  EXPECT_EQ(make_split(with_links(40), {"links"}, 0).test, (Ids{1, 13, 16, 17}));
  EXPECT_EQ(make_split(with_links(40), {"links"}, 7).valid, (Ids{27, 34}));
}

// Neither loops, nor repeats, nor labels, nor tasks have a say.
TEST(Links, AreWhatAQuestionCanBeAskedOf) {
  Dataset data = with_links(40);
  const Split split = make_split(data, {"links"}, 3);
  data.labels().assign(data.labels().size(), -1);
  data.target = BinaryTasks{Matrix(data.nodes(), 2)};
  EXPECT_EQ(make_split(data, {"links"}, 3).test, split.test);
  const SplitScheme scheme{"links"};
  EXPECT_EQ(split_unit(scheme, data), Unit::kPair);
  const PairList links = links_of(data, scheme);
  EXPECT_EQ(make_split(data, links, scheme, 3).test, split.test);
  const std::vector<Pair> tested = pairs_at(links, split.test);
  ASSERT_EQ(tested.size(), 4u);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    EXPECT_EQ(tested[i], links.pairs[static_cast<std::size_t>(split.test[i])]);
    EXPECT_TRUE(has_arc(data.adjacency, tested[i]));
  }
  EXPECT_FALSE(valid_carries_messages(scheme));
  EXPECT_TRUE(valid_carries_messages({"links", {{"message", "train+valid"}}}));
  EXPECT_THROW((void)links_of(data, SplitScheme{}), std::logic_error);
}

TEST(Links, DirectionIsSaidByTheScheme) {
  // A way round six nodes, and one arc that has its way back.
  const Dataset data = with_arcs(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 0}});
  SplitScheme scheme = links_scheme(40, 30, 30);
  expect_error([&] { (void)make_split(data, scheme, 0); },
               {"made: 5 arcs without a way back", "\"symmetrise\"", "directed = true"});
  scheme.settings["directed"] = true;
  const PairList links = links_of(data, scheme);
  EXPECT_EQ(links.size(), 7);
  EXPECT_TRUE(links.directed);
  const Split split = make_split(data, scheme, 0);
  EXPECT_EQ(split.test.size(), 2u);
  EXPECT_EQ(split.train.size(), 3u);
  expect_error([&] { (void)make_split(with_links(40), scheme, 0); },
               {"made: every arc has its way back", "tell of a tested arc", "directed = false"});
}

TEST(Links, BadRequestsAreNamed) {
  const Dataset data = with_links(40);
  const auto of = [&](const SplitScheme& scheme) {
    return [&, scheme] { (void)make_split(data, scheme, 0); };
  };
  expect_error(of(links_scheme(80, 5, 10)),
               {"train = 80, valid = 5 and test = 10 percent are 95", "must be 100"});
  expect_error(of(links_scheme(1'000'000'000, 5, 10)), {"1000000015"});
  expect_error(of(links_scheme(98, 1, 1)),
               {"made: 1 percent of 40 links", "the validation part empty", "larger share"});
  expect_error(of(links_scheme(96, 3, 1)), {"the test part empty"});
  expect_error(of({"links", {{"train", 0}}}), {"'train' is 0"});
  SplitScheme few{"links"};
  few.count = 2;
  expect_error([&] { (void)make_split(data, few, 2); }, {"outside the family of 2"});
  expect_error([&] { (void)make_split(with_arcs(3, {}), {"links"}, 0); },
               {"made: has no link between two nodes"});
  expect_error([&] { (void)make_split(with_arcs(3, {{1, 1}}), {"links"}, 0); }, {"has no link"});
  Dataset set = data;
  set.graphs.emplace();
  set.graphs->start = {0, set.nodes()};
  expect_error([&] { (void)make_split(set, {"links"}, 0); },
               {"made: links are split of one graph", "set of 1 graph"});
}

TEST(Links, ChecksOfPartsSpeakOfPairs) {
  const auto message = [](const Split& split) {
    return error_of([&] { check_parts(split, Unit::kPair, 9, "here"); });
  };
  EXPECT_EQ(message({{0, 1}, {2}, {8}}), "no error");
  EXPECT_EQ(message({{0, 1}, {2}, {9}}), "here: test pair 9 is outside the data set's 9 pairs");
  EXPECT_EQ(message({{0, 1}, {2}, {1}}),
            "here: pair 1 is in the training part and again in the test part");
  EXPECT_EQ(message({{0, 1}, {}, {3}}), "here: the validation part is empty");
}

TEST(Links, OfPublishedGraphs) {
  if (const std::string why =
          made::needs_data({"cora-planetoid", "citeseer-planetoid", "pubmed-planetoid"});
      !why.empty())
    GTEST_SKIP() << why;
  const char* root = std::getenv("CUPEL_DATA");
  struct Case {
    const char* name;
    std::size_t train, valid, test;
  };
  // Links of the published graphs: 5278, 4552 and 44324.
  for (const Case& expected : {Case{"cora-planetoid", 4488, 263, 527},
                               {"citeseer-planetoid", 3870, 227, 455},
                               {"pubmed-planetoid", 37676, 2216, 4432}}) {
    SCOPED_TRACE(expected.name);
    const Dataset data = prepare(load_dataset(expected.name, root), {"symmetrise"});
    const Split split = make_split(data, {"links"}, 0);
    EXPECT_EQ(split.train.size(), expected.train);
    EXPECT_EQ(split.valid.size(), expected.valid);
    EXPECT_EQ(split.test.size(), expected.test);
  }
}

}  // namespace
}  // namespace cupel
