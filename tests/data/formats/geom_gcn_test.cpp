// Folders of Geom-GCN text, good and bad.
#include "cupel/data/formats/geom_gcn.h"

#include <gtest/gtest.h>

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/format.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::array;
using made::expect_error;
using made::Folder;

const std::string kNodes = "out1_node_feature_label.txt", kEdges = "out1_graph_edges.txt";

// Four nodes, three features, labels 0, 2, 2, 4; an arc twice, a loop, a pair in both directions.
void write_folder(const std::filesystem::path& folder, int splits = 2) {
  std::filesystem::create_directories(folder);
  made::write_file(folder / kNodes,
                   "node_id\tfeature\tlabel\n2\t0,0,1\t2\n0\t1,0,1\t0\n1\t0,0,0\t2\n3\t1,1,1\t4\n");
  made::write_file(folder / kEdges, "node_id\tnode_id\n0\t1\n1\t0\n2\t3\n2\t3\n3\t3\n");
  for (int k = 0; k < splits; ++k) {
    const std::int32_t first = k == 0;
    write_npz(folder / fmt::format("tiny_split_0.6_0.2_{}.npz", k),
              {{"train_mask", array<std::int32_t>({first, 1 - first, 0, 0})},
               {"val_mask", array<std::int32_t>({0, 0, 1, 0})},
               {"test_mask", array<std::int32_t>({1 - first, first, 0, 1})}});
  }
}

TEST(GeomGcn, IsReadAsStored) {
  const Folder folder;
  write_folder(folder / "tiny");
  const Dataset data = read_dataset((folder / "tiny").string());
  EXPECT_EQ(data.name, "tiny");
  EXPECT_EQ(data.nodes(), 4);
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"0", "2", "4"}));
  EXPECT_EQ(data.labels(), (std::vector<Index>{0, 1, 1, 2}));
  const Csr& x = std::get<Csr>(data.features);
  EXPECT_EQ(x.cols, 3);
  EXPECT_EQ(x.row_ptr, (std::vector<Offset>{0, 2, 2, 3, 6}));
  EXPECT_EQ(x.columns, (std::vector<Index>{0, 2, 2, 0, 1, 2}));
  EXPECT_EQ(data.adjacency.entries(), 4);
  EXPECT_EQ(data.repeated_arcs, 1);
  ASSERT_EQ(data.stored_splits.size(), 2u);
  EXPECT_EQ(data.stored_splits[0].train, std::vector<Index>{0});
  EXPECT_EQ(data.stored_splits[1].train, std::vector<Index>{1});
  EXPECT_EQ(data.stored_splits[1].valid, std::vector<Index>{2});
  EXPECT_EQ(data.stored_splits[0].test, (std::vector<Index>{1, 3}));
}

// As the file of Actor has them: numbers of features, in any order, some twice.
TEST(GeomGcn, FeaturesMayBeListed) {
  const Folder folder;
  write_folder(folder.path(), 0);
  made::write_file(folder / kNodes,
                   "node_id\tfeature\tlabel\r\n0\t5,1\t0\r\n1\t1\t1\r\n2\t\t1\r\n3\t2,0,2\t0\r\n");
  const Dataset data = read_geom_gcn(folder.path());
  const Csr& x = std::get<Csr>(data.features);
  EXPECT_EQ(x.cols, 6);
  EXPECT_EQ(x.row_ptr, (std::vector<Offset>{0, 2, 3, 3, 5}));
  EXPECT_EQ(x.columns, (std::vector<Index>{1, 5, 1, 0, 2}));
  EXPECT_TRUE(data.stored_splits.empty());
}

