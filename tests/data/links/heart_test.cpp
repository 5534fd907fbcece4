// Hard negatives against an oracle that ranks every node by every measure, made from dense
// matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cupel/data/links/batch_rows.h"
#include "cupel/data/links/nearest.h"
#include "cupel/data/links/similarity.h"
#include "data/links/made.h"
#include "error_of.h"

namespace cupel {
namespace {

using made::link_data;
using made::LinkData;
using Dense = std::vector<std::vector<double>>;

Dense zeros(Index n) { return Dense(n, std::vector<double>(n, 0)); }

Dense dense(const Csr& arcs) {
  Dense out = zeros(arcs.rows);
  for (Index i = 0; i < arcs.rows; ++i)
    for (const Index j : arcs.row_columns(i)) out[i][j] = 1;
  return out;
}

double degree(const Dense& a, Index i) { return std::accumulate(a[i].begin(), a[i].end(), 0.0); }

Dense allocation(const Dense& a) {
  const auto n = static_cast<Index>(a.size());
  Dense out = zeros(n);
  for (Index u = 0; u < n; ++u)
    for (Index v = 0; v < n; ++v)
      for (Index w = 0; w < n; ++w)
        if (a[u][w] > 0 && a[v][w] > 0) out[u][v] += 1 / degree(a, w);
  return out;
}

// Row s solves p = restart e + (1 - restart) A D^-1 p, by Gauss and Jordan.
Dense walks(const Dense& a, double restart) {
  const auto n = static_cast<Index>(a.size());
  Dense m = zeros(n), inverse = zeros(n);
  for (Index i = 0; i < n; ++i) {
    inverse[i][i] = restart;
    for (Index j = 0; j < n; ++j)
      m[i][j] = (i == j) - (a[j][i] > 0 ? (1 - restart) / degree(a, j) : 0);
  }
  for (Index k = 0; k < n; ++k) {
    const double pivot = m[k][k];
    for (Index j = 0; j < n; ++j) m[k][j] /= pivot, inverse[k][j] /= pivot;
    for (Index i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = m[i][k];
      for (Index j = 0; j < n; ++j)
        m[i][j] -= factor * m[k][j], inverse[i][j] -= factor * inverse[k][j];
    }
  }
  Dense out = zeros(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) out[j][i] = inverse[i][j];
  return out;
}

Dense cosines(const Features& features, Index n) {
  Dense x(n, std::vector<double>(feature_count(features), 0));
  for (Index i = 0; i < n; ++i) {
    if (const auto* matrix = std::get_if<Matrix>(&features)) {
      for (Index f = 0; f < matrix->cols; ++f) x[i][f] = (*matrix)(i, f);
    } else {
      const Csr& rows = std::get<Csr>(features);
      for (Offset at = rows.row_ptr[i]; at < rows.row_ptr[i + 1]; ++at)
        x[i][rows.columns[at]] = rows.value(at);
    }
  }
  const auto dot = [&](Index i, Index j) {
    return std::inner_product(x[i].begin(), x[i].end(), x[j].begin(), 0.0);
  };
  Dense out = zeros(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (dot(i, i) > 0 && dot(j, j) > 0) out[i][j] = dot(i, j) / std::sqrt(dot(i, i) * dot(j, j));
  return out;
}

// Ranks from the definition: one for every node.
std::vector<double> ranks_of(const std::vector<double>& row, const std::set<Index>& excluded,
                             bool last) {
  const auto n = static_cast<Index>(row.size());
  std::vector<float> score(n, 0);
  float best = 0;
  for (Index v = 0; v < n; ++v) {
    // Rounded above what the oracle's elimination loses: equal scores are equal.
    if (!excluded.contains(v)) score[v] = static_cast<float>(std::round(row[v] * 1e11) / 1e11);
    best = std::max(best, score[v]);
  }
  const auto at_least = [&](float bound) {
    return std::count_if(score.begin(), score.end(), [&](float s) { return s > 0 && s >= bound; });
  };
  std::vector<double> out(n, std::numeric_limits<double>::infinity());
  double worst = 0;
  for (Index v = 0; v < n; ++v) {
    if (score[v] <= 0) continue;
    out[v] = static_cast<double>(at_least(score[v]) - at_least(best) + 1);
    worst = std::max(worst, out[v]);
  }
  for (Index v = 0; v < n; ++v)
    if (last && score[v] <= 0) out[v] = worst + 1;
  return out;
}

std::set<Index> oracle(const std::vector<Dense>& measures, Index kept,
                       const std::set<Index>& excluded, std::size_t count, bool last) {
  const auto n = static_cast<Index>(measures[0].size());
  std::vector<Index> nodes, scored;
  for (Index v = 0; v < n; ++v) {
    if (excluded.contains(v)) continue;
    nodes.push_back(v);
    bool any = false;
    for (const Dense& m : measures) any = any || static_cast<float>(m[kept][v]) > 1e-12;
    if (any) scored.push_back(v);
  }
  const bool enough = scored.size() >= count;
  std::vector<double> best(n, std::numeric_limits<double>::infinity());
  for (const Dense& m : measures) {
    const auto ranks = ranks_of(m[kept], excluded, last && enough);
    for (Index v = 0; v < n; ++v) best[v] = std::min(best[v], ranks[v]);
  }
  std::stable_sort(nodes.begin(), nodes.end(), [&](Index a, Index b) { return best[a] < best[b]; });
  nodes.resize(count);
  return {nodes.begin(), nodes.end()};
}

std::vector<Dense> measures_of(const LinkData& made) {
  std::vector<Pair> train;
  for (const Index id : made.split.train) train.push_back(made.links.pairs[id]);
  const Dense arcs = dense(arcs_of(train, made.links.nodes, false));
  return {allocation(arcs), walks(arcs, 0.15), cosines(made.data.features, made.links.nodes)};
}

TEST(Heart, PicksWhatAnOracleRanksBest) {
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    // From fragments in which most nodes have no score to one component.
    const Index nodes = 40;
    const LinkData made =
        link_data(nodes, 30 + 6 * static_cast<int>(seed), seed, false, seed % 2 == 1);
    const std::vector<Dense> measures = measures_of(made);
    for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest}) {
      for (const bool last : {true, false}) {
        const auto lists = std::get<CandidateLists>(made.draw(
            "heart", part, {"count=16", last ? "zeros=last" : "zeros=unranked"}, 1 + seed % 3));
        std::set<Pair> known = made.part(made.split.train);
        if (part == LinkPart::kTest) known.merge(made.part(made.split.valid));
        const auto& ids = part == LinkPart::kTest ? made.split.test : made.split.valid;
        for (std::size_t q = 0; q < ids.size(); ++q) {
          const Pair positive = made.links.pairs[ids[q]];
          std::set<Pair> wanted;
          for (const auto& [kept, other] :
               {std::pair{positive.source, positive.target}, {positive.target, positive.source}}) {
            std::set<Index> excluded = {kept, other};
            for (Index v = 0; v < nodes; ++v)
              if (known.contains({std::min(kept, v), std::max(kept, v)})) excluded.insert(v);
            for (const Index v : oracle(measures, kept, excluded, 8, last))
              wanted.insert({std::min(kept, v), std::max(kept, v)});
          }
          const std::set<Pair> got(lists.pairs.begin() + lists.start[q],
                                   lists.pairs.begin() + lists.start[q + 1]);
          EXPECT_EQ(got, wanted) << "seed " << seed << " question " << q;
        }
      }
    }
  }
}

