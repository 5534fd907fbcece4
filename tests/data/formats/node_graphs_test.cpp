// Graphs as arrays and tables: npz files with PyG's names, folders of OGB, two tables, and what is
// refused of GraphML and MAT-files.
#include <gtest/gtest.h>

#include <bit>

#include "cupel/data/formats/format.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::array;
using made::Members;

// ---- npz with PyG's names -----------------------------------------------------------------------

class PygNpz : public testing::Test {
 protected:
  Members members_ = {{"x", array<float>({1, 0, 0, 1, 2, 2}, {3, 2})},
                      {"edge_index", array<std::int64_t>({0, 1, 0, 1, 2, 1}, {2, 3})},
                      {"y", array<std::int64_t>({5, -1, 7})}};
  made::Folder folder_;

  Dataset read() {
    write_npz(folder_ / "made.npz", members_);
    return read_dataset(folder_ / "made.npz");
  }
  void expect_refused(const std::string& key, NpyArray value, std::vector<std::string> pieces) {
    const Members before = members_;
    made::erase(members_, key);
    members_.emplace_back(key, std::move(value));
    pieces.push_back("made.npz");
    made::expect_error([&] { (void)read(); }, pieces);
    members_ = before;
  }
};

TEST_F(PygNpz, IsTheGraph) {
  const Dataset data = read();
  made::check_dataset(data);
  EXPECT_EQ(data.name, "made");
  EXPECT_EQ(data.adjacency.row_ptr, (std::vector<Offset>{0, 1, 2, 2}));
  EXPECT_EQ(data.adjacency.columns, (std::vector<Index>{1, 2}));
  EXPECT_EQ(data.adjacency.value(0), 2.0f);
  EXPECT_EQ(data.repeated_arcs, 1);
  EXPECT_EQ(data.labels(), (std::vector<Index>{0, -1, 1}));
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"5", "7"}));
}

TEST_F(PygNpz, WeightsAndAColumnOfClasses) {
  members_.emplace_back("edge_weight", array<float>({0.5, 3, 0.25}));
  made::member(members_, "y") = array<std::int64_t>({5, 6, 7}, {3, 1});
  const Dataset data = read();
  EXPECT_EQ(data.adjacency.value(0), 0.75f);
  EXPECT_EQ(data.classes(), 3);
}

TEST_F(PygNpz, MasksInEveryForm) {
  made::member(members_, "y") = array<std::int64_t>({0, 1, 0});
  members_.emplace_back("train_mask", array<std::int32_t>({1, 0, 0, 1, 0, 0}, {3, 2}));
  members_.emplace_back("val_mask", array<std::int32_t>({0, 1, 0, 1, 0, 0}, {2, 3}));
  members_.emplace_back("test_mask", array<std::int32_t>({0, 0, 1}));
  const Dataset data = read();
  ASSERT_EQ(data.stored_splits.size(), 2u);
  EXPECT_EQ(data.stored_splits[0].train, (std::vector<Index>{0}));
  EXPECT_EQ(data.stored_splits[0].valid, (std::vector<Index>{1}));
  EXPECT_EQ(data.stored_splits[1].train, (std::vector<Index>{1}));
  EXPECT_EQ(data.stored_splits[1].valid, (std::vector<Index>{0}));
  EXPECT_EQ(data.stored_splits[1].test, (std::vector<Index>{2}));
  expect_refused("val_mask", array<std::int32_t>({1, 0, 0}), {"split 0", "node 0"});
  expect_refused("val_mask", array<std::int32_t>({0, 1}), {"'val_mask'", "(2)", "(3, splits)"});
  expect_refused("val_mask", array<std::int32_t>({0, 1, 2}), {"'val_mask'[2] is 2"});
  expect_refused("val_mask", array<std::int32_t>(std::vector<std::int32_t>(9, 0), {3, 3}),
                 {"3 splits where another mask has 2"});
  made::erase(members_, "val_mask");
  made::expect_error([&] { (void)read(); }, {"has no val_mask"});
  EXPECT_EQ(read_dataset(folder_ / "made.npz", ReadMode::kForAudit).stored_splits.size(), 2u);
}

