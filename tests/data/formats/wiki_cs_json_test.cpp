// Reading the released form of Wiki-CS: what is read, and faults one by one.
#include "cupel/data/formats/wiki_cs_json.h"

#include <gtest/gtest.h>

#include "cupel/base/random.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/node_graph.h"
#include "data/formats/made_wiki_cs.h"

namespace cupel {
namespace {

using made::json_of;
using made::JsonMembers;
using made::with;
using made::without;
using Ids = std::vector<Index>;

class WikiCsJson : public testing::Test {
 protected:
  WikiCsJson() { std::filesystem::create_directory(root_); }

  Dataset read(const JsonMembers& data, ReadMode mode = ReadMode::kForUse) {
    made::write_file(root_ / "data.json", json_of(data));
    return read_dataset(root_, mode);
  }
  void write_metadata(const JsonMembers& metadata) {
    made::write_file(root_ / "metadata.json", json_of(metadata));
  }
  // A fault in one member; the message names the file.
  void expect_fault(const std::string& key, const std::string& value,
                    std::vector<std::string> pieces) {
    pieces.push_back((root_ / "data.json").string() + ": ");
    made::expect_error([&] { (void)read(with(made::wiki_cs_data(), key, value)); }, pieces);
  }
  void expect_metadata_fault(const JsonMembers& metadata, std::vector<std::string> pieces) {
    write_metadata(metadata);
    pieces.push_back((root_ / "metadata.json").string() + ": ");
    made::expect_error([&] { (void)read(made::wiki_cs_data()); }, pieces);
  }

  const made::Folder folder_;
  const std::filesystem::path root_ = folder_ / "wiki-tea";
};

TEST_F(WikiCsJson, IsReadAsStored) {
  write_metadata(made::wiki_cs_metadata());
  const Dataset data = read(made::wiki_cs_data());
  made::check_dataset(data);
  EXPECT_EQ(data.name, "wiki-tea");
  const auto& x = std::get<Matrix>(data.features);
  EXPECT_EQ((std::vector<float>(x.values.begin(), x.values.end())),
            (std::vector<float>{0.1f, -2, 1e-3f, 0, 0.3f, 100, 0, 0, 1, 2, 3, 4}));
  EXPECT_EQ(data.adjacency.row_ptr, (std::vector<Offset>{0, 2, 2, 3, 4, 5, 7}));
  EXPECT_EQ(data.adjacency.columns, (Ids{1, 4, 2, 0, 5, 0, 3}));
  EXPECT_EQ(data.adjacency.values, (AlignedVector<float>{1, 2, 1, 1, 1, 1, 1}));
  EXPECT_EQ(data.repeated_arcs, 1);
  EXPECT_EQ(data.labels(), (Ids{0, 1, 1, 0, 1, 0}));
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"Databases", "Cafés"}));
  ASSERT_EQ(data.stored_splits.size(), 2u);
  const Split& second = data.stored_splits[1];
  EXPECT_EQ(second.train, Ids{1});
  EXPECT_EQ(second.stopping, Ids{0});
  EXPECT_EQ(second.valid, Ids{3});
  EXPECT_EQ(second.test, (Ids{4, 5}));
  EXPECT_EQ(data.stored_splits[0].test, second.test) << "one test mask of all splits";
}

TEST_F(WikiCsJson, WithoutMetadataClassesAreNumbers) {
  const Dataset data =
      read(with(made::wiki_cs_data(), "labels", "[3, 12, 12, -1, 7, 3]"), ReadMode::kForAudit);
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"3", "7", "12"}));
  EXPECT_EQ(data.labels(), (Ids{0, 2, 2, -1, 1, 0}));
}

TEST_F(WikiCsJson, ThePathMayBeThatOfTheFile) {
  (void)read(made::wiki_cs_data());
  EXPECT_EQ(read_dataset(root_ / "data.json").name, "wiki-tea");
  EXPECT_EQ(read_dataset(root_ / "." / "data.json").name, "wiki-tea");
  EXPECT_TRUE(holds_dataset(root_));
  std::filesystem::rename(root_ / "data.json", root_ / "vectors.json");
  EXPECT_EQ(read_dataset(root_ / "vectors.json").name, "vectors");
  EXPECT_FALSE(holds_dataset(root_));
  made::write_file(root_ / "data.json", "[1]");
  EXPECT_FALSE(holds_dataset(root_)) << "not an object";
}

