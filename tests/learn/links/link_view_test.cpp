// What a view of a split of links holds, by brute force, and what it cannot tell.
#include "cupel/learn/links/link_view.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "cupel/learn/layers/graph_inputs.h"
#include "data/links/made.h"
#include "error_of.h"
#include "learn/links/made_link_task.h"
#include "temp_folder.h"

namespace cupel {
namespace {

using Arcs = std::set<Pair>;

Arcs arcs_in(const Csr& pattern) {
  Arcs out;
  for (Index i = 0; i < pattern.rows; ++i)
    for (const Index j : pattern.row_columns(i)) out.insert({i, j});
  return out;
}

Arcs both_ways(const std::set<Pair>& links, bool directed) {
  Arcs out = links;
  for (const Pair& link : links)
    if (!directed) out.insert({link.target, link.source});
  return out;
}

const LinkView& view_of(const Task& task) { return dynamic_cast<const LinkView&>(*task.view); }

// The entries of all matrices that a model may derive.
Arcs derived_entries(const std::shared_ptr<const VisibleGraph>& graph) {
  Builder b;
  GraphInputs in(b, graph, 3);
  for (const bool loops : {false, true}) {
    (void)in.adjacency(loops);
    (void)in.symmetric_normalised(loops);
    (void)in.row_normalised(loops);
  }
  Arcs out;
  for (const ConstantMatrix& constant : in.constants())
    if (constant.sparse != nullptr) out.merge(arcs_in(*constant.sparse));
  std::erase_if(out, [](const Pair& pair) { return pair.source == pair.target; });
  return out;
}

TEST(LinkView, HoldsTheTrainingLinksAndNoOther) {
  for (std::uint32_t seed = 0; seed < 6; ++seed)
    for (const bool directed : {false, true})
      for (const char* message : {"train", "train+valid"}) {
        const made::LinkData made = made::link_data(40, 170, seed, directed);
        const auto data =
            std::make_shared<const TaskData>(std::make_shared<const Dataset>(made.data));
        // Another user of the same data has derived everything from all links before.
        const Arcs whole = derived_entries(data->visible());
        const LinkAsk ask = {
            .directed = directed, .message = message, .member = static_cast<int>(seed)};
        const Split split = make_split(made.data, link_scheme(ask), ask.member);
        const Task task = link_task(data, ask);
        const LinkView& view = view_of(task);
        const Arcs train = both_ways(made.part(split.train), directed);
        Arcs at_test = train;
        if (std::string(message) == "train+valid")
          at_test.merge(both_ways(made.part(split.valid), directed));
        EXPECT_GT(whole.size(), at_test.size());

        EXPECT_EQ(arcs_in(view.adjacency()), train);
        EXPECT_EQ(arcs_in(view.graph_of(LinkPart::kValid)->arcs()), train);
        EXPECT_EQ(arcs_in(view.graph_of(LinkPart::kTest)->arcs()), at_test);
        EXPECT_EQ(derived_entries(view.shared_graph()), train);
        EXPECT_EQ(derived_entries(view.graph_of(LinkPart::kTest)), at_test);
        EXPECT_EQ(arcs_in(view.feature_source().adjacency), train);
        EXPECT_EQ(both_ways({view.train().begin(), view.train().end()}, directed), train);
        EXPECT_TRUE(std::ranges::is_sorted(view.train()));
        EXPECT_EQ(view.directed(), directed);
        // Only validation tells which of its pairs are links.
        std::set<Pair> told;
        for (const Offset row : view.valid_questions().positive)
          told.insert(view.asked(LinkPart::kValid).pair(row));
        EXPECT_EQ(told, made.part(split.valid));
      }
}

TEST(LinkView, AsksInAnOrderThatTellsNothing) {
  for (const char* negatives : {"uniform", "corrupt:count=9", "heart:count=6"}) {
    const made::LinkData made = made::link_data(60, 260, 9);
    const Task task = link_task(made.data, {.negatives = negatives});
    for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest}) {
      const Asked& asked = view_of(task).asked(part);
      EXPECT_TRUE(std::ranges::is_sorted(asked.pairs)) << negatives;
      EXPECT_EQ(std::ranges::adjacent_find(asked.pairs), asked.pairs.end()) << negatives;
    }
  }
  const made::LinkData made = made::link_data(60, 260, 9);
  const Task all = link_task(made.data, {.negatives = "all"});
  EXPECT_TRUE(std::ranges::is_sorted(view_of(all).asked(LinkPart::kTest).sources));
}