TEST_F(PygNpz, Faults) {
  expect_refused("x", array<float>({1, 2}, {2, 1}), {"2 feature rows for 3 nodes"});
  expect_refused("x", array<float>({}, {3, 0}), {"no feature column"});
  expect_refused("edge_index", array<std::int64_t>({0, 1, 0, 1, 2, 1}, {3, 2}),
                 {"(3, 2)", "(2, edges)", "transpose"});
  expect_refused("edge_index", array<std::int64_t>({0, 3}, {2, 1}), {"is 3", "the 3 nodes"});
  expect_refused("edge_weight", array<float>({1}), {"1 values for 3 edges"});
  expect_refused("y", array<std::int64_t>({0, 1, 1, 0, 0, 0}, {3, 2}),
                 {"(3, 2)", "several labels"});
  expect_refused("y", array<std::int64_t>({0, -2, 1}), {"is -2"});
  expect_refused("y", array<float>({0, 1, 2}), {"dtype <f4"});
  expect_refused("y", array<std::int64_t>({}), {"no node"});
  made::erase(members_, "y");
  made::expect_error([&] { (void)read(); }, {"has no labels", "give y"});
}

// ---- OGB ----------------------------------------------------------------------------------------

class OgbNodes : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"raw", "split/time"})
      std::filesystem::create_directories(folder_ / name);
    write("raw/num-node-list.csv", "4\n");
    write("raw/num-edge-list.csv", "4\n");
    write("raw/edge.csv", "0,1\n1,2\n0,1\n3,0\n");
    write("raw/node-feat.csv", "0.5,1\n1,2\n-1,0\n3,3\n");
    write("raw/node-label.csv", "10\n20\nnan\n10\n");
    write("split/time/train.csv", "3\n");
    write("split/time/valid.csv", "1\n");
    write("split/time/test.csv", "0\n");
  }
  void write(const std::string& name, const std::string& text) {
    made::write_file(folder_ / name, text);
  }
  void expect_refused(const std::string& name, const std::string& text,
                      const std::vector<std::string>& pieces) {
    const std::string before = made::file_content(folder_ / name);
    write(name, text);
    made::expect_error([&] { (void)read_dataset(folder_.path()); }, pieces);
    write(name, before);
  }
  made::Folder folder_;
};

TEST_F(OgbNodes, AreTheGraph) {
  const Dataset data = read_dataset(folder_.path());
  made::check_dataset(data);
  EXPECT_FALSE(data.graphs);
  EXPECT_EQ(data.adjacency.row_ptr, (std::vector<Offset>{0, 1, 2, 2, 3}));
  EXPECT_EQ(data.adjacency.columns, (std::vector<Index>{1, 2, 0}));
  EXPECT_EQ(data.repeated_arcs, 1);
  EXPECT_EQ(data.labels(), (std::vector<Index>{0, 1, -1, 0}));
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"10", "20"}));
  EXPECT_EQ(std::get<Matrix>(data.features)(2, 0), -1.0f);
  ASSERT_EQ(data.stored_splits.size(), 1u);
  EXPECT_EQ(data.stored_splits[0].train, (std::vector<Index>{3}));
  std::filesystem::remove(folder_ / "raw/node-feat.csv");
  EXPECT_EQ(feature_count(read_dataset(folder_.path()).features), 4) << "a feature for each node";
}

TEST_F(OgbNodes, NumbersAreTheNearestFloats) {
  write("raw/node-feat.csv", "+1.5\n7.038531e-26\n-1e-400\n-1\n");
  const Dataset data = read_dataset(folder_.path());
  const auto& features = std::get<Matrix>(data.features);
  EXPECT_EQ(features(0, 0), 1.5f);
  EXPECT_EQ(features(1, 0), std::bit_cast<float>(0x15ae43fdu));
  EXPECT_EQ(features(2, 0), 0.0f);
}