TEST_F(WikiCsJson, ListsWithoutRepeatsAreAPattern) {
  const Dataset data = read(with(made::wiki_cs_data(), "links", "[[4,1],[],[2],[0],[5],[3,0]]"));
  EXPECT_TRUE(data.adjacency.is_pattern());
  EXPECT_EQ(data.repeated_arcs, 0);
  const Dataset none = read(with(made::wiki_cs_data(), "links", "[[],[],[],[],[],[]]"));
  EXPECT_EQ(none.adjacency.entries(), 0);
}

// The same arcs as the readers of pairs make of the same entries.
TEST_F(WikiCsJson, ArcsAreThoseOfPairs) {
  constexpr Index kNodes = 40;
  Stream random({7, 0x31c5}, 1);
  std::string links = "[", zeros = "[", labels = "[";
  Ids sources, targets;
  for (Index i = 0; i < kNodes; ++i) {
    links += i == 0 ? "[" : ", [";
    for (std::uint32_t k = random.next_below(9); k > 0; --k) {
      sources.push_back(i);
      targets.push_back(static_cast<Index>(random.next_below(12)));
      links += std::to_string(targets.back()) + (k > 1 ? "," : "");
    }
    links += "]";
    zeros += i == 0 ? "[0]" : ", [0]";
    labels += i == 0 ? "0" : ", 0";
  }
  const Dataset data =
      read({{"links", links + "]"}, {"labels", labels + "]"}, {"features", zeros + "]"}});
  Offset repeats = 0;
  const Csr expected = arcs_of_pairs(kNodes, sources, targets, {}, "made", repeats);
  EXPECT_GT(repeats, 10);
  EXPECT_EQ(data.repeated_arcs, repeats);
  EXPECT_EQ(data.adjacency.row_ptr, expected.row_ptr);
  EXPECT_EQ(data.adjacency.columns, expected.columns);
  EXPECT_EQ(data.adjacency.values, expected.values);
}

TEST_F(WikiCsJson, MasksMayBeOfOneSplitOrAbsent) {
  JsonMembers data = without(made::wiki_cs_data(), "stopping_masks");
  for (const Split& split : read(data).stored_splits) EXPECT_TRUE(split.stopping.empty());
  data = with(without(data, "train_masks"), "train_mask", "[1,1,0,0,0,0]");
  data = with(without(data, "val_masks"), "val_masks", "[0, 0, 1, 1, 0, 0]");
  const Dataset one = read(data);
  ASSERT_EQ(one.stored_splits.size(), 1u);
  EXPECT_EQ(one.stored_splits[0].train, (Ids{0, 1}));
  EXPECT_EQ(one.stored_splits[0].valid, (Ids{2, 3}));
  data = with(data, "stopping_masks", "[[0,0,0,0,0,0]]");
  EXPECT_EQ(read(data).stored_splits.size(), 1u);
  for (const char* key : {"train_mask", "val_masks", "test_mask", "stopping_masks"})
    data = without(data, key);
  EXPECT_TRUE(read(data).stored_splits.empty());
}

// 5 % of small classes, rounded down.
TEST_F(WikiCsJson, APartThatIsEmptyInEverySplitLeavesNoneForUse) {
  const JsonMembers data =
      with(made::wiki_cs_data(), "train_masks", "[[0,0,0,0,0,0],[0,0,0,0,0,0]]");
  EXPECT_TRUE(read(data).stored_splits.empty());
  EXPECT_EQ(read(data, ReadMode::kForAudit).stored_splits.size(), 2u);
}

TEST_F(WikiCsJson, TestMasksMayDiffer) {
  const JsonMembers data = with(without(made::wiki_cs_data(), "test_mask"), "test_masks",
                                "[[0,0,0,0,1,1],[0,0,0,0,0,1]]");
  EXPECT_EQ(read(data).stored_splits[0].test, (Ids{4, 5}));
  EXPECT_EQ(read(data).stored_splits[1].test, Ids{5});
}

