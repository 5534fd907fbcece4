// Scores by shared neighbours: against sets, against networkx, and on hubs.
#include "cupel/learn/events/shared_neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "cupel/learn/events/preferential_attachment.h"
#include "data/facts/made.h"
#include "error_of.h"
#include "learn/events/asked_model.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::scores_of;

constexpr SharedNeighbours kScores[] = {SharedNeighbours::common, SharedNeighbours::jaccard,
                                        SharedNeighbours::adamic_adar,
                                        SharedNeighbours::resource_allocation};

// Who shares a fact of relation r (-1: any) with x.
std::set<Index> neighbours(const FactColumns& facts, Index r, Index x) {
  std::set<Index> out;
  for (std::size_t i = 0; i < facts.time.size(); ++i) {
    if (r >= 0 && facts.relation[i] != r) continue;
    if (facts.source[i] == x) out.insert(facts.target[i]);
    if (facts.target[i] == x) out.insert(facts.source[i]);
  }
  out.erase(x);
  return out;
}

double slow_score(const FactColumns& facts, SharedNeighbours score, Index first, Index second,
                  Index s, Index o) {
  if (s == o) return 0;
  const std::set<Index> a = neighbours(facts, first, s), b = neighbours(facts, second, o);
  std::vector<Index> both, either;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
  if (score == SharedNeighbours::common) return static_cast<double>(both.size());
  if (score == SharedNeighbours::jaccard)
    return both.empty() ? 0 : static_cast<double>(both.size()) / static_cast<double>(either.size());
  double sum = 0;
  for (const Index z : both) {
    auto d = static_cast<double>(neighbours(facts, first, z).size());
    if (second != first) d += static_cast<double>(neighbours(facts, second, z).size());
    sum += score == SharedNeighbours::adamic_adar ? 1 / std::log(d) : 1 / d;
  }
  return sum;
}

TEST(EventNeighbours, ScoresAreWhatTheirDefinitionsSay) {
  const std::vector<std::vector<std::uint8_t>> directions = {{}, {0, 1, 0}, {1, 1, 1}};
  for (const SharedNeighbours score : kScores)
    for (const auto& undirected : directions)
      for (const std::vector<Index>& via : {std::vector<Index>{-1}, {}, {1, 1, 1}, {2, 0, 2}}) {
        const bool typed = via != std::vector<Index>{-1};
        const SharedNeighboursSettings settings = {score, typed,
                                                   typed ? via : std::vector<Index>{}};
        const MadeFacts made = made::random_facts(3, 70, 13, 3, 9);
        const FactColumns facts = made.columns();
        const EventWorld world = {14, 3, undirected};  // the last is never seen
        const auto model = make_shared_neighbours(world, settings);
        const auto cut = make_shared_neighbours(world, settings);
        model->learn(facts);
        made::learn_in_pieces(*cut, facts, {1, 1, 40});
        const made::AllFacts asked(world, 2100);
        const auto scores = scores_of(*model, asked.columns());
        EXPECT_EQ(scores, scores_of(*cut, asked.columns()));
        double total = 0;
        for (std::size_t i = 0; i < scores.size(); ++i) {
          const Index r = asked.relation[i], s = asked.source[i], o = asked.target[i];
          const Index q = !typed ? -1 : via.empty() ? r : via[static_cast<std::size_t>(r)];
          const Index second = !typed || is_undirected(undirected, r) ? q : r;
          const double want = slow_score(facts, score, q, second, s, o);
          ASSERT_NEAR(scores[i], want, 1e-7 + 1e-7 * want) << s << " " << r << " " << o;
          total += want;
        }
        EXPECT_GT(total, 1);
        made::expect_rank_is_score(*model, world, 2100);
      }
}

