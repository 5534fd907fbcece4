// Checks of sets of graphs: each on a set with exactly its fault, and none on one without.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "cupel/data/audit/fix.h"
#include "cupel/data/formats/tu_dataset.h"
#include "cupel/data/formats/tu_writer.h"
#include "data/audit/made.h"
#include "data/formats/made_files.h"
#include "data/made_graph_sets.h"

namespace cupel {
namespace {

using made::audit_of;
using made::find;
using made::has;
using test::made_set;
using test::MadeGraph;
using test::random_graph;

// Connected, of 11 to 14 nodes, with classes in turn that follow nothing.
std::vector<MadeGraph> clean_graphs(std::uint32_t count) {
  std::vector<MadeGraph> graphs;
  for (std::uint32_t g = 0; g < count; ++g) {
    MadeGraph graph = random_graph(static_cast<Index>(11 + g / 2 % 4), 0.3, g, g % 2);
    for (Index v = 0; v + 1 < graph.nodes; ++v) graph.edges.emplace_back(v, v + 1);
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

// Node labels 0, 1, 2 by chance.
Dataset labelled(const std::vector<MadeGraph>& graphs) {
  Dataset data = made_set(graphs);
  Stream stream(stream_key("tests/labelled"), 1, 0, 0);
  Csr labels;
  labels.rows = data.nodes();
  labels.cols = 3;
  for (Index i = 0; i < data.nodes(); ++i) {
    labels.columns.push_back(static_cast<Index>(3 * stream.next_unit()));
    labels.row_ptr.push_back(i + 1);
  }
  data.features = std::move(labels);
  return data;
}

// Each graph in one part, 60/20/20, stratified.
Split clean_split(const Dataset& data) {
  Split out;
  for (Index g = 0; g < data.examples(); ++g) {
    const Index turn = g / 2 % 5;
    (turn < 3 ? out.train : turn == 3 ? out.valid : out.test).push_back(g);
  }
  return out;
}

void expect_only(const std::vector<Finding>& findings, const std::set<std::string>& ids) {
  std::set<std::string> found;
  for (const Finding& finding : findings) {
    if (finding.id == "too-small") continue;  // sets of this size are
    found.insert(finding.id);
    EXPECT_FALSE(finding.title.empty() || finding.evidence.empty() || finding.advice.empty());
    EXPECT_GT(finding.count, 0) << finding.id;
    for (const std::string& text : {finding.title, finding.evidence, finding.advice})
      EXPECT_EQ(text.find("{}"), std::string::npos) << text;
  }
  EXPECT_EQ(found, ids);
}

TEST(SetChecks, ACleanSetHasNoFindings) {
  EXPECT_TRUE(audit_of(labelled(clean_graphs(4000))).empty());
  Dataset data = labelled(clean_graphs(400));
  data.stored_splits = {clean_split(data)};
  expect_only(audit_of(data), {});
  const Finding small = find(audit_of(data), "too-small");
  EXPECT_EQ(small.details["test_graphs_per_split"], 80);
  EXPECT_EQ(small.details["test_graphs_needed"], 3838);
  EXPECT_NE(small.title.find("test graphs"), std::string::npos);
}

TEST(SetChecks, EqualGraphsAreCountedByLabelAndSplit) {
  std::vector<MadeGraph> graphs = clean_graphs(200);
  // In turn: 0 and 1 train, ..., 6 and 7 valid, 8 and 9 test; even ones have class 0.
  graphs[8] = graphs[0];  // class 0 both, test and train
  graphs[9] = graphs[18] = graphs[8];
  graphs[9].label = 1;    // contradicts, in test
  graphs[7] = graphs[6];  // other label, both in validation
  graphs[7].label = 1;
  Dataset data = made_set(graphs);
  data.stored_splits = {clean_split(data)};
  const auto findings = audit_of(data);
  expect_only(findings, {"duplicate-graphs", "no-features"});
  const Finding finding = find(findings, "duplicate-graphs");
  EXPECT_EQ(finding.count, 4);
  EXPECT_EQ(finding.details["groups"], 2);
  EXPECT_EQ(finding.details["graphs_in_groups"], 6);
  EXPECT_EQ(finding.details["copies_with_the_same_label"], 2);
  EXPECT_EQ(finding.details["graphs_contradicted"], 6);
  EXPECT_EQ(finding.details["groups_with_contradicting_labels"], 2);
  EXPECT_DOUBLE_EQ(finding.details["best_accuracy"], 0.99);
  EXPECT_EQ(finding.details["straddling_per_split"], nlohmann::ordered_json({3}));
  EXPECT_EQ(finding.details["examples"], nlohmann::ordered_json({0, 8, 9, 18}));
  EXPECT_EQ(finding.severity, Severity::kWarning) << "3 of 40 test graphs";
}

TEST(SetChecks, LabelsAndAttributesMakeGraphsDifferent) {
  std::vector<MadeGraph> graphs = clean_graphs(100);
  graphs[2] = graphs[0];
  Dataset data = labelled(graphs);
  auto& labels = std::get<Csr>(data.features).columns;
  const Index size = graphs[0].nodes, third = data.graphs->start[2];
  std::copy_n(labels.begin(), size, labels.begin() + third);
  data.graphs->node_attributes = Matrix(data.nodes(), 1);
  Stream stream(stream_key("tests/attributes"), 1, 0, 0);
  float* attributes = data.graphs->node_attributes.values.data();
  for (Index i = 0; i < data.nodes(); ++i) attributes[i] = static_cast<float>(stream.next_unit());
  std::copy_n(attributes, size, attributes + third);
  EXPECT_EQ(find(audit_of(data), "duplicate-graphs").count, 1);
  attributes[third] += 1;
  EXPECT_EQ(find(audit_of(data), "duplicate-graphs-by-labels").count, 1);
  labels[static_cast<std::size_t>(third)] = (labels[static_cast<std::size_t>(third)] + 1) % 3;
  const auto findings = audit_of(data);
  expect_only(findings, {"duplicate-graphs-by-structure"});
  EXPECT_EQ(find(findings, "duplicate-graphs-by-structure").count, 1);
}

TEST(SetChecks, EmptyGraphs) {
  std::vector<MadeGraph> graphs = clean_graphs(300);
  graphs[4] = {0, {}, 0};
  graphs[7] = {2, {}, 1};
  const auto findings = audit_of(labelled(graphs));
  expect_only(findings, {"empty-graphs", "edgeless-graphs"});
  EXPECT_EQ(find(findings, "empty-graphs").severity, Severity::kError);
  EXPECT_EQ(find(findings, "empty-graphs").details["examples"][0], 4);
  EXPECT_EQ(find(findings, "edgeless-graphs").severity, Severity::kInfo);
  EXPECT_EQ(find(findings, "edgeless-graphs").details["examples"][0], 7);
}

TEST(SetChecks, ComponentsAndIsolatedNodes) {
  std::vector<MadeGraph> graphs = clean_graphs(300);
  graphs[5].nodes += 2;
  graphs[6].nodes += 3;
  graphs[6].edges.emplace_back(graphs[6].nodes - 1, graphs[6].nodes - 2);
  const auto findings = audit_of(labelled(graphs));
  expect_only(findings, {"isolated-nodes", "several-components"});
  EXPECT_EQ(find(findings, "isolated-nodes").count, 3);
  EXPECT_EQ(find(findings, "isolated-nodes").details["graphs"], 2);
  EXPECT_EQ(find(findings, "several-components").count, 1);
  EXPECT_EQ(find(findings, "several-components").details["examples"][0], 6);
}

TEST(SetChecks, WhatTheReaderLeftOut) {
  Dataset data = labelled(clean_graphs(100));
  data.repeated_arcs = 7;
  data.graphs->dropped_loops = 3;
  const auto findings = audit_of(data);
  expect_only(findings, {"duplicate-edges", "self-loops"});
  EXPECT_EQ(find(findings, "duplicate-edges").count, 7);
  EXPECT_EQ(find(findings, "self-loops").count, 3);
}

TEST(SetChecks, ANumberThatGivesTheLabelAway) {
  std::vector<MadeGraph> graphs = clean_graphs(300);
  for (std::uint32_t g = 0; g < 300; g += 2) {
    MadeGraph larger = random_graph(20, 0.2, g, 0);
    for (Index v = 0; v + 1 < 20; ++v) larger.edges.emplace_back(v, v + 1);
    graphs[g] = std::move(larger);
  }
  const auto findings = audit_of(labelled(graphs));
  expect_only(findings, {"label-revealing-properties"});
  const Finding finding = find(findings, "label-revealing-properties");
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.details["properties"][0]["property"], "nodes");
  EXPECT_EQ(finding.details["properties"][0]["accuracy"], 1.0);
  EXPECT_EQ(finding.details["properties"][0]["thresholds"], nlohmann::ordered_json({17.0}));
  EXPECT_EQ(finding.details["properties"][0]["area"], 1.0);
}

TEST(SetChecks, GraphsOfOneSize) {
  std::vector<MadeGraph> graphs;
  for (std::uint32_t g = 0; g < 100; ++g) {
    MadeGraph graph = random_graph(12, 0.3, g, g % 2);
    for (Index v = 0; v + 1 < 12; ++v) graph.edges.emplace_back(v, v + 1);
    graphs.push_back(std::move(graph));
  }
  const auto findings = audit_of(labelled(graphs));
  expect_only(findings, {"constant-properties"});
  EXPECT_EQ(find(findings, "constant-properties").details["nodes"], 12);
  EXPECT_TRUE(find(findings, "constant-properties").details["edges"].is_null());
}

TEST(SetChecks, LabelsAndAttributesThatAreTheSameForEveryNode) {
  Dataset data = labelled(clean_graphs(100));
  data.graphs->node_attributes = Matrix(data.nodes(), 2);
  for (Index i = 0; i < data.nodes(); ++i)
    data.graphs->node_attributes(i, 1) = static_cast<float>(i % 7);
  const auto findings = audit_of(data);
  expect_only(findings, {"constant-features"});
  EXPECT_EQ(find(findings, "constant-features").details["constant_node_attributes"], 1);
  EXPECT_EQ(find(findings, "constant-features").severity, Severity::kInfo);
}

TEST(SetChecks, ClassesAreThoseOfGraphs) {
  std::vector<MadeGraph> graphs = clean_graphs(300);
  for (std::uint32_t g = 0; g < 300; ++g) graphs[g].label = g % 10 == 0;
  graphs[3].label = 2;
  const auto findings = audit_of(labelled(graphs));
  expect_only(findings, {"class-imbalance", "tiny-class"});
  EXPECT_EQ(find(findings, "class-imbalance").severity, Severity::kWarning);
  const Finding tiny = find(findings, "tiny-class");
  EXPECT_EQ(tiny.details["classes"][0]["graphs"], 1);
  EXPECT_EQ(tiny.details["classes"][0]["examples"], nlohmann::ordered_json({3}));
  EXPECT_EQ(tiny.advice.find("preparation"), std::string::npos);
}

TEST(SetChecks, TasksAreNoClasses) {
  std::vector<MadeGraph> graphs = clean_graphs(300);
  for (std::uint32_t g = 0; g < 300; ++g) graphs[g].label = g == 5;  // what would be a tiny class
  Dataset data = labelled(graphs);
  data.target = BinaryTasks{Matrix(300, 2)};
  for (Index g = 0; g < 300; ++g) {
    data.task_answers()(g, 0) = static_cast<float>(g % 2);
    data.task_answers()(g, 1) = g < 150    ? std::numeric_limits<float>::quiet_NaN()
                                : g >= 294 ? 1.0f
                                           : 0.0f;
  }
  const auto findings = audit_of(data);
  expect_only(findings, {"task-imbalance"});
  const Finding finding = find(findings, "task-imbalance");
  EXPECT_EQ(finding.count, 1);
  EXPECT_EQ(finding.details["tasks"][1]["positive"], 6);
  EXPECT_EQ(finding.details["tasks"][1]["negative"], 144);
  EXPECT_DOUBLE_EQ(finding.details["unknown_share"], 0.25);
}

TEST(SetChecks, SplitsOfGraphs) {
  Dataset data = labelled(clean_graphs(400));
  Split split = clean_split(data);
  split.train.push_back(split.test[0]);
  split.valid.pop_back();
  data.stored_splits = {split};
  const auto findings = audit_of(data);
  expect_only(findings, {"split-overlap", "split-leaves-out"});
  EXPECT_EQ(find(findings, "split-overlap").details["training_and_test"], 1);
  EXPECT_EQ(find(findings, "split-leaves-out").count, 1);
  EXPECT_NE(find(findings, "split-leaves-out").title.find("graph"), std::string::npos);
  Split shifted;  // all of class 0 in test
  for (Index g = 0; g < 400; ++g)
    (g % 2 == 0 ? shifted.test : g % 4 == 1 ? shifted.train : shifted.valid).push_back(g);
  data.stored_splits = {shifted};
  expect_only(audit_of(data), {"split-class-shares", "split-misses-class"});
}

// ---- cleaned copies -----------------------------------------------------------------------------

TEST(SetFix, RepeatsGoAndContradictionsOnRequest) {
  std::vector<MadeGraph> graphs = clean_graphs(40);
  graphs[8] = graphs[20] = graphs[0];
  graphs[9] = graphs[8];
  graphs[9].label = 1;
  graphs[12] = graphs[10];
  Dataset data = made_set(graphs);
  data.repeated_arcs = 4;
  data.graphs->dropped_loops = 2;
  data.stored_splits = {clean_split(data)};
  const AuditSubject subject(data);
  const Fixed fixed = fix(subject);
  ASSERT_EQ(fixed.operations.size(), 3u);
  EXPECT_EQ(fixed.operations[0].count, 4);
  EXPECT_EQ(fixed.operations[1].count, 2);
  EXPECT_EQ(fixed.operations[2].count, 3);  // 8, 20, 12
  EXPECT_EQ(fixed.operations[2].graphs_before, 40);
  EXPECT_EQ(fixed.operations[2].graphs_after, 37);
  std::vector<MadeGraph> expected = graphs;
  for (const std::size_t g : {20u, 12u, 8u})
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(g));
  Dataset clean = made_set(expected);
  Split split;
  const auto follow = [](const std::vector<Index>& from, std::vector<Index>& to) {
    for (const Index g : from) {
      if (g != 8 && g != 12 && g != 20) to.push_back(g - (g > 8) - (g > 12) - (g > 20));
    }
  };
  follow(data.stored_splits[0].train, split.train);
  follow(data.stored_splits[0].valid, split.valid);
  follow(data.stored_splits[0].test, split.test);
  clean.stored_splits = {split};
  EXPECT_EQ(content_hash(fixed.dataset), content_hash(clean));
  EXPECT_FALSE(has(audit_of(fixed.dataset), "duplicate-edges"));

  const Fixed without = fix(subject, {"contradicting-graphs", "duplicate-graphs"});
  EXPECT_EQ(without.operations[0].count, 4);  // 0, 8, 9, 20
  EXPECT_EQ(without.operations[1].count, 1);  // 12
  EXPECT_FALSE(has(audit_of(without.dataset), "duplicate-graphs"));
}

TEST(SetFix, TheCopyReadsBackTheSame) {
  std::vector<MadeGraph> graphs = clean_graphs(30);
  graphs[4] = {2, {}, 0};
  graphs[7].label = 2;  // its class goes with it
  graphs[7].edges.clear();
  Dataset data = labelled(graphs);
  auto& labels = std::get<Csr>(data.features);
  for (Index i = 0; i < data.nodes(); ++i) {
    Index& c = labels.columns[static_cast<std::size_t>(i)];
    c = i >= data.graphs->start[7] && i < data.graphs->start[8] ? 1 : c == 1 ? 0 : c;
  }
  data.graphs->arc_attributes = Matrix(static_cast<Index>(data.adjacency.entries()), 1);
  for (Index at = 0; at < data.graphs->arc_attributes.rows; ++at)
    data.graphs->arc_attributes(at, 0) = static_cast<float>(at % 13) / 4;
  data.graphs->node_attributes = Matrix(data.nodes(), 2);
  for (Index i = 0; i < data.nodes(); ++i)
    data.graphs->node_attributes(i, 1) = static_cast<float>(i);
  const Fixed fixed = fix(AuditSubject(data), {"empty-graphs"});
  EXPECT_EQ(fixed.operations[0].count, 2);
  EXPECT_EQ(fixed.operations[0].lost_classes, std::vector<std::string>{"2"});
  EXPECT_EQ(fixed.dataset.graphs->size(), 28);
  EXPECT_EQ(feature_count(fixed.dataset.features), 2) << "no node has label 1 any more";
  // Of graph 8, now the 6th, what it had.
  const Index before = data.graphs->start[8], after = fixed.dataset.graphs->start[6];
  EXPECT_EQ(fixed.dataset.graphs->node_attributes(after, 1), static_cast<float>(before));
  EXPECT_EQ(fixed.dataset.graphs->arc_attributes(
                static_cast<Index>(fixed.dataset.adjacency.row_ptr[after]), 0),
            data.graphs->arc_attributes(static_cast<Index>(data.adjacency.row_ptr[before]), 0));
  const made::Folder folder;
  write_tu_dataset(fixed.dataset, folder / "copy");
  EXPECT_EQ(content_hash(read_tu_dataset(*TuFiles::in_folder(folder / "copy"))),
            content_hash(fixed.dataset));
}

TEST(SetFix, RefusesToLeaveNothing) {
  const Dataset data = made_set({{1, {}, 0}, {2, {}, 1}});
  made::expect_error([&] { (void)fix(AuditSubject(data), {"empty-graphs"}); },
                     {"empty-graphs", "no graph"});
  made::expect_error([&] { (void)fix(AuditSubject(data), {"reversed-edges"}); },
                     {"'reversed-edges'", "set of graphs"});
}

}  // namespace
}  // namespace cupel
