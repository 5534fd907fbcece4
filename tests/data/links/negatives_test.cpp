// Negatives by name: what holds for all kinds, and for each.
#include "cupel/data/links/negatives.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "cupel/data/links/outside.h"
#include "data/links/made.h"
#include "error_of.h"

namespace cupel {
namespace {

using made::link_data;
using made::LinkData;

std::set<Pair> pool_of(const Candidates& candidates) {
  const auto& pairs = std::get<CandidatePool>(candidates).pairs;
  std::set<Pair> out(pairs.begin(), pairs.end());
  EXPECT_EQ(out.size(), pairs.size());
  return out;
}

Offset common(const std::set<Pair>& a, const std::set<Pair>& b) {
  return std::count_if(a.begin(), a.end(), [&](const Pair& pair) { return b.contains(pair); });
}

// ---- numbers outside a list
// -----------------------------------------------------------------------

TEST(Outside, AreThoseThatASlowReaderCounts) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    for (const bool directed : {false, true}) {
      const LinkData made = link_data(11, 40, seed, directed);
      const Csr arcs = arcs_of(made.links.pairs, 11, directed);
      std::vector<Pair> wanted;
      for (Index i = 0; i < 11; ++i) {
        for (Index j = directed ? 0 : i + 1; j < 11; ++j) {
          if (i != j && !has_arc(arcs, {i, j})) wanted.push_back({i, j});
        }
      }
      const NonLinks outside(arcs, directed);
      ASSERT_EQ(outside.size(), wanted.size());
      for (std::size_t n = 0; n < wanted.size(); ++n) EXPECT_EQ(outside.at(n), wanted[n]);
    }
  }
}

TEST(Outside, NumbersAboveThirtyTwoBitsAreEven) {
  Stream stream(stream_key("below"), 0);
  const std::uint64_t bound = 3 * (std::uint64_t{1} << 62);
  Offset thirds[3] = {};
  for (int i = 0; i < 3000; ++i) ++thirds[below(stream, bound) >> 62];
  // Taken modulo 2^64, the first third would come twice as often: 1500.
  for (const Offset count : thirds) EXPECT_NEAR(count, 1000, 120);
}

// ---- all kinds
// ---------------------------------------------------------------------------------------

// A kind that is asked how many candidates there will be says what it draws, and refuses alike.
TEST(Negatives, AreKnownAhead) {
  const std::vector<std::vector<std::string>> asked = {
      {"heart", "count=8"},     {"heart", "count=9"},     {"heart", "count=40"},
      {"uniform", "ratio=0.5"}, {"uniform", "ratio=100"}, {"corrupt", "count=5"},
      {"corrupt", "count=60"},  {"all", "filtered=true"}};
  int refused = 0;
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const LinkData made = link_data(30, 120, seed);
    for (const auto& negatives : asked) {
      const NegativeKind& kind = find_negative_kind(negatives[0]);
      const Options options = parse_options("negatives", kind.settings, {negatives[1]});
      for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest}) {
        const NegativeContext context{made.data,         made.links, made.split, part,
                                      stream_key("key"), Threads{},  options};
        CandidatesAhead ahead;
        const std::string said = error_of([&] { ahead = check_negatives(kind, context); });
        Ranking drawn;
        EXPECT_EQ(said, error_of([&] { drawn = draw_ranking(kind, context); }));
        refused += said != "no error";
        if (said != "no error") continue;
        EXPECT_EQ(ahead.form, drawn.questions.form) << negatives[0];
        EXPECT_EQ(ahead.smallest, candidate_counts(drawn).smallest) << negatives[0];
      }
    }
  }
  EXPECT_GT(refused, 20);
}

// ---- uniform
// -----------------------------------------------------------------------------------------