TEST(Heart, NeedsNoFeatures) {
  LinkData made = link_data(30, 90, 2);
  std::vector<Dense> measures = measures_of(made);
  measures.pop_back();
  made.data.features = Matrix(30, 0);
  const auto lists = std::get<CandidateLists>(made.draw("heart", LinkPart::kValid, {"count=10"}));
  const Pair positive = made.links.pairs[made.split.valid[0]];
  std::set<Index> excluded = {positive.source, positive.target};
  for (const Pair& pair : made.part(made.split.train)) {
    if (pair.source == positive.source) excluded.insert(pair.target);
    if (pair.target == positive.source) excluded.insert(pair.source);
  }
  for (const Index v : oracle(measures, positive.source, excluded, 5, true)) {
    const Pair pair{std::min(positive.source, v), std::max(positive.source, v)};
    EXPECT_TRUE(
        std::binary_search(lists.pairs.begin(), lists.pairs.begin() + lists.start[1], pair));
  }
}

TEST(Heart, IsTheSameOnAnyNumberOfThreads) {
  const LinkData made = link_data(300, 1500, 8);
  const auto one = std::get<CandidateLists>(made.draw("heart", LinkPart::kTest, {"count=60"}));
  const auto three = std::get<CandidateLists>(made.draw("heart", LinkPart::kTest, {"count=60"}, 3));
  EXPECT_EQ(one.pairs, three.pairs);
}

