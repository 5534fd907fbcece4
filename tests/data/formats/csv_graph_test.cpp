#include "cupel/data/formats/csv_graph.h"

#include <gtest/gtest.h>

#include <bit>

#include "cupel/data/formats/csv_writer.h"
#include "cupel/data/formats/format.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

class CsvGraph : public testing::Test {
 protected:
  void SetUp() override {
    write("labels.csv", "node,label\nann,tea\nbob,coffee\ncy,tea\ndee,coffee\n");
    write("edges.csv", "source,target\nann,bob\nbob,cy\ncy,dee\n");
  }
  void write(const std::string& name, const std::string& content) {
    made::write_file(folder_ / name, content);
  }
  Dataset read() {
    Dataset out = read_dataset(folder_.path());
    made::check_dataset(out);
    return out;
  }
  void expect_refused(const std::string& name, const std::string& content,
                      std::vector<std::string> pieces) {
    const bool was = std::filesystem::exists(folder_ / name);
    const std::string before = made::file_content(folder_ / name);
    write(name, content);
    pieces.push_back((folder_ / name).string());
    made::expect_error([&] { (void)read_dataset(folder_.path()); }, pieces);
    std::filesystem::remove(folder_ / name);
    if (was) write(name, before);
  }

  const made::Folder folder_;
};

TEST_F(CsvGraph, TheLeastThatIsNeeded) {
  const Dataset d = read();
  EXPECT_EQ(d.name, folder_.path().filename().string());
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 2, 3})) << "as stored, one arc per line";
  EXPECT_EQ(d.class_names(), (std::vector<std::string>{"coffee", "tea"}));
  EXPECT_EQ(d.labels(), (std::vector<Index>{1, 0, 1, 0}));
  const auto& x = std::get<Csr>(d.features);
  EXPECT_TRUE(x.is_pattern());
  EXPECT_EQ(x.columns, (std::vector<Index>{0, 1, 2, 3})) << "every node is its own feature";
  EXPECT_EQ(read_dataset(folder_.path() / "").name, d.name) << "a slash at the end";
}

TEST_F(CsvGraph, WeightsFeaturesAndSplits) {
  write("edges.csv", "source,target,weight\nann,bob,0.5\nann,bob,0.25\ndee,dee,-2e0\n");
  write("features.csv", "node,x,y\ndee,1,2\ncy,+3,-4.5\nbob,0,1e-3\nann,7,8\n");
  write("splits.json",
        R"({"splits": [{"train": ["dee", "ann"], "valid": ["bob"], "test": ["cy"]},
                       {"train": ["cy"], "valid": ["bob"], "test": ["dee", "ann"]}]})");
  const Dataset d = read();
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 3}));
  EXPECT_EQ(d.adjacency.values[0], 0.75f);
  EXPECT_EQ(d.adjacency.values[1], -2.0f);
  const auto& x = std::get<Matrix>(d.features);
  EXPECT_EQ(x(0, 0), 7.0f);
  EXPECT_EQ(x(2, 1), -4.5f);
  ASSERT_EQ(d.stored_splits.size(), 2u);
  EXPECT_EQ(d.stored_splits[0].train, (std::vector<Index>{3, 0}));
  EXPECT_EQ(d.stored_splits[1].test, (std::vector<Index>{0, 3}));
}

// A float32 whose shortest text becomes another one by way of a double.
TEST_F(CsvGraph, FloatsComeBackAsTheyWere) {
  write("features.csv", "node,x,y\ndee,7.038531e-26,1e-400\ncy,3,4\nbob,5,6\nann,7,8\n");
  const Dataset d = read();
  const auto& x = std::get<Matrix>(d.features);
  EXPECT_EQ(x(3, 0), std::bit_cast<float>(0x15ae43fdu));
  EXPECT_EQ(x(3, 1), 0.0f);
  write_csv_graph(d, folder_ / "again");
  EXPECT_EQ(content_hash(read_dataset(folder_ / "again")), content_hash(d));
}

TEST_F(CsvGraph, NamesAreAnyText) {
  write("labels.csv",
        "\xef\xbb\xbfnode,label\r\n\"a, \"\"b\"\"\",\"10\"\r\n\r\n  spaced out  ,9\r\n\" x\",10");
  write("edges.csv", "source,target\n\"a, \"\"b\"\"\",\" x\"\nspaced out, \"a, \"\"b\"\"\" \n");
  write("splits.json",
        R"({"splits": [{"train": ["a, \"b\""], "valid": ["spaced out"], "test": [" x"]}]})");
  const Dataset d = read();
  EXPECT_EQ(d.nodes(), 3);
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{2, 0}));
  EXPECT_EQ(d.class_names(), (std::vector<std::string>{"9", "10"})) << "numbers in their order";
  EXPECT_EQ(d.labels(), (std::vector<Index>{1, 0, 1}));
  EXPECT_EQ(d.stored_splits.size(), 1u);
}

TEST_F(CsvGraph, NumbersInSplitsNameNodes) {
  write("labels.csv", "node,label\n10,a\n20,b\n30,a\n");
  write("edges.csv", "source,target\n");
  write("splits.json", R"({"splits": [{"train": [30], "valid": [10], "test": ["20"]}]})");
  EXPECT_EQ(read().stored_splits[0].train, (std::vector<Index>{2}));
}