TEST(Uniform, NegativesAreNoLinksAndPartsShareNone) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    for (const bool directed : {false, true}) {
      const LinkData made = link_data(30, 80, seed, directed);
      const auto test = pool_of(made.draw("uniform", LinkPart::kTest)),
                 valid = pool_of(made.draw("uniform", LinkPart::kValid));
      EXPECT_EQ(test.size(), made.split.test.size());
      EXPECT_EQ(valid.size(), made.split.valid.size());
      const std::set<Pair> links(made.links.pairs.begin(), made.links.pairs.end());
      EXPECT_EQ(common(test, links) + common(valid, links) + common(test, valid), 0);
      EXPECT_EQ(pool_of(made.draw("uniform", LinkPart::kTest, {"ratio=2.5"})).size(),
                made.split.test.size() * 5 / 2);
      EXPECT_NE(test, pool_of(made.draw("uniform", LinkPart::kTest, {}, 1, "another")));
    }
  }
}

TEST(Uniform, EveryNonLinkIsAsLikelyAsAnother) {
  const LinkData made = link_data(8, 14, 1);
  std::map<Pair, int> times;
  for (int draw = 0; draw < 3000; ++draw) {
    for (const Pair& pair :
         pool_of(made.draw("uniform", LinkPart::kTest, {}, 1, fmt::format("{}", draw))))
      ++times[pair];
  }
  const std::size_t non_links = 28 - made.links.pairs.size();
  const double expected = 3000.0 * static_cast<double>(made.split.test.size()) / non_links;
  EXPECT_EQ(times.size(), non_links);
  for (const auto& [pair, count] : times) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
}

// Of 28 pairs 20 are links; so many validation negatives are wanted that they must be test links.
TEST(Uniform, KnownLinksAloneAreLeftOutIfAskedFor) {
  LinkData made = link_data(8, 60, 2);
  std::set<Pair> met;
  for (int draw = 0; draw < 50; ++draw) {
    const auto valid = pool_of(
        made.draw("uniform", LinkPart::kValid, {"exclude=known"}, 1, fmt::format("{}", draw)));
    EXPECT_EQ(common(valid, made.part(made.split.train)), 0);
    EXPECT_EQ(common(valid, made.part(made.split.valid)), 0);
    met.insert(valid.begin(), valid.end());
  }
  EXPECT_EQ(common(met, made.part(made.split.test)), std::ssize(made.split.test));
  EXPECT_EQ(pool_of(made.draw("uniform", LinkPart::kTest, {"exclude=known"})),
            pool_of(made.draw("uniform", LinkPart::kTest)));
}

TEST(Uniform, TooFewNonLinksAreAnError) {
  const LinkData made = link_data(8, 60, 2);
  EXPECT_EQ(
      error_of([&] { (void)made.draw("uniform", LinkPart::kTest, {"ratio=100"}); }),
      fmt::format("made: test negatives: {} distinct pairs without a link are needed, and the "
                  "graph has {}; lower ratio, or ask fewer pairs",
                  100 * made.split.test.size(), 28 - made.links.pairs.size()));
}

// ---- corrupt
// ------------------------------------------------------------------------------------------

TEST(Corrupt, ReplacesOneEndByNodesWithoutALink) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const bool directed = seed % 2 == 0;
    const LinkData made = link_data(40, 90, seed, directed);
    for (const std::string end : {"both", "source", "target"}) {
      const auto lists = std::get<CandidateLists>(
          made.draw("corrupt", LinkPart::kTest, {"count=5", "end=" + end}));
      ASSERT_EQ(lists.start.size(), made.split.test.size() + 1);
      for (std::size_t q = 0; q < made.split.test.size(); ++q) {
        const Pair positive = made.links.pairs[made.split.test[q]];
        int with_source = 0, with_target = 0;
        for (Offset at = lists.start[q]; at < lists.start[q + 1]; ++at) {
          const Pair pair = lists.pairs[at];
          EXPECT_FALSE(std::binary_search(made.links.pairs.begin(), made.links.pairs.end(), pair));
          with_source +=
              pair.source == positive.source || (!directed && pair.target == positive.source);
          with_target +=
              pair.target == positive.target || (!directed && pair.source == positive.target);
        }
        EXPECT_EQ(with_source, end == "both" ? 3 : end == "target" ? 5 : 0);
        EXPECT_EQ(with_target, end == "both" ? 2 : end == "source" ? 5 : 0);
      }
    }
  }
}