TEST(Heart, RefusesDirectedLinksOddCountsAndSmallGraphs) {
  const auto draw = [](const LinkData& made, const std::string& count) {
    return error_of([&] { (void)made.draw("heart", LinkPart::kTest, {"count=" + count}); });
  };
  EXPECT_EQ(draw(link_data(30, 90, 1, true), "4"),
            "made: test negatives: negatives 'heart' are defined for undirected links; take "
            "'corrupt', or directed = false");
  EXPECT_EQ(draw(link_data(30, 90, 1), "5"),
            "made: test negatives: count = 5 is odd, and half of the negatives belong to either "
            "end; make it even");
  EXPECT_NE(draw(link_data(30, 90, 1), "500").find("half of count = 500 are needed"),
            std::string::npos);
  // In a complete graph; no count would do.
  const std::string none = draw(link_data(6, 400, 1), "2");
  EXPECT_NE(none.find("with 0 other nodes, and half of count = 2 are needed; take negatives of "
                      "another kind"),
            std::string::npos)
      << none;
}

// What is advised is enough at once, for both parts.
TEST(Heart, AdvisesACountThatWorks) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const LinkData made = link_data(40, 150, seed);
    for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest}) {
      const std::string said = error_of([&] { (void)made.draw("heart", part, {"count=80"}); });
      const std::string before = "lower count to at most ";
      const auto at = said.find(before);
      ASSERT_NE(at, std::string::npos) << said;
      const int count = std::stoi(said.substr(at + before.size()));
      const auto works = [&](int wanted, LinkPart of) {
        return error_of([&] { (void)made.draw("heart", of, {fmt::format("count={}", wanted)}); }) ==
               "no error";
      };
      EXPECT_TRUE(works(count, LinkPart::kValid) && works(count, LinkPart::kTest)) << said;
      EXPECT_FALSE(works(count + 2, LinkPart::kValid) && works(count + 2, LinkPart::kTest)) << said;
    }
  }
}

// ---- the measures
// ---------------------------------------------------------------------------------

NodeBatch walks_from(const PersonalisedPageRank& walk, const std::vector<Index>& sources) {
  PersonalisedPageRank::Work work;
  NodeBatch out;
  walk.batch(sources, work, out);
  return out;
}

NodeBatch likes_of(const FeatureCosine& cosine, const std::vector<Index>& nodes) {
  NodeBatch out;
  cosine.batch(nodes, out);
  return out;
}

TEST(Similarity, AgreesWithDenseMatrices) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const Index nodes = 25;
    const LinkData made = link_data(nodes, 40, seed, false, seed % 2 == 0);
    const Csr arcs = arcs_of(made.links.pairs, nodes, false);
    const Dense a = dense(arcs), shares = allocation(a), walk = walks(a, 0.15),
                likes = cosines(made.data.features, nodes);
    const std::vector<Index> asked = {3, 24, 0, 7, 11};
    const FeatureCosine cosine(made.data.features);
    const NodeBatch walk_batch = walks_from(PersonalisedPageRank(arcs, 0.15), asked),
                    like_batch = likes_of(cosine, asked);
    for (std::size_t c = 0; c < kBatch; ++c) {
      std::vector<double> shared(nodes, 0);
      std::vector<Index> touched;
      if (c < asked.size()) resource_allocation(arcs, asked[c], shared, touched);
      for (Index v = 0; v < nodes; ++v) {
        const std::size_t at = v * kBatch + c;
        const bool in = c < asked.size();
        EXPECT_NEAR(walk_batch[at], in ? walk[asked[c]][v] : 0, 1e-12 + 1e-7 * walk_batch[at]);
        EXPECT_NEAR(like_batch[at], in ? likes[asked[c]][v] : 0, 1e-6);
        EXPECT_NEAR(shared[v], in ? shares[asked[c]][v] : 0, 1e-12);
        if (in) {
          EXPECT_NEAR(cosine.of(asked[c], v), likes[asked[c]][v], 1e-12);
        }
      }
    }
  }
}