TEST_F(CsvGraph, FaultsNameTheLine) {
  expect_refused("edges.csv", "source,target\nann,bob\n\nann,zoe\n",
                 {"line 4", "'zoe'", "labels.csv"});
  expect_refused("edges.csv", "source,target\nann\n",
                 {"line 2", "1 fields where the header has 2"});
  expect_refused("edges.csv", "source,target\nann,bob,1\n", {"line 2", "3 fields"});
  expect_refused("edges.csv", "from,to\nann,bob\n", {"line 1", "'from', 'to'", "source,target"});
  expect_refused("edges.csv", "a,b,c\n", {"line 1", "source,target,weight"});
  expect_refused("edges.csv",
                 "source,target\nann,bob\nann,b\xfc"
                 "b\n",
                 {"line 3", "not UTF-8"});
  expect_refused("edges.csv", "", {"is empty"});
  expect_refused("edges.csv", "\n\n", {"is empty"});
  for (const char* weight : {"nan", "inf", "1e99", "", "1,5", "x", "1x", "0x10", "++1", "+-1"}) {
    expect_refused("edges.csv", std::string("source,target,weight\nann,bob,\"") + weight + "\"\n",
                   {"line 2", "'weight'", "not a finite number"});
  }
  expect_refused("edges.csv", "source,target,weight\nann,bob,3e38\nann,bob,3e38\n", {"float32"});
  expect_refused("edges.csv", "source,target\nann,\"bob\n", {"line 2", "no closing quote"});
  expect_refused("edges.csv", "source,target\nann,\"bob\"x\n", {"line 2", "closing quote"});

  expect_refused("labels.csv", "node,label\n", {"names no node"});
  expect_refused("labels.csv", "node,label\n,a\n", {"line 2", "no name"});
  expect_refused("labels.csv", "node,label\nann,a\nann,b\n", {"line 3", "'ann' appears again"});

  expect_refused("features.csv", "node,x\nann,1\nbob,2\ncy,3\n", {"'dee' has no line"});
  expect_refused("features.csv", "node,x\nann,1\nbob,2\ncy,3\ncy,3\n",
                 {"line 5", "'cy' appears again"});
  expect_refused("features.csv", "node,x\nann,1\nbob,2\ncy,3\ndee,\n", {"line 5", "''"});
  expect_refused("features.csv", "node\nann\nbob\ncy\ndee\n", {"line 1", "at least one feature"});
  expect_refused("features.csv", "node,a,b,c,d,e,f,g,h\nann,1,2\n", {"too few"});
}

TEST_F(CsvGraph, FaultsOfSplits) {
  const auto splits = [](const std::string& text) { return "{\"splits\": [" + text + "]}"; };
  expect_refused("splits.json", "{", {"not valid JSON", "line 1"});
  expect_refused("splits.json", "[]", {"lacks the list 'splits'"});
  expect_refused("splits.json", splits("{}"), {"split 0", "lacks the list 'train'"});
  expect_refused("splits.json",
                 splits(R"({"train": ["ann"], "train": ["bob"], "valid": [], "test": []})"),
                 {"'train'", "twice"});
  expect_refused("splits.json",
                 splits(R"({"train": ["ann"], "valid": ["bob"], "test": ["cy"], "tset": []})"),
                 {"split 0", "unknown key 'tset'", "train, valid, test"});
  expect_refused("splits.json", R"({"splits": [], "seed": 1})", {"unknown key 'seed'", "splits"});
  expect_refused("splits.json", splits("[[[[[[[[[[]]]]]]]]]]"), {"nested too deeply"});
  expect_refused("splits.json", std::string(100000, '['), {"nested too deeply"});
  expect_refused("splits.json", splits(R"({"train": ["zoe"], "valid": [], "test": []})"),
                 {"split 0", "'zoe'"});
  expect_refused("splits.json", splits(R"({"train": [1.5], "valid": [], "test": []})"),
                 {"no node name"});
  expect_refused("splits.json", splits(R"({"train": ["ann"], "valid": [], "test": ["bob"]})"),
                 {"split 0", "empty"});
  expect_refused("splits.json", splits(R"({"train": ["ann"], "valid": ["ann"], "test": ["bob"]})"),
                 {"split 0", "node 'ann'"});
}

// Names that are numbers of other nodes.
TEST_F(CsvGraph, FaultsOfSplitsAreToldByName) {
  write("labels.csv", "node,label\n3,a\n1,b\n2,a\n0,b\n9,\n");
  write("edges.csv", "source,target\n1,2\n");
  std::filesystem::remove(folder_ / "features.csv");
  const auto refuse = [&](const std::string& split, const std::string& piece) {
    write("splits.json", "{\"splits\": [" + split + "]}");
    made::expect_error([&] { (void)read_dataset(folder_.path()); }, {piece});
  };
  refuse(R"({"train": ["3"], "valid": ["1"], "test": ["2", "3"]})",
         "node '3' is in the training part and again in the test part");
  refuse(R"({"train": ["3", 3], "valid": ["1"], "test": ["2"]})",
         "node '3' is in the training part and again in the training part");
  refuse(R"({"train": ["3"], "valid": ["9"], "test": ["2"]})", "validation node '9' has no label");
}

TEST_F(CsvGraph, ASurroundingFileIsMissing) {
  std::filesystem::remove(folder_ / "labels.csv");
  made::expect_error([&] { (void)read(); }, {"labels.csv", "no such file"});
}

TEST_F(CsvGraph, ReadsWhatItWroteAsNpz) {
  write("features.csv", "node,x,y\ndee,1,2\ncy,3,4\nbob,5,6\nann,7,8\n");
  const Dataset d = read();
  write_gnn_benchmark_npz(d, folder_ / "out.npz");
  EXPECT_EQ(content_hash(read_dataset(folder_ / "out.npz")), content_hash(d));
}

}  // namespace
}  // namespace cupel