TEST_F(WikiCsJson, FaultsOfMasks) {
  expect_fault("train_masks", "[[1,0,0,0,0],[0,1,0,0,0]]",
               {"'train_masks'[0]: has 5 flags for 6 nodes"});
  expect_fault("val_masks", "[[0,0,1,0,0,0],[0,0,0,1,0,0,0]]",
               {"'val_masks'[1]: has 7 flags for 6 nodes"});
  expect_fault("train_masks", "[[1,0],[0,1],[0,0],[0,0],[0,0],[0,0]]",
               {"has 6 lists of 2 flags, nodes x splits; transpose it"});
  expect_fault("stopping_masks", "[[0,1,0,0,0,0]]",
               {"'stopping_masks': has 1 splits where 'train_masks' has 2"});
  expect_fault("test_mask", "[false, false, false, false, true, \"true\"]",
               {"'test_mask'[5]", "'\"true\"' where true or false is needed"});
  expect_fault("test_mask", "[false, false, false, false, true, 2]", {"'2' where true or false"});
  expect_fault("test_mask", "[false, false, false, false, true, 1.0]", {"'1.0'"});
  expect_fault("train_masks", "[[1,0,0,0,0,0],0]", {"'train_masks'[1]", "where a list is needed"});
  expect_fault("train_mask", "[1,0,0,0,0,0]",
               {"'train_mask'", "given beside 'train_masks', which means the same"});
  expect_fault("val_masks", "[[1,0,1,0,0,0],[0,0,0,1,0,0]]",
               {"split 0 of its masks", "node 0", "training part"});
  expect_fault("train_masks", "[[0,0,0,0,0,0],[0,1,0,0,0,0]]", {"the training part is empty"});
  made::expect_error([&] { (void)read(without(made::wiki_cs_data(), "val_masks")); },
                     {"has no 'val_masks'"});
}

TEST_F(WikiCsJson, StoppingHasNothingInCommonWithOtherParts) {
  expect_fault("stopping_masks", "[[0,1,0,0,0,0],[1,0,0,0,0,1]]",
               {"split 1 of its masks", "node 5", "stopping part"});
}

TEST_F(WikiCsJson, FaultsOfFeatures) {
  expect_fault("features", "[[1,2],[3],[4,5],[6,7],[8,9],[0,1]]",
               {"'features'[1]", "has 1 numbers where the first row has 2"});
  expect_fault("features", "[[1],[2],[3],[4],[5]]",
               {"'features' has 5 lists where 'labels' has 6 numbers"});
  expect_fault("features", "[[1,NaN],[1,2],[1,2],[1,2],[1,2],[1,2]]",
               {"'features'[0][1]", "'NaN' where a number is needed"});
  expect_fault("features", "[[1,2],[1,-1e39],[1,2],[1,2],[1,2],[1,2]]",
               {"'features'[1][1]", "larger than a float32 holds"});
  expect_fault("features", "[[1],[1e999],[3],[4],[5],[6]]", {"larger than a float32 holds"});
  for (const char* wrong : {"01", "+1", ".5", "1.", "1e", "0x1", "1_0", "Infinity", "null", "--1"})
    expect_fault("features", fmt::format("[[1],[2],[{}],[4],[5],[6]]", wrong), {"'features'[2]"});
  expect_fault("features", "[[],[],[],[],[],[]]", {"has no feature column"});
  expect_fault("features", "{}", {"'features'", "an object where a list is needed"});
  made::expect_error([&] { (void)read(without(made::wiki_cs_data(), "features")); },
                     {"has no 'features'"});
  EXPECT_EQ(
      feature_count(read(without(made::wiki_cs_data(), "features"), ReadMode::kForAudit).features),
      0);
}

TEST_F(WikiCsJson, NumbersBeyondDoubles) {
  const Dataset data = read(with(made::wiki_cs_data(), "features",
                                 "[[1e-999],[-1e-400],[0.000e99],[4.9e-324],[-0.0],[1E+1]]"));
  const auto& x = std::get<Matrix>(data.features).values;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(x[i], 0.0f) << i;
  EXPECT_EQ(x[5], 10.0f);
  const std::string zeros(2000, '0');
  expect_fault("features", "[[1],[0." + zeros + "1],[3],[4],[5],[6]]",
               {"'features'[1][0]", "over 1024 characters"});
}

