#include "cupel/data/prepare/prepare.h"

#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::expect_error;

std::vector<float> floats(const AlignedVector<float>& values) {
  return {values.begin(), values.end()};
}

// Two components: 0-1-2 (classes a b b) and 3-4-5-6 (classes b c c d); node 5 has a loop.
Dataset two_components() {
  Dataset d;
  d.name = "made";
  d.adjacency = from_edges(7, std::vector<Edge>{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {5, 5}, {5, 6}},
                           std::vector<float>{1, 2, 1, 1, 3, 1});
  Matrix x(7, 2);
  for (Index i = 0; i < 7; ++i) x(i, 0) = static_cast<float>(i), x(i, 1) = -1.0f;
  d.features = x;
  d.labels() = {0, 1, 1, 1, 2, 2, 3};
  d.class_names() = {"a", "b", "c", "d"};
  d.stored_splits = {{{5, 0, 3}, {1, 4}, {2, 6}}, {{0, 1}, {3}, {4}}};
  return d;
}

TEST(Prepare, FactsOverTimeHaveNoSteps) {
  auto facts = std::make_shared<TemporalFacts>();
  facts->name = "met";
  const Dataset d = dataset_of(std::shared_ptr<const TemporalFacts>(std::move(facts)));
  EXPECT_EQ(prepare(d, {}).name, "met");
  expect_error([&] { (void)prepare(d, {"drop-self-loops"}); },
               {"met: preparation step 'drop-self-loops' is for graphs", "leave it out"});
}

TEST(Prepare, LargestComponentKeepsOrderLabelsFeaturesAndSplits) {
  const Dataset out = prepare(two_components(), {"largest-component"});
  EXPECT_EQ(out.nodes(), 4);
  EXPECT_EQ(out.adjacency.columns, (std::vector<Index>{1, 2, 2, 3}));
  EXPECT_EQ(floats(out.adjacency.values), (std::vector<float>{1, 1, 3, 1}));
  EXPECT_EQ(out.class_names(), (std::vector<std::string>{"b", "c", "d"}));
  EXPECT_EQ(out.labels(), (std::vector<Index>{0, 1, 1, 2}));
  const auto& x = std::get<Matrix>(out.features);
  EXPECT_EQ(floats(x.values), (std::vector<float>{3, -1, 4, -1, 5, -1, 6, -1}));
  ASSERT_EQ(out.stored_splits.size(), 1u) << "the second split has lost its training nodes";
  EXPECT_EQ(out.stored_splits[0].train, (std::vector<Index>{2, 0}));
  EXPECT_EQ(out.stored_splits[0].valid, (std::vector<Index>{1}));
  EXPECT_EQ(out.stored_splits[0].test, (std::vector<Index>{3}));
}

TEST(Prepare, AmongEqualComponentsTheOneWithTheSmallestNodeStays) {
  Dataset d = two_components();
  d.adjacency = from_edges(7, std::vector<Edge>{{6, 1}, {1, 5}, {4, 3}, {2, 3}});
  const Dataset out = prepare(d, {"largest-component"});
  const auto& x = std::get<Matrix>(out.features);
  EXPECT_EQ(floats(x.values), (std::vector<float>{1, -1, 5, -1, 6, -1}));
}

TEST(Prepare, HistoryRecordsWhatEachStepDid) {
  const Dataset out =
      prepare(two_components(), {"unweight", "symmetrise", "drop-self-loops", "largest-component"});
  ASSERT_EQ(out.history.size(), 4u);
  EXPECT_EQ(out.history[0].name, "unweight");
  EXPECT_EQ(out.history[0].arcs, 6);
  EXPECT_EQ(out.history[1].arcs, 11);
  EXPECT_EQ(out.history[2].arcs, 10);
  EXPECT_EQ(out.history[2].nodes, 7);
  EXPECT_EQ(out.history[3].arcs, 6);
  EXPECT_EQ(out.history[3].nodes, 4);
  EXPECT_TRUE(out.adjacency.is_pattern());
}

TEST(Prepare, UnweightKeepsExplicitZerosAsEntries) {
  Dataset d = two_components();
  d.adjacency = from_edges(7, std::vector<Edge>{{0, 1}, {1, 2}}, std::vector<float>{0, 2});
  EXPECT_EQ(prepare(d, {"unweight"}).adjacency.entries(), 2);
  EXPECT_EQ(prepare(d, {"symmetrise"}).adjacency.entries(), 2) << "a zero is no edge";
  EXPECT_EQ(prepare(d, {"unweight", "symmetrise"}).adjacency.entries(), 4);
}

TEST(Prepare, BinariseDense) {
  Dataset d = two_components();
  const Dataset out = prepare(d, {"binarise-features"});
  EXPECT_EQ(std::get<Matrix>(out.features)(0, 0), 0.0f);
  EXPECT_EQ(std::get<Matrix>(out.features)(3, 0), 1.0f);
  EXPECT_EQ(std::get<Matrix>(out.features)(3, 1), 1.0f);
}

