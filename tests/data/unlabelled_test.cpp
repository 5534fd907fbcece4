// Nodes without a label: in the graph, in no part of a split, in no class, in no statistic.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <set>

#include "cupel/base/random.h"
#include "cupel/data/audit/fix.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/split_json.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/data/split/split.h"
#include "cupel/data/stats/statistics.h"
#include "data/audit/made.h"
#include "data/formats/made_files.h"
#include "data/stats/oracle.h"

namespace cupel {
namespace {

// A ring with chords; every fifth node has no label.
Dataset ring(Index nodes = 200) {
  Dataset out;
  out.name = "ring";
  std::vector<Edge> edges;
  for (Index i = 0; i < nodes; ++i) {
    edges.push_back({i, (i + 1) % nodes});
    edges.push_back({i, (i * 7 + 3) % nodes});
  }
  out.adjacency = from_edges(nodes, edges);
  Matrix features(nodes, 2);
  for (Index i = 0; i < nodes; ++i) features(i, 0) = static_cast<float>(i + 1);
  out.features = std::move(features);
  for (Index i = 0; i < nodes; ++i) out.labels().push_back(i % 5 == 4 ? kNoLabel : i % 3);
  out.class_names() = {"0", "1", "2"};
  return out;
}

// The same without these nodes: what schemes and statistics must not be able to tell apart.
Dataset labelled_part(const Dataset& data) {
  Dataset out = data;
  const std::vector<Index> nodes = labelled_examples(data);
  out.adjacency = induced_subgraph(data.adjacency, nodes);
  out.labels().clear();
  for (const Index i : nodes) out.labels().push_back(data.labels()[static_cast<std::size_t>(i)]);
  out.features = Matrix(static_cast<Index>(nodes.size()), 2);
  return out;
}

// A scheme sees labelled nodes only: the split is that of the labelled nodes alone, by their ids.
TEST(Unlabelled, EveryKindOfSplitIsOfTheOthers) {
  const Dataset data = ring(), part = labelled_part(data);
  const std::vector<Index> nodes = labelled_examples(data);
  const std::vector<SplitScheme> schemes = {
      {"per-class", {{"train", 10}, {"valid", 10}}},
      {"planetoid", {{"train", 5}, {"valid", 30}, {"test", 40}}},
      {"random", {{"train", 40}, {"valid", 30}}},
      {"stratified", {{"train", 50}, {"valid", 25}}},
      {"stratified-kfold", {{"valid", 10}, {"folds", 7}}}};
  for (const SplitScheme& scheme : schemes) {
    for (int k = 0; k < 9; ++k) {
      const Split split = make_split(data, scheme, k);
      Split same = make_split(part, scheme, k);
      for (auto* ids : {&same.train, &same.valid, &same.test})
        for (Index& id : *ids) id = nodes[static_cast<std::size_t>(id)];
      EXPECT_EQ(split.train, same.train) << scheme.kind;
      EXPECT_EQ(split.valid, same.valid) << scheme.kind;
      EXPECT_EQ(split.test, same.test) << scheme.kind;
    }
  }
  made::expect_error(
      [&] {
        (void)make_split(data, {"planetoid", {{"train", 20}, {"valid", 50}, {"test", 51}}}, 0);
      },
      {"161", "160 with a label"});
  made::expect_error(
      [&] {
        (void)make_split(data, {"stratified-kfold", {{"valid", 10}, {"folds", 161}}}, 0);
      },
      {"161 folds of 160 nodes"});
}

TEST(Unlabelled, NoPartOfASplitHasThem) {
  Dataset data = ring();
  made::expect_error(
      [&] {
        check_split(data, {{0}, {1, 4}, {2}}, "here");
      },
      {"here: validation node 4 has no label"});
  data.stored_splits = {{{0}, {1}, {2, 9}}};
  made::expect_error([&] { (void)make_split(data, {.kind = "stored"}, 0); },
                     {"test node 9 has no label"});
}

TEST(Unlabelled, FoldsOfAFileNameTheOthers) {
  const made::Folder folder;
  Dataset data = ring(10);
  const auto path = folder / "folds.json";
  const auto folds = [&](const std::string& first) {
    made::write_file(path, R"([{"test": )" + first +
                               R"(, "model_selection": [{"train": [5, 6, 7], "validation": [8]}]},
      {"test": [5, 6, 7, 8], "model_selection": [{"train": [0, 1, 2], "validation": [3]}]}])");
  };
  folds("[0, 1, 2, 3]");
  EXPECT_NO_THROW(check_fits(read_split_json(path), data));
  EXPECT_EQ(make_split(data, {"file", {{"file", path.string()}}}, 0).test.size(), 4u);
  data.labels()[4] = 0;
  made::expect_error([&] { check_fits(read_split_json(path), data); },
                     {"of 8 nodes", "has 9 with a label"});
}

TEST(Unlabelled, PreparationKeepsThem) {
  const Dataset data = ring();
  const Dataset whole = prepare(data, {"symmetrise", "largest-component"});
  EXPECT_EQ(whole.labels(), data.labels());
  // Class 0 is gone, the nodes without a class are not.
  Dataset few = data;
  for (Index& label : few.labels()) label = label == 0 ? 1 : label;
  few.labels()[0] = 0;
  few = prepare(few, {"drop-small-classes:1"});
  EXPECT_EQ(few.nodes(), 199);
  EXPECT_EQ(count_unlabelled(few), 40);
  EXPECT_EQ(few.class_names(), (std::vector<std::string>{"1", "2"}));
  for (Index i = 0; i < few.nodes(); ++i) {
    const Index before = data.labels()[static_cast<std::size_t>(i + 1)];
    EXPECT_EQ(few.labels()[static_cast<std::size_t>(i)], before < 0 ? -1 : before == 2 ? 1 : 0);
  }
  made::expect_error([&] { (void)prepare(data, {"drop-small-classes:60"}); },
                     {"leaves no node", "the largest class has 54"});
}

TEST(Unlabelled, StatisticsOfLabelsAreOfTheOthers) {
  const Dataset data = ring(60);
  const std::vector<Index> nodes = labelled_examples(data);
  // The definitions, on the matrix of the labelled nodes.
  const oracle::Flags all = oracle::simple(data.adjacency);
  oracle::Flags joined(nodes.size(), std::vector<char>(nodes.size()));
  std::vector<Index> y;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    y.push_back(data.labels()[static_cast<std::size_t>(nodes[i])]);
    for (std::size_t j = 0; j < nodes.size(); ++j) joined[i][j] = all[nodes[i]][nodes[j]];
  }
  const oracle::Labels wanted = oracle::labels(joined, y, 3);
  const Statistics found = statistics(data, {});
  ASSERT_TRUE(found.labels);
  EXPECT_EQ(found.nodes, 60);
  EXPECT_EQ(found.classes, 3);
  EXPECT_EQ(found.labels->unlabelled, 12);
  EXPECT_EQ(found.labels->class_sizes, (std::vector<Index>{16, 16, 16}));
  EXPECT_NEAR(*found.labels->edge_homophily, *wanted.edge, 1e-12);
  EXPECT_NEAR(*found.labels->node_homophily, *wanted.node, 1e-12);
  EXPECT_NEAR(*found.labels->class_homophily, *wanted.by_class, 1e-12);
  EXPECT_NEAR(*found.labels->adjusted_homophily, *wanted.adjusted, 1e-12);
  EXPECT_NEAR(*found.labels->label_informativeness, *wanted.informativeness, 1e-12);
  EXPECT_EQ(label_statistics(data, {})->edge_homophily, found.labels->edge_homophily);
  EXPECT_EQ(facts_of(data).at("unlabelled"), 12);
}