TEST_F(WikiCsJson, FaultsOfLinksAndLabels) {
  expect_fault("links", "[[4,1],[],[2],[0,6],[5],[3]]",
               {"'links'[3][1] is 6, and there are 6 nodes"});
  expect_fault("links", "[[],[],[],[],[],[0,-1]]", {"'links'[5][1]", "is -1, no number of a node"});
  expect_fault("links", "[[],[],[],[],[],[99999999999]]", {"99999999999"});
  expect_fault("links", "[[],[],[],[],[],[1.0]]", {"'1.0' where a whole number is needed"});
  expect_fault("links", "[[],[],[],[]]", {"'links' has 4 lists where 'labels' has 6 numbers"});
  expect_fault("labels", "[0,1,1,0,1,-2]", {"'labels'[5] is -2"});
  expect_fault("labels", "[0,1,1,0,1,18446744073709551616]", {"where a whole number is needed"});
  expect_fault("labels", "[-1,-1,-1,-1,-1,-1]", {"no node has a label"});
  expect_fault("labels", "[]", {"the graph has no node"});
  write_metadata(without(made::wiki_cs_metadata(), "nodes"));
  expect_fault("labels", "[0,1,1,0,1,2]", {"has the class 2 but only 2 class names"});
}

TEST_F(WikiCsJson, FaultsOfTheFile) {
  expect_fault("edges", "[]", {"'edges'", "is an unknown key; known are features, labels, links"});
  const std::string good = json_of(made::wiki_cs_data());
  const auto expect = [&](const std::string& text, std::vector<std::string> pieces) {
    made::write_file(root_ / "data.json", text);
    made::expect_error([&] { (void)read_dataset(root_); }, pieces);
  };
  expect(good.substr(0, good.size() - 1) + ", \"labels\": [0]}", {"'labels'", "is given twice"});
  expect(good.substr(0, good.find("false]")), {"the end of the file", "cut off, get it again"});
  expect(good.substr(0, good.find("se]")), {"'fal' where true or false", "cut off, get it again"});
  expect(good + " x", {"'x' where the end of the file is needed"});
  expect("{\"labels\": [1,]}", {"']' where a whole number is needed"});
  expect("{\"labels\": [1 2]}", {"'2' where a comma or the list's end is needed"});
  expect("{\"labels\" [1]}", {"a list where a colon is needed"});
  expect("{labels: [1]}", {"'labels' where a key in double quotes is needed"});
  expect("{\"labels\": [[1]]}", {"'labels'[0]", "a list where a whole number is needed"});
  expect("{\"labels\": [1], \"lab\xff\": 1}", {"'\\xff'", "not UTF-8"});
  expect("{\"lab\nels\": [1]}", {"control character '\\x0a'"});
  expect("{}", {"has no 'features'"});
  for (std::size_t size = 1; size < good.size(); size += 7)
    expect(good.substr(0, size), {(root_ / "data.json").string()});
  made::write_file(root_ / "data.json", "\xEF\xBB\xBF \n" + good + "\r\n");
  EXPECT_EQ(read_dataset(root_).nodes(), 6);
}