TEST_F(OgbNodes, Faults) {
  expect_refused("raw/num-node-list.csv", "4\n4\n", {"num-node-list.csv", "a second graph"});
  expect_refused("raw/num-node-list.csv", "2000000000\n",
                 {"node-label.csv", "4 lines for 2000000000"});
  expect_refused("raw/num-node-list.csv", "-1\n", {"-1 nodes"});
  expect_refused("raw/edge.csv", "0,1\n4,0\n", {"edge.csv", "line 2", "node 4"});
  expect_refused("raw/edge.csv", "0,1\n1,2\n",
                 {"edge.csv: has 2 rows", "num-edge-list.csv says 4"});
  expect_refused("raw/num-edge-list.csv", "-1\n", {"-1 edges"});
  expect_refused("raw/node-label.csv", "0,1\n0,1\n0,1\n0,1\n", {"2 labels of a node"});
  expect_refused("raw/node-label.csv", "0\n1\n1.5\n1\n", {"line 3", "1.5 is no class"});
  // As float32 both are 2^24.
  expect_refused("raw/node-label.csv", "0\n1\n16777216\n16777217\n",
                 {"line 3", "16777216 is no class", "below 16777216"});
  expect_refused("raw/node-label.csv", "0\n1\n-2\n1\n", {"[2] is -2"});
  expect_refused("raw/node-feat.csv", "1\n2\n3\n", {"3 feature rows for 4 nodes"});
  expect_refused("split/time/test.csv", "2\n", {"test node 2 has no label"});
  expect_refused("split/time/test.csv", "9\n", {"node 9 is not one of the data set's 4"});
}

// ---- two tables ---------------------------------------------------------------------------------

class Tables : public testing::Test {
 protected:
  void write(const std::string& nodes, const std::string& edges) {
    made::write_file(folder_ / "nodes.csv", nodes);
    made::write_file(folder_ / "edges.csv", edges);
  }
  void expect_refused(const std::string& nodes, const std::string& edges,
                      const std::vector<std::string>& pieces) {
    write(nodes, edges);
    made::expect_error([&] { (void)read_dataset(folder_.path()); }, pieces);
  }
  made::Folder folder_;
  const std::string nodes_ =
      "Node_ID,age,Class,height\nann,31,tea,1.5\n\"b, ob\",28,,1.75\n07,4,ale,1\n";
};

TEST_F(Tables, AreTheGraph) {
  write(nodes_, "src,dst\nann,\"b, ob\"\n07,ann\nann,\"b, ob\"\n");
  const Dataset data = read_dataset(folder_.path());
  made::check_dataset(data);
  EXPECT_EQ(data.adjacency.columns, (std::vector<Index>{1, 0}));
  EXPECT_EQ(data.adjacency.value(0), 2.0f);
  EXPECT_EQ(data.repeated_arcs, 1);
  EXPECT_EQ(data.labels(), (std::vector<Index>{1, -1, 0}));
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"ale", "tea"}));
  const auto& features = std::get<Matrix>(data.features);
  EXPECT_EQ(features.cols, 2);
  EXPECT_EQ(features(1, 0), 28.0f);
  EXPECT_EQ(features(1, 1), 1.75f);
  write("id,label\na,x\nb,y\n", "id_1,id_2,weight\na,b,0.5\n");
  const Dataset plain = read_dataset(folder_.path());
  EXPECT_EQ(plain.adjacency.value(0), 0.5f);
  EXPECT_EQ(feature_count(plain.features), 2) << "a feature for each node";
}

TEST_F(Tables, AnotherColumnIsTheLabel) {
  write("id,age,label\na,3,1\nb,,2\nc,4,5\n", "u,v\na,b\n");
  const Dataset data = read_dataset_with_label(folder_.path(), "age");
  EXPECT_EQ(data.labels(), (std::vector<Index>{0, -1, 1}));
  EXPECT_EQ(std::get<Matrix>(data.features)(2, 0), 5.0f);
  made::expect_error([&] { (void)read_dataset_with_label(folder_.path(), "town"); },
                     {"nodes.csv", "'town'"});
  made::expect_error([&] { (void)read_dataset_with_label(folder_.path(), "id"); },
                     {"cannot be that of labels"});
}

TEST_F(Tables, Faults) {
  const std::string edges = "src,dst\nann,07\n";
  expect_refused("a,label\n1,2\n", edges,
                 {"nodes.csv", "line 1", "'a', 'label'", "a column of ids"});
  expect_refused("id,a\n1,2\n", edges, {"nodes.csv", "a column of labels"});
  expect_refused("id,label,town\n1,2,Rome\n", edges, {"line 2", "'town'", "'Rome'"});
  expect_refused("id,label\n1,2\n1,3\n", edges, {"line 3", "'1' appears again"});
  expect_refused("id,label\n,2\n", edges, {"line 2", "no id"});
  expect_refused("id,label\n", edges, {"names no node"});
  expect_refused("id,label\n1,\n", "src,dst\n", {"no node has a label"});
  expect_refused(nodes_, "0,1\nann,07\n", {"edges.csv", "line 1", "'0', '1'", "source,target"});
  expect_refused(nodes_, "src,dst,kind\nann,07,x\n", {"'kind'"});
  expect_refused(nodes_, "src,dst\nann,7\n", {"edges.csv", "line 2", "'7' is not in nodes.csv"});
}

