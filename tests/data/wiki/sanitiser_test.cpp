// The sanitiser against plain searches, one for each node and one for each milestone.
#include "cupel/data/wiki/sanitiser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "cupel/base/error.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/wiki/repeated_sum.h"
#include "cupel/data/wiki/row_counter.h"

namespace cupel::test {
namespace {

using Texts = std::vector<std::string>;
using Lists = std::vector<std::set<Index>>;  // children, per node

constexpr double kNever = -std::numeric_limits<double>::infinity();

Lists children_of(const CategoryGraph& graph) {
  Lists out(graph.nodes());
  for (Index v = 0; v < graph.nodes(); ++v) {
    for (const Index p : graph.parents.row_columns(v)) out[p].insert(v);
  }
  return out;
}

// Steps from `from` to each node by ways on which `enter` lets every node but the first in; 0 steps
// only if `start_counts`. -1: no way.
std::vector<int> steps(const Lists& children, Index from, const std::vector<bool>& closed,
                       bool start_counts) {
  std::vector<int> out(children.size(), -1);
  if (start_counts) out[from] = 0;
  std::vector<Index> level = {from};
  for (int step = 1; !level.empty(); ++step) {
    std::vector<Index> next;
    for (const Index v : level) {
      for (const Index w : children[v]) {
        if (out[w] >= 0 || closed[w]) continue;
        out[w] = step;
        next.push_back(w);
      }
    }
    level = next;
  }
  return out;
}

// 1 / d for each node, one after the other.
std::vector<double> plain_scores(const Lists& children) {
  std::vector<double> out(children.size());
  const std::vector<bool> none(children.size());
  for (std::size_t v = 0; v < children.size(); ++v) {
    const auto far = steps(children, static_cast<Index>(v), none, true);
    const int most = far.empty() ? 0 : *std::ranges::max_element(far);
    for (int d = 1; d <= most; ++d) {
      for (const int at : far) {
        if (at == d) out[v] += 1.0 / d;
      }
    }
  }
  return out;
}

struct Plain {
  std::vector<double> scores;
  std::vector<Index> order;
  std::set<Index> milestones;
  std::vector<Index> nearest;
  std::map<Index, Index> parents;  // of milestones
};

bool has_word(const std::string& name, const Texts& words) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return name.find(word) != std::string::npos; });
}

// Names are in lower case here.
Plain plain(const CategoryGraph& graph, const SanitiserSettings& settings) {
  Plain out;
  const Lists children = children_of(graph);
  out.scores = plain_scores(children);
  std::vector<bool> pruned;
  std::multimap<std::pair<double, Index>, Index> sorted;
  for (Index v = 0; v < graph.nodes(); ++v) {
    pruned.push_back(has_word(graph.names[v], settings.prune));
    if (has_word(graph.names[v], settings.exclude)) out.scores[v] = kNever;
    sorted.insert({{-out.scores[v], v}, v});
  }
  for (const auto& [key, v] : sorted) {
    out.order.push_back(v);
    if (std::ssize(out.milestones) < settings.milestones && out.scores[v] != kNever)
      out.milestones.insert(v);
  }
  std::vector<int> best(graph.nodes(), std::numeric_limits<int>::max());
  std::vector<Index> above(graph.nodes(), kNoCategory);
  for (const Index m : out.milestones) {
    const auto far = steps(children, m, pruned, false);
    for (Index v = 0; v < graph.nodes(); ++v) {
      if (far[v] > 0 && far[v] < best[v]) best[v] = far[v], above[v] = m;
    }
  }
  out.nearest = above;
  for (const Index m : out.milestones) out.parents[m] = above[m], out.nearest[m] = m;
  return out;
}

void expect_equal(const SanitisedCategories& got, const Plain& wanted) {
  ASSERT_EQ(got.scores, wanted.scores);  // to the bit
  ASSERT_EQ(got.order, wanted.order);
  ASSERT_EQ(got.nearest, wanted.nearest);
  for (Index v = 0; v < std::ssize(got.nearest); ++v) {
    ASSERT_EQ(got.order[got.rank[v]], v);
    ASSERT_EQ(got.milestone[v], wanted.milestones.contains(v));
    const auto parent = wanted.parents.find(v);
    ASSERT_EQ(got.milestone_parent[v],
              parent == wanted.parents.end() ? kNoCategory : parent->second);
  }
}

// Pages with up to `most` parents each, among them themselves, parents without a page, repeats and
// ways back; every seventh name is excluded, every ninth pruned.
CategoryGraph made(std::uint64_t seed, Index pages, int most, bool tree_like) {
  std::mt19937_64 random(seed);
  CategoryGraphBuilder builder;
  const auto name = [](std::uint64_t v) {
    return fmt::format("c{}{}{}", v, v % 7 == 3 ? " hidden" : "", v % 9 == 4 ? " cut" : "");
  };
  for (Index page = 0; page < pages; ++page) {
    const std::uint64_t self = tree_like ? static_cast<std::uint64_t>(page) : random() % pages;
    Texts tags;
    for (std::uint64_t k = random() % (most + 1); k > 0; --k) {
      const bool back = !tree_like || random() % 50 == 0;
      tags.push_back(name(random() % (back ? pages + 5 : page + 1)));
    }
    builder.add_category(name(self), tags);
  }
  return builder.finish();
}