TEST_F(WikiCsJson, FaultsOfMetadata) {
  const JsonMembers good = made::wiki_cs_metadata();
  expect_metadata_fault(with(good, "labels", R"({"0": "Databases", "1": "Tea"})"),
                        {"'nodes'[1] 'label' is 'Cafés' where data.json has the class 1, 'Tea'"});
  expect_metadata_fault(with(good, "labels", R"({"0": "Databases"})"),
                        {"the class 1, which has no name"});
  expect_metadata_fault(with(good, "labels", R"({"0": "a", "2": "b"})"),
                        {"'labels' has the number 2 and not 1"});
  expect_metadata_fault(with(good, "labels", R"({"0": "a", "0": "b"})"),
                        {"'labels' '0'", "is given twice"});
  expect_metadata_fault(with(good, "labels", R"({"00": "a"})"), {"is no class number"});
  expect_metadata_fault(without(good, "labels"), {"has no 'labels'"});
  expect_metadata_fault(
      with(good, "nodes", "[" + made::wiki_cs_node(1, "Databases", "1,2,1") + "]"),
      {"has 1 nodes where data.json has 6"});
  const std::string nodes = good[1].second.substr(0, good[1].second.size() - 1);
  expect_metadata_fault(
      with(good, "nodes", nodes + ", " + made::wiki_cs_node(1, "Databases", "") + "]"),
      {"'nodes'[6]", "is one node more than the 6 of data.json"});
  expect_metadata_fault(with(good, "nodes", "[" + made::wiki_cs_node(1, "Databases", "1,2") + "]"),
                        {"'nodes'[0] 'outlinks'", "has 2 ids where data.json has 3 links"});
  expect_metadata_fault(with(good, "nodes", R"([{"id": 1, "title": "a"}])"),
                        {"'nodes'[0]", "lacks one of id, title, label"});
  expect_metadata_fault(with(good, "nodes", R"([{"id": 1.5}])"), {"'nodes'[0] 'id'", "'1.5'"});
  expect_metadata_fault(with(good, "nodes", R"([{"title": "a\ud800b"}])"), {"half of a character"});
  expect_metadata_fault(with(good, "nodes", R"([{"title": "a\x"}])"), {"backslash before 'x'"});
  expect_metadata_fault(with(good, "nodes", R"([{"title": "a\u12g4"}])"),
                        {"without four hexadecimal digits"});
  expect_metadata_fault(with(good, "nodes", R"([{"tokens": ["a", 1]}])"),
                        {"'nodes'[0] 'tokens'[1]", "'1' where a text in double quotes"});
  expect_metadata_fault(with(good, "splits", "1"), {"'splits'", "unknown key"});
}

TEST_F(WikiCsJson, MetadataMayComeInAnyOrderWithIdsAsTexts) {
  JsonMembers metadata = made::wiki_cs_metadata();
  std::swap(metadata[0], metadata[1]);
  std::string& nodes = metadata[0].second;
  nodes.replace(nodes.find("10"), 2, "\"10\"");
  write_metadata(metadata);
  EXPECT_EQ(read(made::wiki_cs_data()).class_names()[1], "Cafés");
}

// Values that lie across the pieces in which a file is read, which are of 1 MiB.
TEST_F(WikiCsJson, LargerThanOnePiece) {
  constexpr int kNodes = 700, kColumns = 301;
  std::string features, labels, links, tokens;
  std::vector<float> expected;
  Stream random({3, 0x31c5}, 2);
  for (int i = 0; i < kNodes; ++i) {
    features += i == 0 ? "[" : "],[";
    for (int c = 0; c < kColumns; ++c) {
      const double value = random.next_below(1u << 30) / 3.0;
      features += fmt::format("{}{:.17g}", c == 0 ? "" : ",   ", value);
      expected.push_back(static_cast<float>(value));
    }
    labels += fmt::format("{}{}", i == 0 ? "" : ",", i % 2);
    links += fmt::format("{}[{}]", i == 0 ? "" : ",", (i + 1) % kNodes);
  }
  for (int k = 0; k < 300'000; ++k) tokens += k % 3 == 0 ? "\\u00e9" : k % 3 == 1 ? "é" : "\\\\";
  std::string nodes;
  for (int i = 0; i < kNodes; ++i)
    nodes += (i == 0 ? "" : ",") + made::wiki_cs_node(i, i % 2 == 0 ? "a" : "b", "1");
  nodes.replace(nodes.find("\\u00e9t"), 7, tokens);
  write_metadata({{"labels", R"({"0": "a", "1": "b"})"}, {"nodes", "[" + nodes + "]"}});
  const Dataset data = read({{"features", "[" + features + "]]"},
                             {"labels", "[" + labels + "]"},
                             {"links", "[" + links + "]"}});
  const auto& x = std::get<Matrix>(data.features);
  EXPECT_TRUE(std::ranges::equal(x.values, expected));
  EXPECT_EQ(data.adjacency.columns[kNodes - 1], 0);
}

}  // namespace
}  // namespace cupel