TEST(Corrupt, IsTheSameOnAnyNumberOfThreadsAndDrawsWithoutRepeats) {
  const LinkData made = link_data(600, 3000, 5);
  const auto one = std::get<CandidateLists>(made.draw("corrupt", LinkPart::kTest));
  const auto four = std::get<CandidateLists>(made.draw("corrupt", LinkPart::kTest, {}, 4));
  EXPECT_EQ(one.pairs, four.pairs);
  for (std::size_t q = 0; q + 1 < one.start.size(); ++q)
    EXPECT_EQ(std::adjacent_find(one.pairs.begin() + one.start[q],
                                 one.pairs.begin() + one.start[q + 1], std::greater_equal<>()),
              one.pairs.begin() + one.start[q + 1]);
}

// A star: its centre is linked with everyone, so that filtered corruptions of it do not exist.
TEST(Corrupt, TooFewNodesAreAnError) {
  LinkData made = link_data(6, 0, 0);
  std::vector<Edge> edges;
  for (Index leaf = 1; leaf < 6; ++leaf) edges.push_back({0, leaf});
  made.data.adjacency = symmetrise(from_edges(6, edges));
  made.links = pairs_of(made.data.adjacency, false);
  made.split = {{0, 1, 2}, {3}, {4}};
  EXPECT_EQ(error_of([&] { (void)made.draw("corrupt", LinkPart::kTest, {"count=2"}); }),
            "made: test negatives: node 0 has 0 nodes that it can be paired with instead of 5, and "
            "1 are needed; lower count, or let links be candidates with filtered = false");
  const auto raw = std::get<CandidateLists>(
      made.draw("corrupt", LinkPart::kTest, {"count=8", "filtered=false"}));
  EXPECT_EQ(raw.pairs,
            (std::vector<Pair>{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5}}));
}

// ---- all kinds
// ----------------------------------------------------------------------------------------

TEST(Negatives, AreFoundByNameAndMakeTheFormTheySay) {
  const LinkData made = link_data(40, 120, 3);
  std::vector<std::string> names;
  for (const NegativeKind* kind : negative_kinds()) {
    names.push_back(kind->name);
    EXPECT_FALSE(kind->doc.empty());
    if (!kind->form) continue;
    const Options options = parse_options("test", kind->settings,
                                          kind->name == "heart" || kind->name == "corrupt"
                                              ? std::vector<std::string>{"count=4"}
                                              : std::vector<std::string>{});
    for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest}) {
      const Ranking ranking = draw_ranking(
          *kind, {made.data, made.links, made.split, part, stream_key("all"), {}, options});
      EXPECT_EQ(ranking.questions.form, *kind->form) << kind->name;
      EXPECT_EQ(ranking.questions.size() / ranking.questions.per_positive,
                std::ssize(made.split.test));
      EXPECT_GT(candidate_counts(ranking).smallest, 0);
    }
  }
  EXPECT_EQ(names, (std::vector<std::string>{"all", "corrupt", "file", "heart", "uniform"}));
  EXPECT_EQ(error_of([] { (void)find_negative_kind("unifrom"); }),
            "negatives 'unifrom' are unknown (did you mean 'uniform'?); there are all, corrupt, "
            "file, heart, uniform");
}

TEST(Negatives, IdentityNamesEverySetting) {
  const LinkData made = link_data(10, 20, 1);
  const auto identity = [&](const std::string& name, const std::vector<std::string>& given) {
    const NegativeKind& kind = find_negative_kind(name);
    return negatives_identity(kind, made.data, parse_options("test", kind.settings, given));
  };
  EXPECT_EQ(identity("uniform", {}), "uniform exclude=all ratio=1");
  EXPECT_EQ(identity("heart", {"count=20"}), "heart count=20 zeros=last");
  EXPECT_EQ(identity("corrupt", {"end=source"}), "corrupt count=100 end=source filtered=true");
  EXPECT_EQ(identity("all", {}), "all filtered=true");
}

}  // namespace
}  // namespace cupel