// networkx 3.6.1: florentine_families_graph(), families by name numbered from 0; common_neighbors,
// jaccard_coefficient, adamic_adar_index, resource_allocation_index, preferential_attachment.
TEST(EventNeighbours, ScoresAreThoseOfNetworkx) {
  MadeFacts made;
  for (const auto& [a, b] : std::vector<std::pair<Index, Index>>{
           {0, 8},  {1, 5},  {1, 6},  {1, 8},   {2, 4},   {2, 8},   {3, 6},
           {3, 10}, {3, 13}, {4, 10}, {4, 13},  {6, 7},   {6, 14},  {8, 11},
           {8, 12}, {8, 14}, {9, 12}, {10, 13}, {11, 13}, {11, 14}, {1, 8}})
    made.add(a, 0, b, 1430);
  struct Figures {
    Index s, o;
    double common, jaccard, adamic_adar, resource_allocation, attachment;
  };
  const std::vector<Figures> wanted = {{0, 1, 1, 0.333333333, 0.558110627, 0.166666667, 3},
                                       {8, 4, 1, 0.125, 1.44269504, 0.5, 18},
                                       {8, 1, 0, 0, 0, 0, 18},
                                       {14, 13, 1, 0.166666667, 0.910239227, 0.333333333, 12},
                                       {12, 14, 1, 0.25, 0.558110627, 0.166666667, 6},
                                       {2, 3, 0, 0, 0, 0, 6}};
  const EventWorld world = {15, 1, {}};
  const auto score_of = [&](EventModel& model, const Figures& pair) {
    model.learn(made.columns());
    const std::vector<Index> s = {pair.s}, o = {pair.o};
    const std::vector<std::int64_t> t = {1434};
    return scores_of(model, {s, {}, o, t, 15, 1}).front();
  };
  for (const Figures& pair : wanted) {
    const double figures[] = {pair.common, pair.jaccard, pair.adamic_adar,
                              pair.resource_allocation};
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(score_of(*make_shared_neighbours(world, {kScores[k], false, {}}), pair),
                  figures[k], 2e-8 * (1 + figures[k]));
    EXPECT_EQ(score_of(*make_preferential_attachment(world, {}), pair), pair.attachment);
  }
}

// What the co-authors of a scientist can do: 0, 1, 2 are scientists, 3 and 4 capabilities.
TEST(EventNeighbours, CapabilitiesAreThoseOfCoAuthors) {
  const std::vector<std::uint8_t> undirected = {1, 0};
  MadeFacts made;
  made.add(0, 0, 1, 2019), made.add(2, 0, 0, 2019), made.add(1, 1, 3, 2019);
  made.add(2, 1, 3, 2020), made.add(2, 1, 4, 2020), made.add(0, 1, 4, 2020);
  const EventWorld world = {5, 2, undirected};
  const auto model = make_shared_neighbours(world, {SharedNeighbours::common, true, {0, 0}});
  model->learn(made.columns());
  const std::vector<EventQuery> queries = {{0, 1, false}, {1, 1, false}, {4, 1, true}};
  made::KeptAnswers answers(5);
  model->rank(2021, queries, answers, {});
  EXPECT_EQ(answers.rows[0], (std::vector<float>{0, 0, 0, 2, 1}));  // both know 3, one knows 4
  EXPECT_EQ(answers.rows[1], (std::vector<float>{0, 0, 0, 0, 1}));  // not what 1 itself knows
  EXPECT_EQ(answers.rows[2], (std::vector<float>{1, 1, 1, 0, 0}));
}

// Two hubs with 3,000 neighbours each, a third of them shared: lists longer than any block.
TEST(EventNeighbours, HubsAreCompared) {
  MadeFacts made;
  for (Index k = 2; k < 5002; ++k) {
    if (k < 3002) made.add(0, 0, k, 1);
    if (k >= 2002) made.add(k, 0, 1, 1);
  }
  const EventWorld world = {5002, 1, {}};
  const auto model =
      make_shared_neighbours(world, {SharedNeighbours::resource_allocation, false, {}});
  model->learn(made.columns());
  const std::vector<Index> s = {0, 1, 2}, o = {1, 0, 2002};
  const std::vector<std::int64_t> t = {2, 2, 2};
  EXPECT_EQ(scores_of(*model, {s, {}, o, t, 5002, 1}),
            (std::vector<float>{500, 500, static_cast<float>(1.0 / 3000)}));
  const std::vector<EventQuery> queries = {{0, 0, false}};
  made::KeptAnswers answers(5002);
  model->rank(2, queries, answers, {});
  EXPECT_EQ(answers.rows[0][1], 500);
  EXPECT_EQ(std::count(answers.rows[0].begin(), answers.rows[0].end(), 0.f), 5001);
  const std::atomic<bool> stop = true;
  EXPECT_THROW(model->rank(2, queries, answers, {{}, &stop}), Interrupted);
}

TEST(EventNeighbours, ViaNamesARelationForEach) {
  const auto refused = [](std::vector<Index> via) {
    return error_of([&] {
      (void)make_shared_neighbours({3, 2, {}}, {SharedNeighbours::common, true, via});
    });
  };
  EXPECT_NE(refused({0}).find("names 1 relations"), std::string::npos);
  EXPECT_NE(refused({0, 2}).find("the relation 2"), std::string::npos);
  EXPECT_NE(refused({-1, 0}).find("the relation -1"), std::string::npos);
}

}  // namespace
}  // namespace cupel