const SanitiserSettings kSome = {.milestones = 12, .exclude = {"hidden"}, .prune = {"cut"}};

TEST(Sanitiser, EqualsPlainSearches) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const CategoryGraph graph =
        made(seed, 3 + static_cast<Index>(seed) * 2, 1 + static_cast<int>(seed % 4), seed % 2 == 0);
    SanitiserSettings settings = kSome;
    settings.milestones = static_cast<Index>(seed % 5 == 4 ? 1000 : 1 + seed % 20);
    expect_equal(sanitise(graph, settings, {1}), plain(graph, settings));
    settings.prune.clear();
    expect_equal(sanitise(graph, settings, {1}), plain(graph, settings));
  }
}

// More sources than are searched at once, more nodes in a level than a block of the counter.
TEST(Sanitiser, SameBitsOnAnyNumberOfThreads) {
  const CategoryGraph graph = made(5, 1500, 5, true);
  const Plain wanted = plain(graph, kSome);
  for (const int threads : {1, 2, 5}) expect_equal(sanitise(graph, kSome, {threads}), wanted);
}

TEST(Sanitiser, IdsComeInTheOrderOfSight) {
  CategoryGraphBuilder builder;
  std::vector<Index> ids;
  builder.add_article(Texts{"B", "A", "B"}, ids);
  EXPECT_EQ(ids, (std::vector<Index>{0, 1}));
  builder.add_category("C", Texts{"D", "A"});
  builder.add_article(Texts{"E", "D"}, ids);
  EXPECT_EQ(ids, (std::vector<Index>{4, 3}));
  builder.add_category("C", Texts{"A", "A"});  // replaces, and D stays a category
  builder.add_article(Texts{"F"}, ids);
  const CategoryGraph graph = builder.finish();
  EXPECT_EQ(graph.names, (Texts{"B", "A", "C", "D", "E", "F"}));
  EXPECT_EQ(graph.nodes(), 3);  // up to C, which has a page; D is nobody's parent any more
  EXPECT_EQ(graph.parents.row_ptr, (std::vector<Offset>{0, 0, 0, 1}));
  EXPECT_EQ(graph.parents.columns, (std::vector<Index>{1}));
}

TEST(Sanitiser, ManyTagsOfAnArticleAreEachThereOnce) {
  CategoryGraphBuilder builder;
  Texts tags;
  for (int k = 0; k < 500; ++k) tags.push_back(fmt::format("{}", k % 200));
  std::vector<Index> ids, wanted;
  for (Index k = 0; k < 200; ++k) wanted.push_back(k);
  builder.add_article(tags, ids);
  EXPECT_EQ(ids, wanted);
}

// A chain over a loop: A is tagged with itself, B and C with each other.
TEST(Sanitiser, AMilestoneOnACycleMayBeItsOwnParent) {
  CategoryGraphBuilder builder;
  builder.add_category("A", Texts{"A"});
  builder.add_category("B", Texts{"C", "A"});
  builder.add_category("C", Texts{"B"});
  builder.add_category("D", Texts{"C"});
  const CategoryGraph graph = builder.finish();  // A 0, B 1, C 2, D 3
  const auto result = sanitise(graph, {.milestones = 2, .exclude = {}, .prune = {}}, {1});
  // A: B at 1, C at 2, D at 3. B: C at 1, D at 2. C: B and D at 1.
  EXPECT_EQ(result.scores, (std::vector<double>{1 + 0.5 + 1.0 / 3, 1.5, 2, 0}));
  EXPECT_EQ(result.order, (std::vector<Index>{2, 0, 1, 3}));
  EXPECT_EQ(result.milestone_parent, (std::vector<Index>{0, -1, 0, -1}))
      << "C is two steps below itself and below A, and A came first";
  EXPECT_EQ(result.nearest, (std::vector<Index>{0, 0, 2, 2}));
}

TEST(Sanitiser, WordsAreFoundInAnyLetterCase) {
  CategoryGraphBuilder builder;
  builder.add_category("ВИКИпедия", {});
  builder.add_category("Top", {});
  builder.add_category("Web Browsers", Texts{"Top"});
  builder.add_category("Opera", Texts{"Web Browsers"});
  const CategoryGraph graph = builder.finish();
  SanitiserSettings settings;
  settings.milestones = 1;
  settings.exclude = {"википедИЯ"};
  const auto result = sanitise(graph, settings, {1});
  EXPECT_EQ(result.scores, (std::vector<double>{kNever, 1.5, 1, 0}));
  EXPECT_EQ(result.nearest, (std::vector<Index>{-1, 1, -1, -1}));
  settings.milestones = 2;  // "Web browsers" is never entered, but hands itself on
  EXPECT_EQ(sanitise(graph, settings, {1}).nearest, (std::vector<Index>{-1, 1, 2, 2}));
  settings.milestones = 100;  // an excluded category does not fill up
  EXPECT_EQ(sanitise(graph, settings, {1}).milestones(), 3);
  settings.milestones = -1;
  EXPECT_THROW((void)sanitise(graph, settings, {1}), Error);
}

