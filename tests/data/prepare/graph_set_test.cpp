// Preparation steps on sets of graphs.
#include <gtest/gtest.h>

#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"
#include "cupel/data/prepare/prepare.h"
#include "data/formats/made_tu.h"

namespace cupel {
namespace {

using made::expect_error;

std::vector<float> floats(const AlignedVector<float>& values) {
  return {values.begin(), values.end()};
}

// Graphs: an edge, a lone node, nothing, two nodes without an edge, a path of three.
made::TuTexts five_graphs() {
  return {{"_A.txt", "1,2\n2,1\n6,7\n7,8\n"},
          {"_graph_indicator.txt", "1\n1\n2\n4\n4\n5\n5\n5\n"},
          {"_graph_labels.txt", "10\n20\n30\n10\n20\n"},
          {"_node_labels.txt", "1\n2\n1\n2\n3\n3\n2\n1\n"},
          {"_node_attributes.txt", "1\n2\n3\n4\n5\n6\n7\n8\n"},
          {"_edge_attributes.txt", "0.5\n1.5\n2.5\n3.5\n"},
          {"_scaffold_train.txt", "4\n1\n"},
          {"_scaffold_valid.txt", "0\n"},
          {"_scaffold_test.txt", "2\n3\n"}};
}

Dataset read_texts(const made::TuTexts& texts) {
  const made::Folder folder;
  made::write_tu(folder.path(), "X", texts);
  return read_dataset(folder.path());
}

TEST(PrepareGraphs, EdgelessGraphsGoWithAllThatIsTheirs) {
  const Dataset out = prepare(read_texts(five_graphs()), {"drop-edgeless-graphs"});
  EXPECT_EQ(out.graphs->start, (std::vector<Index>{0, 2, 5}));
  EXPECT_EQ(out.class_names(), (std::vector<std::string>{"10", "20"})) << "30 has lost its graph";
  EXPECT_EQ(out.labels(), (std::vector<Index>{0, 1}));
  EXPECT_EQ(out.adjacency.columns, (std::vector<Index>{1, 0, 3, 2, 4, 3}));
  EXPECT_EQ(floats(out.graphs->node_attributes.values), (std::vector<float>{1, 2, 6, 7, 8}));
  EXPECT_EQ(floats(out.graphs->arc_attributes.values),
            (std::vector<float>{0.5, 1.5, 2.5, 2.5, 3.5, 3.5}));
  EXPECT_EQ(std::get<Csr>(out.features).columns, (std::vector<Index>{0, 1, 2, 1, 0}));
  EXPECT_TRUE(out.stored_splits.empty()) << "its test part has lost all graphs";
  ASSERT_EQ(out.history.size(), 1u);
  EXPECT_EQ(out.history[0].nodes, 5);
  EXPECT_EQ(out.history[0].arcs, 6);
}

TEST(PrepareGraphs, StoredSplitsAndTasksFollow) {
  made::TuTexts texts = five_graphs();
  texts["_graph_labels.txt"] = "0,1\n1,nan\n1,1\n0,0\nnan,1\n";
  texts["_A.txt"] = "1,2\n4,5\n6,7\n7,8\n";
  texts["_scaffold_train.txt"] = "4\n1\n";
  texts["_scaffold_valid.txt"] = "3\n";
  texts["_scaffold_test.txt"] = "0\n2\n";
  const Dataset out = prepare(read_texts(texts), {"drop-edgeless-graphs"});
  ASSERT_EQ(out.stored_splits.size(), 1u);
  EXPECT_EQ(out.stored_splits[0].train, (std::vector<Index>{2}));
  EXPECT_EQ(out.stored_splits[0].valid, (std::vector<Index>{1}));
  EXPECT_EQ(out.stored_splits[0].test, (std::vector<Index>{0}));
  ASSERT_EQ(out.task_answers().rows, 3);
  EXPECT_EQ(out.task_answers()(0, 0), 0.0f);
  EXPECT_EQ(out.task_answers()(0, 1), 1.0f);
  EXPECT_TRUE(std::isnan(out.task_answers()(2, 0)));
}

TEST(PrepareGraphs, SmallClassesAreCountedInGraphs) {
  const Dataset out = prepare(read_texts(five_graphs()), {"drop-small-classes:1"});
  EXPECT_EQ(out.graphs->start, (std::vector<Index>{0, 2, 3, 5, 8}));
  EXPECT_EQ(out.class_names(), (std::vector<std::string>{"10", "20"}));
  expect_error([] { (void)prepare(read_texts(five_graphs()), {"drop-small-classes:2"}); },
               {"leaves no graph", "the largest class has 2"});
  Dataset unlabelled = read_texts(five_graphs());
  std::ranges::fill(unlabelled.labels(), kNoLabel);
  expect_error([&] { (void)prepare(unlabelled, {"drop-small-classes:0"}); },
               {"'drop-small-classes:0' goes by class, and there are no labels"});
  made::TuTexts texts = five_graphs();
  texts["_graph_labels.txt"] = "0,1\n1,nan\n1,1\n0,0\nnan,1\n";
  expect_error([&] { (void)prepare(read_texts(texts), {"drop-small-classes:1"}); }, {"2 tasks"});
}

TEST(PrepareGraphs, StepsOfOneGraphFindNothingToDo) {
  const Dataset raw = read_texts(five_graphs());
  const Dataset out =
      prepare(raw, {"unweight", "symmetrise", "drop-self-loops", "binarise-features"});
  EXPECT_EQ(content_hash(out), content_hash(raw));
  const Dataset normal = prepare(raw, {"row-normalise-features"});
  EXPECT_EQ(floats(std::get<Csr>(normal.features).values), std::vector<float>(8, 1.0f));
}

TEST(PrepareGraphs, WhatDoesNotSuitIsRefusedBeforeAnythingIsDone) {
  expect_error(
      [] {
        (void)prepare(read_texts(five_graphs()), {"unweight", "largest-component"});
      },
      {"X", "'largest-component'", "set of 5 graphs"});
  Dataset one;
  one.name = "one";
  one.adjacency = from_edges(2, std::vector<Edge>{{0, 1}});
  one.features = Matrix(2, 1);
  one.labels() = {0, 0};
  one.class_names() = {"a"};
  expect_error([&] { (void)prepare(one, {"drop-edgeless-graphs"}); },
               {"one", "'drop-edgeless-graphs'", "sets of graphs"});
  made::TuTexts texts = five_graphs();
  texts["_A.txt"] = "1,1\n";
  texts["_edge_attributes.txt"] = "1\n";
  expect_error([&] { (void)prepare(read_texts(texts), {"drop-edgeless-graphs"}); },
               {"leaves no graph"});
}

}  // namespace
}  // namespace cupel