TEST(Similarity, AColumnDependsOnItsNodeAlone) {
  const LinkData made = link_data(60, 150, 4);
  const Csr arcs = arcs_of(made.links.pairs, 60, false);
  const PersonalisedPageRank walk(arcs, 0.15);
  const FeatureCosine cosine(made.data.features);
  const std::vector<Index> many = {9, 5, 31, 59}, one = {31};
  for (Index v = 0; v < 60; ++v) {
    EXPECT_EQ(walks_from(walk, many)[v * kBatch + 2], walks_from(walk, one)[v * kBatch]);
    EXPECT_EQ(likes_of(cosine, many)[v * kBatch + 2], likes_of(cosine, one)[v * kBatch]);
  }
}

// Memory that another batch has used.
TEST(Similarity, ABatchDoesNotDependOnTheOneBefore) {
  const LinkData made = link_data(60, 150, 4);
  const PersonalisedPageRank walk(arcs_of(made.links.pairs, 60, false), 0.15);
  const std::vector<Index> before = {1, 2, 3, 4, 5}, asked = {9, 31};
  PersonalisedPageRank::Work work;
  NodeBatch out;
  walk.batch(before, work, out);
  walk.batch(asked, work, out);
  EXPECT_EQ(out, walks_from(walk, asked));
}

// ---- shortlists
// -----------------------------------------------------------------------------------

TEST(Shortlist, KeepsTheBestAndCountsTiesWithTheLast) {
  const std::vector<Shortlist::Entry> scored = {{1, 0}, {3, 1}, {2, 2},  {2, 4},
                                                {0, 5}, {2, 6}, {-1, 7}, {2, 8}};
  const Shortlist three = shortlist(scored, 3);
  EXPECT_FALSE(three.complete);
  EXPECT_EQ(three.last_ties, 4);
  std::vector<Index> nodes;
  for (const auto& entry : three.entries) nodes.push_back(entry.node);
  EXPECT_EQ(nodes, (std::vector<Index>{1, 2, 4, 6})) << "of the ties, the three lowest ids";
  const Shortlist all = shortlist(scored, 6);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.entries.size(), 6u);
  EXPECT_EQ(all.last_ties, 1);
  EXPECT_TRUE(shortlist({}, 3).entries.empty());
}

// Columns from all different to all equal, of few positive scores and of many.
TEST(Shortlist, OfABatchIsThatOfEachColumn) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Stream stream(stream_key("shortlists"), 0, 0, seed);
    const auto columns = 1 + seed % kBatch;
    const Index nodes = 1 + static_cast<Index>(stream.next_below(400));
    const auto count = static_cast<Index>(1 + stream.next_below(40));
    NodeBatch rows(static_cast<std::size_t>(nodes * kBatch), 0.0f);
    for (std::uint32_t c = 0; c < columns; ++c) {
      const std::uint32_t kinds = 1u << stream.next_below(12), none = stream.next_below(9);
      for (Index v = 0; v < nodes; ++v) {
        if (stream.next_below(8) < none) continue;
        rows[v * kBatch + c] = 0.1f * static_cast<float>(1 + stream.next_below(kinds));
      }
    }
    const std::vector<Shortlist> lists = shortlists(rows, columns, count);
    ASSERT_EQ(lists.size(), columns);
    for (std::uint32_t c = 0; c < columns; ++c) {
      std::vector<Shortlist::Entry> scored;
      for (Index v = 0; v < nodes; ++v) scored.push_back({rows[v * kBatch + c], v});
      const Shortlist wanted = shortlist(scored, count);
      EXPECT_EQ(lists[c].complete, wanted.complete) << "seed " << seed;
      EXPECT_EQ(lists[c].last_ties, wanted.last_ties) << "seed " << seed;
      ASSERT_EQ(lists[c].entries.size(), wanted.entries.size()) << "seed " << seed;
      for (std::size_t e = 0; e < wanted.entries.size(); ++e) {
        EXPECT_EQ(lists[c].entries[e].score, wanted.entries[e].score);
        EXPECT_EQ(lists[c].entries[e].node, wanted.entries[e].node);
      }
    }
  }
}

}  // namespace
}  // namespace cupel