// ---- GraphML ------------------------------------------------------------------------------------

class GraphMl : public testing::Test {
 protected:
  Dataset read(const std::string& keys, const std::string& graph) {
    made::write_file(folder_ / "made.xml",
                     "<?xml version=\"1.0\"?>\n<graphml>\n" + keys + graph + "</graphml>\n");
    return read_dataset(folder_ / "made.xml");
  }
  void expect_refused(const std::string& keys, const std::string& graph,
                      std::vector<std::string> pieces) {
    pieces.push_back("made.xml");
    made::expect_error([&] { (void)read(keys, graph); }, pieces);
  }
  made::Folder folder_;
  const std::string keys_ =
      "<key id='c' for='node' attr.name='Class' attr.type='int'><default>3</default></key>"
      "<key id='a' for='node' attr.name='age' attr.type='double'><default>7</default></key>"
      "<key id='w' for='edge' attr.name='weight' attr.type='float'><default>2</default></key>";
};

TEST_F(GraphMl, DefaultsAndEdgesBeforeNodes) {
  const Dataset data = read(keys_,
                            "<graph edgedefault='undirected'><edge source='x' target='y'/>"
                            "<edge source='y' target='z'><data key='w'>0.5</data></edge>"
                            "<node id='x'/><node id='y'><data key='c'> 12 </data><data key='a'>1e1"
                            "</data></node><node id='z'><data key='c'></data></node></graph>\n");
  made::check_dataset(data);
  EXPECT_EQ(data.name, "made");
  EXPECT_EQ(data.labels(), (std::vector<Index>{0, 1, -1})) << "an empty value is no label";
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"3", "12"})) << "by number";
  const auto& features = std::get<Matrix>(data.features);
  EXPECT_EQ(features(0, 0), 7.0f);
  EXPECT_EQ(features(1, 0), 10.0f);
  EXPECT_EQ(data.adjacency.columns, (std::vector<Index>{1, 2}));
  EXPECT_EQ(data.adjacency.value(0), 2.0f);
  EXPECT_EQ(data.adjacency.value(1), 0.5f);
}

TEST_F(GraphMl, NumbersAreTheNearestFloats) {
  const Dataset data = read(keys_,
                            "<graph><node id='x'><data key='a'>+1.5</data></node><node id='y'>"
                            "<data key='a'>7.038531e-26</data></node><node id='z'><data key='a'>"
                            "1e-400</data></node></graph>\n");
  const auto& features = std::get<Matrix>(data.features);
  EXPECT_EQ(features(0, 0), 1.5f);
  EXPECT_EQ(features(1, 0), std::bit_cast<float>(0x15ae43fdu));
  EXPECT_EQ(features(2, 0), 0.0f);
}

TEST_F(GraphMl, AWeightThatNoEdgeHasSaysNothing) {
  const std::string keys =
      "<key id='c' for='node' attr.name='Class' attr.type='int'><default>3</default></key>"
      "<key id='w' for='edge' attr.name='weight' attr.type='float'/>";
  const std::string graph = "<graph><node id='x'/><node id='y'/><edge source='x' target='y'/>";
  EXPECT_TRUE(read(keys, graph + "</graph>").adjacency.is_pattern());
  expect_refused(keys, graph + "<edge source='y' target='x'><data key='w'>2</data></edge></graph>",
                 {"from 'x' to 'y' has no weight, and others have"});
}

TEST_F(GraphMl, AnotherAttributeIsTheLabel) {
  (void)read(keys_, "<graph><node id='x'/><node id='y'><data key='a'>1</data></node></graph>\n");
  const Dataset data = read_dataset_with_label(folder_ / "made.xml", "age");
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"1", "7"}));
  EXPECT_EQ(std::get<Matrix>(data.features)(1, 0), 3.0f) << "what was the label is a feature";
  made::expect_error([&] { (void)read_dataset_with_label(folder_ / "made.xml", "town"); },
                     {"named 'town'", "'Class', 'age'"});
}