// Everything that a view says, as text.
std::string all_that_is_said(const LinkView& view) {
  std::string out;
  const auto add = [&](const Pair& pair) {
    out += fmt::format("{} {},", pair.source, pair.target);
  };
  for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest}) {
    out += fmt::format("| {} asked {} from {} to {}: ", to_text(part), view.asked(part).rows(),
                       view.asked(part).begin, view.asked(part).end);
    for (Offset row = 0; row < view.asked(part).rows(); ++row) add(view.asked(part).pair(row));
    out += "arcs ";
    for (const Pair& arc : arcs_in(view.graph_of(part)->arcs())) add(arc);
  }
  out += "| train ";
  for (const Pair& link : view.train()) add(link);
  out += fmt::format("| valid {} | {} {}", fmt::join(view.valid_questions().positive, " "),
                     view.valid_rows(), view.test_rows());
  return out;
}

// Two worlds that differ in which half of the tested pairs are links: their views are the same.
TEST(LinkView, IsTheSameWhicheverTestedPairsAreLinks) {
  const TempFolder folder;
  const made::LinkData made = made::link_data(50, 300, 11);
  // The first half of what would be tested, the second, and a pair for each validation link.
  std::vector<Pair> halves[2], others;
  for (std::size_t i = 0; i + 1 < made.split.test.size(); i += 2)
    for (const std::size_t half : {0, 1})
      halves[half].push_back(made.links.pairs[static_cast<std::size_t>(made.split.test[i + half])]);
  for (Index i = 0; std::ssize(others) < 20; ++i)
    if (const Pair pair{i, i + 7}; !has_arc(made.data.adjacency, pair)) others.push_back(pair);
  const auto write = [&](const std::string& name, const std::vector<Pair>& pairs) {
    std::ofstream out(folder / name);
    out << "source,target\n";
    for (const Pair& pair : pairs) out << pair.source << ',' << pair.target << '\n';
    return (folder / name).string();
  };
  const std::string valid = write("valid.csv", others);
  for (const char* message : {"train", "train+valid"}) {
    std::string said[2];
    for (const std::size_t world : {0, 1}) {
      std::vector<Pair> known = pairs_at(made.links, made.split.train);
      std::ranges::copy(pairs_at(made.links, made.split.valid), std::back_inserter(known));
      std::ranges::copy(halves[world], std::back_inserter(known));
      Dataset data = made.data;
      data.adjacency = arcs_of(known, 50, false);
      const PairList links = pairs_of(data.adjacency, false);
      const auto ids = [&](const std::vector<Pair>& pairs) {
        std::vector<Index> out;
        for (const Pair& pair : pairs)
          out.push_back(static_cast<Index>(std::ranges::lower_bound(links.pairs, pair) -
                                           links.pairs.begin()));
        return out;
      };
      const Split split = {ids(pairs_at(made.links, made.split.train)),
                           ids(pairs_at(made.links, made.split.valid)), ids(halves[world])};
      const std::string test = write(fmt::format("test{}.csv", world), halves[1 - world]);
      const Task task = make_link_task(
          {.data = std::make_shared<const TaskData>(std::make_shared<const Dataset>(data)),
           .scheme = link_scheme({.message = message}),
           .split = split,
           .settings = Options("links", find_task_kind("links")->settings,
                               {{"negatives", "file:valid=" + valid + ";test=" + test}}),
           .key = stream_key("worlds")});
      said[world] = all_that_is_said(view_of(task));
      // The answers do differ.
      const auto marking = task.answers->open();
      std::vector<float> scores;
      for (const Pair& pair : view_of(task).asked(LinkPart::kTest).pairs)
        scores.push_back(std::ranges::count(halves[0], pair) > 0 ? 1.0f : 0.0f);
      marking->take({scores.data(), static_cast<Index>(scores.size()), 1, 1});
      EXPECT_EQ(marking->score("roc-auc"), world == 0 ? 1.0 : 0.0);
    }
    EXPECT_EQ(said[0], said[1]) << message;
    EXPECT_NE(said[0], "");
  }
}