TEST(Unlabelled, AnAuditCountsThemAndNothingElseChanges) {
  const Dataset clean = made::clean_dataset();
  Dataset data = clean;
  for (Split& split : data.stored_splits) {
    for (auto* part : {&split.train, &split.valid, &split.test})
      std::erase_if(*part, [](Index i) { return i < 36; });
  }
  for (Index i = 0; i < 36; ++i) data.labels()[static_cast<std::size_t>(i)] = kNoLabel;
  auto findings = made::audit_of(data);
  const Finding found = made::find(findings, "unlabelled-nodes");
  EXPECT_EQ(found.count, 36);
  EXPECT_EQ(found.severity, Severity::kInfo);
  std::erase_if(findings, [](const Finding& f) { return f.id == "unlabelled-nodes"; });
  std::set<std::string> before;
  for (const Finding& finding : made::audit_of(clean)) before.insert(finding.id);
  for (const Finding& finding : findings)
    EXPECT_TRUE(finding.id == "too-small" || before.contains(finding.id)) << finding.title;

  data.stored_splits[1].test.insert(data.stored_splits[1].test.begin(), {3, 7});
  const Finding error = made::find(made::audit_of(data), "split-unlabelled");
  EXPECT_EQ(error.severity, Severity::kError);
  EXPECT_EQ(error.count, 2);
  EXPECT_EQ(error.details["per_split"], (nlohmann::ordered_json{0, 2, 0}));
}