TEST_F(GraphMl, Faults) {
  const std::string graph = "<graph><node id='x'/></graph>\n";
  EXPECT_NO_THROW((void)read(keys_, graph));
  expect_refused("<!-- no key -->", graph, {"no attribute of nodes is named label", "none"});
  expect_refused(keys_, "", {"has no <graph>"});
  expect_refused(keys_, "<graph></graph>", {"has no node"});
  expect_refused(keys_, graph + graph, {"line 4", "a second <graph>"});
  expect_refused(keys_, "<graph><node id='x'/>\n<node id='x'/></graph>",
                 {"line 4", "'x' appears again"});
  expect_refused(keys_, "<graph><node/></graph>", {"line 3", "<node> has no id"});
  expect_refused(keys_, "<graph><node id='x'/><edge source='x' target='y'/></graph>",
                 {"the node 'y'"});
  expect_refused(keys_, "<graph><node id='x'><data key='a'>nan</data></node></graph>",
                 {"line 3", "'nan' of 'age'"});
  expect_refused(keys_, "<graph><node id='x'><data key='q'>1</data></node></graph>",
                 {"the id 'q'"});
  expect_refused(keys_, "<graph><hyperedge/></graph>", {"<hyperedge>"});
  expect_refused(keys_, "<graph><node id='x'></graph>", {"line 3", "not well-formed"});
  expect_refused(
      "<key id='l' for='node' attr.name='label' attr.type='string'/>"
      "<key id='a' for='node' attr.name='age' attr.type='int'/>",
      "<graph><node id='x'><data key='l'>1</data></node></graph>",
      {"node 0 has no 'age'", "default"});
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "<a>";
  expect_refused(keys_, deep, {"nested deeper"});
}

TEST_F(GraphMl, EntitiesDoNotExpand) {
  made::write_file(folder_ / "made.xml",
                   "<!DOCTYPE graphml [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>"
                   "<!ENTITY c SYSTEM 'file:///etc/passwd'>]>\n<graphml>&b;&c;</graphml>");
  made::expect_error([&] { (void)read_dataset(folder_ / "made.xml"); },
                     {"made.xml", "document type"});
}

TEST_F(GraphMl, DefaultsDoNotMakeMuchOfLittle) {
  std::string keys =
      "<key id='c' for='node' attr.name='class' attr.type='int'><default>3</default></key>";
  for (int i = 0; i < 3000; ++i)
    keys += fmt::format("<key id='{0}' for='node' attr.type='int'><default>1</default></key>", i);
  std::string graph = "<graph>";
  for (int i = 0; i < 20000; ++i) graph += fmt::format("<node id='{}'/>", i);
  expect_refused(keys, graph + "</graph>", {"3000 features of 20000 nodes are too many"});
}

// ---- MAT-files ----------------------------------------------------------------------------------

TEST(MatFile, OtherVersionsAreNamed) {
  const made::Folder folder;
  const auto path = folder / "made.mat";
  std::string head(128, ' ');
  const auto expect_refused = [&](const std::string& start, const std::string& end,
                                  const std::string& rest, const std::vector<std::string>& pieces) {
    std::string text = head;
    text.replace(0, start.size(), start);
    text.replace(124, 4, end);
    made::write_file(path, text + rest);
    made::expect_error([&] { (void)read_dataset(path); }, pieces);
  };
  const std::string little("\0\1IM", 4);
  expect_refused("MATLAB 7.3 MAT-file", little, "", {"made.mat", "7.3", "-v7"});
  expect_refused("MATLAB 5.0 MAT-file", std::string("\1\0MI", 4), "", {"little-endian"});
  expect_refused("MATLAB 5.0 MAT-file", little, "", {"no adjacency", "none"});
  expect_refused("MATLAB 5.0 MAT-file", little, "abc", {"ends inside an element"});
  expect_refused("MATLAB 5.0 MAT-file", little, std::string("\x0e\0\0\0\xff\xff\xff\x7f", 8),
                 {"byte 128", "2147483647 bytes where 0 follow"});
  // A compressed element that claims 4 GiB in a few bytes.
  expect_refused("MATLAB 5.0 MAT-file", little, std::string("\x0f\0\0\0\x08\0\0\0", 8) + "12345678",
                 {"byte 136", "not valid"});
}

}  // namespace
}  // namespace cupel