TEST(Prepare, SparseFeatures) {
  Dataset d = two_components();
  d.features = from_edges(7, std::vector<Edge>{{0, 1}, {0, 4}, {2, 3}, {4, 0}},
                          std::vector<float>{3, -1, 0, 5});
  const Dataset normal = prepare(d, {"row-normalise-features"});
  EXPECT_EQ(floats(std::get<Csr>(normal.features).values),
            (std::vector<float>{0.75f, -0.25f, 0, 1}));
  const Dataset binary = prepare(d, {"binarise-features"});
  EXPECT_TRUE(std::get<Csr>(binary.features).is_pattern());
  EXPECT_EQ(feature_entries(binary.features), 4) << "a stored zero becomes 1 as well";
  const Dataset both = prepare(d, {"binarise-features", "row-normalise-features"});
  EXPECT_EQ(floats(std::get<Csr>(both.features).values), (std::vector<float>{0.5f, 0.5f, 1, 1}));
  const Dataset part = prepare(d, {"largest-component"});
  EXPECT_EQ(std::get<Csr>(part.features).row_ptr, (std::vector<Offset>{0, 0, 1, 1, 1}));
}

TEST(Prepare, RowNormaliseDenseLeavesZeroRows) {
  Dataset d = two_components();
  Matrix x(7, 2);
  x(1, 0) = 3, x(1, 1) = -1;
  d.features = x;
  const auto out = std::get<Matrix>(prepare(d, {"row-normalise-features"}).features);
  EXPECT_EQ(out(0, 0), 0.0f);
  EXPECT_EQ(out(1, 0), 0.75f);
  EXPECT_EQ(out(1, 1), -0.25f);
}

// The rule of the data set cora_full, on a small file: classes of 2 or fewer go, which divides the
// graph, so that the four steps done once more take another component away.
TEST(Prepare, DropSmallClassesThenTheStepsOnceMore) {
  const made::Folder folder;
  made::write_file(folder / "labels.csv",
                   "node,label\n"
                   "a0,A\na1,A\na2,A\na3,A\n"  // a path, joined to b0 by x0
                   "b0,B\nb1,B\nb2,B\n"        // a path
                   "x0,X\nx1,X\n"              // the bridge; two members only
                   "c0,C\n");                  // alone: lost with the first component step
  made::write_file(folder / "edges.csv",
                   "source,target\na0,a1\na1,a2\na2,a3\na3,x0\nx0,b0\nb0,b1\nb1,b2\nx0,x1\n"
                   "b1,b1\n");
  const std::vector<std::string> once = {"unweight", "symmetrise", "drop-self-loops",
                                         "largest-component"};
  std::vector<std::string> steps = once;
  steps.push_back("drop-small-classes:2");
  steps.insert(steps.end(), once.begin(), once.end());
  steps.push_back("binarise-features");

  const Dataset out = prepare(read_dataset(folder.path()), steps);
  ASSERT_EQ(out.history.size(), 10u);
  EXPECT_EQ(out.history[3].nodes, 9) << "c0 is alone";
  EXPECT_EQ(out.history[4].name, "drop-small-classes:2");
  EXPECT_EQ(out.history[4].nodes, 7) << "A has 4, B has 3; 2 is not more than 2";
  EXPECT_EQ(out.history[8].nodes, 4) << "the path of A";
  EXPECT_EQ(out.class_names(), (std::vector<std::string>{"A"}));
  EXPECT_EQ(out.adjacency.entries(), 6);
}

TEST(Prepare, UnknownAndMalformedStepsAreNamed) {
  expect_error([] { (void)prepare(two_components(), {"symmetrize"}); },
               {"'symmetrize'", "did you mean 'symmetrise'"});
  expect_error([] { (void)prepare(two_components(), {"zzzzzzzzzzzzzzzz"}); },
               {"zzzz", "there are: unweight"});
  expect_error([] { (void)prepare(two_components(), {"unweight:3"}); }, {"takes no argument"});
  for (const char* bad :
       {"drop-small-classes", "drop-small-classes:", "drop-small-classes:x",
        "drop-small-classes:-1", "drop-small-classes:5x", "drop-small-classes:99999999999"}) {
    expect_error([&] { (void)prepare(two_components(), {bad}); }, {bad, "whole number"});
  }
  expect_error([] { (void)prepare(two_components(), {"drop-small-classes:3"}); },
               {"made", "leaves no node", "the largest class has 3"});
}

TEST(Prepare, EveryStepIsListed) {
  for (auto [name, doc] : preparation_steps()) {
    EXPECT_FALSE(doc.empty());
    if (name.ends_with(":N")) name.replace(name.size() - 1, 1, "1");
    if (name == "drop-edgeless-graphs") continue;  // for sets of graphs: graph_set_test.cpp
    EXPECT_NO_THROW((void)prepare(two_components(), {name})) << name;
  }
}

}  // namespace
}  // namespace cupel