TEST(GeomGcn, WhatIsWrongIsNamed) {
  struct Case {
    std::string file, text;
    std::vector<std::string> pieces;
  };
  const std::string head = "node_id\tfeature\tlabel\n", edges = "node_id\tnode_id\n";
  const std::vector<Case> cases = {
      {kNodes, "", {kNodes, "header"}},
      {kNodes, "0\t1,0\t1\n", {kNodes, "header"}},
      {kNodes, head, {"names no node"}},
      {kNodes, head + "0\t1,0\n", {"line 2", "2 parts where 3"}},
      {kNodes, head + "0\t1,x\t1\n", {"line 2", "'x' is no feature"}},
      {kNodes, head + "0\t1,\t1\n", {"line 2", "'' is no feature"}},
      {kNodes, head + "0\t0.5,1\t1\n", {"line 2", "'0.5'"}},
      {kNodes, head + "0\t1,0\t-1\n", {"line 2", "'-1' is no label"}},
      {kNodes, head + "0\t1,0\t1\n0\t1,0\t1\n", {"line 3", "node 0 appears again", "line 2"}},
      {kNodes, head + "0\t1,0\t1\n2\t1,0\t1\n", {"node 1 has no line", "and 2 has"}},
      {kNodes, head + "99999999999999999999\t1,0\t1\n", {"line 2", "is no node"}},
      {kNodes, head + "0\t1,0,1\t1\n1\t1,0,1,1\t1\n", {"line 2", "0 and 1"}},
      {kEdges, "0\t1\n", {kEdges, "header"}},
      {kEdges, edges + "0\t4\n", {"line 2", "'4' is no node", "0 to 3"}},
      {kEdges, edges + "0 1\n", {"line 2", "1 part where 2"}},
      {"tiny_split_0.6_0.2_0.npz", "no archive", {"tiny_split_0.6_0.2_0.npz"}},
      {"tiny_split_0.6_0.2_x.npz", "", {"'x.npz'", "rename"}},
      {"tiny_split_0.6_0.2_3.npz", "", {"split 2 is missing"}},
      {"other_split_0.6_0.2_2.npz", "", {"'other'", "'tiny'"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Folder folder;
    write_folder(folder.path());
    made::write_file(folder / c.file, c.text);
    expect_error([&] { (void)read_geom_gcn(folder.path()); }, c.pieces);
  }
  const Folder folder;
  write_folder(folder.path());
  write_npz(folder / "tiny_split_0.6_0.2_1.npz", {{"train_mask", array<std::int32_t>({1, 0, 0})}});
  expect_error([&] { (void)read_geom_gcn(folder.path()); }, {"train_mask", "(3)", "(4)"});
  write_npz(folder / "tiny_split_0.6_0.2_1.npz",
            {{"train_mask", array<std::int32_t>({1, 1, 0, 0})},
             {"val_mask", array<std::int32_t>({0, 1, 1, 0})},
             {"test_mask", array<std::int32_t>({0, 0, 0, 1})}});
  expect_error([&] { (void)read_geom_gcn(folder.path()); }, {"split 1"});
  EXPECT_EQ(read_geom_gcn(folder.path(), ReadMode::kForAudit).stored_splits.size(), 2u);
}

// Table 6 of Platonov et al., and the counts of the four graphs.
TEST(GeomGcn, TheCatalogHasTheGraphsOfTable6) {
  struct Row {
    const char* name;
    std::int64_t nodes, edges, features;
    std::vector<std::int64_t> sizes;
  };
  const Row rows[] = {{"texas", 183, 279, 1703, {33, 1, 18, 101, 30}},
                      {"cornell", 183, 277, 1703, {38, 16, 30, 82, 17}},
                      {"wisconsin", 251, 450, 1703, {10, 70, 118, 32, 21}},
                      {"actor", 7600, 26659, 932, {853, 1337, 1630, 1815, 1965}}};
  for (const Row& row : rows) {
    const Recipe* recipe = find_recipe(row.name);
    ASSERT_NE(recipe, nullptr) << row.name;
    EXPECT_EQ(recipe->class_sizes, row.sizes);
    std::int64_t sum = 0;
    for (const std::int64_t size : recipe->class_sizes) sum += size;
    EXPECT_EQ(sum, row.nodes) << row.name;
    EXPECT_EQ(recipe->facts.at("nodes"), row.nodes);
    EXPECT_EQ(recipe->facts.at("edges"), row.edges);
    EXPECT_EQ(recipe->facts.at("features"), row.features);
    EXPECT_EQ(recipe->files.size(), 12u);
  }
}

TEST(GeomGcn, ARecipeAssertsClassSizes) {
  const Folder folder;
  write_folder(folder.path());
  Recipe recipe;
  recipe.name = "tiny";
  recipe.any_format = true;
  recipe.files = {{kEdges, "", 0, {"https://example.org/a"}}};
  recipe.class_sizes = {1, 2, 1};
  recipe.files.push_back({kNodes, "", 0, {"https://example.org/b"}});
  EXPECT_EQ(load_recipe(recipe, folder.path()).name, "tiny");
  recipe.class_sizes = {2, 1, 1};
  expect_error([&] { (void)load_recipe(recipe, folder.path()); }, {"1, 2, 1", "expected 2, 1, 1"});
}

}  // namespace
}  // namespace cupel