// Features that equal the label are found by the labelled nodes alone; a leaf of a class lost to a
// fix leaves the others without a label where they were.
TEST(Unlabelled, ChecksOfClassesLookAtTheOthers) {
  Dataset data = made::clean_dataset(3000);
  auto& features = std::get<Matrix>(data.features);
  for (Index i = 0; i < data.nodes(); ++i) {
    if (i % 4 == 0) data.labels()[static_cast<std::size_t>(i)] = kNoLabel;
    features(i, 0) = i % 4 == 0 ? static_cast<float>(i % 7) : static_cast<float>(i % 3);
    if (i % 4 == 0) features(i, 1) = features(i, 2) = features(i, 3) = 1;  // groups without a class
  }
  data.stored_splits.clear();
  const auto findings = made::audit_of(data);
  EXPECT_EQ(made::find(findings, "label-revealing-features").count, 1);
  EXPECT_GT(made::find(findings, "duplicate-nodes-by-features").count, 700);

  data.labels()[1] = 3;
  data.class_names().push_back("rare");
  std::vector<Edge> edges;
  for (Index i = 2; i < data.nodes(); ++i) edges.push_back({i, i > 2 ? i - 1 : i + 1});
  data.adjacency = from_edges(data.nodes(), edges);
  const Fixed fixed = fix(AuditSubject(data), {"isolated-nodes"});
  EXPECT_EQ(fixed.dataset.nodes(), 2998);
  EXPECT_EQ(fixed.dataset.classes(), 3);
  EXPECT_EQ(count_unlabelled(fixed.dataset), 749);
}

TEST(Unlabelled, NodesWithoutALabelAreNotOfOneClass) {
  // Leaves 1 to 4 of a star: 1 and 2 of one class, 3 and 4 of none.
  Dataset data;
  data.name = "star";
  data.adjacency = symmetrise(from_edges(5, std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {0, 4}}));
  Matrix features(5, 1);
  for (Index i = 0; i < 5; ++i) features(i, 0) = static_cast<float>(i);
  data.features = std::move(features);
  data.labels() = {0, 1, 1, kNoLabel, kNoLabel};
  data.class_names() = {"0", "1"};
  EXPECT_EQ(made::find(made::audit_of(data), "duplicate-nodes-by-neighbours").count, 1);
}

TEST(Unlabelled, FormatsKeepThem) {
  const made::Folder folder;
  const Dataset data = ring();
  write_gnn_benchmark_npz(data, folder / "a.npz");
  EXPECT_EQ(content_hash(read_dataset(folder / "a.npz")), content_hash(data));
  write_heterophilous_npz(data, folder / "b.npz");
  EXPECT_EQ(read_dataset(folder / "b.npz").labels(), data.labels());

  made::Members one_hot = made::gnn_benchmark_members();
  made::erase(one_hot, "labels");
  one_hot.emplace_back("labels_data", made::array<float>({1, 1, 1, 0}));
  one_hot.emplace_back("labels_indices", made::array<std::int32_t>({0, 1, 2, 1}));
  one_hot.emplace_back("labels_indptr", made::array<std::int32_t>({0, 1, 2, 3, 4, 4}));
  one_hot.emplace_back("labels_shape", made::array<std::int64_t>({5, 3}));
  write_npz(folder / "c.npz", one_hot);
  EXPECT_EQ(read_dataset(folder / "c.npz").labels(), (std::vector<Index>{0, 1, 2, -1, -1}));

  std::filesystem::create_directory(folder / "text");
  made::write_file(folder / "text" / "labels.csv", "node,label\nann,tea\nbob,\ncy,\"\"\ndee,ale\n");
  made::write_file(folder / "text" / "edges.csv", "source,target\nann,bob\nbob,dee\n");
  const Dataset text = read_dataset(folder / "text");
  EXPECT_EQ(text.labels(), (std::vector<Index>{1, -1, -1, 0}));
  EXPECT_EQ(text.class_names(), (std::vector<std::string>{"ale", "tea"}));
}

TEST(Unlabelled, SomeNodeHasALabel) {
  const made::Folder folder;
  made::Members members = made::gnn_benchmark_members();
  made::member(members, "labels") = made::array<std::int32_t>({-1, -1, -1, -1, -1});
  write_npz(folder / "a.npz", members);
  made::expect_error([&] { (void)read_dataset(folder / "a.npz"); },
                     {"a.npz", "no node has a label"});
  std::filesystem::create_directory(folder / "text");
  made::write_file(folder / "text" / "labels.csv", "node,label\nann,\n");
  made::write_file(folder / "text" / "edges.csv", "source,target\n");
  made::expect_error([&] { (void)read_dataset(folder / "text"); },
                     {"labels.csv", "no node has a label"});
}

}  // namespace
}  // namespace cupel