TEST(Sanitiser, MilestonesOfAnArticleFallInScore) {
  SanitisedCategories categories;
  categories.nearest = {0, 1, 1, 0, -1, 5};
  categories.rank = {2, 0, 3, 4, 5, 1};
  std::vector<Index> out;
  milestones_of(categories, std::vector<Index>{3, 5, 4, 17, 2, 0, 1}, out);
  EXPECT_EQ(out, (std::vector<Index>{1, 5, 0}));
}

TEST(Harmonic, ManySourcesAndDeepWays) {
  // A chain of 800 nodes, each with a leaf: every level has other sources.
  const Index n = 800;
  std::vector<Edge> edges;
  for (Index v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1});
  for (Index v = 0; v < n; ++v) edges.push_back({v, n + v});
  std::vector<bool> wanted(2 * n, true);
  wanted[7] = false;
  const auto scores = harmonic_centrality(from_edges(2 * n, edges), wanted, {2});
  // From v: one node at distance 1 beside the leaf, two further on, at last a leaf alone.
  for (const Index v : {0, 6, 100, n - 2, n - 1}) {
    double sum = 0;
    for (Index d = 1; d <= n - v; ++d) {
      sum += 1.0 / d;
      if (d < n - v) sum += 1.0 / d;
    }
    EXPECT_EQ(scores[v], sum) << v;
  }
  EXPECT_EQ(scores[7], 0);
  EXPECT_EQ(scores[n], 0);
}

TEST(Harmonic, LittleMemoryChangesNothing) {
  const CategoryGraph graph = made(8, 700, 4, true);
  const std::vector<bool> all(graph.nodes(), true);
  const auto wanted = plain_scores(children_of(graph));
  EXPECT_EQ(harmonic_centrality(graph.children, all, {3}, {}, {.wide = 0, .all = 0}), wanted);
  EXPECT_EQ(harmonic_centrality(graph.children, all, {3}, {}, {.wide = 0}), wanted);
  std::int64_t last = 0, sources = 0;
  const auto progress = [&](std::int64_t done, std::int64_t of) {
    EXPECT_GT(done, last);
    last = done, sources = of;
  };
  EXPECT_EQ(harmonic_centrality(graph.children, all, {3}, progress, {.all = 0}), wanted);
  EXPECT_EQ(last, sources);
  EXPECT_GT(sources, 0);
}

TEST(RepeatedSum, EqualsALoop) {
  std::mt19937_64 random(3);
  const auto loop = [](double sum, double term, std::uint64_t times) {
    for (; times > 0; --times) sum += term;
    return sum;
  };
  for (int k = 0; k < 3000; ++k) {
    const double sum =
        k % 5 == 0 ? 0 : std::ldexp(static_cast<double>(random() >> 11), k % 40 - 50);
    const double term = k % 3 == 0 ? 1.0 / static_cast<double>(1 + random() % 300)
                                   : std::ldexp(static_cast<double>(random() % 255), k % 60 - 60);
    const std::uint64_t times = random() % (k % 10 == 0 ? 200'000 : 3000);
    ASSERT_EQ(add_repeatedly(sum, term, times), loop(sum, term, times)) << k;
  }
  // Ties: 1 added to 2^53 is lost, and to 2^53 + 2 it is not.
  const double big = 0x1p53;
  for (const double sum : {big, big - 3, big + 2, big + 4, 2 * big - 6})
    for (const double term : {1.0, 3.0, 5.0, 2.0}) {
      for (std::uint64_t times = 0; times < 40; ++times)
        ASSERT_EQ(add_repeatedly(sum, term, times), loop(sum, term, times)) << sum << ' ' << term;
    }
}

TEST(RowCounter, CountsBits) {
  std::mt19937_64 random(9);
  RowCounter<2> counter;
  for (const int rows : {0, 1, 7, 8, 9, 1000, 70'000}) {
    std::vector<std::uint64_t> wanted(128), got(128);
    for (int r = 0; r < rows; ++r) {
      const BitRow<2> row = {random() & random(), r % 3 == 0 ? ~std::uint64_t{0} : 0};
      counter.add(row);
      for (int k = 0; k < 128; ++k) wanted[k] += row[k / 64] >> k % 64 & 1;
    }
    counter.take([&](int place, std::uint64_t ones) { got[place] = ones; });
    ASSERT_EQ(got, wanted) << rows;
  }
}

}  // namespace
}  // namespace cupel::test