// What takes a part gives graphs and pairs; what tells answers is of validation, and takes none.
static_assert(
    std::is_same_v<decltype(&LinkView::asked), const Asked& (LinkView::*)(LinkPart) const>);
static_assert(
    std::is_same_v<decltype(&LinkView::valid_questions), const Questions& (LinkView::*)() const>);
template <class V>
concept TellsOfTest = requires(const V& view) {
  view.test_questions();
}
|| requires(const V& view) { view.questions(LinkPart::kTest); }
|| requires(const V& view) { view.mark_test(); }
|| requires(const V& view) { view.answers(); };
static_assert(!TellsOfTest<LinkView> && !TellsOfTest<View>);
static_assert(!std::is_constructible_v<LinkView, std::shared_ptr<const VisibleGraph>>);

TEST(LinkView, OfASearchHasNoTestPairAndNoAnswers) {
  const Task task = link_task(made::link_data(60, 260, 9).data, {.scored = false});
  EXPECT_EQ(task.answers, nullptr);
  EXPECT_EQ(task.view->test_rows(), 0);
  EXPECT_TRUE(view_of(task).asked(LinkPart::kTest).pairs.empty());
  EXPECT_GT(task.view->valid_rows(), 0);
}

// What a plan does of each split: the same is refused, and nothing need be drawn.
TEST(LinkView, IsRefusedAlikeWhereNothingIsAsked) {
  const made::LinkData made = made::link_data(40, 200, 7);
  for (const std::string negatives :
       {"heart:count=6", "heart:count=7", "heart:count=60", "corrupt:count=6", "uniform", "all"}) {
    for (const std::string metric : {"hits@3", "hits@7", "hits@100", "average-precision"}) {
      const auto refusal = [&](bool asked) {
        return error_of([&] {
          (void)link_task(made.data, {.negatives = negatives, .metrics = {metric}, .asked = asked});
        });
      };
      EXPECT_EQ(refusal(false), refusal(true)) << negatives << " " << metric;
    }
  }
  const Task task = link_task(made.data, {.negatives = "heart:count=6", .asked = false});
  EXPECT_EQ(task.view->valid_rows(), 0);
  EXPECT_EQ(task.view->test_rows(), 0);
  EXPECT_EQ(view_of(task).train(), view_of(link_task(made.data)).train());
}

TEST(LinkView, RefusesWhatCannotBeAsked) {
  const auto refused = [](const Dataset& data, const LinkAsk& ask) {
    return error_of([&] { (void)link_task(data, ask); });
  };
  const made::LinkData made = made::link_data(30, 120, 7);
  const std::string few =
      refused(made.data, {.negatives = "corrupt:count=5", .metrics = {"mrr", "hits@10"}});
  EXPECT_EQ(few,
            "made: validation links: hits@10 needs 10 candidates for each link, and some have 5; "
            "take a smaller number or more negatives");
  EXPECT_EQ(refused(made.data, {.negatives = "corrupt:count=5", .metrics = {"hits@5"}}),
            "no error");
  EXPECT_NE(refused(made.data, {.negatives = "corrupt:count=5", .metrics = {"mrr", "roc-auc"}}),
            "no error");
  const made::LinkData directed = made::link_data(30, 120, 7, true);
  EXPECT_NE(refused(directed.data, {.directed = true, .negatives = "heart"})
                .find("'heart' are defined for undirected links"),
            std::string::npos);
  EXPECT_NE(refused(directed.data, {}).find("without a way back"), std::string::npos);
  Dataset bare = made.data;
  bare.adjacency = from_edges(30, {});
  EXPECT_EQ(refused(bare, {}),
            "made: has no link between two nodes, so that there is nothing to split");
}

TEST(LinkView, RefusesASplitWithAnEmptyPart) {
  const made::LinkData made = made::link_data(30, 120, 7);
  Split split = made.split;
  split.train.clear();
  EXPECT_EQ(
      error_of([&] {
        (void)make_link_task(
            {.data = std::make_shared<const TaskData>(std::make_shared<const Dataset>(made.data)),
             .scheme = link_scheme({}),
             .split = split,
             .settings = Options("links", find_task_kind("links")->settings, {})});
      }),
      "made: the training part is empty");
}

}  // namespace
}  // namespace cupel
